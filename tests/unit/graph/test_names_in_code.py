"""A name that only code or an error message has is no entity until it is met again."""

from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.edited_graph import GraphStore, graph_store
from intaglio.domain.reader import SharedReader
from intaglio.graph import query_rows
from intaglio.graph.traversal import focal_rows
from intaglio.graph.values import EntityQuery
from intaglio.memory.filters import Filter

FIRST = "The app stays OutOfSync although ignoreDifferences is set"
SECOND = "An app that is OutOfSync for an hour pages nobody"


@pytest.fixture
def graph(tmp_path: Path) -> Generator[GraphStore]:
    with graph_store(tmp_path) as one:
        yield one
        one.check()


def shown(graph: GraphStore) -> dict[str, int]:
    """Return how many memories each entity has, but the project's own."""
    return {each.name: each.mentions for each in graph.entities() if each.type != "project"}


@pytest.mark.parametrize(
    "text",
    [
        FIRST,
        "parse_header returns None",
        "it fails in `frobnicate`",
        "12:01:07,113 INFO [IngestWorker] starts\n12:01:08,200 WARN [IngestWorker] waits",
        "ValueError: BinderProxy is dead",
    ],
)
def test_a_name_met_once_in_code_is_not_shown(graph: GraphStore, text: str) -> None:
    graph.remember(text)
    assert shown(graph) == {}
    assert not query_rows.page(graph.tx, EntityQuery(text="OutOfSync"))


def test_it_is_shown_with_both_memories_once_it_is_met_again(graph: GraphStore) -> None:
    graph.remember(FIRST)
    graph.remember(SECOND)
    assert shown(graph) == {"OutOfSync": 2}
    graph.remember("OutOfSync is a state of the app")
    assert shown(graph) == {"OutOfSync": 3}


def test_a_memory_that_changes_does_not_meet_its_own_names(graph: GraphStore) -> None:
    memory = graph.remember(FIRST) or ""
    graph.modify(memory, f"{FIRST}, still")
    assert shown(graph) == {}


def test_it_is_hidden_again_when_the_memory_that_met_it_is_forgotten(graph: GraphStore) -> None:
    first, second = graph.remember(FIRST) or "", graph.remember(SECOND) or ""
    graph.forget(second)
    assert shown(graph) == {}
    graph.recover(second)
    assert shown(graph) == {"OutOfSync": 2}
    graph.forget(first)
    assert shown(graph) == {"OutOfSync": 1}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We use FireDAC for the old clients", "FireDAC"),
        ("The `frobnicate` job runs at night", "frobnicate"),
        ("`ledger-core` is deployed by hand", "ledger-core"),
        ("The `IngestWorker` is slow", "IngestWorker"),
    ],
)
def test_a_name_that_the_words_around_it_explain_is_shown_at_once(
    graph: GraphStore, text: str, name: str
) -> None:
    graph.remember(text)
    assert name in shown(graph)


def test_other_agents_do_not_see_it_either(graph: GraphStore) -> None:
    graph.remember(FIRST)
    reader = SharedReader("other")
    seen = query_rows.page(graph.tx, EntityQuery(reader=reader))
    assert [each.name for each in seen] == ["shop"]
    found = focal_rows.named(graph.tx, Filter(reader=reader), ["outofsync"], 5)
    assert found == []
