"""The job worker: fair between types, bounded, woken by work, contained, and gone when told."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from msgspec import Struct

from fakes.store import Bench, bench
from fakes.waiting import until
from intaglio.daemon.job_worker import MAX_CONCURRENCY, JobWorker
from intaglio.jobs import rows
from intaglio.jobs.job_type import Job, JobType, JobTypes, OneByOne
from intaglio.store.tx import ReadTx, WriteTx

WORK = JobType(name="work", label="Work")


@dataclass
class Recorder:
    """Does what it is told with each job, and notes how many are being done at once."""

    bench: Bench
    work: Callable[[Job], Awaitable[None]]
    capacity: int = 1
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
                await complete(self.bench, job)
            return len(jobs)
        finally:
            self.now -= 1


async def complete(bench: Bench, job: Job) -> None:
    await bench.db.write(lambda tx: rows.complete(tx, job, bench.context.now))


async def nothing(_job: Job) -> None:
    await asyncio.sleep(0)


@asynccontextmanager
async def working(store: Bench, *types: JobType) -> AsyncGenerator[JobWorker]:
    """Let a worker do jobs of these types while the block runs."""
    worker = JobWorker(
        db=store.db, types=JobTypes.of(types), context=store.context, random=lambda: 0.0
    )
    task = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@asynccontextmanager
async def recording(
    folder: Path, work: Callable[[Job], Awaitable[None]] = nothing, type_: JobType = WORK
) -> AsyncGenerator[tuple[Bench, Recorder]]:
    async with bench(folder) as store:
        recorder = Recorder(store, work)
        async with working(store, type_.run_by(recorder)):
            yield store, recorder


async def enqueue(store: Bench, *subjects: str, type_: JobType = WORK) -> None:
    def work(tx: WriteTx) -> None:
        for subject in subjects:
            rows.enqueue(tx, type_, subject, store.context.now)

    await store.db.write(work)


async def left(store: Bench, *jobs: tuple[object, ...]) -> None:
    """Wait until these jobs alone are left."""

    async def look() -> bool:
        return await store.db.read(states) == list(jobs)

    await until(look, f"{jobs} alone")


def states(tx: ReadTx) -> list[tuple[object, ...]]:
    return list(tx.all("SELECT subject, status, attempts FROM jobs ORDER BY id"))


async def test_a_new_job_wakes_the_worker(tmp_path: Path) -> None:
    async with recording(tmp_path) as (store, recorder):
        await asyncio.sleep(0.1)
        await enqueue(store, "a")
        await until(lambda: recorder.seen == ["a"], "the job")


@pytest.mark.parametrize("concurrency", [1, 2, 5])
async def test_a_job_type_keeps_to_its_declared_concurrency(
    tmp_path: Path, concurrency: int
) -> None:
    go_on = asyncio.Event()

    async def slow(_job: Job) -> None:
        await go_on.wait()

    type_ = JobType(name="work", label="Work", concurrency=concurrency)
    async with recording(tmp_path, slow, type_) as (store, recorder):
        await enqueue(store, *"abcdef")
        await until(lambda: recorder.now == concurrency, "as many at once as declared")
        go_on.set()
        await until(lambda: len(recorder.seen) == 6 and recorder.now == 0, "the end of all")
        assert recorder.most == concurrency


async def test_job_types_with_one_runner_share_its_concurrency(tmp_path: Path) -> None:
    go_on = asyncio.Event()

    async def slow(_job: Job) -> None:
        await go_on.wait()

    async with bench(tmp_path) as store:
        recorder = Recorder(store, slow)
        first, second = (
            JobType(name=name, label=name, concurrency=2) for name in ("first", "second")
        )
        await enqueue(store, *"abc", type_=first)
        await enqueue(store, *"def", type_=second)
        async with working(store, first.run_by(recorder), second.run_by(recorder)):
            await until(lambda: recorder.now == 2, "two at once")
            assert {recorder.seen[0] in "abc", recorder.seen[1] in "abc"} == {True, False}
            go_on.set()
            await until(lambda: len(recorder.seen) == 6 and recorder.now == 0, "the end of all")
        assert recorder.most == 2


async def test_a_slow_job_type_never_starves_a_fast_one(tmp_path: Path) -> None:
    go_on = asyncio.Event()

    async def hold(_job: Job) -> None:
        await go_on.wait()

    async with bench(tmp_path) as store:
        slow, fast = Recorder(store, hold), Recorder(store, nothing)
        greedy = JobType(name="slow", label="Slow", concurrency=3)
        await enqueue(store, *(f"slow {number}" for number in range(20)), type_=greedy)
        async with working(store, greedy.run_by(slow), WORK.run_by(fast)):
            await until(lambda: slow.now == greedy.concurrency, "the slow type at its limit")
            for number in range(5):
                await enqueue(store, f"fast {number}")
                await until(lambda: len(fast.seen) == number + 1, "a fast job")  # noqa: B023 - awaited in its turn
            assert slow.now == slow.most == greedy.concurrency
            go_on.set()
            await left(store)


async def test_many_slow_job_types_never_starve_a_fast_one(tmp_path: Path) -> None:
    go_on = asyncio.Event()
    running: list[str] = []

    async def hold(job: Job) -> None:
        running.append(job.subject)
        await go_on.wait()
        await complete(store, job)

    async with bench(tmp_path) as store:
        types = [JobType(name=f"t{n}", label="") for n in range(2 * MAX_CONCURRENCY)]
        fast = Recorder(store, nothing)
        for each in types:
            await enqueue(store, each.name, type_=each)
        runners = (each.run_by(OneByOne(hold)) for each in types)
        async with working(store, *runners, WORK.run_by(fast)):
            await until(lambda: len(running) == len(types), "every slow type at its limit")
            await enqueue(store, "fast")
            await until(lambda: fast.seen == ["fast"], "the fast job")
            go_on.set()
            await left(store)


async def test_a_failing_runner_fails_only_its_job(tmp_path: Path) -> None:
    async def breaks(job: Job) -> None:
        if job.subject == "bad":
            raise ZeroDivisionError

    async with recording(tmp_path, breaks) as (store, recorder):
        await enqueue(store, "bad", "good")
        await left(store, ("bad", "pending", 1))
        for state in (("bad", "pending", 2), ("bad", "dead", 3)):
            store.clock.forward(seconds=60)
            await enqueue(store, f"more {store.clock()}")
            await left(store, state)
        assert len(recorder.seen) == 6


async def test_a_resting_runner_is_left_alone(tmp_path: Path) -> None:
    async with recording(tmp_path) as (store, recorder):
        recorder.capacity, recorder.rest_s = 0, 3_600.0
        await enqueue(store, "a")
        await asyncio.sleep(0.1)
        assert recorder.seen == []
        # What it failed by is mended long before the rest would have ended.
        recorder.capacity, recorder.rest_s = 1, 0.0
        await until(lambda: recorder.seen == ["a"], "the job")


@dataclass
class JustRested(Recorder):
    """Its back-off ends between a lease and the question when the next one is due."""

    asked: int = 0

    def __getattribute__(self, name: str) -> object:
        if name == "capacity":
            self.asked += 1
            return 0 if self.asked == 1 else 1
        return super().__getattribute__(name)


async def test_a_back_off_that_ends_after_the_lease_delays_no_ready_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.daemon.job_worker._BACK_OFF_CHECK_S", 0.01)
    async with bench(tmp_path) as store:
        recorder = JustRested(store, nothing)
        # Before the worker: nothing wakes it.
        await enqueue(store, "a")
        async with working(store, WORK.run_by(recorder)):
            await until(lambda: recorder.seen == ["a"], "the job")


async def test_jobs_interrupted_by_shutdown_keep_their_attempts(tmp_path: Path) -> None:
    async def forever(_job: Job) -> None:
        await asyncio.Event().wait()

    async with bench(tmp_path) as store:
        recorder = Recorder(store, forever)
        async with working(store, WORK.run_by(recorder)):
            await enqueue(store, "a")
            await until(lambda: recorder.seen == ["a"], "the job")
        assert await store.db.read(states) == [("a", "pending", 0)]


async def test_jobs_of_a_dead_process_are_resumed_at_the_start(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await enqueue(store, "a")
        await store.db.write(lambda tx: rows.lease(tx, [(WORK, 1)], "gone", store.clock()))
    async with recording(tmp_path) as (_, recorder):
        await until(lambda: recorder.seen == ["a"], "the job")


class Greeting(Struct):
    words: str
    times: int = 1


async def test_a_function_gets_the_payload_that_was_enqueued(tmp_path: Path) -> None:
    heard: list[Greeting] = []
    greet = JobType(name="greet", label="Greetings", payload=Greeting)

    async def work(job: Job) -> None:
        heard.append(job.payload_as(Greeting))
        await complete(store, job)

    async with bench(tmp_path) as store, working(store, greet.run_by(OneByOne(work))):
        await store.db.write(
            lambda tx: rows.enqueue(tx, greet, "ann", store.context.now, Greeting("good day", 2))
        )
        await left(store)
        assert heard == [Greeting("good day", 2)]


async def test_an_unreadable_payload_fails_only_its_job(
    tmp_path: Path,
) -> None:
    heard: list[str] = []
    greet = JobType(name="greet", label="Greetings", payload=Greeting)

    async def work(job: Job) -> None:
        heard.append(job.subject)
        await complete(store, job)

    def fill(tx: WriteTx) -> None:
        for subject, payload in (("a", '{"words": 1}'), ("b", "x"), ("c", None)):
            tx.execute(
                "INSERT INTO jobs(type, subject, payload, created_at) VALUES ('greet', ?, ?, '')",
                (subject, payload),
            )
        rows.enqueue(tx, greet, "d", store.context.now, Greeting("hi"))

    async with bench(tmp_path) as store:
        await store.db.write(fill)
        async with working(store, greet.run_by(OneByOne(work))):
            await left(store, ("a", "dead", 1), ("b", "dead", 1), ("c", "dead", 1))
            errors = await store.db.read(lambda tx: tx.column(str, "SELECT error FROM jobs"))
    assert heard == ["d"]
    assert errors[0].startswith("its payload can't be read: Expected `str`, got `int`")
    assert errors[1].startswith("its payload can't be read: JSON is malformed")
    assert errors[2] == "its payload is missing"


async def test_a_type_has_the_attempts_that_it_declares(tmp_path: Path) -> None:
    async def breaks(_job: Job) -> None:
        raise ZeroDivisionError

    fragile = JobType(name="fragile", label="", attempts=1)
    async with recording(tmp_path, breaks, fragile) as (store, _):
        await enqueue(store, "a", type_=fragile)
        await left(store, ("a", "dead", 1))


@pytest.mark.parametrize("concurrency", [0, MAX_CONCURRENCY + 1])
async def test_a_concurrency_out_of_bounds_is_refused(tmp_path: Path, concurrency: int) -> None:
    greedy = JobType(name="greedy", label="", concurrency=concurrency).run_by(OneByOne(nothing))
    async with bench(tmp_path) as store:
        with pytest.raises(ValueError, match="concurrency of greedy"):
            JobWorker(
                db=store.db, types=JobTypes.of([greedy]), context=store.context, random=lambda: 0.0
            )


async def test_a_job_type_keeps_its_declared_lease(tmp_path: Path) -> None:
    patient = JobType(name="patient", label="", lease=timedelta(hours=1))
    async with bench(tmp_path) as store:
        await enqueue(store, "a", type_=patient)
        await enqueue(store, "b")
        for type_ in (patient, WORK):
            wanted = [(type_, 1)]
            await store.db.write(partial(rows.lease, wanted=wanted, token="t", now=store.clock()))  # noqa: S106 - a lease's mark
        leases = JobTypes.of(each.run_by(OneByOne(nothing)) for each in (patient, WORK)).leases

        async def reaped() -> int:
            return await store.db.write(lambda tx: rows.reap(tx, store.clock(), leases=leases))

        store.clock.forward(minutes=6)
        assert await reaped() == 1
        store.clock.forward(minutes=60)
        assert await reaped() == 1
