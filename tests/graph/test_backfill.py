"""The backfill: memories that were never linked are, once each, whatever interrupts it."""

import asyncio
import contextlib
import os
import subprocess
import sys
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from fakes.graph import ACTOR, linked_store, query, remember
from fakes.store import Bench, bench
from fakes.waiting import PATIENCE_S, until
from intaglio.base.bus import EventBus
from intaglio.base.clock import monotonic_s
from intaglio.base.events import Changed, StateChanged
from intaglio.base.ids import NewId
from intaglio.graph import link_memory as linking
from intaglio.graph.background import backfill as module
from intaglio.graph.background.backfill import GraphBackfill
from intaglio.graph.background.telemetry import BackfillProgress, GraphTelemetry
from intaglio.graph.link_memory import link_memory
from intaglio.graph.linking.link import link
from intaglio.graph.linking.values import FindNames, LinkedText, TextToLink
from intaglio.graph.settings import GraphSettings
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit
from intaglio.memory.values import Memory
from intaglio.store.tx import WriteTx

ROOT: Final = Path(__file__).resolve().parents[2]
_ENTITIES: Final = "SELECT name, entity_type, project, mentions FROM entities ORDER BY 1, 2, 3"
_ALIASES: Final = (
    "SELECT e.name, a.canonical FROM entity_aliases a JOIN entities e ON e.seq = a.entity "
    "ORDER BY 1, 2"
)
_MENTIONS: Final = (
    "SELECT n.memory, n.start, n.end, a.canonical FROM memory_entity_mentions n "
    "JOIN entity_aliases a ON a.seq = n.alias ORDER BY 1, 2, 3, 4"
)
_ATTRIBUTES: Final = (
    "SELECT t.memory, e.name, s.name, t.kind, t.is_primary FROM entity_attributes t "
    "JOIN entities e ON e.seq = t.entity LEFT JOIN entity_aspects s ON s.seq = t.aspect "
    "ORDER BY 1, 2"
)
_JOBS: Final = "SELECT type, count(*) FROM jobs WHERE type LIKE 'structural%' GROUP BY type"
GRAPH: Final = (_ENTITIES, _ALIASES, _MENTIONS, _ATTRIBUTES, _JOBS)
"""What a graph is, without the ids and times of its rows."""

INTERRUPTED: Final = """
import asyncio, sys
from pathlib import Path
from fakes.store import bench
from graph.test_backfill import backfill

async def pause(_: float) -> None:
    print(filling.telemetry.backfill.done, flush=True)

async def main() -> None:
    global filling
    async with bench(Path(sys.argv[1])) as store:
        filling = backfill(store, pause)
        await filling.fill()

asyncio.run(main())
"""


async def at_once(_: float) -> None:
    await asyncio.sleep(0)


def backfill(store: Bench, pause: Callable[[float], Awaitable[None]] = at_once) -> GraphBackfill:
    return GraphBackfill(
        db=store.db,
        # The ids of the store's context begin again when it's opened again.
        context=replace(store.context, new_id=lambda: str(uuid.uuid4())),
        bus=EventBus(),
        telemetry=GraphTelemetry(),
        settings=GraphSettings,
        seconds=monotonic_s,
        pause=pause,
        start_after_s=0,
    )


async def fill_store(store: Bench, count: int) -> None:
    """Keep memories of all sorts with the linker off."""
    for number in range(count):
        await remember(
            store,
            f"In step {number} `part-{number % 7}` uses `ledger-core` and Marco Rossi knows",
            type="session_summary" if number % 10 == 9 else "fact",
            project=f"/home/me/project-{number % 3}" if number % 4 else None,
        )


async def graph_of(store: Bench) -> list[object]:
    return [await query(store, sql) for sql in GRAPH]


async def test_backfill_writes_the_same_as_the_listener(tmp_path: Path) -> None:
    async with linked_store(tmp_path / "linked") as store:
        await fill_store(store, 45)
        expected = await graph_of(store)
    async with bench(tmp_path / "old") as store:
        await fill_store(store, 45)
        filling = backfill(store)
        await filling.fill()
        assert await graph_of(store) == expected
        assert filling.telemetry.backfill == BackfillProgress(running=False, done=45, left=0)


async def test_a_second_backfill_finds_nothing(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await fill_store(store, 20)
        await backfill(store).fill()
        before, generation = await graph_of(store), store.db.generation
        again = backfill(store)
        await again.fill()
        assert again.telemetry.backfill.done == 0
        assert store.db.generation == generation
        assert await graph_of(store) == before


async def test_a_backfill_killed_midway_resumes_without_duplicates(tmp_path: Path) -> None:
    async with linked_store(tmp_path / "linked") as store:
        await fill_store(store, 120)
        expected = await graph_of(store)
    async with bench(tmp_path / "old") as store:
        await fill_store(store, 120)
    paths = os.pathsep.join(str(ROOT / each) for each in ("app", "tests"))
    with subprocess.Popen(  # noqa: ASYNC220 - it runs on while its output is read
        [sys.executable, "-c", INTERRUPTED, str(tmp_path / "old")],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        done = 0
        while done < 25:
            done = int(process.stdout.readline())
        process.kill()
    async with bench(tmp_path / "old") as store:
        # After an unclean stop, writes wait for the check.
        resumed = backfill(store)
        await resumed.fill()
        assert 0 < resumed.telemetry.backfill.done <= 120 - 25
        assert await graph_of(store) == expected


async def test_forgotten_and_erased_memories_meanwhile_are_left_out(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await fill_store(store, 30)
        kept = await remember(store, "The last one names `clearing-house` alone")
        gone: list[str] = []

        async def pause(_: float) -> None:
            if not gone and filling.telemetry.backfill.done:
                gone.append(kept)
                await store.remove.forget(kept, Audit(ACTOR))

        filling = backfill(store, pause)
        await filling.fill()
        assert gone
        assert await query(store, "SELECT 1 FROM entities WHERE name = 'clearing-house'") == []


async def test_a_memory_that_is_linked_meanwhile_is_not_counted_twice(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await fill_store(store, 30)
        done: list[int] = []

        async def pause(_: float) -> None:
            if not done and filling.telemetry.backfill.done:
                done.append(1)
                await store.db.write(link_last)

        def link_last(tx: WriteTx) -> None:
            [last] = tx.column(int, "SELECT max(seq) FROM memories")
            memory = memories.by_seq(tx, [last])[last]
            link_memory(tx, memory, filling.context.new_id, store.context.now)

        filling = backfill(store, pause)
        await filling.fill()
        found = await query(store, "SELECT mentions FROM entities WHERE name = 'ledger-core'")
        assert sum(int(str(row[0])) for row in found) == 30


async def test_one_failing_memory_does_not_stop_the_backfill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def odd(
        tx: WriteTx, memory: Memory, new_id: NewId, at: str, *, at_least: float, resolve: bool
    ) -> LinkedText:
        if "step 7 " in memory.content:
            raise ValueError("odd")
        return link_memory(tx, memory, new_id, at, at_least=at_least, resolve=resolve)

    monkeypatch.setattr(module, "link_memory", odd)
    async with bench(tmp_path) as store:
        await fill_store(store, 30)
        filling = backfill(store)
        await filling.fill()
        progress = filling.telemetry.backfill
        assert (progress.done, progress.failed, progress.left) == (29, 1, 0)


async def test_an_uncertain_memory_is_counted_not_forced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsure(text: TextToLink, find_names: FindNames) -> LinkedText:
        return replace(link(text, find_names), confidence=0.1)

    monkeypatch.setattr(linking, "link", unsure)
    async with bench(tmp_path) as store:
        await fill_store(store, 10)
        filling = backfill(store)
        await filling.fill()
        await filling.fill()
        assert filling.telemetry.backfill.uncertain == 9
        assert await query(store, "SELECT count(*) FROM entity_attributes") == [(0,)]
        # The second pass counted no mention again.
        found = await query(store, "SELECT mentions FROM entities WHERE name = 'ledger-core'")
        assert sum(int(str(row[0])) for row in found) == 10


async def test_backfill_restarts_when_the_database_was_replaced(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await fill_store(store, 5)
        filling = backfill(store)
        task = asyncio.create_task(filling.run())
        try:
            await until(lambda: filling.telemetry.backfill.done == 5, "the first pass")
            await remember(store, "A later one names `clearing-house` alone")
            filling.bus.publish(Changed("memory", "added", ()))
            filling.bus.publish(StateChanged("ready"))
            await until(lambda: filling.telemetry.backfill.done == 1, "the second pass")
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


async def test_backfill_lets_other_writes_in_between(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await fill_store(store, 100)
        filling = backfill(store, asyncio.sleep)
        task = asyncio.create_task(filling.fill())
        await until(lambda: filling.telemetry.backfill.running, "the start")
        written = 0
        while not task.done():
            async with asyncio.timeout(PATIENCE_S):
                await store.db.write(lambda tx: tx.execute("UPDATE memories SET pinned = 0"))
            written += 1
        await task
        assert written > 3
