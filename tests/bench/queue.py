"""What the queue and the vectors as a whole cost: jobs a second, gaps, export, health."""

import argparse
import asyncio
import contextlib
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.corpus import Corpus
from intaglio.base.clock import monotonic_s, system_clock
from intaglio.base.ids import uuid7_source
from intaglio.base.text import content_hash
from intaglio.daemon.job_worker import JobWorker
from intaglio.daemon.packages import PACKAGES
from intaglio.embedding import rows
from intaglio.embedding.export import VectorExport
from intaglio.embedding.job_types import EMBEDDING_TYPE_NAMES
from intaglio.embedding.values import NewVector, VectorSetIdentity
from intaglio.jobs import rows as job_rows
from intaglio.jobs.job_type import Job, JobType, JobTypes
from intaglio.memory.filters import Filter
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx
from intaglio.store.values import DatabaseOptions

_DIMENSIONS: Final = 384
_INSERT: Final = (
    "INSERT INTO memories(id, content, content_hash, type, importance, confidence, pinned, who, "
    "agent_id, visibility, source_type, created_at, updated_at, updated_by, embedding_model) "
    "VALUES (?, ?, ?, 'fact', 0.8, 1, 0, 'bench', 'default', 'global', 's', ?, '', '', '1')"
)


WORK = JobType(name="bench", label="", concurrency=2)


@dataclass
class Instant:
    """A stage whose work takes no time at all."""

    db: Database
    context: ChangeContext
    capacity: int
    rest_s: float = 0.0
    done: int = 0

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """End the jobs."""

        def work(tx: WriteTx) -> None:
            for job in jobs:
                job_rows.complete(tx, job, self.context.now)

        await self.db.write(work)
        self.done += len(jobs)
        return len(jobs)


async def _jobs_a_second(db: Database, context: ChangeContext, parallel: int, count: int) -> float:
    def fill(tx: WriteTx) -> None:
        for number in range(count):
            job_rows.enqueue(tx, WORK, f"{number}", context.now)

    await db.write(fill)
    stage = Instant(db, context, parallel)
    types = JobTypes.of([WORK.run_by(stage)])
    worker = JobWorker(db=db, types=types, context=context, random=lambda: 0.0)
    task = asyncio.create_task(worker.run())
    started = time.perf_counter()
    while stage.done < count:  # noqa: ASYNC110 - what is waited for sets no event
        await asyncio.sleep(0.002)
    seconds = time.perf_counter() - started
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return count / seconds


async def _fill(db: Database, context: ChangeContext, count: int) -> None:
    corpus = Corpus()

    def work(tx: WriteTx, start: int) -> None:
        model = rows.add_model(
            tx, VectorSetIdentity("bench", "bench", "", _DIMENSIONS), 0.25, context.now
        )
        for number in range(start, min(start + 1_000, count)):
            content = f"{number} {corpus.memory()}"
            digest = content_hash(content)
            tx.execute(_INSERT, (f"m{number}", content, digest, context.now))
            rows.put(tx, model, NewVector(number + 1, bytes(_DIMENSIONS)))

    for start in range(0, count, 1_000):
        await db.write(lambda tx, start=start: work(tx, start))  # type: ignore[misc, arg-type]  # the default is typed


async def _timed(name: str, call: Callable[[], Awaitable[object]], times: int = 5) -> None:
    walls: list[float] = []
    for _ in range(times):
        started = monotonic_s()
        await call()
        walls.append((monotonic_s() - started) * 1_000)
    print(f"{name:<52}{min(walls):>10.2f}{max(walls):>10.2f}")


async def _bench(folder: Path, count: int) -> None:
    db = Database(
        DatabaseOptions(folder / "b.db", folder / "backups", PACKAGES.schema),
        system_clock,
        lambda _: None,
    )
    await db.open()
    stamp = ChangeContext(system_clock, uuid7_source(system_clock))
    for parallel in (1, 32):
        speed = await _jobs_a_second(db, stamp, parallel, 500 * (1 if parallel == 1 else 10))
        print(f"jobs a second, {parallel} at once, work that takes no time: {speed:,.0f}")
    await _fill(db, stamp, count)
    model = await db.read(
        lambda tx: rows.find_model(tx, VectorSetIdentity("bench", "bench", "", _DIMENSIONS))
    )
    types = EMBEDDING_TYPE_NAMES
    print(f"{f'at {count:,} memories, wall ms':<52}{'best':>10}{'worst':>10}")
    await _timed(
        "look for gaps where none is",
        lambda: db.read(lambda tx: rows.gaps(tx, model, types, 500)),
    )
    await _timed(
        "look for gaps where all are",
        lambda: db.read(lambda tx: rows.gaps(tx, None, types, 500)),
    )
    await _timed("coverage, for the status", lambda: db.read(lambda tx: rows.coverage(tx, model)))
    await _timed("count each model's vectors", lambda: db.read(rows.list_sets))
    await _timed("orphans, for the health", lambda: db.read(rows.count_unused))
    await _timed("wrong lengths, for the health", lambda: db.read(rows.count_misfits))
    export = VectorExport(db)
    wanted = Filter()
    await _timed("first page of 600", lambda: export.page(wanted, 0, 600, vectors=False))
    await _timed("the same with vectors", lambda: export.page(wanted, 0, 600, vectors=True))
    far, leap = count - 600, VectorExport(db)
    await _timed(
        "last page, reached by a leap",
        lambda: leap.page(wanted, far, 600, vectors=False),
    )
    await export.page(wanted, far - 600, 600, vectors=False)
    await _timed(
        "last page, reached from the one before",
        lambda: export.page(wanted, far, 600, vectors=False),
    )
    names = "'memories_embedded', 'jobs_ended'"
    sizes = await db.read(
        lambda tx: tx.all(
            f"SELECT name, sum(pgsize) FROM dbstat WHERE name IN ({names}) GROUP BY name"  # noqa: S608 - constants
        )
    )
    for name, size in sizes:
        print("bytes of an index:", name, size)
    await db.close()


def main(arguments: list[str]) -> None:
    """Print what the queue and the vectors as a whole cost."""
    parser = argparse.ArgumentParser(prog="python3 app bench queue")
    parser.add_argument("--memories", type=int, default=100_000)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_bench(Path(folder), options.memories))
