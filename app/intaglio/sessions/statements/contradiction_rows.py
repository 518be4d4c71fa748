"""SQL on the pairs of memories that a model compared."""

from dataclasses import dataclass

from intaglio.memory.values import Memory
from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True)
class CheckedBy:
    """The model that compared a pair, the version of the prompt, and what it said."""

    model: str
    version: int
    contradicts: bool


def is_checked(tx: ReadTx, newer: Memory, older: Memory) -> bool:
    """Tell whether a model has compared both as they are now."""
    return bool(
        tx.count(
            "SELECT count(*) FROM contradiction_checks WHERE newer = ? AND older = ? "
            "AND newer_version = ? AND older_version = ?",
            (newer.seq, older.seq, newer.version, older.version),
        )
    )


def record(tx: WriteTx, newer: Memory, older: Memory, by: CheckedBy, at: str) -> None:
    """Record that a model has compared two memories."""
    tx.execute(
        "INSERT OR REPLACE INTO contradiction_checks(newer, older, newer_version, older_version, "
        "version, model, contradicts, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            newer.seq,
            older.seq,
            newer.version,
            older.version,
            by.version,
            by.model,
            int(by.contradicts),
            at,
        ),
    )
