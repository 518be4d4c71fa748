"""SQL that reads the counted attributes of memories."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

from intaglio.memory.facet_index.values import Chunk, MemoryAttributes
from intaglio.memory.filters import Filter, where
from intaglio.memory.rows import CRITICAL
from intaglio.store.tx import ReadTx, Row

_CHUNK: Final = 2_000
_COLUMNS: Final = (
    "m.seq, m.project, m.who, m.tags, m.importance, m.type, m.agent_id, m.visibility, "
    "m.source_type, m.pinned, m.embedding_model IS NOT NULL, "
    f"m.importance >= {CRITICAL}, m.is_deleted"
)


def all_chunks(tx: ReadTx) -> Iterator[Chunk]:
    """Yield all memories and tombstones in row-number order."""
    heads, names, last = _Heads(), _Names(), 0
    while rows := tx.all(
        f"SELECT {_COLUMNS} FROM memories m WHERE m.seq > ? ORDER BY m.seq LIMIT ?",  # noqa: S608 - constants only
        (last, _CHUNK),
    ):
        chunk = _chunk(rows, heads, names)
        yield chunk
        last = chunk.seqs[-1]


def chunk_of(tx: ReadTx, seqs: Sequence[int]) -> Chunk:
    """Return the memories and tombstones with these row numbers."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM json_each(?) j CROSS JOIN memories m ON m.seq = j.value",  # noqa: S608 - constants only
        (json.dumps(list(seqs)),),
    )
    return _chunk(rows, _Heads(), _Names()) if rows else Chunk((), (), (), (), (), ())


class _Heads(dict[tuple[Any, ...], MemoryAttributes]):
    """Shares one head among all memories with equal attributes."""

    def __missing__(self, key: tuple[Any, ...]) -> MemoryAttributes:
        type_, agent, visibility, source, pinned, embedded, critical, forgotten = key
        head = self[key] = MemoryAttributes(
            type=type_,
            agent_id=agent,
            visibility=visibility,
            source_type=source,
            pinned=bool(pinned),
            embedded=bool(embedded),
            critical=bool(critical),
            forgotten=bool(forgotten),
        )
        return head


class _Names(dict[str, str]):
    """Shares one string among all memories with the same tag."""

    def __missing__(self, name: str) -> str:
        self[name] = name
        return name


def _tags(stored: Sequence[str | None], names: _Names) -> list[tuple[str, ...]]:
    """Parse tags (JSON arrays or None) in a single call; one by one takes four times as long."""
    texts = list(dict.fromkeys(stored))
    arrays = json.loads(f"[{','.join(text or '[]' for text in texts)}]")
    each = (tuple(dict.fromkeys(map(names.__getitem__, map(str, array)))) for array in arrays)
    combinations = dict(zip(texts, each, strict=True))
    return [combinations[text] for text in stored]


def _chunk(rows: Sequence[Row], heads: _Heads, names: _Names) -> Chunk:
    # The table is STRICT, so each column has its declared type.
    columns = list[tuple[Any, ...]](zip(*rows, strict=True))
    seqs, projects, who, tags, importance, *head = columns
    return Chunk(
        seqs,
        [heads[key] for key in zip(*head, strict=True)],
        projects,
        who,
        _tags(tags, names),
        importance,
    )


def matching_seqs(tx: ReadTx, filters: Filter) -> frozenset[int]:
    """Return the row numbers of the memories that match."""
    condition, params = where(filters)
    # As one text: fetching a hundred thousand rows takes three times as long.
    found = tx.value(f"SELECT json_group_array(m.seq) FROM memories m WHERE {condition}", params)  # noqa: S608 - see where()
    return frozenset(cast("list[int]", json.loads(str(found))))
