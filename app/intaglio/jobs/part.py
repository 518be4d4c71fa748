"""The job queue; the daemon's worker runs the job types of all packages."""

from intaglio.jobs import retention_rows, rows
from intaglio.package import Package, SweepStep, singly

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
            lambda s: s.retention.completed_job_days,
            retention_rows.completed,
            singly(retention_rows.purge_completed),
        ),
        SweepStep(
            "dead_jobs",
            lambda s: s.retention.dead_job_days,
            retention_rows.dead,
            singly(retention_rows.purge_dead),
        ),
    ),
)
