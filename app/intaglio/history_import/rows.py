"""SQL on imports and their sessions; no other module writes these tables."""

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final

from intaglio.history_import.values import (
    EntryProblem,
    EntryState,
    ImportEntry,
    ImportOrder,
    ImportRecord,
    ImportTotals,
    RunState,
    rate_of,
)
from intaglio.sessions.statements.values import StatementCounts
from intaglio.store.tx import ReadTx, Row, WriteTx

MAX_PROBLEMS: Final = 100
_COLUMNS: Final = ", ".join(field.name for field in fields(ImportRecord))
_ENTRY_COLUMNS: Final = ", ".join(field.name for field in fields(ImportEntry))


def _record(*row: Any) -> ImportRecord:  # noqa: ANN401 - the columns of a STRICT table
    values = list(row)
    values[5], values[8] = tuple(json.loads(values[5])), bool(values[8])
    return ImportRecord(*values)


def _select(tx: ReadTx, condition: str, *params: str | int) -> list[ImportRecord]:
    return tx.map(_record, f"SELECT {_COLUMNS} FROM imports {condition}", params)  # noqa: S608 - conditions of this module


def add(tx: WriteTx, import_id: str, order: ImportOrder, at: str) -> None:
    """Add an import that waits to run."""
    tx.execute(
        "INSERT INTO imports(id, state, keep, project, sources, created_at) "
        "VALUES (?, 'waiting', ?, ?, ?, ?)",
        (import_id, order.keep, order.project, json.dumps(order.sources), at),
    )


def get(tx: ReadTx, import_id: str) -> ImportRecord | None:
    """Return an import; None if there is none of this id."""
    found = _select(tx, "WHERE id = ?", import_id)
    return found[0] if found else None


def latest(tx: ReadTx, limit: int) -> list[ImportRecord]:
    """List imports, newest first."""
    return _select(tx, "ORDER BY number DESC LIMIT ?", limit)


def unfinished(tx: ReadTx) -> ImportRecord | None:
    """Return the import that waits or runs."""
    found = _select(tx, "WHERE finished_at IS NULL ORDER BY number LIMIT 1")
    return found[0] if found else None


def set_state(tx: WriteTx, number: int, state: RunState) -> None:
    """Write the state of an import that isn't finished."""
    tx.execute(
        "UPDATE imports SET state = ? WHERE number = ? AND finished_at IS NULL", (state, number)
    )


def finish(tx: WriteTx, number: int, state: RunState, reason: str, at: str) -> None:
    """Record how an import ended."""
    tx.execute(
        "UPDATE imports SET state = ?, reason = ?, finished_at = ? WHERE number = ?",
        (state, reason, at, number),
    )


def is_cancelled(tx: ReadTx, number: int) -> bool:
    """Whether somebody wants an import to stop."""
    found = tx.scalar(str, "SELECT state FROM imports WHERE number = ?", (number,))
    return found == "cancelling"


def clear_entries(tx: WriteTx, number: int) -> None:
    """Remove the sessions of an import whose listing was interrupted."""
    tx.execute("DELETE FROM import_sessions WHERE import = ?", (number,))


def add_entries(tx: WriteTx, number: int, entries: Sequence[ImportEntry]) -> None:
    """Add sessions to an import."""
    for entry in entries:
        values = [getattr(entry, field.name) for field in fields(ImportEntry)]
        tx.execute(
            f"INSERT INTO import_sessions(import, {_ENTRY_COLUMNS}) "  # noqa: S608 - names of columns
            f"VALUES (?{', ?' * len(values)})",
            (number, *values),
        )


def set_listed(tx: WriteTx, number: int) -> None:
    """Record that all sessions of an import are written down."""
    tx.execute(
        "UPDATE imports SET listed = 1, state = iif(state = 'waiting', 'running', state) "
        "WHERE number = ?",
        (number,),
    )


def next_entry(tx: ReadTx, number: int) -> ImportEntry | None:
    """Return the session that is read next; None if there are no more."""
    found = tx.map(
        ImportEntry,
        f"SELECT {_ENTRY_COLUMNS} FROM import_sessions "  # noqa: S608 - names of columns
        "WHERE import = ? AND state = 'waiting' ORDER BY place LIMIT 1",
        (number,),
    )
    return found[0] if found else None


def close_entry(  # noqa: PLR0913 - the columns
    tx: WriteTx,
    number: int,
    place: int,
    state: EntryState,
    *,
    counts: StatementCounts,
    problem: str,
    read_at: str | None,
    seconds: float,
) -> None:
    """Record what became of a session, and how long that took."""
    tx.execute(
        "UPDATE import_sessions SET state = ?, kept = ?, suggested = ?, known = ?, problem = ?, "
        "read_at = ? WHERE import = ? AND place = ?",
        (state, counts.kept, counts.suggested, counts.known, problem, read_at, number, place),
    )
    tx.execute("UPDATE imports SET seconds = seconds + ? WHERE number = ?", (seconds, number))


def totals(tx: ReadTx, number: int) -> ImportTotals:
    """Return the sums over an import's sessions."""
    found = tx.map(
        ImportTotals,
        "SELECT count(*), count(*) FILTER (WHERE state <> 'waiting'), "
        "count(*) FILTER (WHERE state = 'skipped'), count(*) FILTER (WHERE state = 'failed'), "
        "ifnull(sum(size), 0), ifnull(sum(size) FILTER (WHERE state <> 'waiting'), 0), "
        "ifnull(sum(kept), 0), ifnull(sum(suggested), 0), ifnull(sum(known), 0) "
        "FROM import_sessions WHERE import = ?",
        (number,),
    )
    return found[0]


def problems(tx: ReadTx, number: int) -> list[EntryProblem]:
    """List what couldn't be read, at most `MAX_PROBLEMS`."""
    return tx.map(
        EntryProblem,
        "SELECT path, problem FROM import_sessions WHERE import = ? AND problem <> '' "
        "ORDER BY place LIMIT ?",
        (number, MAX_PROBLEMS),
    )


def entries(tx: ReadTx, number: int, before: int, limit: int) -> list[ImportEntry]:
    """List an import's sessions before a place, newest first."""
    return tx.map(
        ImportEntry,
        f"SELECT {_ENTRY_COLUMNS} FROM import_sessions WHERE import = ? AND place < ? "  # noqa: S608 - names of columns
        "ORDER BY place DESC LIMIT ?",
        (number, before, limit),
    )


def sources_of(tx: ReadTx, number: int) -> list[str]:
    """List the ids of the sources of an import's sessions."""
    return tx.column(str, "SELECT DISTINCT source FROM import_sessions WHERE import = ?", (number,))


def last_read(tx: ReadTx, harness: str, session_id: str) -> str | None:
    """Return when an import last read a session as far as it goes."""
    return tx.scalar(
        str,
        "SELECT max(read_at) FROM import_sessions WHERE session_id = ? AND harness = ?",
        (tx.as_stored(session_id), harness),
    )


def rate(tx: ReadTx) -> float | None:
    """Return how many bytes a second the latest import that says it has read; see `rate_of`."""
    for number, seconds in tx.rows(
        tuple[int, float],
        "SELECT number, seconds FROM imports WHERE seconds >= 1 ORDER BY number DESC LIMIT 5",
    ):
        found = totals(tx, number)
        if (known := rate_of(found.done, found.size_done, seconds)) is not None:
            return known
    return None


def old(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List imports that finished before a time."""
    return tx.all("SELECT number FROM imports WHERE finished_at < ? LIMIT ?", (before, limit))


def purge(tx: WriteTx, key: Row, _before: str, _now: str) -> int:
    """Delete an import and its sessions; what it brought in stays."""
    tx.execute("DELETE FROM import_sessions WHERE import = ?", key)
    return tx.execute("DELETE FROM imports WHERE number = ?", key)
