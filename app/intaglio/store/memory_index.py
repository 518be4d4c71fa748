"""Compares the full-text index of memories with the memories, and fills it again.

It is filled in short transactions: searches by words find less meanwhile, but nothing waits. An
interrupted run leaves rows out, which the next one adds.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

_FOUND_AT_ONCE: Final = 2_000
_BATCH_S: Final = 0.004
# An index without the newest rows counts as damaged.
_FIRST: Final = 50
_NOT_INDEXED: Final = (
    "m.is_deleted = 0 AND NOT EXISTS (SELECT 1 FROM memories_fts_docsize d WHERE d.id = m.seq)"
)
_ADD: Final = (
    "INSERT INTO memories_fts(rowid, content, tags) SELECT seq, content, tags FROM live_memories "
    "WHERE seq IN (SELECT value FROM carray(?)) "
    "AND seq NOT IN (SELECT id FROM memories_fts_docsize WHERE id IN (SELECT value FROM carray(?)))"
)


@dataclass(frozen=True, slots=True)
class IndexDifference:
    """How many live memories the index lacks, and how many rows it has of no live memory.

    ``indexed`` and ``live`` are the numbers of rows of both.
    """

    indexed: int
    live: int
    missing: int
    extra: int

    @property
    def is_same(self) -> bool:
        """Whether both have the same rows."""
        return not (self.missing or self.extra)


def difference(tx: ReadTx) -> IndexDifference:
    """Compare the index with the memories, row by row but not word by word; reads all keys."""
    indexed = tx.count("SELECT count(*) FROM memories_fts_docsize")
    live = tx.count("SELECT count(*) FROM memories WHERE is_deleted = 0")
    missing = tx.count(f"SELECT count(*) FROM memories m WHERE {_NOT_INDEXED}")  # noqa: S608 - a constant
    return IndexDifference(indexed, live, missing, extra=indexed - (live - missing))


async def fill_again(db: Database, *, everything: bool) -> int:
    """Add what the index lacks; count the rows.

    If it has rows of no live memory, of which nobody knows the words any more, or for
    ``everything``, it is emptied first.
    """
    found = await db.read(difference)
    added = 0
    if everything or found.extra:
        added += await db.write(_empty)
    before: int | None = None
    while missing := await db.read(partial(_missing, before=before)):
        before = missing[-1]
        added += sum(await in_batches(db, missing, _add_one, _BATCH_S))
    return added


def _empty(tx: WriteTx) -> int:
    tx.execute("INSERT INTO memories_fts(memories_fts) VALUES ('delete-all')")
    return _add(tx, _missing(tx, None, _FIRST))


def _missing(tx: ReadTx, before: int | None, limit: int = _FOUND_AT_ONCE) -> list[int]:
    """Return live memories that the index lacks, newest first."""
    return tx.column(
        int,
        "SELECT m.seq FROM memories m "  # noqa: S608 - a constant
        f"WHERE (?1 IS NULL OR m.seq < ?1) AND {_NOT_INDEXED} ORDER BY m.seq DESC LIMIT ?2",
        (before, limit),
    )


def _add_one(tx: WriteTx, seq: int) -> int:
    return _add(tx, (seq,))


def _add(tx: WriteTx, seqs: Sequence[int]) -> int:
    """Add rows to the index, as far as they are live and not in it; return how many."""
    rows = array("q", seqs)
    return tx.execute(_ADD, (tx.bind_integers(rows), tx.bind_integers(rows)))
