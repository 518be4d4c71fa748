"""Focal entities are found in order, and what a walk visits is ranked."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from fakes.store import lay_down
from graph.random_graph import ALIAS, OTHER, PROJECT, Edge, Fact, Graph, Node, Note
from intaglio.domain.reader import DEFAULT_READER
from intaglio.graph.traversal.focal import resolve_focal
from intaglio.graph.traversal.values import FocalSignals, WalkBudget
from intaglio.graph.traversal.walk import walk
from intaglio.memory.filters import Filter
from intaglio.store.connection import open_writer
from intaglio.store.tx import WriteTx

HERE = Filter(reader=DEFAULT_READER, project=PROJECT, project_aliases=(ALIAS,))


def node(name: str, project: str | None = PROJECT, **more: object) -> Node:
    made = Node("default", project, "service", "", None, None, name)
    return replace(made, **cast("dict[str, Any]", more))


@pytest.fixture
def tx(tmp_path: Path) -> Iterator[WriteTx]:
    lay_down(tmp_path / "intaglio.db")
    opened = open_writer(tmp_path / "intaglio.db")
    yield WriteTx(opened)
    opened.close()


def write(tx: WriteTx, *nodes: Node, edges: tuple[Edge, ...] = ()) -> None:
    """Write entities, each with one fact."""
    notes = tuple(Note("default", PROJECT, "global", is_deleted=False) for _ in nodes)
    facts = tuple(Fact(n, n, "attribute", "active", 0.5) for n in range(len(nodes)))
    Graph(nodes, notes, facts, edges).write(tx)


def focal(tx: WriteTx, **signals: object) -> list[tuple[str, str]]:
    wanted = replace(FocalSignals(filters=HERE), **cast("dict[str, Any]", signals))
    return [(each.entity.name, each.source) for each in resolve_focal(tx, wanted).entities]


def test_without_other_signals_the_session_key_names_the_entity(tx: WriteTx) -> None:
    write(tx, node("queue"))
    found = resolve_focal(tx, FocalSignals(filters=HERE))
    assert (found.source, found.entities) == ("session_key", ())


def test_a_checkpoint_comes_before_the_project_and_pins_always_follow(tx: WriteTx) -> None:
    write(
        tx,
        node("lantern", type="project"),
        node("queue"),
        node("redis", None, state="pinned"),
        node("hidden", state="suppressed"),
        node("elsewhere", OTHER, state="pinned"),
    )
    assert focal(tx) == [("lantern", "project"), ("redis", "pinned")]
    assert focal(tx, entity_ids=("e4", "e2", "e5")) == [
        ("queue", "checkpoint"),
        ("redis", "pinned"),
    ]
    # What only other projects know doesn't replace the project.
    assert focal(tx, entity_ids=("e5", "e9")) == [("lantern", "project"), ("redis", "pinned")]


def test_a_question_names_entities_and_the_project_follows(tx: WriteTx) -> None:
    write(
        tx,
        node("lantern", type="project"),
        node("job queue"),
        node("postgresql", None),
        node("dispatcher", OTHER),
    )
    found = focal(tx, query="Why does the Job Queue's dispatcher of postgres stall? job queue")
    assert found == [("job queue", "query"), ("postgresql", "query"), ("lantern", "project")]
    assert focal(tx, query="why?") == [("lantern", "project")]


def test_folders_name_a_project_that_has_no_entity_of_its_own(tx: WriteTx) -> None:
    write(tx, node("work", None, type="project"), node("site", OTHER, type="project"))
    assert focal(tx) == [("work", "project")]


def test_the_users_weight_orders_pinned_entities(tx: WriteTx) -> None:
    names = ("light", "usual", "heavy")
    weights = (0.0, None, 1.0)
    write(
        tx,
        *(
            node(name, None, state="pinned", override=weight)
            for name, weight in zip(names, weights, strict=True)
        ),
    )
    assert [name for name, _ in focal(tx)] == ["heavy", "usual", "light"]


def test_the_strongest_dependencies_are_visited_first_and_suppressed_ones_are_not(
    tx: WriteTx,
) -> None:
    nodes = (
        node("lantern", type="project"),
        node("weak"),
        node("light", override=0.0),
        node("heavy", override=1.0),
        node("strong"),
        node("hidden", state="suppressed"),
        node("other name", merged=4),
    )
    strengths = {1: 0.2, 2: 0.5, 3: 0.5, 4: 0.9, 5: 1.0, 6: 0.4}
    edges = tuple(
        Edge(0, target, "uses", strength, "classifier", (0,))
        for target, strength in strengths.items()
    )
    write(tx, *nodes, edges=edges)
    found = resolve_focal(tx, FocalSignals(filters=HERE))
    whole = walk(tx, found, WalkBudget(), HERE, lambda: 0.0)
    assert [each.entity.name for each in whole.visited] == ["lantern", "strong", "heavy", "light"]
    # Facts of what was merged count as those of what it was merged into.
    strong = whole.visited[1]
    assert sorted(fact.memory for aspect in strong.aspects for fact in aspect.attributes) == [5, 7]
    fewer = walk(tx, found, WalkBudget(hops=1), HERE, lambda: 0.0)
    assert [each.entity.name for each in fewer.visited] == ["lantern", "strong"]
