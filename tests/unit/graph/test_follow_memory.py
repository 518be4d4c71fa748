"""The graph follows changes of memories: also while it is switched off."""

from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.edited_graph import GraphStore, graph_store
from intaglio.graph.background.rows import is_unlinked
from intaglio.graph.link_memory import NOT_FACTS
from intaglio.graph.settings import GraphSettings

DEPLOYS = "Deploys of the `alpha-api` run on Fridays"


@pytest.fixture
def graph(tmp_path: Path) -> Generator[GraphStore]:
    with graph_store(tmp_path) as one:
        yield one


def shown(graph: GraphStore) -> dict[str, int]:
    """Return how many memories each entity has."""
    return {each.name: each.mentions for each in graph.entities()}


def waits(graph: GraphStore, memory_id: str) -> bool:
    """Tell whether the backfill links this memory."""
    [seq] = graph.tx.column(int, "SELECT seq FROM memories WHERE id = ?", (memory_id,))
    return is_unlinked(graph.tx, seq, NOT_FACTS)


def test_memories_changed_while_the_graph_is_off_are_linked_later(graph: GraphStore) -> None:
    memory = graph.remember(DEPLOYS) or ""
    graph.settings = GraphSettings(enabled=False)
    graph.modify(memory, "Alerts of the `beta-api` go to nobody")
    assert "alpha-api" not in shown(graph)
    assert graph.tx.all("SELECT 1 FROM memory_entity_mentions") == []
    assert waits(graph, memory)


def test_memories_forgotten_while_the_graph_is_off_no_longer_count(graph: GraphStore) -> None:
    memory = graph.remember(DEPLOYS) or ""
    graph.remember("Alerts of the `alpha-api` go to nobody")
    graph.settings = GraphSettings(enabled=False)
    graph.forget(memory)
    assert shown(graph)["alpha-api"] == 1
    graph.recover(memory)
    assert shown(graph)["alpha-api"] == 2
    assert not waits(graph, memory)


def test_new_memories_are_linked_after_the_graph_was_off(graph: GraphStore) -> None:
    graph.settings = GraphSettings(enabled=False)
    memory = graph.remember(DEPLOYS) or ""
    graph.forget(memory)
    graph.recover(memory)
    assert shown(graph) == {}
    assert waits(graph, memory)


def test_names_of_an_erased_memory_are_removed_at_once(
    graph: GraphStore,
) -> None:
    for part in range(11):
        names = " and ".join(f"`alpha-{part}-{number}-api`" for number in range(50))
        graph.remember(f"Deploys run for {names}")
    graph.tx.execute("DELETE FROM memories")
    graph.erase(graph.remember("Deploys of the `beta-api` run on Fridays") or "")
    assert "beta-api" not in shown(graph)
    assert graph.tx.all("SELECT 1 FROM entity_aliases WHERE alias = 'beta-api'") == []


def test_an_entity_found_to_be_a_person_becomes_shared(graph: GraphStore) -> None:
    graph.remember("Kranzler is down on Sundays", "/work/shop")
    assert graph.entity("Kranzler").project == "/work/shop"
    graph.remember("Kranzler loves the `alpha-api`", "/work/shop")
    assert graph.entity("Kranzler").type == "person"
    assert graph.entity("Kranzler").project is None
    graph.remember("Kranzler loves the `beta-api`", "/work/yard")
    assert graph.entity("Kranzler").mentions == 3
    graph.check()


def test_a_type_stays_unknown_while_a_shared_entity_has_the_name(graph: GraphStore) -> None:
    graph.remember("Kranzler is down on Sundays", "/work/shop")
    graph.remember("Kranzler loves the `beta-api`", "/work/yard")
    graph.remember("Kranzler loves the `alpha-api`", "/work/shop")
    found = {(each.type, each.project, each.mentions) for each in graph.entities()}
    assert ("person", None, 1) in found
    assert ("unknown", "/work/shop", 2) in found
    graph.check()
