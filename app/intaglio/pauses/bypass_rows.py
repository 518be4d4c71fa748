"""SQL on bypasses. They are never deleted: a transcript from one may be read later."""

from datetime import UTC, datetime
from typing import Final

from intaglio.base.clock import iso
from intaglio.domain.bypass import BypassedBy
from intaglio.pauses.rows import moment_of, stored_end
from intaglio.pauses.values import Bypass, Pause
from intaglio.store.tx import ReadTx, WriteTx

_COLUMNS: Final = "id, harness, session_id, started_at, ended_at, asked_by"


def add(tx: WriteTx, bypass: Bypass) -> None:
    """Insert a bypass, or update the end of an existing one."""
    span = bypass.span
    tx.execute(
        f"INSERT INTO bypasses({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?) "  # noqa: S608 - constants only
        "ON CONFLICT(id) DO UPDATE SET ended_at = excluded.ended_at, asked_by = excluded.asked_by",
        (
            span.id,
            bypass.harness,
            bypass.session_id,
            iso(span.started_at),
            stored_end(span.ended_at),
            bypass.asked_by,
        ),
    )


def take_over(tx: WriteTx, bypass_id: str, by: BypassedBy) -> None:
    """Record who wants a bypass that isn't over."""
    tx.execute("UPDATE bypasses SET asked_by = ? WHERE id = ?", (by, bypass_id))


def running(tx: ReadTx, harness: str, session_id: str) -> Bypass | None:
    """Return the bypass that a session is in, or None."""
    found = tx.map(
        _bypass,
        f"SELECT {_COLUMNS} FROM bypasses "  # noqa: S608 - constants only
        "WHERE session_id = ? AND harness = ? AND ended_at IS NULL",
        (session_id, harness),
    )
    return found[0] if found else None


def all_running(tx: ReadTx) -> dict[tuple[str, str], BypassedBy]:
    """Return the sessions that are bypassed now, harness and id, and by whom."""
    found = tx.rows(
        tuple[str, str, BypassedBy],
        "SELECT harness, session_id, asked_by FROM bypasses WHERE ended_at IS NULL",
    )
    return {(harness, session_id): by for harness, session_id, by in found}


def spans(tx: ReadTx, harness: str, session_id: str, since: datetime | None) -> list[Pause]:
    """Return when a session was bypassed; with ``since`` only what ended after that."""
    found = tx.map(
        _bypass,
        f"SELECT {_COLUMNS} FROM bypasses "  # noqa: S608 - constants only
        "WHERE session_id = ? AND harness = ? AND ifnull(ended_at, '~') > ?",
        (session_id, harness, iso(since) if since else ""),
    )
    return [each.span for each in found]


def every(tx: ReadTx) -> list[Bypass]:
    """Return all bypasses."""
    return tx.map(_bypass, f"SELECT {_COLUMNS} FROM bypasses")  # noqa: S608 - constants only


def _bypass(
    bypass_id: str,
    harness: str,
    session_id: str,
    started_at: str,
    ended_at: str | None,
    asked_by: BypassedBy,
) -> Bypass:
    span = Pause(
        id=bypass_id,
        started_at=moment_of(started_at) or datetime.min.replace(tzinfo=UTC),
        until=None,
        ended_at=moment_of(ended_at),
        asked_by=asked_by,
    )
    return Bypass(harness, session_id, span, asked_by)
