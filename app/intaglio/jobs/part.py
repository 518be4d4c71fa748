"""The job queue; the daemon's worker runs the job types of all packages."""

from intaglio.jobs import retention_rows, rows
from intaglio.package import KeptData, Package, SweepStep, singly
from intaglio.store.settings import RetentionSettings

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
)
