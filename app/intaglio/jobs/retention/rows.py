"""SQL that purges jobs that ended: the completed ones, and those that were given up."""

from typing import Final

from intaglio.store.tx import ReadTx, Row, WriteTx

# Said in these words, so that the index of jobs that ended is used.
_ENDED: Final = "status IN ('dead', 'completed')"
_COMPLETED: Final = f"{_ENDED} AND status = 'completed' AND completed_at < ?"
_DEAD: Final = f"{_ENDED} AND status = 'dead' AND failed_at < ?"


def completed(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List jobs that were completed before a moment."""
    return tx.all(f"SELECT id FROM jobs WHERE {_COMPLETED} LIMIT ?", (before, limit))  # noqa: S608 - a constant


def purge_completed(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a completed job."""
    return tx.execute(f"DELETE FROM jobs WHERE id = ? AND {_COMPLETED}", (key[0], before))  # noqa: S608 - a constant


def dead(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List jobs that were given up before a moment."""
    return tx.all(f"SELECT id FROM jobs WHERE {_DEAD} LIMIT ?", (before, limit))  # noqa: S608 - a constant


def purge_dead(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a job that was given up, unless it is tried again by now."""
    return tx.execute(f"DELETE FROM jobs WHERE id = ? AND {_DEAD}", (key[0], before))  # noqa: S608 - a constant
