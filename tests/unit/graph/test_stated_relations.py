"""Triples that a model read in a memory or a message, as relations of the graph."""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.edited_graph import GraphStore, graph_store
from intaglio.graph.settings import GraphSettings
from intaglio.graph.stated_relations import (
    OfMemory,
    OfMessage,
    StatedRelations,
    Triple,
    TripleSource,
    state_relations,
)
from intaglio.memory import rows as memories
from intaglio.memory.values import Scope

TEXT = "The checkout-service writes its orders to PostgreSQL, and the dunning letter job reads them"
USES = Triple(
    source="checkout-service", relationship="writes to", target="Postgres", confidence=0.8
)


@pytest.fixture
def graph(tmp_path: Path) -> Generator[GraphStore]:
    with graph_store(tmp_path) as one:
        yield one


def source(graph: GraphStore, memory_id: str) -> OfMemory:
    memory = memories.get(graph.tx, memory_id)
    assert memory is not None
    return OfMemory(memory)


def state(graph: GraphStore, of: TripleSource, *triples: Triple) -> StatedRelations:
    stated = state_relations(graph.tx, triples, of, graph.context)
    graph.check()
    return stated


def edges(graph: GraphStore) -> list[tuple[object, ...]]:
    """Return the relations with their confidence and by how many texts they are stated."""
    return [
        tuple(row)
        for row in graph.tx.all(
            "SELECT s.name, r.relation, t.name, r.confidence, r.mentions FROM relations r "
            "JOIN entities s ON s.seq = r.source JOIN entities t ON t.seq = r.target ORDER BY r.seq"
        )
    ]


def test_a_triple_of_a_memory_becomes_a_relation_between_its_entities(graph: GraphStore) -> None:
    memory = graph.remember(TEXT) or ""
    stated = state(graph, source(graph, memory), USES, replace(USES, confidence=0.6))
    assert stated == StatedRelations(2)
    assert edges(graph) == [("checkout-service", "writes_to", "PostgreSQL", 0.8, 1)]
    again = graph.remember("checkout-service -> PostgreSQL, since May") or ""
    state(graph, source(graph, again), replace(USES, confidence=0.9))
    assert edges(graph) == [("checkout-service", "writes_to", "PostgreSQL", 0.9, 2)]


def test_a_name_that_only_the_model_found_becomes_an_entity_that_the_memory_names(
    graph: GraphStore,
) -> None:
    memory = graph.remember(TEXT) or ""
    assert "dunning letter" not in {each.name for each in graph.entities()}
    reads = Triple(
        source="dunning letter", relationship="reads", target="PostgreSQL", confidence=0.7
    )
    assert state(graph, source(graph, memory), reads).written == 1
    assert graph.entity("dunning letter").mentions == 1
    graph.erase(memory)
    assert graph.dump()["entities"] == []
    assert edges(graph) == []


@pytest.mark.parametrize(
    ("source_", "target"),
    [
        ("it", "PostgreSQL"),
        ("PostgreSQL", "42"),
        ("PostgreSQL", "orders"),
        ("PostgreSQL", "Kafka"),
        ("PostgreSQL", ""),
        ("PostgreSQL", "x" * 5_000),
        ("PostgreSQL", "Postgres"),
        ("\x00", "\ud7ff\u200b"),
    ],
)
def test_ends_that_name_nothing_in_the_text_make_no_relation(
    graph: GraphStore, source_: str, target: str
) -> None:
    memory = graph.remember(TEXT) or ""
    before = graph.dump()
    triple = Triple(source=source_, relationship="uses", target=target, confidence=1.0)
    stated = state(graph, source(graph, memory), triple)
    assert stated.written == 0
    assert len(stated.rejected) == 1
    assert graph.dump() == before


def test_a_relation_goes_with_the_last_text_that_states_it(graph: GraphStore) -> None:
    first, second = graph.remember(TEXT) or "", graph.remember(f"{TEXT} at night") or ""
    for each in (first, second):
        state(graph, source(graph, each), USES)
    graph.modify(first, "Nothing of that holds any more")
    assert [row[-1] for row in edges(graph)] == [1]
    graph.erase(second)
    assert edges(graph) == []
    graph.check()


def test_entities_of_messages_wait_for_a_memory_that_names_them(graph: GraphStore) -> None:
    graph.tx.execute(
        "INSERT INTO transcript_messages(message_id, role, said_at, text, words) "
        "VALUES ('m1', 'user', '2026-01-31T08:00:00.000Z', ?, 9)",
        (TEXT,),
    )
    message = graph.tx.last_row()
    said = OfMessage(message=message, text=TEXT, scope=Scope(project="/work/shop"))
    assert state(graph, said, USES, USES).written == 2
    assert edges(graph) == [("checkout-service", "writes_to", "PostgreSQL", 0.8, 1)]
    assert graph.entities() == []
    other = graph.remember("Alerts of the checkout-service go to Ann Lee") or ""
    assert "checkout-service" in {each.name for each in graph.entities()}
    graph.erase(other)
    assert len(edges(graph)) == 0 or graph.entities() == []
    graph.tx.execute("UPDATE transcript_messages SET text = '' WHERE seq = ?", (message,))
    assert edges(graph) == []
    graph.check()


def test_nothing_is_written_while_the_graph_is_off(graph: GraphStore) -> None:
    memory = graph.remember(TEXT) or ""
    graph.settings = GraphSettings(enabled=False)
    assert state(graph, source(graph, memory), USES) == StatedRelations(0)
    assert edges(graph) == []
