"""The job queue; the daemon's worker runs the job types of all packages."""

from datetime import timedelta
from functools import partial
from typing import Final

from intaglio.base.text import count_of
from intaglio.domain.health import HealthCheck
from intaglio.domain.repair import Repair, RepairOptions, RepairResult
from intaglio.jobs import retention_rows, rows
from intaglio.jobs.health_checks import QueueHealth, judge, read
from intaglio.jobs.job_type import JobTypes
from intaglio.jobs.settings import QueueSettings
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Package, Part, SweepStep, of_snapshot, singly
from intaglio.store.settings import RetentionSettings
from intaglio.store.tx import ReadTx

_REQUEUED_AT_ONCE: Final = 50


def part(kernel: Kernel) -> Part:
    """Declare the check and the repairs of the queue."""
    return Part(
        checks=(
            HealthCheck(
                name="queue",
                domain="queue",
                title="Queue",
                reads="The jobs: more than 50 that could run, more than 1 % that failed, one that "
                "waits for more than five minutes, or one whose worker is silent.",
                run=of_snapshot(kernel.database, partial(_read_queue, kernel), judge),
            ),
        ),
        repairs=(_requeue_dead(kernel), _release_leases(kernel)),
    )


def _silence(kernel: Kernel) -> timedelta:
    return timedelta(milliseconds=kernel.settings().of(QueueSettings).lease_timeout_ms)


def _read_queue(kernel: Kernel, tx: ReadTx) -> QueueHealth:
    return read(tx, kernel.clock(), _silence(kernel), kernel.get(JobTypes).leases)


def _requeue_dead(kernel: Kernel) -> Repair:
    db = kernel.database

    async def most(options: RepairOptions) -> tuple[int, int]:
        dead = (await db.read(rows.counts)).dead
        return dead, dead if options.everything else min(dead, options.limit or _REQUEUED_AT_ONCE)

    async def count(options: RepairOptions) -> RepairResult:
        dead, affected = await most(options)
        return RepairResult(
            affected=affected, message=count_of(dead, "job has failed", "jobs have failed")
        )

    async def run(options: RepairOptions) -> RepairResult:
        # Not more than there are now: those that fail again at once aren't retried for ever.
        _, left = await most(options)
        at, done = kernel.change_context.now, 0
        while done < left:
            batch = min(left - done, _REQUEUED_AT_ONCE)
            found = await db.write(partial(rows.retry_all, type_=None, at=at, most=batch))
            done += found
            if found < batch:
                break
        return RepairResult(affected=done, message=f"{done} requeued")

    return Repair(
        action="requeue-dead",
        title="Retry failed jobs",
        text="Runs failed jobs again, 50 of them unless you ask for more.",
        budget="queue",
        count=count,
        run=run,
    )


def _release_leases(kernel: Kernel) -> Repair:
    db = kernel.database

    async def count(_: RepairOptions) -> RepairResult:
        now, timeout, leases = kernel.clock(), _silence(kernel), kernel.get(JobTypes).leases
        found = await db.read(lambda tx: rows.count_silent(tx, now, timeout=timeout, leases=leases))
        return RepairResult(
            affected=found, message=count_of(found, "job stands still", "jobs stand still")
        )

    async def run(_: RepairOptions) -> RepairResult:
        now, timeout, leases = kernel.clock(), _silence(kernel), kernel.get(JobTypes).leases
        found = await db.write(lambda tx: rows.reap(tx, now, timeout=timeout, leases=leases))
        return RepairResult(affected=found, message=f"{found} released")

    return Repair(
        action="release-leases",
        title="Release jobs that stand still",
        text="Frees jobs whose worker has been silent too long, so that they run again.",
        budget="queue",
        count=count,
        run=run,
    )


PACKAGE = Package(
    name="jobs",
    tables={
        "jobs": "background work; a row is deleted when its work is done, is `dead` after its "
        "last failed attempt, and `completed` with `failed_at` once discarded",
    },
    on_forget=(lambda tx, memory_id, _: rows.drop(tx, memory_id),),
    on_erase=(lambda tx, memory_id, _: rows.drop(tx, memory_id),),
    retention=(
        SweepStep(
            "completed_jobs",
            lambda s: s.of(RetentionSettings).completed_job_days,
            retention_rows.completed,
            singly(retention_rows.purge_completed),
        ),
        SweepStep(
            "dead_jobs",
            lambda s: s.of(RetentionSettings).dead_job_days,
            retention_rows.dead,
            singly(retention_rows.purge_dead),
        ),
    ),
    kept=(
        KeptData(
            "completed `jobs`",
            "discarded ones 14 days; finished ones as long as their type declares (embedding "
            "jobs: not at all)",
            deleted_by="step `completed_jobs`",
            settings=("retention.completedJobDays",),
        ),
        KeptData(
            "failed `jobs`",
            "30 days",
            deleted_by="step `dead_jobs`",
            settings=("retention.deadJobDays",),
        ),
        KeptData(
            "queued `jobs`",
            "until they are done",
            deleted_by="their worker",
        ),
    ),
    make=part,
)
