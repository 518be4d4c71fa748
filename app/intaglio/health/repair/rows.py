"""SQL on the repairs that were run; no other module writes this table."""

from dataclasses import dataclass
from typing import Final

from intaglio.store.tx import ReadTx, Row, WriteTx

_COLUMNS: Final = "id, action, at, actor, actor_type, reason, affected, message, undo, undone_at"


@dataclass(frozen=True, slots=True)
class RepairRun:
    """A repair that was run; ``undo`` is what undoing it needs, empty if that is impossible."""

    id: str
    action: str
    at: str
    actor: str
    actor_type: str
    reason: str
    affected: int
    message: str
    undo: str = ""
    undone_at: str | None = None


def insert(tx: WriteTx, run: RepairRun) -> None:
    """Record a run."""
    tx.execute(
        f"INSERT INTO repair_runs({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant
        (
            run.id,
            run.action,
            run.at,
            run.actor,
            run.actor_type,
            run.reason,
            run.affected,
            run.message,
            run.undo,
            run.undone_at,
        ),
    )


def get(tx: ReadTx, run_id: str) -> RepairRun | None:
    """Return the run with this id."""
    found = tx.map(RepairRun, f"SELECT {_COLUMNS} FROM repair_runs WHERE id = ?", (run_id,))  # noqa: S608 - a constant
    return found[0] if found else None


def latest(tx: ReadTx, limit: int) -> list[RepairRun]:
    """Return the latest runs, newest first."""
    return tx.map(
        RepairRun,
        f"SELECT {_COLUMNS} FROM repair_runs ORDER BY seq DESC LIMIT ?",  # noqa: S608 - a constant
        (limit,),
    )


def last_times(tx: ReadTx) -> dict[str, str]:
    """Return when each repair was last run."""
    return dict(tx.rows(tuple[str, str], "SELECT action, max(at) FROM repair_runs GROUP BY action"))


def set_undone(tx: WriteTx, run_id: str, at: str) -> None:
    """Record that a run was undone."""
    tx.execute("UPDATE repair_runs SET undone_at = ? WHERE id = ?", (at, run_id))


def expired(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List runs from before a time."""
    return tx.all("SELECT seq FROM repair_runs WHERE at < ? LIMIT ?", (before, limit))


def purge(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a run, if it's still from before the time."""
    return tx.execute("DELETE FROM repair_runs WHERE seq = ? AND at < ?", (*key, before))
