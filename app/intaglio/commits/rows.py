"""SQL on commits; no other module writes these tables."""

import json
from collections.abc import Collection, Sequence
from typing import Final, cast

from intaglio.commits.values import CommitKind, NewCommit, ReadingState, StoredCommit
from intaglio.store.tx import ReadTx, Row, WriteTx

_NUMBER_BITS: Final = 24
_MAX_NUMBER: Final = (1 << _NUMBER_BITS) - 1
_LISTED: Final = "IN (SELECT value FROM json_each(?))"
_COMMIT: Final = "seq, project, hash, committed_at, kind, reverts, author, subject, body, symbols"
_UNUSED: Final = (
    "r.session_at < ? AND r.enabled IS NULL "
    "AND NOT EXISTS (SELECT 1 FROM commits c WHERE c.project = r.project)"
)
_READING: Final = (
    "project, enabled, head, read_at, found, stopped, base, walked, shallow, checked_at, session_at"
)


def number_of(tx: ReadTx, project: str) -> int | None:
    """Return the number of a project; None if its log was never read, or is switched off."""
    return tx.scalar(
        int,
        "SELECT number FROM commit_reading WHERE project = ? AND enabled IS NOT 0",
        (project,),
    )


def is_read(tx: ReadTx, project: str, *, by_default: bool) -> bool:
    """Whether a project's commits are read: the user's choice for it, or else the settings'."""
    choice = tx.scalar(int, "SELECT enabled FROM commit_reading WHERE project = ?", (project,))
    return by_default if choice is None else bool(choice)


def rows_of(number: int) -> tuple[int, int]:
    """Return the first and the last row that commits of a project can have."""
    return number << _NUMBER_BITS, number << _NUMBER_BITS | _MAX_NUMBER


def add(tx: WriteTx, project: str, commit: NewCommit) -> int:
    """Store a commit and return 1.

    Returns 0 if it is stored already, was forgotten, or its project is switched off.
    """
    known = (
        "SELECT 1 FROM commits WHERE project = ?1 AND hash = ?2 "
        "UNION ALL SELECT 1 FROM forgotten_commits WHERE project = ?1 AND hash = ?2"
    )
    if tx.value(known, (project, commit.hash)) is not None:
        return 0
    tx.execute("INSERT OR IGNORE INTO commit_reading(project) VALUES (?)", (project,))
    number = number_of(tx, project)
    if number is None:
        return 0
    first, last = rows_of(number)
    newest = "SELECT ifnull(max(seq), ?1) FROM commits WHERE seq BETWEEN ?1 AND ?2"
    seq = tx.count(newest, (first, last)) + 1
    if seq > last:
        return 0
    tx.execute(
        "INSERT INTO commits(seq, project, hash, committed_at, kind, reverts, author, subject, "
        "body, symbols, pairs, words) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            seq,
            project,
            commit.hash,
            commit.committed_at,
            commit.kind,
            commit.reverts,
            commit.author,
            commit.subject,
            commit.body,
            " ".join(commit.symbols),
            commit.pairs,
            commit.words,
        ),
    )
    tx.execute("UPDATE commit_reading SET stored = stored + 1 WHERE number = ?", (number,))
    for paths in _bindable(tx, commit.files):
        tx.execute(
            "INSERT OR IGNORE INTO commit_paths(project, path) SELECT ?, value FROM json_each(?)",
            (project, paths),
        )
        tx.execute(
            "INSERT OR IGNORE INTO commit_files(commit_seq, path_seq) "  # noqa: S608 - a constant
            f"SELECT ?, seq FROM commit_paths WHERE project = ? AND path {_LISTED}",
            (seq, project, paths),
        )
    return 1


def _bindable(tx: ReadTx, paths: Sequence[str]) -> list[str]:
    """Return JSON lists of all paths that are bound as they are.

    Side by side, harmless paths may look like a secret.
    """
    listed = paths_json(paths)
    return [listed] if tx.as_stored(listed) == listed else [paths_json([each]) for each in paths]


def paths_json(paths: Sequence[str]) -> str:
    """Return paths as they are bound."""
    return json.dumps(paths, ensure_ascii=False)


def delete(tx: WriteTx, seq: int) -> int:
    """Delete a commit with its files; returns 1 if it was there."""
    paths = tx.column(int, "SELECT path_seq FROM commit_files WHERE commit_seq = ?", (seq,))
    tx.execute("DELETE FROM commit_files WHERE commit_seq = ?", (seq,))
    tx.execute(
        f"DELETE FROM commit_paths WHERE seq {_LISTED} "  # noqa: S608 - a constant
        "AND NOT EXISTS (SELECT 1 FROM commit_files f WHERE f.path_seq = commit_paths.seq)",
        (json.dumps(paths),),
    )
    done = tx.execute("DELETE FROM commits WHERE seq = ?", (seq,))
    tx.execute(
        "UPDATE commit_reading SET stored = stored - ? WHERE number = ?",
        (done, seq >> _NUMBER_BITS),
    )
    return done


def read_many(tx: ReadTx, seqs: Collection[int], *, with_files: bool = True) -> list[StoredCommit]:
    """Return commits by their rows, newest first; those that are gone are left out."""
    rows = tx.rows(
        tuple[int, str, str, str, str, str | None, str | None, str, str, str],
        f"SELECT {_COMMIT} FROM commits WHERE seq {_LISTED} ORDER BY committed_at DESC, seq",  # noqa: S608 - constants
        (json.dumps([*seqs]),),
    )
    files = files_of(tx, [row[0] for row in rows]) if with_files else {}
    return [
        StoredCommit(
            seq=row[0],
            project=row[1],
            hash=row[2],
            committed_at=row[3],
            kind=cast("CommitKind", row[4]),
            reverts=row[5],
            author=row[6],
            subject=row[7],
            body=row[8],
            symbols=tuple(row[9].split()),
            files=files.get(row[0], ()),
        )
        for row in rows
    ]


def files_of(tx: ReadTx, seqs: Collection[int]) -> dict[int, tuple[str, ...]]:
    """Return the paths that each commit touches, ordered."""
    found: dict[int, list[str]] = {}
    rows = tx.rows(
        tuple[int, str],
        "SELECT f.commit_seq, p.path FROM commit_files f "  # noqa: S608 - a constant
        f"JOIN commit_paths p ON p.seq = f.path_seq WHERE f.commit_seq {_LISTED} ORDER BY p.path",
        (json.dumps([*seqs]),),
    )
    for seq, path in rows:
        found.setdefault(seq, []).append(path)
    return {seq: tuple(paths) for seq, paths in found.items()}


def find(tx: ReadTx, project: str, start_of_hash: str) -> list[int]:
    """Return the commits of a project whose hash begins so, at most two."""
    return tx.column(
        int,
        "SELECT seq FROM commits WHERE project = ? AND hash >= ? AND hash < ? LIMIT 2",
        (project, start_of_hash, start_of_hash + "g"),
    )


def count(tx: ReadTx, project: str) -> int:
    """Return how many commits of a project are stored; 0 if reading them is switched off."""
    return tx.count(
        "SELECT stored FROM commit_reading WHERE project = ? AND enabled IS NOT 0", (project,)
    )


def state(tx: ReadTx, project: str) -> ReadingState:
    """Return how far a project's log was read."""
    found = tx.map(
        _state,
        f"SELECT {_READING} FROM commit_reading WHERE project = ?",  # noqa: S608 - a constant
        (project,),
    )
    return found[0] if found else ReadingState(project)


def _state(*row: object) -> ReadingState:
    project, enabled, *rest = row
    return ReadingState(str(project), None if enabled is None else bool(enabled), *rest)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - typed by the table


def set_state(tx: WriteTx, state: ReadingState) -> None:
    """Record how far a project's log was read; the user's choice and the session stay."""
    tx.execute(
        "INSERT INTO commit_reading(project, head, read_at, found, stopped, base, walked, shallow, "
        "checked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
        "head = excluded.head, read_at = excluded.read_at, found = excluded.found, "
        "stopped = excluded.stopped, base = excluded.base, walked = excluded.walked, "
        "shallow = excluded.shallow, checked_at = excluded.checked_at",
        (
            state.project,
            state.head,
            state.read_at,
            state.found,
            state.stopped,
            state.base,
            state.walked,
            state.shallow,
            state.checked_at,
        ),
    )


def set_enabled(tx: WriteTx, project: str, enabled: bool | None) -> None:  # noqa: FBT001 - a value of the table
    """Record the user's choice for a project; None lets the settings decide."""
    tx.execute(
        "INSERT INTO commit_reading(project, enabled) VALUES (?, ?) "
        "ON CONFLICT DO UPDATE SET enabled = excluded.enabled",
        (project, enabled),
    )


def set_session(tx: WriteTx, project: str, at: str) -> None:
    """Record that a session started in a project."""
    tx.execute(
        "INSERT INTO commit_reading(project, session_at) VALUES (?, ?) "
        "ON CONFLICT DO UPDATE SET session_at = max(session_at, excluded.session_at)",
        (project, at),
    )


def with_sessions(tx: ReadTx, since: str, limit: int) -> list[str]:
    """Return the projects in which a session started since a time, the latest first."""
    return tx.column(
        str,
        "SELECT project FROM commit_reading WHERE session_at >= ? "
        "ORDER BY session_at DESC, project LIMIT ?",
        (since, limit),
    )


def forget(tx: WriteTx, project: str, commit: str, at: str) -> int:
    """Delete a commit and keep its hash, so that it isn't read again; returns 1 if it was there."""
    seq = tx.scalar(
        int, "SELECT seq FROM commits WHERE project = ? AND hash = ?", (project, commit)
    )
    if seq is None:
        return 0
    tx.execute(
        "INSERT OR IGNORE INTO forgotten_commits(project, hash, forgotten_at) VALUES (?, ?, ?)",
        (project, commit, at),
    )
    return delete(tx, seq)


def unforget(tx: WriteTx, project: str, commit: str) -> int:
    """Let a forgotten commit be read again; returns 1 if it was forgotten."""
    return tx.execute(
        "DELETE FROM forgotten_commits WHERE project = ? AND hash = ?", (project, commit)
    )


def find_forgotten(tx: ReadTx, project: str, start_of_hash: str) -> list[str]:
    """Return the hashes of a project's forgotten commits that begin so, at most two."""
    return tx.column(
        str,
        "SELECT hash FROM forgotten_commits WHERE project = ? AND hash >= ? AND hash < ? LIMIT 2",
        (project, start_of_hash, start_of_hash + "g"),
    )


def forgotten(tx: ReadTx, project: str) -> frozenset[str]:
    """Return the hashes of a project's forgotten commits."""
    found = tx.column(str, "SELECT hash FROM forgotten_commits WHERE project = ?", (project,))
    return frozenset(found)


def known(tx: ReadTx, project: str) -> frozenset[str]:
    """Return the hashes of a project's commits, and of those that were forgotten."""
    sql = (
        "SELECT hash FROM commits WHERE project = ?1 "
        "UNION ALL SELECT hash FROM forgotten_commits WHERE project = ?1"
    )
    return frozenset(tx.column(str, sql, (project,)))


def hashes(tx: ReadTx, project: str) -> dict[str, int]:
    """Return hash and row of each of a project's commits."""
    rows = tx.rows(tuple[str, int], "SELECT hash, seq FROM commits WHERE project = ?", (project,))
    return dict(rows)


def beyond(tx: ReadTx, project: str, most: int) -> list[int]:
    """Return a project's oldest commits, those beyond the newest ``most``."""
    if tx.count("SELECT stored FROM commit_reading WHERE project = ?", (project,)) <= most:
        return []
    return tx.column(
        int,
        "SELECT seq FROM commits WHERE project = ? ORDER BY committed_at DESC, seq "
        "LIMIT -1 OFFSET ?",
        (project, most),
    )


def of_project(tx: ReadTx, project: str, limit: int) -> list[int]:
    """Return some of a project's commits."""
    return tx.column(int, "SELECT seq FROM commits WHERE project = ? LIMIT ?", (project, limit))


def without_sessions(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List the commits of projects in which no session started since a time."""
    return tx.all(
        "SELECT c.seq FROM commit_reading r JOIN commits c ON c.project = r.project "
        "WHERE r.session_at < ? LIMIT ?",
        (before, limit),
    )


def not_wanted(tx: ReadTx, _before: str, _now: str, limit: int) -> list[Row]:
    """List the commits of projects that the user didn't switch on."""
    return tx.all(
        "SELECT c.seq FROM commit_reading r JOIN commits c ON c.project = r.project "
        "WHERE r.enabled IS NOT 1 LIMIT ?",
        (limit,),
    )


def purge(tx: WriteTx, key: Row, _before: str, _now: str) -> int:
    """Delete such a commit; its project's log will be read from its beginning."""
    seq = int(str(key[0]))
    tx.execute(
        "UPDATE commit_reading SET head = '', base = '', walked = 0, found = 0 "
        "WHERE project = (SELECT project FROM commits WHERE seq = ?) AND head <> ''",
        (seq,),
    )
    return delete(tx, seq)


def old_readings(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List the projects without commits and choices in which no session started since a time."""
    return tx.all(
        f"SELECT r.project FROM commit_reading r WHERE {_UNUSED} LIMIT ?",  # noqa: S608 - a constant
        (before, limit),
    )


def purge_reading(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete what is known of such a project."""
    return tx.execute(
        f"DELETE FROM commit_reading AS r WHERE {_UNUSED} AND r.project = ?",  # noqa: S608 - a constant
        (before, key[0]),
    )
