"""SQL on the projects on record and their changes."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from intaglio.projects.evidence import FolderEvidence
from intaglio.projects.values import KnownProject, NewProjectChange, ProjectChange
from intaglio.store.tx import ReadTx, Row, WriteTx

_COLUMNS: Final = (
    "seq, id, kind, project, target, detail, is_detected, changed_by, created_at, undone_at"
)


def _project(
    key: str,
    display_name: str | None,
    archived_at: str | None,
    *evidence: str | None,
) -> KnownProject:
    return KnownProject(
        key=key,
        display_name=display_name,
        archived_at=archived_at,
        evidence=FolderEvidence(*evidence),
    )


def _change(*row: Any) -> ProjectChange:  # noqa: ANN401 - the columns of a STRICT table
    change = ProjectChange(*row)
    return replace(change, is_detected=bool(change.is_detected))


def known(tx: ReadTx) -> dict[str, KnownProject]:
    """Return every project on record by key."""
    sql = "SELECT key, display_name, archived_at, remote, first_entry, folder_id FROM projects"
    return {each.key: each for each in tx.map(_project, sql)}


def unrecorded(tx: ReadTx, memory_ids: Sequence[str]) -> list[str]:
    """Return the projects of these memories of which nothing is on record."""
    return tx.column(
        str,
        "SELECT DISTINCT project FROM memories WHERE id IN (SELECT value FROM json_each(?)) "
        "AND project IS NOT NULL AND project NOT IN (SELECT key FROM projects)",
        (json.dumps(list(memory_ids)),),
    )


def archived(tx: ReadTx) -> tuple[str, ...]:
    """Return the keys of the archived projects."""
    return tuple(
        tx.column(str, "SELECT key FROM projects WHERE archived_at IS NOT NULL ORDER BY key")
    )


def display_names(tx: ReadTx) -> dict[str, str]:
    """Return the names that the user gave projects, by key."""
    return dict(
        tx.rows(
            tuple[str, str],
            "SELECT key, display_name FROM projects WHERE display_name IS NOT NULL",
        )
    )


def is_archived(tx: ReadTx, key: str) -> bool:
    """Tell whether a project is archived."""
    return bool(
        tx.count("SELECT count(*) FROM projects WHERE key = ? AND archived_at IS NOT NULL", (key,))
    )


def set_evidence(tx: WriteTx, key: str, evidence: FolderEvidence) -> None:
    """Record what identifies a project's folder now."""
    tx.execute(
        "INSERT INTO projects(key, remote, first_entry, folder_id) VALUES (?, ?, ?, ?) "
        "ON CONFLICT(key) DO UPDATE SET remote = excluded.remote, "
        "first_entry = excluded.first_entry, folder_id = excluded.folder_id",
        (key, evidence.remote, evidence.first_entry, evidence.folder_id),
    )


def set_display_name(tx: WriteTx, key: str, name: str | None) -> None:
    """Write the name that the user gave a project; None for that of its folder."""
    tx.execute(
        "INSERT INTO projects(key, display_name) VALUES (?, ?) "
        "ON CONFLICT(key) DO UPDATE SET display_name = excluded.display_name",
        (key, name),
    )


def set_archived(tx: WriteTx, key: str, at: str | None) -> None:
    """Write since when a project is archived; None if it isn't."""
    tx.execute(
        "INSERT INTO projects(key, archived_at) VALUES (?, ?) "
        "ON CONFLICT(key) DO UPDATE SET archived_at = excluded.archived_at",
        (key, at),
    )


def delete(tx: WriteTx, keys: Sequence[str]) -> None:
    """Delete what is on record of projects that have nothing any more."""
    tx.execute(
        "DELETE FROM projects WHERE key IN (SELECT value FROM json_each(?))",
        (json.dumps(list(keys)),),
    )


def insert(tx: WriteTx, new: NewProjectChange, at: str, detail: dict[str, object]) -> None:
    """Record a change."""
    tx.execute(
        "INSERT INTO project_changes(id, kind, project, target, detail, is_detected, changed_by, "
        "created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            new.id,
            new.kind,
            tx.as_stored(new.project),
            None if new.target is None else tx.as_stored(new.target),
            json.dumps(detail),
            int(new.is_detected),
            new.by,
            at,
        ),
    )


def set_detail(tx: WriteTx, change_id: str, detail: dict[str, object]) -> None:
    """Record what a change did."""
    tx.execute(
        "UPDATE project_changes SET detail = ? WHERE id = ?", (json.dumps(detail), change_id)
    )


def set_running(tx: WriteTx, change_id: str, *, is_running: bool) -> None:
    """Record that a project's rows are moving, during which their vectors are kept."""
    tx.execute(
        "UPDATE project_changes SET is_running = ? WHERE id = ?", (int(is_running), change_id)
    )


def running(tx: ReadTx) -> list[ProjectChange]:
    """Return the moves that were interrupted, oldest first."""
    return tx.map(
        _change,
        f"SELECT {_COLUMNS} FROM project_changes WHERE is_running = 1 ORDER BY seq",  # noqa: S608 - a constant
    )


def set_undone(tx: WriteTx, seq: int, at: str) -> None:
    """Record that a change was undone."""
    tx.execute("UPDATE project_changes SET undone_at = ? WHERE seq = ?", (at, seq))


def change(tx: ReadTx, change_id: str) -> ProjectChange | None:
    """Return the change with this id."""
    found = tx.map(
        _change,
        f"SELECT {_COLUMNS} FROM project_changes WHERE id = ?",  # noqa: S608 - a constant
        (change_id,),
    )
    return found[0] if found else None


def changes_with_partial_id(tx: ReadTx, part: str, limit: int) -> list[ProjectChange]:
    """Return the changes whose ids start or end with a text, which isn't empty; newest first."""
    return tx.map(
        _change,
        f"SELECT {_COLUMNS} FROM project_changes WHERE substr(id, 1, length(?1)) = ?1 "  # noqa: S608 - a constant
        "OR substr(id, -length(?1)) = ?1 ORDER BY seq DESC LIMIT ?2",
        (part, limit),
    )


def latest_changes(tx: ReadTx, limit: int) -> list[ProjectChange]:
    """Return the latest changes, newest first."""
    return tx.map(
        _change,
        f"SELECT {_COLUMNS} FROM project_changes ORDER BY seq DESC LIMIT ?",  # noqa: S608 - a constant
        (limit,),
    )


def kept_apart(tx: ReadTx) -> set[tuple[str, str]]:
    """Return the pairs of projects that the user said are not the same, or moved apart again."""
    found = tx.rows(
        tuple[str, str],
        "SELECT project, target FROM project_changes WHERE target IS NOT NULL AND ("
        "(kind = 'keep_apart' AND undone_at IS NULL) "
        "OR (is_detected = 1 AND undone_at IS NOT NULL))",
    )
    return set(found)


def expired_changes(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List changes from before a time.

    What the user keeps apart stays apart, and moves stay: by them, what was forgotten under a
    former key is known.
    """
    return tx.all(
        "SELECT seq FROM project_changes WHERE created_at < ? AND kind <> 'keep_apart' "
        "AND (undone_at IS NOT NULL OR kind NOT IN ('move', 'merge')) LIMIT ?",
        (before, limit),
    )


def purge_changes(tx: WriteTx, keys: Sequence[Row], before: str, _now: str) -> int:
    """Delete records of changes, which can't be undone any more."""
    return tx.execute(
        "DELETE FROM project_changes WHERE seq IN (SELECT value FROM json_each(?)) "
        "AND created_at < ?",
        (json.dumps([seq for (seq,) in keys]), before),
    )
