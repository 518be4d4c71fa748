"""SQL on the records of sources that were taken back; no other module writes these tables."""

import json
from collections.abc import Sequence
from typing import Any, Final

from intaglio.domain.source_kinds import SourceKind
from intaglio.lifecycle.sources.values import (
    ItemOutcome,
    MemoryOrigin,
    RemovalItem,
    RemovalRecord,
    RemovalState,
    RemovedKind,
    session_of_item,
)
from intaglio.store.tx import ReadTx, Row, WriteTx
from intaglio.transcripts import rows as transcripts

_COLUMNS: Final = (
    "seq, id, kind, source, label, state, reason, changed_by, created_at, undone_at, "
    "forgotten, kept, dropped"
)
# These stay away until that is undone, which needs the record, and the sessions.
_BLOCKING: Final = "kind IN ('session', 'import', 'file') AND state <> 'undone'"
_RESTORABLE: Final = "kind <> 'session'"
_COMPLETE: Final = "state IN ('done', 'undone')"


def _record(seq: int, id_: str, kind: SourceKind, source: str, *rest: Any) -> RemovalRecord:  # noqa: ANN401 - the columns of a STRICT table
    names = ("label", "state", "reason", "changed_by", "created_at", "undone_at")
    values = dict(zip((*names, "forgotten", "kept", "dropped"), rest, strict=True))
    return RemovalRecord(seq=seq, id=id_, origin=MemoryOrigin(kind, source), **values)


def insert(tx: WriteTx, record: RemovalRecord) -> int:
    """Write a record and return its number; its ``seq`` is assigned here."""
    tx.execute(
        "INSERT INTO source_removals(id, kind, source, label, state, reason, changed_by, "
        "created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            record.id,
            record.origin.kind,
            record.origin.id,
            record.label,
            record.state,
            record.reason,
            record.changed_by,
            record.created_at,
        ),
    )
    return tx.last_row()


def get(tx: ReadTx, removal_id: str) -> RemovalRecord | None:
    """Return a record by its id."""
    found = tx.map(_record, f"SELECT {_COLUMNS} FROM source_removals WHERE id = ?", (removal_id,))  # noqa: S608 - a constant
    return found[0] if found else None


def latest(tx: ReadTx, limit: int) -> list[RemovalRecord]:
    """Return the latest records, newest first; not those that are only being planned."""
    return tx.map(
        _record,
        f"SELECT {_COLUMNS} FROM source_removals WHERE state <> 'planned' "  # noqa: S608 - a constant
        "ORDER BY seq DESC LIMIT ?",
        (limit,),
    )


def unfinished(tx: ReadTx) -> list[RemovalRecord]:
    """Return what is running, undoing too, oldest first."""
    return tx.map(
        _record,
        f"SELECT {_COLUMNS} FROM source_removals WHERE state IN ('running', 'undoing') "  # noqa: S608 - a constant
        "ORDER BY seq",
    )


def is_running(tx: ReadTx, seq: int) -> bool:
    """Whether a removal isn't complete yet."""
    return bool(
        tx.count("SELECT count(*) FROM source_removals WHERE seq = ? AND state = 'running'", (seq,))
    )


def taken_back_at(tx: ReadTx, kind: SourceKind, source_id: str) -> str | None:
    """Return when a source was taken back, unless that is undone; None if it wasn't."""
    return tx.scalar(
        str,
        "SELECT max(created_at) FROM source_removals WHERE source = ? AND kind = ? "
        "AND state IN ('running', 'done')",
        (tx.as_stored(source_id), kind),
    )


def set_state(tx: WriteTx, seq: int, state: RemovalState) -> None:
    """Write how far a removal is."""
    tx.execute("UPDATE source_removals SET state = ? WHERE seq = ?", (state, seq))


def begin_undo(tx: WriteTx, seq: int, at: str) -> None:
    """Record that the user undoes a removal."""
    tx.execute(
        "UPDATE source_removals SET state = 'undoing', undone_at = ? WHERE seq = ?", (at, seq)
    )


def finish(tx: WriteTx, seq: int) -> None:
    """Record that a removal is complete, with how many items had which outcome."""
    tx.execute(
        "UPDATE source_removals SET state = 'done', (forgotten, kept, dropped) = "
        "(SELECT ifnull(sum(outcome = 'forgotten'), 0), "
        "ifnull(sum(kind = 'memory' AND outcome <> 'forgotten'), 0), "
        "ifnull(sum(outcome = 'dropped'), 0) FROM source_removal_items WHERE removal = ?1) "
        "WHERE seq = ?1",
        (seq,),
    )


def add_items(tx: WriteTx, seq: int, items: Sequence[RemovalItem]) -> None:
    """Write the items of a removal."""
    tx.execute(
        "INSERT INTO source_removal_items(removal, kind, id, outcome) "
        "SELECT ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)",
        (seq, json.dumps([(each.kind, each.id, each.outcome) for each in items])),
    )


def items(
    tx: ReadTx, seq: int, kind: RemovedKind, outcome: ItemOutcome | None = None
) -> list[RemovalItem]:
    """Return a removal's items of a kind, by id: those with an outcome, or all of them."""
    return tx.map(
        RemovalItem,
        "SELECT kind, id, outcome, detail FROM source_removal_items "
        "WHERE removal = ? AND kind = ? AND outcome = ifnull(?, outcome) ORDER BY id",
        (seq, kind, outcome),
    )


def settle(tx: WriteTx, seq: int, item: RemovalItem) -> None:
    """Write what became of an item, and what undoing it needs."""
    tx.execute(
        "UPDATE source_removal_items SET outcome = ?, detail = ? "
        "WHERE removal = ? AND kind = ? AND id = ?",
        (item.outcome, item.detail, seq, item.kind, item.id),
    )


def is_held_by_another(tx: ReadTx, seq: int, item: RemovalItem) -> bool:
    """Whether another removal that isn't undone also took an item away."""
    return bool(
        tx.count(
            "SELECT count(*) FROM source_removal_items i JOIN source_removals r "
            "ON r.seq = i.removal WHERE i.id = ? AND i.kind = ? AND i.removal <> ? "
            "AND i.outcome = 'deleted' AND r.state IN ('running', 'done')",
            (item.id, item.kind, seq),
        )
    )


def is_taken_back(tx: ReadTx, kind: SourceKind, source_id: str) -> bool:
    """Whether what a source holds stays away; until that is undone.

    A session's id is that of `values.session_item_id`. What an agent or a tool saves later is kept.
    """
    match kind:
        case "session":
            return transcripts.forgotten_at(tx, *session_of_item(source_id)) is not None
        case "import" | "file":
            return taken_back_at(tx, kind, source_id) is not None
        case "agent" | "tool":
            return False


def delete_planned(tx: WriteTx) -> int:
    """Delete what was never begun: it was interrupted while its items were written."""
    planned = tx.column(int, "SELECT seq FROM source_removals WHERE state = 'planned'")
    for seq in planned:
        _delete(tx, seq)
    return len(planned)


def expired(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List complete removals from before a time of which anything is left to delete."""
    return tx.all(
        f"SELECT seq FROM source_removals r WHERE created_at < ? AND {_COMPLETE} "  # noqa: S608 - constants
        f"AND (NOT ({_BLOCKING}) OR EXISTS "
        f"(SELECT 1 FROM source_removal_items i WHERE i.removal = r.seq AND i.{_RESTORABLE})) "
        "LIMIT ?",
        (before, limit),
    )


def purge(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a removal, but of one that keeps a source away only what can't be restored now."""
    seq = int(str(key[0]))
    found = tx.row(
        tuple[int],
        f"SELECT {_BLOCKING} FROM source_removals WHERE seq = ? AND created_at < ? AND {_COMPLETE}",  # noqa: S608 - constants
        (seq, before),
    )
    if found is None:
        return 0
    if found[0]:
        return tx.execute(
            f"DELETE FROM source_removal_items WHERE removal = ? AND {_RESTORABLE}",  # noqa: S608 - a constant
            (seq,),
        )
    return _delete(tx, seq)


def _delete(tx: WriteTx, seq: int) -> int:
    tx.execute("DELETE FROM source_removal_items WHERE removal = ?", (seq,))
    return tx.execute("DELETE FROM source_removals WHERE seq = ?", (seq,))
