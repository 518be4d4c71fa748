"""What the user changes of entities, and what undoing makes of what has happened since."""

from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.edited_graph import GraphStore, graph_store
from intaglio.domain.reader import USER
from intaglio.graph import entity_rows, query_rows
from intaglio.graph.edits import change_rows
from intaglio.graph.edits.aliases import remove_alias
from intaglio.graph.edits.merge import merge
from intaglio.graph.edits.names import add_alias, rename, retype
from intaglio.graph.edits.outcomes import (
    EditRefused,
    EntityEdited,
    NameTaken,
    NotItsMemories,
)
from intaglio.graph.edits.retention_rows import clean, expired_changes, purge_changes
from intaglio.graph.edits.split import SplitOff, split
from intaglio.graph.edits.undo import undo
from intaglio.graph.mention_rows import facts

LATER = "2999-01-01T00:00:00.000Z"


@pytest.fixture
def graph(tmp_path: Path) -> Generator[GraphStore]:
    with graph_store(tmp_path) as one:
        yield one
        one.check()


def names(graph: GraphStore, name: str) -> list[str]:
    entity = graph.entity(name)
    return [each.alias for each in query_rows.aliases(graph.tx, entity.seq, USER)]


def shown(graph: GraphStore) -> dict[str, int]:
    """Return how many memories each entity has."""
    return {each.name: each.mentions for each in graph.entities()}


def do_merge(graph: GraphStore, name: str, into: str) -> EntityEdited:
    outcome = merge(graph.tx, graph.entity(name), graph.entity(into), graph.edit)
    assert isinstance(outcome, EntityEdited)
    return outcome


def three(graph: GraphStore) -> None:
    for name in ("alpha-api", "beta-api", "gamma-api"):
        graph.remember(f"Deploys of the `{name}` run on Fridays")


def test_a_memory_of_two_merged_entities_counts_once(graph: GraphStore) -> None:
    graph.remember("The `alpha-api` calls the `beta-api`")
    do_merge(graph, "alpha-api", "beta-api")
    assert shown(graph) == {"beta-api": 1}


def test_earlier_merges_follow_a_merge_and_its_undo(graph: GraphStore) -> None:
    three(graph)
    do_merge(graph, "alpha-api", "beta-api")
    second = do_merge(graph, "beta-api", "gamma-api")
    assert shown(graph) == {"gamma-api": 3}
    assert graph.undo(second)
    assert shown(graph) == {"beta-api": 2, "gamma-api": 1}


def test_merges_are_undone_in_any_order(graph: GraphStore) -> None:
    three(graph)
    first = do_merge(graph, "alpha-api", "beta-api")
    do_merge(graph, "beta-api", "gamma-api")
    assert graph.undo(first)
    assert shown(graph) == {"alpha-api": 1, "gamma-api": 2}


def test_a_merge_without_its_record_follows_later_merges(graph: GraphStore) -> None:
    three(graph)
    do_merge(graph, "alpha-api", "beta-api")
    before = graph.context.now
    second = do_merge(graph, "beta-api", "gamma-api")
    purge_changes(graph.tx, expired_changes(graph.tx, before, "", 10), before, "")
    assert graph.undo(second)
    assert shown(graph) == {"beta-api": 2, "gamma-api": 1}


def test_an_entity_is_not_merged_with_itself(graph: GraphStore) -> None:
    three(graph)
    alpha = graph.entity("alpha-api")
    assert isinstance(merge(graph.tx, alpha, alpha, graph.edit), EditRefused)


def test_entities_of_different_agents_are_not_merged(graph: GraphStore) -> None:
    graph.remember("Deploys of the `alpha-api` run on Fridays")
    graph.remember("Deploys of the `beta-api` run on Fridays", agent="ann")
    outcome = merge(graph.tx, graph.entity("alpha-api"), graph.entity("beta-api"), graph.edit)
    assert isinstance(outcome, EditRefused)


def test_a_new_memory_links_to_the_merged_entity(graph: GraphStore) -> None:
    three(graph)
    do_merge(graph, "alpha-api", "beta-api")
    graph.remember("Alerts of the `alpha-api` go to the `gamma-api`")
    assert shown(graph) == {"beta-api": 3, "gamma-api": 2}


def test_a_merged_entity_returns_when_the_others_memories_are_erased(
    graph: GraphStore,
) -> None:
    graph.remember("Deploys of the `alpha-api` run on Fridays")
    erased = graph.remember("Alerts of the `beta-api` go to nobody")
    do_merge(graph, "alpha-api", "beta-api")
    graph.erase(erased or "")
    assert shown(graph) == {"alpha-api": 1}


def test_a_renamed_entity_keeps_its_old_name(graph: GraphStore) -> None:
    three(graph)
    rename(graph.tx, graph.entity("alpha-api"), "Alpha", graph.edit)
    assert names(graph, "Alpha") == ["alpha-api", "Alpha"]


def test_another_spelling_of_the_name_is_a_rename(graph: GraphStore) -> None:
    three(graph)
    outcome = rename(graph.tx, graph.entity("alpha-api"), "Alpha-API", graph.edit)
    assert graph.entity("Alpha-API").name == "Alpha-API"
    assert graph.undo(outcome)
    assert graph.entity("alpha-api").name == "alpha-api"


def test_a_taken_name_is_refused_and_its_entity_named(graph: GraphStore) -> None:
    three(graph)
    outcome = rename(graph.tx, graph.entity("alpha-api"), "Beta-API", graph.edit)
    assert outcome == NameTaken("Beta-API", graph.entity("beta-api"))


def test_the_name_of_a_merged_entity_is_refused(graph: GraphStore) -> None:
    three(graph)
    do_merge(graph, "alpha-api", "beta-api")
    outcome = rename(graph.tx, graph.entity("beta-api"), "alpha-api", graph.edit)
    assert isinstance(outcome, NameTaken)
    assert outcome.in_group


def test_a_rename_is_not_undone_after_the_old_name_was_erased(graph: GraphStore) -> None:
    erased = graph.remember("Deploys of the `alpha-api` run on Fridays")
    outcome = rename(graph.tx, graph.entity("alpha-api"), "Beta", graph.edit)
    graph.remember("Beta is slow on Mondays and Beta is large")
    graph.erase(erased or "")
    assert names(graph, "Beta") == ["Beta"]
    assert not graph.undo(outcome)


def test_the_user_s_spelling_stays_when_the_memory_s_is_erased(graph: GraphStore) -> None:
    erased = graph.remember("Deploys of the `alpha-api` run on Fridays")
    entity = graph.entity("alpha-api")
    rename(graph.tx, entity, "Alpha-API", graph.edit)
    change_rows.set_pinned(graph.tx, entity.seq, None, graph.context.now)
    graph.erase(erased or "")
    assert names(graph, "Alpha-API") == ["Alpha-API"]


def test_an_earlier_rename_is_undone_after_the_later_one(graph: GraphStore) -> None:
    three(graph)
    first = rename(graph.tx, graph.entity("alpha-api"), "One", graph.edit)
    second = rename(graph.tx, graph.entity("One"), "Two", graph.edit)
    assert not graph.undo(first)
    assert graph.undo(second)
    assert graph.undo(first)


def test_a_tool_is_shared_by_all_projects(graph: GraphStore) -> None:
    three(graph)
    entity = graph.entity("alpha-api")
    assert entity.project == "/work/shop"
    outcome = retype(graph.tx, entity, "tool", graph.edit)
    assert graph.entity("alpha-api").project is None
    assert graph.undo(outcome)
    assert graph.entity("alpha-api").project == "/work/shop"


def test_memories_of_the_new_name_stay_with_the_entity_when_its_rename_is_undone(
    graph: GraphStore,
) -> None:
    three(graph)
    outcome = rename(graph.tx, graph.entity("alpha-api"), "zeta-api", graph.edit)
    graph.remember("Alerts of the `zeta-api` go to Ann")
    assert graph.undo(outcome)
    assert shown(graph)["alpha-api"] == 2
    assert names(graph, "alpha-api") == ["alpha-api", "zeta-api"]


def test_an_added_name_is_recognized(graph: GraphStore) -> None:
    three(graph)
    add_alias(graph.tx, graph.entity("alpha-api"), "zeta-api", graph.edit)
    graph.remember("Alerts of the `zeta-api` go to Ann")
    assert shown(graph)["alpha-api"] == 2


def test_an_added_name_stays_when_memories_are_erased(graph: GraphStore) -> None:
    graph.remember("Deploys of the `alpha-api` run on Fridays")
    erased = graph.remember("Alerts of the `zeta-api` go to the `alpha-api`")
    entity = graph.entity("alpha-api")
    add_alias(graph.tx, entity, "Payments", graph.edit)
    graph.erase(erased or "")
    assert names(graph, "alpha-api") == ["alpha-api", "Payments"]


def test_a_removed_name_becomes_an_entity_with_its_memories(graph: GraphStore) -> None:
    three(graph)
    entity = graph.entity("alpha-api")
    add_alias(graph.tx, entity, "zeta-api", graph.edit)
    graph.remember("Alerts of the `zeta-api` go to Ann")
    [seq] = [each.seq for each in entity_rows.aliases_of(graph.tx, [entity.seq])][1:]
    outcome = remove_alias(graph.tx, graph.entity("alpha-api"), seq, graph.edit)
    assert shown(graph)["alpha-api"] == 1
    assert shown(graph)["zeta-api"] == 1
    graph.remember("Backups of the `zeta-api` are nightly")
    assert shown(graph)["zeta-api"] == 2
    assert graph.undo(outcome)
    assert shown(graph)["alpha-api"] == 3


def test_an_entity_keeps_its_own_name(graph: GraphStore) -> None:
    three(graph)
    entity = graph.entity("alpha-api")
    [alias] = entity_rows.aliases_of(graph.tx, [entity.seq])
    assert isinstance(remove_alias(graph.tx, entity, alias.seq, graph.edit), EditRefused)


def do_split(graph: GraphStore, *memories: str | None) -> object:
    wanted = SplitOff("alpha (old)", None, [each or "" for each in memories])
    return split(graph.tx, graph.entity("alpha-api"), wanted, USER, graph.edit)


def test_a_split_moves_mentions_and_facts(graph: GraphStore) -> None:
    first = graph.remember("Deploys of the `alpha-api` run on Fridays")
    second = graph.remember("Alerts of the `alpha-api` go to Ann")
    outcome = do_split(graph, second)
    assert isinstance(outcome, EntityEdited)
    [fact] = facts(graph.tx, graph.entity("alpha (old)").seq, USER, None, 10)
    assert (fact.id, fact.kind) == (second, "attribute")
    [fact] = facts(graph.tx, graph.entity("alpha-api").seq, USER, None, 10)
    assert fact.id == first


def test_undoing_a_split_takes_later_memories_along(graph: GraphStore) -> None:
    graph.remember("Deploys of the `alpha-api` run on Fridays")
    outcome = do_split(graph, graph.remember("Alerts of the `alpha-api` go to Ann"))
    add_alias(graph.tx, graph.entity("alpha (old)"), "zeta-api", graph.edit)
    graph.remember("Backups of the `zeta-api` are nightly")
    assert graph.undo(outcome)
    assert shown(graph)["alpha-api"] == 3
    assert names(graph, "alpha-api") == ["alpha-api", "zeta-api"]


def test_a_split_is_undone_after_its_memory_was_erased(graph: GraphStore) -> None:
    graph.remember("Deploys of the `alpha-api` run on Fridays")
    erased = graph.remember("Alerts of the `alpha-api` go to Ann")
    outcome = do_split(graph, erased)
    graph.erase(erased or "")
    assert graph.undo(outcome)
    assert shown(graph)["alpha-api"] == 1


def test_a_split_is_not_undone_while_others_are_merged_into_it(graph: GraphStore) -> None:
    graph.remember("Deploys of the `alpha-api` run on Fridays")
    graph.remember("Deploys of the `beta-api` run on Fridays")
    outcome = do_split(graph, graph.remember("Alerts of the `alpha-api` go to Ann"))
    merged = do_merge(graph, "beta-api", "alpha (old)")
    assert not graph.undo(outcome)
    assert graph.undo(merged)
    assert graph.undo(outcome)


def test_memories_of_something_else_are_not_split_off(graph: GraphStore) -> None:
    graph.remember("Deploys of the `alpha-api` run on Fridays")
    graph.remember("Alerts of the `alpha-api` go to Ann")
    other = graph.remember("Backups of the `beta-api` are nightly") or ""
    assert do_split(graph, other, "nothing") == NotItsMemories(
        graph.entity("alpha-api"), (other, "nothing")
    )


def test_all_memories_of_an_entity_are_not_split_off(graph: GraphStore) -> None:
    memory = graph.remember("Deploys of the `alpha-api` run on Fridays")
    assert isinstance(do_split(graph, memory), EditRefused)


def test_a_change_can_be_undone_only_once(graph: GraphStore) -> None:
    three(graph)
    outcome = do_merge(graph, "alpha-api", "beta-api")
    assert graph.undo(outcome)
    again = undo(graph.tx, outcome.change_id or "", USER, graph.edit)
    assert isinstance(again, EditRefused)


def test_an_orphaned_entity_is_removed_when_its_last_change_expires(graph: GraphStore) -> None:
    memory = graph.remember("Deploys of the `alpha-api` run on Fridays")
    rename(graph.tx, graph.entity("alpha-api"), "Alpha", graph.edit)
    graph.modify(memory or "", "Deploys of the `beta-api` run on Fridays")
    purge_changes(graph.tx, expired_changes(graph.tx, LATER, "", 10), LATER, "")
    clean(graph.tx, [(0,)] * 10, LATER, graph.context.now)
    assert [each["name"] for each in _rows(graph)] == ["beta-api"]


def _rows(graph: GraphStore) -> list[dict[str, object]]:
    found = graph.tx.all("SELECT name FROM entities WHERE entity_type = 'service' ORDER BY name")
    return [{"name": name} for (name,) in found]
