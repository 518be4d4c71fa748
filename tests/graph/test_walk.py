"""The walk: no constraint is ever omitted, nothing of others is found, and it is deterministic."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.store import lay_down
from graph.random_graph import ALIAS, PROJECT, Graph, graphs
from intaglio.domain.reader import USER, IsolatedReader, Reader, SharedReader
from intaglio.graph.traversal.focal import resolve_focal
from intaglio.graph.traversal.values import FocalSignals, GraphWalk, WalkBudget
from intaglio.graph.traversal.walk import walk
from intaglio.memory.filters import Filter
from intaglio.store.connection import open_writer
from intaglio.store.tx import WriteTx

READERS: tuple[Reader, ...] = (
    SharedReader(),
    SharedReader("other"),
    IsolatedReader("default"),
    USER,
)
SMALL = WalkBudget(aspects=1, attributes=1, hops=0, deadline_s=0.0)


def never() -> float:
    return 0.0


def filters_of(reader: Reader, project: str | None) -> Filter:
    if project is None:
        return Filter(reader=reader, global_only=True)
    return Filter(reader=reader, project=project, project_aliases=(ALIAS,))


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WriteTx]:
    file: Path = tmp_path_factory.mktemp("graph") / "intaglio.db"
    lay_down(file)
    opened = open_writer(file)
    yield WriteTx(opened)
    opened.close()


@contextmanager
def written(tx: WriteTx, graph: Graph) -> Generator[WriteTx]:
    """Write a graph and take it back."""
    tx.execute("BEGIN")
    try:
        graph.write(tx)
        yield tx
    finally:
        tx.execute("ROLLBACK")


def walked(
    tx: WriteTx, filters: Filter, budget: WalkBudget, seconds: Callable[[], float] = never
) -> GraphWalk:
    return walk(tx, resolve_focal(tx, FocalSignals(filters=filters)), budget, filters, seconds)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graph=graphs(), reader=st.sampled_from(READERS), project=st.sampled_from((PROJECT, None)))
def test_all_own_constraints_and_no_others_are_found(
    connection: WriteTx, graph: Graph, reader: Reader, project: str | None
) -> None:
    filters = filters_of(reader, project)
    with written(connection, graph) as tx:
        expected = graph.constraints(filters)
        focal = resolve_focal(tx, FocalSignals(filters=filters))
        assert {each.entity.seq - 1 for each in focal.entities} == graph.focal(filters)
        for budget in (WalkBudget(), SMALL):
            found = walked(tx, filters, budget)
            assert {each.seq for each in found.constraints} == expected
            assert all(graph.passes(memory - 1, filters) for memory in found.memories)
            assert found == walked(tx, filters, budget)
            weights = [each.importance for each in found.constraints]
            assert weights == sorted(weights, reverse=True)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graph=graphs())
def test_a_deadline_drops_facts_but_no_constraints(connection: WriteTx, graph: Graph) -> None:
    filters = filters_of(SharedReader(), PROJECT)
    with written(connection, graph) as tx:
        whole = walked(tx, filters, WalkBudget())
        ticks = iter(range(10_000))
        late = walked(tx, filters, WalkBudget(deadline_s=0.5), lambda: float(next(ticks)))
        assert late.constraints == whole.constraints
        assert late.visited == ()
        assert late.timed_out == bool(whole.focal.entities)
