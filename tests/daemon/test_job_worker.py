"""The worker: wakes when work comes, at most two at once, contained, and gone when told."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fakes.store import Bench, bench
from fakes.waiting import until
from intaglio.jobs import rows
from intaglio.jobs.values import Job
from intaglio.daemon.job_worker import Worker
from intaglio.store.tx import ReadTx, WriteTx


async def complete(room: Bench, job: Job) -> None:
    await room.db.write(lambda tx: rows.complete(tx, job, room.stamp.now))


@dataclass
class Stage:
    """Does what it is told with each job, and notes how many are being done at once."""

    room_for: Bench
    work: Callable[[Job], Awaitable[None]]
    room: int = 1
    rest_s: float = 0.0
    seen: list[str] = field(default_factory=list[str])
    now: int = 0
    most: int = 0

    async def run(self, jobs: tuple[Job, ...]) -> int:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            for job in jobs:
                self.seen.append(job.subject)
                await self.work(job)
                await complete(self.room_for, job)
            return len(jobs)
        finally:
            self.now -= 1


async def nothing(_job: Job) -> None:
    await asyncio.sleep(0)


@asynccontextmanager
async def working(
    folder: Path, work: Callable[[Job], Awaitable[None]] = nothing
) -> AsyncGenerator[tuple[Bench, Stage]]:
    async with bench(folder) as room:
        stage = Stage(room, work)
        worker = Worker(room.db, {"embed": stage}, room.stamp, lambda: 0.0)
        task = asyncio.create_task(worker.run())
        try:
            yield room, stage
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


async def enqueue(room: Bench, *subjects: str) -> None:
    def work(tx: WriteTx) -> None:
        for subject in subjects:
            rows.enqueue(tx, "embed", subject, room.stamp.now)

    await room.db.write(work)


async def left(room: Bench, job: tuple[object, ...]) -> None:
    """Wait until this job alone is left."""

    async def look() -> bool:
        return await room.db.read(states) == [job]

    await until(look, f"{job} alone")


def states(tx: ReadTx) -> list[tuple[object, ...]]:
    return list(tx.all("SELECT subject, status, attempts FROM jobs ORDER BY id"))


async def test_a_new_job_wakes_the_worker(tmp_path: Path) -> None:
    async with working(tmp_path) as (room, stage):
        await asyncio.sleep(0.1)
        await enqueue(room, "a")
        await until(lambda: stage.seen == ["a"], "the job")


async def test_at_most_two_are_done_at_once(tmp_path: Path) -> None:
    go_on = asyncio.Event()

    async def slow(_job: Job) -> None:
        await go_on.wait()

    async with working(tmp_path, slow) as (room, stage):
        await enqueue(room, *"abcdef")
        await until(lambda: stage.now == 2, "two at once")
        await asyncio.sleep(0.1)
        go_on.set()
        await until(lambda: len(stage.seen) == 6 and stage.now == 0, "the end of all")
        assert stage.most == 2


async def test_a_stage_that_breaks_fails_its_job_and_not_the_worker(tmp_path: Path) -> None:
    async def breaks(job: Job) -> None:
        if job.subject == "bad":
            raise ZeroDivisionError

    async with working(tmp_path, breaks) as (room, stage):
        await enqueue(room, "bad", "good")
        await left(room, ("bad", "pending", 1))
        for state in (("bad", "pending", 2), ("bad", "dead", 3)):
            room.clock.forward(seconds=60)
            await enqueue(room, f"more {room.clock()}")
            await left(room, state)
        assert len(stage.seen) == 6


async def test_a_resting_stage_is_left_alone(tmp_path: Path) -> None:
    async with working(tmp_path) as (room, stage):
        stage.room, stage.rest_s = 0, 0.2
        await enqueue(room, "a")
        await asyncio.sleep(0.1)
        assert stage.seen == []
        stage.room, stage.rest_s = 1, 0.0
        await until(lambda: stage.seen == ["a"], "the job")


async def test_what_is_being_done_at_the_end_goes_back_uncounted(tmp_path: Path) -> None:
    async def forever(_job: Job) -> None:
        await asyncio.sleep(3600)

    async with bench(tmp_path) as room:
        stage = Stage(room, forever)
        task = asyncio.create_task(Worker(room.db, {"embed": stage}, room.stamp, lambda: 0.0).run())
        await enqueue(room, "a")
        await until(lambda: stage.seen == ["a"], "the job")
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert await room.db.read(states) == [("a", "pending", 0)]


async def test_jobs_that_a_dead_process_held_are_taken_up_at_the_start(tmp_path: Path) -> None:
    async with bench(tmp_path) as room:
        await enqueue(room, "a")
        await room.db.write(lambda tx: rows.lease(tx, [("embed", 1)], "gone", room.clock()))
    async with working(tmp_path) as (_, stage):
        await until(lambda: stage.seen == ["a"], "the job")
