"""SQL that finds what the retention sweep removes from the graph."""

import json
from collections.abc import Sequence

from intaglio.graph.collection import collect
from intaglio.store.tx import ReadTx, Row, WriteTx


def stale(tx: ReadTx, _before: str, _now: str, limit: int) -> list[Row]:
    """List entities of which a memory was deleted."""
    return tx.all("SELECT seq FROM entities WHERE is_stale = 1 LIMIT ?", (limit,))


def clean(tx: WriteTx, keys: Sequence[Row], _before: str, now: str) -> int:
    """Remove what no memory supports any more of as many entities; return how many there were."""
    return collect(tx, now, limit=len(keys))


def expired_changes(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List the user's changes of entities from before a time, oldest first."""
    return tx.all(
        "SELECT seq FROM entity_changes WHERE created_at < ? ORDER BY created_at LIMIT ?",
        (before, limit),
    )


def purge_changes(tx: WriteTx, keys: Sequence[Row], before: str, _now: str) -> int:
    """Delete the records of old changes, which can't be undone any more.

    An entity that stayed only so that its last change could be undone is marked for collection.
    """
    listed = json.dumps([seq for (seq,) in keys])
    which = "seq IN (SELECT value FROM json_each(?)) AND created_at < ?"
    tx.execute(
        "UPDATE entities SET is_stale = 1 WHERE mentions = 0 AND seq IN ("  # noqa: S608 - a constant
        f"SELECT entity FROM entity_changes WHERE {which})",
        (listed, before),
    )
    return tx.execute(f"DELETE FROM entity_changes WHERE {which}", (listed, before))  # noqa: S608 - a constant
