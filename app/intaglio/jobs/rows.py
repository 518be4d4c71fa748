"""SQL on jobs."""

from intaglio.jobs.values import JobType
from intaglio.store.tx import ReadTx, WriteTx


def enqueue(tx: WriteTx, type_: JobType, subject: str, at: str) -> bool:
    """Add a job unless one of its type waits for that subject already; say whether it was added."""
    return bool(
        tx.execute(
            "INSERT INTO jobs(type, subject, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (type_, subject, at),
        )
    )


def count_pending(tx: ReadTx) -> int:
    """Count the jobs that wait."""
    return tx.count("SELECT count(*) FROM jobs WHERE status = 'pending'")
