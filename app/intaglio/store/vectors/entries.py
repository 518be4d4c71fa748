"""Reads memories and their vectors from the database as entries of the index."""

import json
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, Final

from intaglio.store.tx import ReadTx, Row, Sql
from intaglio.store.vectors.values import FilterKey, Model, VectorColumns, VectorEntry

CHUNK: Final = 1_024
_BULK: Final = 4_096
JOINED: Final = (
    "memories m JOIN embeddings e ON e.memory = m.seq AND e.model = ? AND length(e.vector) = ?"
)
"""Memories with their vectors of a model's id and dimensions; a damaged one doesn't count."""
_ENTRIES: Final = (
    "SELECT m.seq, e.id, m.agent_id, m.visibility, m.project, m.type, m.pinned, "  # noqa: S608 - constants only
    "m.source_type, e.vector, m.tags, m.who, m.created_at, m.importance "
    f"FROM {JOINED} WHERE m.is_deleted = 0 AND"
)


def _entries(tx: ReadTx, condition: str, params: Sequence[Sql]) -> list[VectorEntry]:
    """Read the entries that match a condition; shared values are stored once."""
    rows = tx.rows(
        tuple[int, int, str, str, str | None, str, int, str, bytes, str | None, str, str, float],
        f"{_ENTRIES} {condition}",
        params,
    )
    facets: dict[Row, FilterKey] = {}
    tags: dict[str | None, tuple[str, ...]] = {None: ()}
    found: list[VectorEntry] = []
    for row in rows:
        seq, vector_id, *_, vector, tagged, who, created, importance = row
        common = agent, visibility, project, type_, pinned, source = row[2:8]
        if common not in facets:
            facets[common] = FilterKey(
                agent, visibility, project, type_, pinned=bool(pinned), source_type=source
            )
        if tagged is not None and tagged not in tags:
            tags[tagged] = tuple(json.loads(tagged))
        found.append(
            VectorEntry(
                seq, vector_id, facets[common], vector, tags[tagged], who, created, importance
            )
        )
    return found


def entries_of(tx: ReadTx, model: Model, seqs: Sequence[int]) -> list[VectorEntry]:
    """Return the entries of these row numbers that are live and have a vector."""
    if not seqs:
        return []
    chosen = "m.seq IN (SELECT value FROM carray(?))"
    return _entries(tx, chosen, (model.id, model.dimensions, tx.bind_integers(array("q", seqs))))


def column_chunks(tx: ReadTx, model: Model) -> Iterator[VectorColumns]:
    """Read all entries column by column, some thousands at a time, in row order."""
    after: Sql = -1
    asked = f"{_ENTRIES} m.seq > ? ORDER BY m.seq LIMIT ?"
    while rows := tx.all(asked, (model.id, model.dimensions, after, _BULK)):
        # The tables are STRICT, so each column has its declared type.
        columns: list[Any] = list(zip(*rows, strict=True))
        seqs, vector_ids, *keys = columns[:8]
        yield VectorColumns(seqs, vector_ids, zip(*keys, strict=True), *columns[8:])
        after = rows[-1][0]
