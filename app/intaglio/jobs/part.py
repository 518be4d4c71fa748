"""The job queue; the daemon's worker runs the job types of all packages."""

from intaglio.jobs import rows
from intaglio.package import Package

PACKAGE = Package(
    name="jobs",
    tables={
        "jobs": "background work; a row is deleted when its work is done, is `dead` after its "
        "last failed attempt, and `completed` with `failed_at` once discarded",
    },
    on_forget=(lambda tx, memory_id, _: rows.drop(tx, memory_id),),
    on_erase=(lambda tx, memory_id, _: rows.drop(tx, memory_id),),
)
