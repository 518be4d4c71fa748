"""SQL that purges finished jobs: completed and failed ones."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from intaglio.base.clock import iso
from intaglio.store.tx import ReadTx, Row, WriteTx

# This wording makes SQLite use the index of finished jobs.
_ENDED: Final = "status IN ('dead', 'completed')"
# Each type keeps its done jobs as long as it declares; a discarded job has failed, too.
_BEFORE: Final = (
    "ifnull((SELECT value FROM json_each(?) WHERE key = jobs.type AND failed_at IS NULL), ?)"
)
_COMPLETED: Final = f"{_ENDED} AND status = 'completed' AND completed_at < {_BEFORE}"
_DEAD: Final = f"{_ENDED} AND status = 'dead' AND failed_at < ?"


def completed(
    tx: ReadTx, before: str, now: str, limit: int, retentions: Mapping[str, timedelta]
) -> list[Row]:
    """List jobs completed before a time; ``retentions`` of the types that declare one."""
    return tx.all(
        f"SELECT id FROM jobs WHERE {_COMPLETED} LIMIT ?",  # noqa: S608 - a constant
        (_cutoffs(now, retentions), before, limit),
    )


def purge_completed(
    tx: WriteTx, key: Row, before: str, now: str, retentions: Mapping[str, timedelta]
) -> int:
    """Delete a completed job."""
    return tx.execute(
        f"DELETE FROM jobs WHERE id = ? AND {_COMPLETED}",  # noqa: S608 - a constant
        (key[0], _cutoffs(now, retentions), before),
    )


def _cutoffs(now: str, retentions: Mapping[str, timedelta]) -> str:
    moment = datetime.fromisoformat(now)
    return json.dumps({name: iso(moment - kept) for name, kept in retentions.items()})


def dead(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List jobs that failed permanently before a time."""
    return tx.all(f"SELECT id FROM jobs WHERE {_DEAD} LIMIT ?", (before, limit))  # noqa: S608 - a constant


def purge_dead(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a failed job, unless it has been retried since."""
    return tx.execute(f"DELETE FROM jobs WHERE id = ? AND {_DEAD}", (key[0], before))  # noqa: S608 - a constant
