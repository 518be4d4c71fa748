"""SQL of the workspace: targets and conflicts."""

import json
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any, Final, cast

from intaglio.store.tx import ReadTx, Row, WriteTx
from intaglio.workspace.values import EditChoice, EditConflict, TakenFile, TargetRecord

_TARGET: Final = "id, path, digest, state, reason, hint, off_by, synced_at, connection"
_CONFLICT: Final = (
    "item, target, path, files, base, ours, theirs, decision, is_applied, restores, shown, "
    "earlier, kept, taken"
)


def _target(*row: Any) -> TargetRecord:  # noqa: ANN401 - the columns of a STRICT table
    return TargetRecord(**dict(zip(_TARGET.split(", "), row, strict=True)))


def _conflict(*row: Any) -> EditConflict:  # noqa: ANN401 - the columns of a STRICT table
    values: dict[str, Any] = dict(zip(_CONFLICT.split(", "), row, strict=True))
    taken = cast("list[list[str]]", json.loads(values["taken"]))
    values |= {
        "files": tuple(json.loads(values["files"])),
        "earlier": tuple(json.loads(values["earlier"])),
        "kept": tuple(json.loads(values["kept"])),
        "is_applied": bool(values["is_applied"]),
        "restores": bool(values["restores"]),
        "taken": tuple(TakenFile(*each) for each in taken),
    }
    return EditConflict(**values)


def targets(tx: ReadTx) -> dict[str, TargetRecord]:
    """Return what is known of targets, by id."""
    found = tx.map(_target, f"SELECT {_TARGET} FROM workspace_targets")  # noqa: S608 - constants
    return {each.id: each for each in found}


def target(tx: ReadTx, target_id: str) -> TargetRecord | None:
    """Return what is known of a target."""
    return targets(tx).get(tx.as_stored(target_id))


def put_target(tx: WriteTx, record: TargetRecord) -> None:
    """Write what is known of a target."""
    tx.execute(
        f"INSERT OR REPLACE INTO workspace_targets({_TARGET}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - constants
        astuple(record),
    )


def drop_target(tx: WriteTx, target_id: str) -> None:
    """Delete what is known of a target that is no more."""
    tx.execute("DELETE FROM workspace_targets WHERE id = ?", (target_id,))


def conflicts(tx: ReadTx) -> dict[str, EditConflict]:
    """Return the last conflict of each target, by target."""
    found = tx.map(_conflict, f"SELECT {_CONFLICT} FROM workspace_conflicts ORDER BY seq")  # noqa: S608 - constants
    return {each.target: each for each in found}


def unapplied(tx: ReadTx) -> list[EditConflict]:
    """Return the conflicts whose files of the workspace are still to be written, oldest first."""
    return tx.map(
        _conflict,
        f"SELECT {_CONFLICT} FROM workspace_conflicts "  # noqa: S608 - constants
        "WHERE (decision IS 'edit' AND NOT is_applied) OR (decision IS NOT 'edit' "
        "AND taken <> '[]') ORDER BY seq",
    )


def conflict(tx: ReadTx, item: str) -> EditConflict | None:
    """Return the conflict of an inbox item."""
    found = tx.map(
        _conflict,
        f"SELECT {_CONFLICT} FROM workspace_conflicts WHERE item = ?",  # noqa: S608 - constants
        (item,),
    )
    return found[0] if found else None


def put_conflict(tx: WriteTx, one: EditConflict) -> None:
    """Write a conflict; its item tells which one it is."""
    tx.execute(
        f"INSERT INTO workspace_conflicts({_CONFLICT}) "  # noqa: S608 - constants
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(item) DO UPDATE SET "
        "path = excluded.path, files = excluded.files, base = excluded.base, "
        "ours = excluded.ours, theirs = excluded.theirs, decision = excluded.decision, "
        "is_applied = excluded.is_applied, restores = excluded.restores, shown = excluded.shown, "
        "earlier = excluded.earlier, kept = excluded.kept, taken = excluded.taken",
        (
            one.item, one.target, one.path, json.dumps(one.files), one.base, one.ours, one.theirs,
            one.decision, int(one.is_applied), int(one.restores),
            one.shown, json.dumps(one.earlier), json.dumps(one.kept),
            _taken(one),
        ),
    )  # fmt: skip


def _taken(one: EditConflict) -> str:
    return json.dumps([astuple(each) for each in one.taken])


def put_carried_out(tx: WriteTx, one: EditConflict) -> None:
    """Write what was done to the workspace's files for a conflict.

    What the user has decided meanwhile stands: then it isn't applied.
    """
    tx.execute(
        "UPDATE workspace_conflicts SET taken = ?, kept = ?, shown = ?, "
        "is_applied = ? AND decision IS ? WHERE item = ?",
        (_taken(one), json.dumps(one.kept), one.shown, one.is_applied, one.decision, one.item),
    )


def decide(tx: WriteTx, item: str, decision: EditChoice | None, *, restores: bool = False) -> None:
    """Write the user's decision; None takes it back, with ``restores`` what it did, too."""
    tx.execute(
        "UPDATE workspace_conflicts SET decision = ?, is_applied = 0, restores = ? WHERE item = ?",
        (decision, int(restores), item),
    )


def drop_conflict(tx: WriteTx, item: str) -> None:
    """Delete a conflict."""
    tx.execute("DELETE FROM workspace_conflicts WHERE item = ?", (item,))


def kept_names(tx: ReadTx) -> set[str]:
    """Return the names of the kept texts that are still needed."""
    names: set[str] = {each.digest for each in targets(tx).values() if each.digest}
    for each in tx.map(_conflict, f"SELECT {_CONFLICT} FROM workspace_conflicts"):  # noqa: S608 - constants
        names |= {
            each.ours,
            each.theirs,
            *each.earlier,
            *each.kept,
            *([each.base] if each.base else []),
        }
        for taken in each.taken:
            names |= {taken.after, *([taken.before] if taken.before else [])}
    return names


def without_item(tx: ReadTx, _before: str, _now: str, limit: int) -> Sequence[Row]:
    """List the conflicts whose inbox item is gone."""
    return tx.all(
        "SELECT seq FROM workspace_conflicts c WHERE NOT EXISTS "
        "(SELECT 1 FROM inbox_items i WHERE i.id = c.item) LIMIT ?",
        (limit,),
    )


def purge(tx: WriteTx, key: Row, _before: str, _now: str) -> int:
    """Delete a conflict whose inbox item is gone."""
    return tx.execute(
        "DELETE FROM workspace_conflicts WHERE seq = ? AND NOT EXISTS "
        "(SELECT 1 FROM inbox_items i WHERE i.id = item)",
        (key[0],),
    )
