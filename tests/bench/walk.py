"""What the walk from a session's focal entities costs, and a session's start with it."""

import argparse
import asyncio
import random
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.bulk_graph import AT, BulkGraph, GraphSize
from bench.bulk_store import bulk_memories
from bench.figures import percentile
from fakes.sessions import House, session
from fakes.store import Bench, bench
from intaglio.base.clock import system_clock
from intaglio.base.settings.values import Settings
from intaglio.base.text import content_hash
from intaglio.domain.reader import DEFAULT_READER
from intaglio.graph import entity_rows
from intaglio.graph.settings import GraphSettings
from intaglio.graph.traversal.focal import resolve_focal
from intaglio.graph.traversal.values import (
    FocalEntities,
    FocalEntity,
    FocalSignals,
    GraphWalk,
    WalkBudget,
)
from intaglio.graph.traversal.walk import walk
from intaglio.graph.values import Entity
from intaglio.memory import rows
from intaglio.memory.filters import Filter
from intaglio.memory.values import NewMemory
from intaglio.sessions.project_notes import ProjectNotes
from intaglio.sessions.selection.select import select_memories
from intaglio.sessions.selection.term_cache import TermCache
from intaglio.store.tx import ReadTx, WriteTx

_PROJECT: Final = "/p/a"
_BATCH: Final = 10_000
_HUBS: Final = 20
_FIVE: Final = 5
_STARTS: Final = 60
_FILTER: Final = Filter(reader=DEFAULT_READER, project=_PROJECT)


def _write_plain(tx: WriteTx, count: int) -> None:
    """Write memories with only what the walk reads; a twentieth belongs to another project."""
    tx.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) "
        "INSERT INTO memories(seq, id, content, content_hash, type, importance, confidence, "
        "pinned, who, project, agent_id, visibility, source_type, created_at, updated_at, "
        "updated_by) SELECT i, 'w-' || i, 'Service ' || i || ' answers within ' || i || ' ms and "
        "keeps its own data in the cluster of its team', randomblob(16), 'fact', 0.5, 1.0, 0, "
        "'claude-code', iif(abs(random()) % 20 = 0, '/p/other', ?2), 'default', 'global', "
        "'manual', ?3, '', '' FROM n",
        (count, _PROJECT, AT),
    )


@asynccontextmanager
async def _store(size: GraphSize, write: Callable[[Bench], object]) -> AsyncGenerator[Bench]:
    with TemporaryDirectory() as folder:
        async with bench(Path(folder)) as opened:
            opened.clock.moment = system_clock()
            await opened.db.write(lambda tx: tx.execute("PRAGMA cache_size = -262144"))
            pending = write(opened)
            if asyncio.iscoroutine(pending):
                await pending
            await opened.db.write(BulkGraph(size).write)
            yield opened


class _Walks:
    """Walks in one snapshot, each from some focal entities."""

    def __init__(self, tx: ReadTx) -> None:
        source = random.Random(3)  # noqa: S311 - figures have to be repeatable
        unmerged = "SELECT seq FROM entities WHERE merged_into IS NULL AND seq > ?"
        some = source.sample(tx.column(int, unmerged, (_HUBS,)), 1_000)
        known = entity_rows.by_seq(tx, [*some, *range(1, _HUBS + 1)])
        self._tx = tx
        self._hubs = [known[seq] for seq in range(1, _HUBS + 1)]
        self._others = [known[seq] for seq in some]

    def measure(self) -> None:
        """Print what walks cost."""
        others, hubs = self._others, self._hubs
        fives = [others[at : at + _FIVE] for at in range(0, len(others), _FIVE)]
        print(
            f"{'focal entities':<28}{'p50':>8}{'p95':>8}{'most':>8}{'constraints':>13}{'facts':>8}"
        )
        self._row("one", [[each] for each in others])
        self._row("one, a hub", [[each] for each in hubs * 5])
        self._row("five", fives)
        self._row(
            "five, of which one a hub",
            [[*five[1:], hubs[n % _HUBS]] for n, five in enumerate(fives)],
        )
        self._row("five hubs", [[hubs[(n + k) % _HUBS] for k in range(_FIVE)] for n in range(40)])
        started = time.thread_time()
        for _ in range(100):
            resolve_focal(self._tx, FocalSignals(filters=_FILTER))
        print(f"finding the focal entities takes {(time.thread_time() - started) * 10:.2f} ms")

    def _row(self, name: str, sets: Sequence[Sequence[Entity]]) -> None:
        cpu: list[float] = []
        found: list[GraphWalk] = []
        for entities in sets:
            focal = FocalEntities("project", tuple(FocalEntity(e, "project") for e in entities))
            started = time.thread_time()
            found.append(walk(self._tx, focal, WalkBudget(), _FILTER, time.monotonic))
            cpu.append((time.thread_time() - started) * 1000)
        constraints = percentile([len(each.constraints) for each in found], 0.5)
        facts = percentile([len(each.memories) for each in found], 0.5)
        print(
            f"{name:<28}{percentile(cpu, 0.5):>8.2f}{percentile(cpu, 0.95):>8.2f}{max(cpu):>8.2f}"
            f"{constraints:>13.0f}{facts:>8.0f}"
        )


async def _walks(entities: int) -> None:
    memories = entities * 3 // 2
    size = GraphSize(_PROJECT, entities, memories, _HUBS, memories // 60, entities * 3 // 100)
    async with _store(
        size, lambda opened: opened.db.write(lambda tx: _write_plain(tx, memories))
    ) as opened:
        print(f"{entities} entities, hubs with {size.hub_edges} neighbours; CPU in ms")
        await opened.db.read(lambda tx: _Walks(tx).measure())


async def write_memories(opened: Bench, count: int) -> None:
    """Write made memories of one project, ``/p/a``."""
    made = bulk_memories(count, one_project=True)
    while part := list(islice(made, _BATCH)):

        def work(tx: WriteTx, part: Sequence[NewMemory] = part) -> None:
            for memory in part:
                rows.insert(tx, memory, opened.context.new_id(), content_hash(memory.content))

        await opened.db.write(work)


def _choices(settings: Settings, tx: ReadTx) -> list[float]:
    """Return what choosing costs the thread that reads, each time."""
    cpu: list[float] = []
    terms = TermCache()
    for _ in range(_STARTS):
        began = time.thread_time()
        now = system_clock()
        select_memories(
            tx, session("next"), _FILTER, settings, now, ProjectNotes(), time.monotonic, terms
        )
        cpu.append((time.thread_time() - began) * 1000)
    return cpu


async def _starts(memories: int, entities: int) -> None:
    size = GraphSize(_PROJECT, entities, memories, 1, 2_000, 300)
    async with _store(size, lambda opened: write_memories(opened, memories)) as opened:
        house = House(opened)
        for number in range(8):
            own = session(f"s{number}", project=_PROJECT)
            await house.start(own)
            await house.prompt(own, f"Why does the deploy of service {number} wait for the queue?")
        print(f"a session's start: {memories} memories, {entities} entities; CPU in ms")
        for walks in (False, True, False, True):
            house.settings = Settings().having(GraphSettings(walk=walks))
            starts = house.starts
            filters = await house.context.visibility.filters("default", _PROJECT)
            new = session("new", project=_PROJECT)
            choice = await opened.db.read(partial(_choices, house.settings))
            cpu: list[float] = []
            shown = await starts.compose(new, "startup", filters)
            for _ in range(_STARTS):
                began = time.process_time()
                shown = await starts.compose(new, "startup", filters)
                cpu.append((time.process_time() - began) * 1000)
            bound = sum(each.candidate.constraint for each in shown.entries)
            print(
                f"{'with' if walks else 'without'} the walk: choosing p50 "
                f"{percentile(choice, 0.5):.1f}, p95 {percentile(choice, 0.95):.1f}; whole start "
                f"{percentile(cpu, 0.5):.1f}, p95 {percentile(cpu, 0.95):.1f}; "
                f"{len(shown.memories)} lines, {bound} constraints"
            )


def main(arguments: list[str]) -> None:
    """Run the benchmark with these command-line arguments."""
    parser = argparse.ArgumentParser(prog="python3 app bench walk", description=__doc__)
    parser.add_argument("--entities", type=int, default=100_000, help="of the walks")
    parser.add_argument("--memories", type=int, default=100_000, help="of the session's start")
    parser.add_argument("--start-entities", type=int, default=20_000)
    parser.add_argument("--only", choices=("walks", "starts"))
    options = parser.parse_args(arguments)
    if options.only != "starts":
        asyncio.run(_walks(options.entities))
    if options.only != "walks":
        asyncio.run(_starts(options.memories, options.start_entities))
