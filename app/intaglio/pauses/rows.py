"""SQL on pauses. They are never deleted: a transcript from a pause may be read later."""

from datetime import UTC, datetime, timedelta
from typing import Final

from intaglio.base.clock import iso, parse_moment
from intaglio.pauses.values import Pause
from intaglio.store.tx import ReadTx, WriteTx

_COLUMNS: Final = "id, started_at, until, ended_at, asked_by"
# Times are stored in whole milliseconds: starts round down and ends up, so a pause never shrinks.
_ALMOST_ONE_MS: Final = timedelta(microseconds=999)


def add(tx: WriteTx, pause: Pause) -> None:
    """Insert a pause, or update the ends of an existing one."""
    tx.execute(
        f"INSERT INTO pauses({_COLUMNS}) VALUES (?, ?, ?, ?, ?) "  # noqa: S608 - constants only
        "ON CONFLICT(id) DO UPDATE SET until = excluded.until, ended_at = excluded.ended_at",
        (
            pause.id,
            iso(pause.started_at),
            stored_end(pause.until),
            stored_end(pause.ended_at),
            pause.asked_by,
        ),
    )


def change(tx: WriteTx, pause_id: str, until: datetime | None, asked_by: str) -> None:
    """Change the planned end of a pause."""
    tx.execute(
        "UPDATE pauses SET until = ?, asked_by = ? WHERE id = ?",
        (stored_end(until), asked_by, pause_id),
    )


def end(tx: WriteTx, pause_id: str, at: datetime) -> None:
    """Record that a pause was ended."""
    tx.execute("UPDATE pauses SET ended_at = ? WHERE id = ?", (stored_end(at), pause_id))


def running(tx: ReadTx, now: datetime) -> list[Pause]:
    """Return the pauses that haven't ended or expired, latest first.

    This includes a pause that starts in the future, which happens if the clock was set back.
    """
    return tx.map(
        _pause,
        f"SELECT {_COLUMNS} FROM pauses "  # noqa: S608 - constants only
        "WHERE ended_at IS NULL AND (until IS NULL OR until > ?) ORDER BY started_at DESC",
        (iso(now),),
    )


def is_paused_at(tx: ReadTx, moment: datetime) -> bool:
    """Whether capture was paused at a time."""
    return any(pause.contains(moment) for pause in since(tx, moment))


def since(tx: ReadTx, moment: datetime | None) -> list[Pause]:
    """Return the pauses that end after a time; without one, all of them."""
    return tx.map(
        _pause,
        f"SELECT {_COLUMNS} FROM pauses "  # noqa: S608 - constants only
        "WHERE min(ifnull(ended_at, '~'), ifnull(until, '~')) > ?",
        (iso(moment) if moment else "",),
    )


def latest(tx: ReadTx, limit: int) -> list[Pause]:
    """Return the latest pauses, newest first."""
    return tx.map(
        _pause,
        f"SELECT {_COLUMNS} FROM pauses ORDER BY started_at DESC, id DESC LIMIT ?",  # noqa: S608 - constants only
        (limit,),
    )


def stored_end(moment: datetime | None) -> str | None:
    """Return the end of a pause as it is stored."""
    return iso(moment + _ALMOST_ONE_MS) if moment else None


def _pause(
    pause_id: str, started_at: str, until: str | None, ended_at: str | None, asked_by: str
) -> Pause:
    return Pause(
        id=pause_id,
        started_at=moment_of(started_at) or datetime.min.replace(tzinfo=UTC),
        until=moment_of(until),
        ended_at=moment_of(ended_at),
        asked_by=asked_by,
    )


def moment_of(text: str | None) -> datetime | None:
    """Read a stored time."""
    return None if text is None else parse_moment(text)
