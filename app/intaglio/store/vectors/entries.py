"""Reads what the index holds of memories and their vectors, as entries."""

import json
from array import array
from collections.abc import Iterator, Sequence
from typing import Final

from intaglio.store.tx import ReadTx, Row, Sql
from intaglio.store.vectors.values import Entry, Facets, Model

CHUNK: Final = 1_024
# Where a row of ``_ENTRIES`` holds its facets.
_FACETS: Final = slice(2, 8)
JOINED: Final = (
    "memories m JOIN embeddings e ON e.content_key = substr(m.content_hash, 1, 8) AND e.model = ?"
)
_ENTRIES: Final = (
    "SELECT m.seq, e.id, m.agent_id, m.visibility, m.project, m.type, m.pinned, "  # noqa: S608 - constants only
    "m.source_type, e.vector, m.tags, m.who, m.created_at, m.importance "
    f"FROM {JOINED} WHERE m.is_deleted = 0 AND"
)


def _entries(rows: Sequence[Row]) -> list[Entry]:
    """Read rows of ``_ENTRIES``; what many have in common is read once."""
    facets: dict[Row, Facets] = {}
    tags: dict[Sql, tuple[str, ...]] = {None: ()}
    found: list[Entry] = []
    for row in rows:
        seq, vector_id, *_, vector, tagged, who, created, importance = row
        if not isinstance(vector, bytes):
            raise TypeError("a vector is stored as bytes")
        common = row[_FACETS]
        if common not in facets:
            facets[common] = _facets(common)
        if tagged not in tags:
            tags[tagged] = tuple(json.loads(str(tagged)))
        found.append(
            Entry(
                int(str(seq)),
                int(str(vector_id)),
                facets[common],
                vector,
                tags[tagged],
                str(who),
                str(created),
                float(str(importance)),
            )
        )
    return found


def _facets(common: Row) -> Facets:
    agent, visibility, project, type_, pinned, source = common
    where = None if project is None else str(project)
    return Facets(
        str(agent), str(visibility), where, str(type_), pinned=bool(pinned), source_type=str(source)
    )


def _entries_after(tx: ReadTx, model: Model, after: int) -> list[Entry]:
    rows = tx.all(f"{_ENTRIES} m.seq > ? ORDER BY m.seq LIMIT ?", (model.id, after, CHUNK))
    return _entries(rows)


def entries_of(tx: ReadTx, model: Model, seqs: Sequence[int]) -> list[Entry]:
    """Return the entries of these row numbers, as far as they are live and have a vector."""
    if not seqs:
        return []
    chosen = "m.seq IN (SELECT value FROM carray(?))"
    return _entries(tx.all(f"{_ENTRIES} {chosen}", (model.id, tx.numbers(array("q", seqs)))))


def chunks(tx: ReadTx, model: Model) -> Iterator[list[Entry]]:
    """Read all entries, about a thousand at a time, in the order of their rows."""
    after = -1
    while entries := _entries_after(tx, model, after):
        yield entries
        after = entries[-1].seq
