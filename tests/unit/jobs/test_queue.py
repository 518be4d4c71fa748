"""The queue holds its rules whatever order things happen in: a model beside a real table."""

import itertools
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from fakes.plain_store import plain_store
from fakes.store import MovableClock
from intaglio.base.clock import iso
from intaglio.base.events import Changed
from intaglio.jobs import rows, scheduling
from intaglio.jobs.job_type import Job, JobType
from intaglio.jobs.values import (
    Discarded,
    Exhausted,
    NoJob,
    NotFailed,
    Retried,
    Retry,
    Superseded,
)
from intaglio.store.tx import WriteTx

WORK = JobType(name="work", label="Work")
OTHER = JobType(name="other", label="Other work")
KEPT = JobType(name="kept", label="Work whose id is given out", retention=timedelta(days=2))
SUBJECTS = st.sampled_from(["a", "b", "c", "d", "e"])


@dataclass
class Expected:
    """What the queue must hold of one job."""

    subject: str
    status: str = "pending"
    attempts: int = 0
    not_before: str = ""
    leased_at: str = ""
    created_at: str = ""


class Queue(RuleBasedStateMachine):
    """Enqueue, lease, complete, fail, release, time, reaping and restarts, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        self.tx = self.stack.enter_context(plain_store(Path(folder)))
        self.clock = MovableClock()
        self.tokens = 0
        self.model: dict[int, Expected] = {}
        self.held: list[Job] = []

    def teardown(self) -> None:
        self.stack.close()

    def open_jobs(self) -> list[Expected]:
        return [job for job in self.model.values() if job.status in ("pending", "leased")]

    @rule(subject=SUBJECTS)
    def enqueue(self, subject: str) -> None:
        waits = any(job.subject == subject for job in self.open_jobs())
        assert rows.enqueue(self.tx, WORK, subject, iso(self.clock())) is not waits
        if not waits:
            number = self.tx.count("SELECT max(id) FROM jobs")
            self.model[number] = Expected(subject, created_at=iso(self.clock()))

    @rule(limit=st.integers(1, 3))
    def lease(self, limit: int) -> None:
        now = iso(self.clock())
        self.tokens += 1
        taken = rows.lease(self.tx, [(WORK, limit)], f"t{self.tokens}", self.clock())
        ready = sorted(
            (job.not_before or job.created_at, number)
            for number, job in self.model.items()
            if job.status == "pending" and job.not_before <= now
        )
        assert [job.id for job in taken] == [number for _, number in ready[:limit]]
        for job in taken:
            expected = self.model[job.id]
            expected.status, expected.leased_at = "leased", now
            expected.attempts += 1
            assert job.attempts == expected.attempts
        self.held.extend(taken)

    def holds(self, job: Job) -> bool:
        token = self.tx.value("SELECT lease FROM jobs WHERE id = ?", (job.id,))
        return token == job.lease

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def complete(self, data: st.DataObject) -> None:
        job = data.draw(st.sampled_from(self.held))
        self.held.remove(job)
        held = self.holds(job)
        assert rows.complete(self.tx, job, iso(self.clock())) is held
        if held:
            del self.model[job.id]

    @precondition(lambda self: self.held)
    @rule(data=st.data(), jitter=st.floats(0, 1))
    def fail(self, data: st.DataObject, jitter: float) -> None:
        job = data.draw(st.sampled_from(self.held))
        self.held.remove(job)
        held = self.holds(job)
        outcome = scheduling.after_failure(job.attempts, job.max_attempts, self.clock(), jitter)
        assert rows.fail(self.tx, job, outcome, "it broke", self.clock()) is held
        if held:
            match outcome:
                case Retry(not_before):
                    self.model[job.id].status = "pending"
                    self.model[job.id].not_before = not_before
                case Exhausted():
                    self.model[job.id].status = "dead"

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        job = data.draw(st.sampled_from(self.held))
        self.held.remove(job)
        held = self.holds(job)
        assert rows.release(self.tx, job, None) is held
        if held:
            expected = self.model[job.id]
            expected.status, expected.not_before = "pending", ""
            expected.attempts -= 1

    @rule(seconds=st.sampled_from([0.5, 5, 40, 400]))
    def wait(self, seconds: float) -> None:
        self.clock.forward(seconds=seconds)

    @rule(restart=st.booleans())
    def reap(self, *, restart: bool) -> None:
        before = iso(self.clock() if restart else self.clock() - scheduling.LEASE_TIMEOUT)
        stale = [
            job for job in self.model.values() if job.status == "leased" and job.leased_at <= before
        ]
        assert rows.reap(self.tx, self.clock(), all_leases=restart) == len(stale)
        for job in stale:
            job.status = "dead" if job.attempts >= 3 else "pending"

    @rule()
    def revive(self) -> None:
        rows.retry_all(self.tx, WORK.name, iso(self.clock()))
        alive = {job.subject for job in self.open_jobs()}
        for number, job in sorted(self.model.items()):
            if job.status != "dead":
                continue
            if job.subject in alive:
                del self.model[number]
            else:
                alive.add(job.subject)
                job.status, job.attempts, job.not_before = "pending", 0, ""

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def retry(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.model)))
        job = self.model[number]
        outcome = rows.retry(self.tx, number, iso(self.clock()))
        if job.status != "dead":
            assert outcome == NotFailed(job.status)  # type: ignore[arg-type]  # the model's words are those of the table
        elif any(other.subject == job.subject for other in self.open_jobs()):
            assert isinstance(outcome, Superseded)
            del self.model[number]
        else:
            assert outcome == Retried(WORK.name)
            job.status, job.attempts, job.not_before = "pending", 0, ""

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def discard(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.model)))
        job = self.model[number]
        outcome = rows.discard(self.tx, number, iso(self.clock()))
        if job.status == "dead":
            assert outcome == Discarded()
            job.status = "completed"
        else:
            assert outcome == NotFailed(job.status)  # type: ignore[arg-type]  # see above

    @rule()
    def forget_discarded(self) -> None:
        gone = [number for number, job in self.model.items() if job.status == "completed"]
        assert rows.delete_discarded(self.tx, WORK.name) == len(gone)
        for number in gone:
            del self.model[number]

    @invariant()
    def each_job_is_counted_once(self) -> None:
        assert sum(tally.count for tally in rows.count_states(self.tx)) == len(self.model)
        listed = rows.page(self.tx, None, None, None, 1_000)
        assert [job.id for job in listed] == sorted(self.model, reverse=True)

    @invariant()
    def the_table_is_what_is_expected(self) -> None:
        found = {
            int(str(number)): Expected(
                str(subject), str(status), int(str(attempts)), str(later or ""), str(since or "")
            )
            for number, subject, status, attempts, later, since in self.tx.all(
                "SELECT id, subject, status, attempts, not_before, leased_at FROM jobs"
            )
        }
        for number, job in found.items():
            wanted = self.model[number]
            assert (job.subject, job.status, job.attempts) == (
                wanted.subject,
                wanted.status,
                wanted.attempts,
            )
            if job.status == "pending":
                assert job.not_before == wanted.not_before
        assert found.keys() == self.model.keys()

    @invariant()
    def no_subject_is_open_twice(self) -> None:
        subjects = [job.subject for job in self.open_jobs()]
        assert len(subjects) == len(set(subjects))

    @invariant()
    def nobody_waits_for_a_job_that_no_attempt_is_left_of(self) -> None:
        assert all(job.attempts < 3 for job in self.model.values() if job.status == "pending")


# It opens many databases, and a busy disk may take its time over each.
TestQueue = Queue.TestCase
TestQueue.settings = settings(max_examples=40, stateful_step_count=40)


def test_job_types_take_turns(tmp_path: Path) -> None:
    clock = MovableClock()
    with plain_store(tmp_path) as tx:
        for number in range(4):
            rows.enqueue(tx, WORK, f"e{number}", iso(clock()))
            rows.enqueue(tx, OTHER, f"o{number}", iso(clock()))
        order: tuple[JobType, ...] = (WORK, OTHER)
        served: list[str] = []
        for turn in range(4):
            wanted = [(type_, 1) for type_ in order]
            (job,) = rows.lease(tx, wanted, f"t{turn}", clock())
            order = scheduling.service_order(order, job.job_type)
            served.append(job.subject)
        assert served == ["e0", "o0", "e1", "o1"]


TYPES = tuple(JobType(name=name, label=name) for name in ("first", "second", "third"))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("enqueue"), st.integers(0, 2)),
        st.tuples(st.just("lease"), st.integers(0, 1)),
        st.tuples(st.just("fail"), st.just(0)),
        st.tuples(st.just("wait"), st.integers(1, 40)),
    ),
    max_size=60,
)


@settings(max_examples=60)
@given(steps=STEPS)
def test_a_ready_job_type_waits_at_most_one_round(
    steps: list[tuple[str, int]],
) -> None:
    """However jobs come and fail: a worker passes a ready type over at most twice."""
    with tempfile.TemporaryDirectory() as folder, plain_store(Path(folder)) as tx:
        clock, number = MovableClock(), itertools.count()
        orders = [TYPES, TYPES]
        passed_over = [dict.fromkeys(TYPES, 0) for _ in orders]
        held: list[Job] = []
        for step, what in steps:
            match step, what:
                case "enqueue", which:
                    rows.enqueue(tx, TYPES[which], f"{next(number)}", iso(clock()))
                case "wait", seconds:
                    clock.forward(seconds=float(seconds))
                case "fail", _ if held:
                    job = held.pop(0)
                    outcome = scheduling.after_failure(job.attempts, 3, clock(), 0)
                    rows.fail(tx, job, outcome, "it broke", clock())
                case "lease", worker:
                    ready = ready_types(tx, iso(clock()))
                    wanted = [(type_, 1) for type_ in orders[worker]]
                    taken = rows.lease(tx, wanted, f"t{next(number)}", clock())
                    assert bool(taken) == bool(ready)
                    for job in taken:
                        held.append(job)
                        orders[worker] = scheduling.service_order(orders[worker], job.job_type)
                        for type_ in TYPES:
                            waits = type_.name in ready and type_ != job.job_type
                            count = passed_over[worker][type_] + 1 if waits else 0
                            passed_over[worker][type_] = count
                            assert count < len(TYPES)
                case _:
                    pass


def ready_types(tx: WriteTx, at: str) -> set[str]:
    found = tx.all(
        "SELECT DISTINCT type FROM jobs WHERE status = 'pending' "
        "AND (not_before IS NULL OR not_before <= ?)",
        (at,),
    )
    return {str(type_) for (type_,) in found}


def test_a_done_job_of_a_type_whose_id_is_given_out_keeps_its_row(tmp_path: Path) -> None:
    clock = MovableClock()
    with plain_store(tmp_path) as tx:
        rows.enqueue(tx, KEPT, "a", iso(clock()))
        (job,) = rows.lease(tx, [(KEPT, 1)], "t", clock())
        assert rows.complete(tx, job, iso(clock()))
        kept = rows.entry(tx, job.id)
        assert kept is not None
        assert (kept.status, kept.completed_at, kept.failed_at) == ("completed", iso(clock()), None)
        assert rows.delete_discarded(tx, KEPT.name) == 0


def test_the_attempts_are_those_of_the_settings_when_a_job_is_taken(tmp_path: Path) -> None:
    clock = MovableClock()
    with plain_store(tmp_path) as tx:
        rows.enqueue(tx, WORK, "a", iso(clock()))
        (job,) = rows.lease(tx, [(WORK, 1)], "t", clock(), 7)
        assert job.max_attempts == 7


def test_a_job_that_is_given_up_is_reported(tmp_path: Path) -> None:
    clock = MovableClock()
    with plain_store(tmp_path) as tx:
        rows.enqueue(tx, WORK, "a", iso(clock()))
        (job,) = rows.lease(tx, [(WORK, 1)], "t", clock())
        rows.fail(tx, job, Exhausted(), "it broke", clock())
        assert tx.take_events() == [Changed("jobs", "updated", (str(job.id),))]


def test_an_unknown_job_can_neither_be_retried_nor_discarded(tmp_path: Path) -> None:
    with plain_store(tmp_path) as tx:
        assert rows.retry(tx, 7, "now") == NoJob()
        assert rows.discard(tx, 7, "now") == NoJob()


def test_the_time_of_the_next_ready_job_is_reported(tmp_path: Path) -> None:
    clock = MovableClock()
    with plain_store(tmp_path) as tx:
        assert rows.next_ready(tx, [WORK.name]) is None
        rows.enqueue(tx, WORK, "a", iso(clock()))
        assert rows.next_ready(tx, [WORK.name]) == ""
        (job,) = rows.lease(tx, [(WORK, 1)], "t", clock())
        later = iso(clock() + timedelta(seconds=2))
        rows.fail(tx, job, Retry(later), "it broke", clock())
        assert rows.next_ready(tx, [WORK.name]) == later
        assert rows.next_ready(tx, []) is None
