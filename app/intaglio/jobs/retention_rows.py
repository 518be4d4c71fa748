"""SQL that purges finished jobs: completed and failed ones."""

from typing import Final

from intaglio.store.tx import ReadTx, Row, WriteTx

# This wording makes SQLite use the index of finished jobs.
_ENDED: Final = "status IN ('dead', 'completed')"
# A done job of a type with a retention of its own is kept until then; a discarded one has failed.
_COMPLETED: Final = (
    f"{_ENDED} AND status = 'completed' AND CASE WHEN failed_at IS NULL AND not_before IS NOT NULL "
    "THEN not_before < ? ELSE completed_at < ? END"
)
_DEAD: Final = f"{_ENDED} AND status = 'dead' AND failed_at < ?"


def completed(tx: ReadTx, before: str, now: str, limit: int) -> list[Row]:
    """List jobs completed before a time, or whose own retention is over."""
    return tx.all(
        f"SELECT id FROM jobs WHERE {_COMPLETED} LIMIT ?",  # noqa: S608 - a constant
        (now, before, limit),
    )


def purge_completed(tx: WriteTx, key: Row, before: str, now: str) -> int:
    """Delete a completed job."""
    return tx.execute(f"DELETE FROM jobs WHERE id = ? AND {_COMPLETED}", (key[0], now, before))  # noqa: S608 - a constant


def dead(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List jobs that failed permanently before a time."""
    return tx.all(f"SELECT id FROM jobs WHERE {_DEAD} LIMIT ?", (before, limit))  # noqa: S608 - a constant


def purge_dead(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a failed job, unless it has been retried since."""
    return tx.execute(f"DELETE FROM jobs WHERE id = ? AND {_DEAD}", (key[0], before))  # noqa: S608 - a constant
