"""structural_dependency: what memories state becomes edges, once, and goes with the memory."""

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest

from fakes.graph import ACTOR, lease, linked_store, query, remember, work
from fakes.store import Bench
from intaglio.graph.background.dependency_search import (
    TEXTS_PER_RUN,
    DependencySearch,
    FindDependencies,
    LinkedMemory,
    by_rules,
)
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.job_types import DEPENDENCIES, queue_dependencies
from intaglio.graph.linking.values import FoundDependency, NewEntity
from intaglio.memory.operations import Audit
from intaglio.memory.values import Change

WHY = Audit(ACTOR)
TEXT = "We know that `billing-api` uses `ledger-core` since spring"
EDGES = (
    "SELECT s.name, d.dependency_type, t.name, d.strength FROM entity_dependencies d "
    "JOIN entities s ON s.seq = d.source JOIN entities t ON t.seq = d.target ORDER BY d.seq"
)
OPEN = "SELECT subject FROM jobs WHERE type = 'structural_dependency'"


async def neighbours(found: LinkedMemory) -> Sequence[FoundDependency]:
    """Each name uses the next one."""
    mentions = found.linked.mentions
    return [
        FoundDependency(one.target, other.target, "uses", 0.6)
        for one, other in itertools.pairwise(mentions)
    ]


def search(store: Bench, find: FindDependencies = neighbours) -> DependencySearch:
    return DependencySearch(
        db=store.db, context=store.context, telemetry=GraphTelemetry(), find=find
    )


async def test_a_stated_dependency_becomes_an_edge(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        await remember(store, TEXT)
        runner = search(store)
        await work(store, DEPENDENCIES, runner)
        assert await query(store, EDGES) == [("billing-api", "uses", "ledger-core", 0.6)]
        assert await query(store, OPEN) == []
        assert (runner.telemetry.dependency_texts, runner.telemetry.dependencies) == (1, 1)


async def test_the_rules_find_a_dependency(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        await remember(store, TEXT)
        await work(store, DEPENDENCIES, search(store, by_rules))
        [(source, type_, target, _)] = await query(store, EDGES)
        assert (source, type_, target) == ("billing-api", "uses", "ledger-core")


async def test_an_end_that_was_named_unsurely_gets_its_edge_once_another_memory_names_it(
    tmp_path: Path,
) -> None:
    async with linked_store(tmp_path) as store:
        await remember(store, "It fails in `frobnicate` and `billing-api` uses `frobnicate`")
        await work(store, DEPENDENCIES, search(store, by_rules))
        assert await query(store, EDGES) == []
        await remember(store, "Nobody understands `frobnicate` any more")
        await work(store, DEPENDENCIES, search(store, by_rules))
        assert await query(store, EDGES) == [("billing-api", "uses", "frobnicate", 0.75)]
        await remember(store, "Ann wrote `frobnicate` in one night")
        assert await query(store, OPEN) == []


async def test_reading_a_memory_twice_adds_nothing(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        memory = await remember(store, TEXT)
        await work(store, DEPENDENCIES, search(store))
        before = await query(store, EDGES)
        await store.db.write(lambda tx: queue_dependencies(tx, memory, store.context.now))
        await work(store, DEPENDENCIES, search(store))
        assert await query(store, EDGES) == before
        assert await query(store, "SELECT count(*) FROM dependency_sources") == [(1,)]


async def test_a_further_memory_strengthens_the_edge(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        await remember(store, TEXT)
        await remember(store, TEXT.replace("spring", "autumn"))
        await work(store, DEPENDENCIES, search(store))
        [(*_, strength)] = await query(store, EDGES)
        assert strength == pytest.approx(0.8)
        assert await query(store, "SELECT count(*) FROM dependency_sources") == [(2,)]


async def test_five_memories_are_read_at_a_time(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        for number in range(12):
            await remember(store, f"In run {number} `part-{number}` uses `ledger-core` daily")
        assert search(store).capacity == TEXTS_PER_RUN
        assert await work(store, DEPENDENCIES, search(store)) == 3


async def test_only_entities_that_exist_become_ends(tmp_path: Path) -> None:
    async def invented(found: LinkedMemory) -> Sequence[FoundDependency]:
        new = NewEntity(name="Nobody", canonical="nobody", type="service")
        return [FoundDependency(found.linked.mentions[0].target, new, "uses", 0.9)]

    async with linked_store(tmp_path) as store:
        await remember(store, TEXT)
        await work(store, DEPENDENCIES, search(store, invented))
        assert await query(store, EDGES) == []
        assert await query(store, "SELECT 1 FROM entities WHERE name = 'Nobody'") == []


async def test_a_memory_that_is_edited_meanwhile_is_read_again(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        memory = await remember(store, TEXT)
        seen: list[str] = []

        async def meanwhile(found: LinkedMemory) -> Sequence[FoundDependency]:
            if not seen:
                # Were this inside a write transaction, it would never return.
                text = "We know that `billing-api` uses `clearing-house` since spring"
                await store.revise.modify(memory, Change(content=text), WHY)
            seen.append(found.memory.content)
            return await neighbours(found)

        await work(store, DEPENDENCIES, search(store, meanwhile))
        assert len(seen) == 2
        assert [row[2] for row in await query(store, EDGES)] == ["clearing-house"]
        assert await query(store, OPEN) == []


async def test_a_memory_that_is_forgotten_meanwhile_states_nothing(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        memory = await remember(store, TEXT)

        async def meanwhile(found: LinkedMemory) -> Sequence[FoundDependency]:
            await store.remove.forget(memory, WHY)
            return await neighbours(found)

        await work(store, DEPENDENCIES, search(store, meanwhile))
        assert await query(store, EDGES) == []
        await store.remove.recover(memory, WHY)
        await work(store, DEPENDENCIES, search(store))
        assert len(await query(store, EDGES)) == 1


async def test_one_odd_text_does_not_fail_the_others(tmp_path: Path) -> None:
    async def odd(found: LinkedMemory) -> Sequence[FoundDependency]:
        if "part-1" in found.text.text:
            raise ValueError("odd")
        return await neighbours(found)

    async with linked_store(tmp_path) as store:
        bad = ""
        for number in range(3):
            memory = await remember(store, f"Now `part-{number}` uses `ledger-core` daily")
            bad = memory if number == 1 else bad
        jobs = await lease(store, DEPENDENCIES, 5)
        with pytest.raises(ValueError, match="odd"):
            await search(store, odd).run(jobs)
        assert await query(store, OPEN) == [(bad,)]
        assert [row[0] for row in await query(store, EDGES)] == ["part-0", "part-2"]


async def test_a_merged_end_counts_as_the_other(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        await remember(store, TEXT)
        await store.db.write(
            lambda tx: tx.execute(
                "UPDATE entities SET merged_into = (SELECT seq FROM entities "
                "WHERE name = 'billing-api') WHERE name = 'ledger-core'"
            )
        )
        await work(store, DEPENDENCIES, search(store))
        assert await query(store, EDGES) == []
