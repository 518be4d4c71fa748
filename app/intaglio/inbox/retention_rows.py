"""SQL that closes items nobody decided on, and deletes what was decided long ago.

Listed rows are checked again when they are changed: the user may have decided in between.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.events import Changed
from intaglio.inbox import rows
from intaglio.store.tx import ReadTx, Row, WriteTx

_WAITING: Final = "status = 'open' AND kind IN (SELECT value FROM json_each(?)) AND created_at < ?"
_DECIDED: Final = "status = 'done' AND decided_at < ?"
# Its tombstone is purged, or it was erased: nothing may tell what it said any more.
_ABOUT_NOTHING: Final = (
    "status = 'done' AND memory_id IS NOT NULL "
    "AND NOT EXISTS (SELECT 1 FROM memories WHERE memories.id = inbox_items.memory_id)"
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """The open items of the kinds that expire."""

    kinds: tuple[str, ...]

    def find(self, tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
        """List those from before a time, oldest first."""
        return tx.all(
            f"SELECT seq, id FROM inbox_items WHERE {_WAITING} ORDER BY created_at LIMIT ?",  # noqa: S608 - a constant
            (json.dumps(self.kinds), before, limit),
        )

    def expire(self, tx: WriteTx, key: Row, before: str, now: str) -> int:
        """Close one that nobody decided on."""
        seq, item_id = key
        closed = tx.execute(
            "UPDATE inbox_items SET status = 'done', decided_at = ?, action = 'expired' "  # noqa: S608 - a constant
            f"WHERE seq = ? AND {_WAITING}",
            (now, seq, json.dumps(self.kinds), before),
        )
        if closed:
            tx.publish(Changed("inbox", "updated", (str(item_id),)))
        return closed


def decided(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List the items decided on before a time, oldest first."""
    return tx.all(
        f"SELECT seq, id FROM inbox_items WHERE {_DECIDED} ORDER BY decided_at LIMIT ?",  # noqa: S608 - a constant
        (before, limit),
    )


def purge_decided(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete an item that was decided on; the hash of dropped words stays."""
    return _delete(tx, key, _DECIDED, (before,))


def about_nothing(tx: ReadTx, _before: str, _now: str, limit: int) -> list[Row]:
    """List the done items whose memory doesn't exist any more."""
    return tx.all(
        f"SELECT seq, id FROM inbox_items WHERE {_ABOUT_NOTHING} LIMIT ?",  # noqa: S608 - a constant
        (limit,),
    )


def purge_about_nothing(tx: WriteTx, key: Row, _before: str, _now: str) -> int:
    """Delete a done item whose memory doesn't exist any more."""
    return _delete(tx, key, _ABOUT_NOTHING, ())


def _delete(tx: WriteTx, key: Row, condition: str, params: Sequence[str]) -> int:
    seq, item_id = key
    found = f"SELECT seq FROM inbox_items WHERE seq = ? AND {condition}"  # noqa: S608 - a constant
    gone = rows.delete(tx, tx.column(int, found, (seq, *params)))
    if gone:
        tx.publish(Changed("inbox", "deleted", (str(item_id),)))
    return gone
