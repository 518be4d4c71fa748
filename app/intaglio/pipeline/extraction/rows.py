"""SQL on how far memories are read, and on what was read in which memory."""

from dataclasses import dataclass
from typing import NamedTuple

from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDerivation:
    """That a memory, by its row number, was read in another one, by its id; and by what."""

    memory: int
    source_id: str
    quote: str
    version: int
    model: str
    at: str


class DerivedRow(NamedTuple):
    """A live memory that was read in another one."""

    id: str
    sources: int
    gone_with: int


def is_read(tx: ReadTx, memory: int) -> bool:
    """Tell whether a memory was read once, or skipped."""
    known = "SELECT 1 FROM extractions WHERE memory = ? AND finished_at IS NOT NULL"
    return tx.value(known, (memory,)) is not None


def finish(
    tx: WriteTx, memory: int, at: str, *, version: int, model: str, is_skipped: bool
) -> None:
    """Record that a memory was read; ``is_skipped``: it wasn't, and won't be, for its marks."""
    tx.execute(
        "INSERT INTO extractions(memory, status, finished_at, version, model, is_skipped) "
        "VALUES (?1, 'completed', ?2, ?3, ?4, ?5) ON CONFLICT(memory) DO UPDATE SET "
        "status = 'completed', finished_at = ?2, version = ?3, model = ?4, is_skipped = ?5",
        (memory, at, version, model, int(is_skipped)),
    )


def add(tx: WriteTx, new: NewDerivation) -> None:
    """Record that a memory was read in another one; the latest reading counts."""
    tx.execute(
        "INSERT INTO derived_facts(memory, source_id, quote, version, model, created_at) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(memory, source_id) DO UPDATE SET "
        "quote = ?3, version = ?4, model = ?5, created_at = ?6",
        (new.memory, new.source_id, new.quote, new.version, new.model, new.at),
    )


def derived_from(tx: ReadTx, source_id: str, *, live: bool = True) -> list[DerivedRow]:
    """Return the memories that were read in another one, live ones or tombstones.

    Each with how many memories it was read in that are live themselves.
    """
    return tx.map(
        DerivedRow,
        "SELECT m.id, (SELECT count(*) FROM derived_facts o JOIN memories s ON s.id = o.source_id "
        "WHERE o.memory = m.seq AND s.is_deleted = 0), d.gone_with FROM derived_facts d "
        "JOIN memories m ON m.seq = d.memory WHERE d.source_id = ? AND m.is_deleted = ? "
        "ORDER BY m.seq",
        (source_id, int(not live)),
    )


def set_gone_with(tx: WriteTx, memory_id: str, source_id: str, *, gone: bool) -> None:
    """Record whether a memory was forgotten together with the one that it was read in."""
    tx.execute(
        "UPDATE derived_facts SET gone_with = ? WHERE source_id = ? "
        "AND memory = (SELECT seq FROM memories WHERE id = ?)",
        (int(gone), source_id, memory_id),
    )


def is_read_elsewhere(tx: ReadTx, memory: int, source_id: str) -> bool:
    """Tell whether a memory was read in another live one than this."""
    other = (
        "SELECT 1 FROM derived_facts d JOIN memories s ON s.id = d.source_id "
        "WHERE d.memory = ? AND d.source_id <> ? AND s.is_deleted = 0"
    )
    return tx.value(other, (memory, source_id)) is not None


def release(tx: WriteTx, memory: int, source_id: str) -> None:
    """Record that a memory is no longer read in another one."""
    tx.execute("DELETE FROM derived_facts WHERE memory = ? AND source_id = ?", (memory, source_id))


def forget_source(tx: WriteTx, source_id: str) -> None:
    """Remove all that refers to an erased memory as a source, its words included."""
    tx.execute("DELETE FROM derived_facts WHERE source_id = ?", (source_id,))


def count_read(tx: ReadTx, since: str) -> int:
    """Count the live memories that were read at or after a time."""
    return tx.count(f"SELECT count(*) {_READ_SINCE}", (since,))


def read_since(tx: ReadTx, since: str) -> list[str]:
    """Return the ids of the live memories that were read at or after a time, oldest first."""
    return tx.column(str, f"SELECT m.id {_READ_SINCE} ORDER BY m.seq", (since,))


def count_skipped(tx: ReadTx) -> int:
    """Count the memories that aren't read because of their marks of injected text."""
    return tx.count("SELECT count(*) FROM extractions WHERE is_skipped = 1")


_READ_SINCE = (
    "FROM extractions x JOIN memories m ON m.seq = x.memory "
    "WHERE x.finished_at >= ? AND x.is_skipped = 0 AND m.is_deleted = 0"
)
