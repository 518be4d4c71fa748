"""SQL on the questions that memories answer."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from intaglio.domain.reader import USER
from intaglio.memory.filters import Filter, where
from intaglio.store.tx import ReadTx, SearchExpression, WriteTx
from intaglio.store.vectors.values import VectorFilter

# A part of a document is read with the rest of it.
_WANTED: Final = "m.is_deleted = 0 AND m.type <> 'document_chunk'"


@dataclass(frozen=True, slots=True)
class HintReading:
    """Who made the questions of a memory: a version of the prompt of a model, or templates."""

    version: int
    model: str | None


class FoundHint(NamedTuple):
    """A question that a memory answers, by its row number, and how well it matches."""

    memory: int
    question: str
    score: float


def replace(
    tx: WriteTx, memory: int, questions: Sequence[str], reading: HintReading, at: str
) -> None:
    """Write the questions of a live memory in the place of earlier ones."""
    tx.execute("DELETE FROM memory_hints WHERE memory = ?", (memory,))
    for each in questions:
        tx.execute("INSERT INTO memory_hints(memory, question) VALUES (?, ?)", (memory, each))
    tx.execute(
        "INSERT INTO hint_readings(memory, version, model, created_at) VALUES (?1, ?2, ?3, ?4) "
        "ON CONFLICT(memory) DO UPDATE SET version = ?2, model = ?3, created_at = ?4",
        (memory, reading.version, reading.model, at),
    )


def questions(tx: ReadTx, memory: int) -> list[str]:
    """Return the questions that a live memory answers, by its row number."""
    return tx.column(
        str,
        "SELECT question FROM memory_hints WHERE memory = ? AND is_indexed = 1 ORDER BY seq",
        (memory,),
    )


def model_of(tx: ReadTx, memory: int) -> str | None:
    """Return the model that wrote the questions of a memory, None without one."""
    return tx.scalar(str, "SELECT model FROM hint_readings WHERE memory = ?", (memory,))


def search(tx: ReadTx, words: SearchExpression, among: VectorFilter, limit: int) -> list[FoundHint]:
    """Return the questions with these words of memories that pass a filter, best first."""
    return tx.map(
        FoundHint,
        "SELECT h.memory, h.question, -bm25(hints_fts) FROM hints_fts f "  # noqa: S608 - condition is built of constants
        "CROSS JOIN memory_hints h ON h.seq = f.rowid JOIN memories m ON m.seq = h.memory "
        f"WHERE hints_fts MATCH ? AND {among.condition} "
        "ORDER BY bm25(hints_fts), h.memory DESC LIMIT ?",
        [words, *among.params, limit],
    )


def last_memory(tx: ReadTx) -> int:
    """Return the highest row number of a memory, 0 without any."""
    return tx.count("SELECT ifnull(max(seq), 0) FROM memories")


def rows_of(tx: ReadTx, ids: Sequence[str]) -> list[int]:
    """Return the row numbers of memories by their ids."""
    return tx.column(
        int,
        "SELECT m.seq FROM json_each(?) j JOIN memories m ON m.id = j.value",
        (json.dumps(list(ids)),),
    )


def without(
    tx: ReadTx, first: int, last: int, projects: Collection[str], *, by_model: bool
) -> list[str]:
    """Return the ids of live memories, first to last, without questions (by a model).

    Those of ``projects`` are left out.
    """
    condition, params = where(Filter(reader=USER, without_projects=tuple(projects)))
    return tx.column(
        str,
        f"SELECT m.id FROM memories m WHERE m.seq BETWEEN ? AND ? AND {_WANTED} "  # noqa: S608 - built by where
        "AND NOT EXISTS (SELECT 1 FROM hint_readings r WHERE r.memory = m.seq "
        f"AND (? = 0 OR r.model IS NOT NULL)) AND {condition} ORDER BY m.seq DESC",
        [first, last, int(by_model), *params],
    )


def count_by_model(tx: ReadTx, since: str) -> int:
    """Count the memories whose questions a model has made since a time."""
    return tx.count(
        "SELECT count(*) FROM hint_readings r JOIN memories m ON m.seq = r.memory "  # noqa: S608 - a constant
        f"WHERE r.model IS NOT NULL AND r.created_at >= ? AND {_WANTED}",
        (since,),
    )


def by_model_since(tx: ReadTx, since: str) -> list[str]:
    """Return the ids of live memories whose questions a model has made since a time."""
    return tx.column(
        str,
        "SELECT m.id FROM hint_readings r JOIN memories m ON m.seq = r.memory "  # noqa: S608 - a constant
        f"WHERE r.model IS NOT NULL AND r.created_at >= ? AND {_WANTED} ORDER BY m.seq",
        (since,),
    )
