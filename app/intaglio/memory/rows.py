"""SQL for memories; nothing else in the system writes this table."""

import json
from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, fields
from typing import Any, Final

import msgspec

from intaglio.domain.reader import GLOBAL, PRIVATE, Visibility
from intaglio.memory.filters import Filter, where
from intaglio.memory.listing.order_rows import UPDATED_AT, VALUES, Walk
from intaglio.memory.listing.paging import ListCursor, Sort, default_sort
from intaglio.memory.retention import stored_hash
from intaglio.memory.values import (
    FILE_SOURCE,
    Change,
    Memory,
    MemoryPage,
    MemoryText,
    NewMemory,
    Scope,
    Source,
    Stats,
)
from intaglio.store.tx import ReadTx, Row, Sql, WriteTx

# A memory's columns are its fields; its scope and source take several columns.
_PARTS: Final = {
    "scope": tuple(field.name for field in fields(Scope)),
    "source": tuple(f"source_{field.name}" for field in fields(Source)),
}
_FIELDS: Final = tuple(
    name for field in fields(Memory) for name in _PARTS.get(field.name, (field.name,))
)
_PINNED: Final = _FIELDS.index("pinned")
_TAGS: Final = _FIELDS.index("tags")
_DELETED: Final = _FIELDS.index("is_deleted")
_SCOPE_AT: Final = slice(_FIELDS.index("agent_id"), _FIELDS.index("visibility") + 1)
_SOURCE: Final = slice(_FIELDS.index("source_type"), _FIELDS.index("source_path") + 1)
_CHANGEABLE: Final = tuple(field.name for field in fields(Change))
# A row stores the number of the model that made its vector; the API shows the model's name.
_MODEL_NAME: Final = "(SELECT model FROM embedding_models WHERE id = m.embedding_model)"
# Two columns are empty until a memory is changed, and then hold when and by whom.
WORDED_AT: Final = (
    "iif(m.version = 1, m.created_at, ifnull((SELECT strftime('%Y-%m-%dT%H:%M:%fZ', "
    "max(h.created_at) / 1000.0, 'unixepoch') FROM memory_history h WHERE h.memory = m.seq "
    "AND h.event = 'updated' AND h.new_content IS NOT NULL), m.created_at))"
)
"""When the words of a memory ``m`` were said or last corrected."""
_READ: Final = {
    "embedding_model": _MODEL_NAME,
    "updated_at": UPDATED_AT,
    "updated_by": "iif(m.updated_at = '', m.who, m.updated_by)",
    "worded_at": WORDED_AT,
    # Being read by a model changes no memory.
    "extraction_status": "ifnull((SELECT x.status FROM extractions x WHERE x.memory = m.seq), "
    "m.extraction_status)",
    # The link stays while the successor is forgotten.
    "superseded_by": "iif(m.valid_until IS NULL, NULL, m.superseded_by)",
}
_TAGS_OF: Final = msgspec.json.Decoder(tuple[str, ...])
_COLUMNS: Final = ", ".join(_READ.get(name, f"m.{name}") for name in _FIELDS)
_SCOPE: Final = "agent_id = ? AND visibility = ? AND ifnull(project, '') = ifnull(?, '')"
CRITICAL: Final = 0.9
"""Memories of at least this importance are critical."""
_ONE_TYPE: Final = "INDEXED BY memories_project"
MOST_SORTED: Final = 2_000
"""More matches than this aren't sorted for a page; their order's index is walked instead."""


def _memory(row: Row) -> Memory:
    # The table is STRICT, so each column has the type of its field; flags are 0 or 1.
    values: list[Any] = list(row)
    values[_PINNED] = bool(values[_PINNED])
    values[_TAGS] = _TAGS_OF.decode(values[_TAGS]) if values[_TAGS] else ()
    values[_DELETED] = bool(values[_DELETED])
    # The source comes after the scope, so it is assembled first.
    values[_SOURCE] = (Source(*values[_SOURCE]),)
    values[_SCOPE_AT] = (Scope(*values[_SCOPE_AT]),)
    return Memory(*values)


def _columns(memory: Memory | NewMemory) -> dict[str, Sql]:
    """Return a memory's fields as the values of its columns."""
    values: dict[str, Any] = {field.name: getattr(memory, field.name) for field in fields(memory)}
    for part, names in _PARTS.items():
        values.update(zip(names, astuple(values.pop(part)), strict=True))
    return values | {"tags": tags_json(memory.tags)}


def tags_json(tags: Sequence[str]) -> str | None:
    """Encode tags for the column: a JSON array, or NULL if there are none."""
    return json.dumps(list(tags), ensure_ascii=False) if tags else None


def insert(tx: WriteTx, memory: NewMemory, memory_id: str, digest: bytes) -> None:
    """Write a memory whose uniqueness the caller has checked in this transaction."""
    row = _columns(memory) | {
        "id": memory_id,
        "content_hash": stored_hash(digest),
        "updated_at": "",
        "updated_by": "",
    }
    tx.execute(
        f"INSERT INTO memories({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",  # noqa: S608 - names of columns
        tuple(row.values()),
    )


def _first(tx: ReadTx, where: str, params: Sequence[Sql]) -> Memory | None:
    row = tx.first_row(f"SELECT {_COLUMNS} FROM memories m WHERE {where}", params)  # noqa: S608 - where is a constant of this module
    return _memory(row) if row else None


def get(tx: ReadTx, memory_id: str) -> Memory | None:
    """Return the memory with that id, forgotten or not."""
    return _first(tx, "id = ?", (memory_id,))


def by_ids(tx: ReadTx, ids: Collection[str]) -> dict[str, Memory]:
    """Return the memories with these ids, forgotten or not."""
    found = tx.all(
        f"SELECT {_COLUMNS} FROM memories m WHERE m.id IN (SELECT value FROM json_each(?))",  # noqa: S608 - a constant
        (json.dumps(list(ids)),),
    )
    memories = (_memory(row) for row in found)
    return {memory.id: memory for memory in memories}


def live_by_hash(tx: ReadTx, scope: Scope, digest: bytes) -> Memory | None:
    """Return the live memory in the scope with this content hash."""
    params = (stored_hash(digest), scope.agent_id, scope.visibility, scope.project)
    # The index holds the first eight bytes.
    same = "substr(content_hash, 1, 8) = substr(?1, 1, 8) AND content_hash = ?1"
    scope_is = "agent_id = ?2 AND visibility = ?3 AND ifnull(project, '') = ifnull(?4, '')"
    return _first(tx, f"{same} AND {scope_is} AND is_deleted = 0", params)


def is_live_anywhere(tx: ReadTx, digest: bytes) -> bool:
    """Whether a live memory has this content hash, in whatever scope."""
    same = "substr(content_hash, 1, 8) = substr(?1, 1, 8) AND content_hash = ?1"
    known = f"SELECT 1 FROM memories WHERE {same} AND is_deleted = 0"  # noqa: S608 - a constant
    return tx.value(known, (stored_hash(digest),)) is not None


def live_by_source(tx: ReadTx, scope: Scope, source: Source) -> Memory | None:
    """Return the live memory in the scope with this source."""
    params = (source.id, source.type, scope.agent_id, scope.visibility, scope.project)
    return _first(tx, f"source_id = ? AND source_type = ? AND {_SCOPE} AND is_deleted = 0", params)


def live_by_key(tx: ReadTx, agent_id: str, key: str) -> Memory | None:
    """Return the agent's live memory that was written with this idempotency key."""
    return _first(tx, "idempotency_key = ? AND agent_id = ? AND is_deleted = 0", (key, agent_id))


def live_with_key_of(tx: ReadTx, memory: Memory) -> Memory | None:
    """Return the live memory that was written with the same idempotency key as this one."""
    return _first(
        tx,
        "idempotency_key = (SELECT idempotency_key FROM memories WHERE id = ?) "
        "AND agent_id = ? AND is_deleted = 0",
        (memory.id, memory.scope.agent_id),
    )


def update(tx: WriteTx, memory: Memory, digest: bytes, *, by: str, at: str) -> None:
    """Write the changeable fields of a live memory and increment its version."""
    row = _columns(memory)
    replaced = ", ".join(f"{name} = ?" for name in _CHANGEABLE)
    tx.execute(
        f"UPDATE memories SET {replaced}, content_hash = ?, version = version + 1, "  # noqa: S608 - names of columns
        "updated_at = ?, updated_by = ? WHERE id = ?",
        (*(row[name] for name in _CHANGEABLE), stored_hash(digest), at, by, memory.id),
    )


def raise_confidence(tx: WriteTx, memory_id: str, confidence: float) -> int:
    """Raise the confidence of a live memory, not its version; returns how many rows changed."""
    return tx.execute(
        "UPDATE memories SET confidence = ?1 WHERE id = ?2 AND is_deleted = 0 AND confidence < ?1",
        (confidence, memory_id),
    )


def set_replaced(tx: WriteTx, memory_id: str, by: str | None, until: str | None) -> None:
    """Write by which memory a memory is replaced, and until when it held; not its version."""
    tx.execute(
        "UPDATE memories SET superseded_by = ?, valid_until = ? WHERE id = ?",
        (by, until, memory_id),
    )


def replaced_by(tx: ReadTx, memory_id: str) -> list[Memory]:
    """Return the memories, forgotten or not, that a memory replaces."""
    return _all(tx, "m.superseded_by = ? AND m.valid_until IS NOT NULL ORDER BY m.seq", memory_id)


def replacing(tx: ReadTx, filters: Filter, since: str, limit: int) -> list[Memory]:
    """Return the matches by which another memory was replaced at or after a time."""
    condition, params = where(filters)
    # Few are replaced; the order of the joins keeps SQLite from reading all that the filter allows.
    newer = (
        "SELECT DISTINCT o.superseded_by AS id FROM memories o INDEXED BY memories_superseded "
        "WHERE o.superseded_by IS NOT NULL AND o.valid_until >= ?"
    )
    found = tx.all(
        f"SELECT {_COLUMNS} FROM ({newer}) n CROSS JOIN memories m ON m.id = n.id "  # noqa: S608 - built by where()
        f"WHERE {condition} ORDER BY m.seq DESC LIMIT ?",
        [since, *params, limit],
    )
    return [_memory(row) for row in found]


def superseded(tx: ReadTx, filters: Filter, limit: int) -> list[Memory]:
    """Return the matches that another memory replaced, the latest first."""
    condition, params = where(filters)
    found = tx.all(
        f"SELECT {_COLUMNS} FROM memories m INDEXED BY memories_superseded "  # noqa: S608 - built by where()
        f"WHERE m.superseded_by IS NOT NULL AND {condition} ORDER BY m.valid_until DESC LIMIT ?",
        [*params, limit],
    )
    return [_memory(row) for row in found]


def released_by(tx: ReadTx, memory_id: str) -> list[Memory]:
    """Return the memories, forgotten or not, that a memory replaced until it was forgotten."""
    return _all(tx, "m.superseded_by = ? AND m.valid_until IS NULL ORDER BY m.seq", memory_id)


def _all(tx: ReadTx, where: str, memory_id: str) -> list[Memory]:
    sql = f"SELECT {_COLUMNS} FROM memories m WHERE {where}"  # noqa: S608 - where is a constant of this module
    return [_memory(row) for row in tx.all(sql, (memory_id,))]


def is_replaced_by(tx: ReadTx, memory_id: str, other_id: str) -> bool:
    """Tell whether a memory is another one, or was replaced by it, directly or not."""
    return bool(
        tx.count(
            "WITH RECURSIVE later(id) AS (SELECT ?1 UNION SELECT m.superseded_by FROM later l "
            "JOIN memories m ON m.id = l.id WHERE m.superseded_by IS NOT NULL) "
            "SELECT count(*) FROM later WHERE id = ?2",
            (memory_id, other_id),
        )
    )


def set_source_path(tx: WriteTx, memory_ids: Sequence[str], path: str) -> None:
    """Write where memories were read whose file has another path now; no change of theirs."""
    tx.execute(
        "UPDATE memories SET source_path = ? WHERE source_type = ? "
        "AND id IN (SELECT value FROM json_each(?))",
        (path, FILE_SOURCE, json.dumps(list(memory_ids))),
    )


def set_deleted(tx: WriteTx, memory_id: str, deleted_at: str | None, *, by: str, at: str) -> None:
    """Forget a memory (``deleted_at`` set) or recover it (None); increment its version."""
    tx.execute(
        "UPDATE memories SET is_deleted = ?, deleted_at = ?, version = version + 1, "
        "updated_at = ?, updated_by = ? WHERE id = ?",
        (int(deleted_at is not None), deleted_at, at, by, memory_id),
    )


def _matches(tx: ReadTx, filters: Filter) -> str | None:
    """Return the row numbers of all matches as JSON, or None if there are too many to sort."""
    condition, params = where(filters)
    # SQLite expects a partial index without its column in the condition to be no help.
    source = "memories m INDEXED BY memories_pinned" if filters.pinned else "memories m"
    found = tx.first_row(
        f"SELECT json_group_array(seq), count(*) FROM "  # noqa: S608 - see where()
        f"(SELECT m.seq FROM {source} WHERE {condition} LIMIT {MOST_SORTED})",
        params,
    )
    return None if found is None or found[1] == MOST_SORTED else str(found[0])


def _is_one_type(filters: Filter) -> bool:
    """Whether a filter selects one type of one project, or of what has no project."""
    one_place = filters.global_only or (filters.project is not None and filters.exact_project)
    return bool(filters.type) and one_place and not filters.forgotten


def page(  # noqa: PLR0913 - each is a part of the request
    tx: ReadTx,
    filters: Filter,
    limit: int,
    cursor: ListCursor | None,
    offset: int = 0,
    *,
    sort: Sort | None = None,
    among: Sequence[int] | None = None,
) -> MemoryPage:
    """Return a page in this order; ``cursor`` is the end of the page before.

    By default, newest or latest forgotten first. ``among`` are the row numbers of all matches, if
    they are known.
    """
    sort = sort or default_sort(filters)
    needed = limit + 1 + offset
    if sort == "forgotten":
        return _sorted(tx, filters, "m.deleted_at", sort, (limit, offset), cursor)
    if among is None and sort == "newest" and _is_one_type(filters):
        # Has exactly this order.
        return _sorted(tx, filters, VALUES[sort], sort, (limit, offset), cursor, _ONE_TYPE)
    walk = Walk(sort, *where(filters), cursor)
    # An index finds the pinned ones.
    places = walk.near(tx, needed) if among is None and not filters.pinned else None
    if places is None:
        few = _matches(tx, filters) if among is None else json.dumps(list(among))
        if few is not None:
            return _sorted(tx, filters, VALUES[sort], sort, (limit, offset), cursor, few=few)
        # There are many matches, so that walking along the order finds enough of them soon.
        places = walk.first(tx, needed)
    shown = [place.seq for place in places[offset:]]
    found = by_seq(tx, shown[:limit])
    memories = tuple(found[seq] for seq in shown[:limit])
    more = ListCursor.after(memories[-1], sort).text if len(shown) > limit else None
    return MemoryPage(memories, more)


def _sorted(  # noqa: PLR0913, PLR0917 - each is a part of the statement
    tx: ReadTx,
    filters: Filter,
    value: str,
    sort: Sort,
    limits: tuple[int, int],
    cursor: ListCursor | None,
    hint: str = "",
    few: str | None = None,
) -> MemoryPage:
    """Read a page by one statement; ``few`` are the row numbers of all matches as JSON."""
    condition, params = where(filters)
    if few is not None:
        hint = "NOT INDEXED"
        condition += " AND m.seq IN (SELECT value FROM json_each(?))"
        params.append(few)
    if cursor is not None:
        condition += f" AND ({value}, m.seq) < (?, ?)"
        params += [cursor.value, cursor.seq]
    limit, offset = limits
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM memories m {hint} WHERE {condition} "  # noqa: S608 - see where()
        f"ORDER BY {value} DESC, m.seq DESC LIMIT ? OFFSET ?",
        [*params, limit + 1, offset],
    )
    memories = tuple(_memory(row) for row in rows[:limit])
    more = ListCursor.after(memories[-1], sort).text if len(rows) > limit else None
    return MemoryPage(memories, more)


def stats(tx: ReadTx, filters: Filter) -> Stats:
    """Count the live memories that match; critical means an importance of at least 0.9."""
    condition, params = where(filters)
    row = tx.row(
        tuple[int, int, int],
        "SELECT count(*), count(m.embedding_model), "  # noqa: S608 - see where()
        f"ifnull(sum(m.importance >= {CRITICAL}), 0) FROM memories m WHERE {condition}",
        params,
    )
    return Stats(*row) if row else Stats(0, 0, 0)


def counts_by_agent(tx: ReadTx) -> dict[tuple[str, str], int]:
    """Count the live memories of each agent and visibility; reads only indexes, in order."""
    each = "SELECT agent_id, count(*) FROM memories INDEXED BY"
    private = dict(
        tx.rows(
            tuple[str, int],
            f"{each} memories_private WHERE is_deleted = 0 AND visibility = '{PRIVATE}' "
            "GROUP BY agent_id",
        )
    )
    counted: dict[tuple[str, str], int] = {}
    for agent, total in tx.rows(
        tuple[str, int], f"{each} memories_agent WHERE is_deleted = 0 GROUP BY agent_id"
    ):
        counted[agent, PRIVATE] = private.get(agent, 0)
        counted[agent, GLOBAL] = total - private.get(agent, 0)
    return counted


def count(tx: ReadTx, filters: Filter) -> int:
    """Count the memories that match."""
    condition, params = where(filters)
    return tx.count(f"SELECT count(*) FROM memories m WHERE {condition}", params)  # noqa: S608 - see where()


def count_up_to(tx: ReadTx, filters: Filter, most: int) -> int:
    """Count the memories that match, at most so many: looks no further."""
    condition, params = where(filters)
    matches = f"SELECT 1 FROM memories m WHERE {condition} LIMIT ?"  # noqa: S608 - see where()
    return tx.count(f"SELECT count(*) FROM ({matches})", [*params, most])  # noqa: S608 - see above


def by_seq(tx: ReadTx, numbers: Sequence[int]) -> dict[int, Memory]:
    """Return the live memories with these row numbers."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM memories m "  # noqa: S608 - constants only
        "WHERE m.seq IN (SELECT value FROM json_each(?)) AND m.is_deleted = 0",
        (json.dumps(list(numbers)),),
    )
    return {memory.seq: memory for memory in map(_memory, rows)}


def texts_by_seq(tx: ReadTx, numbers: Collection[int]) -> dict[int, MemoryText]:
    """Return what ranking reads of the live memories with these row numbers."""
    found = tx.rows(
        tuple[int, str, str | None, str, str, str | None, Visibility, str | None, str],
        "SELECT m.seq, m.content, m.tags, m.who, m.agent_id, "
        "m.project, m.visibility, m.session_id, m.created_at FROM memories m "
        "WHERE m.seq IN (SELECT value FROM carray(?)) AND m.is_deleted = 0",
        (tx.bind_integers(array("q", numbers)),),
    )
    return {
        seq: MemoryText(
            seq,
            content,
            tags or "",
            who,
            Scope(agent, project, visibility),
            session,
            at,
        )
        for seq, content, tags, who, agent, project, visibility, session, at in found
    }


def count_use(tx: WriteTx, counts: Mapping[str, int], at: str) -> None:
    """Add to the access counts of these memories and set their access time, not their version."""
    tx.execute(
        "UPDATE memories SET access_count = access_count + j.value, last_accessed = ? "
        "FROM json_each(?) j WHERE memories.id = j.key AND is_deleted = 0",
        (at, json.dumps(dict(counts))),
    )


def select(tx: ReadTx, filters: Filter, ids: Sequence[str], limit: int) -> list[Memory]:
    """Return the memories with these ids that match, newest first."""
    condition, params = where(filters)
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM memories m WHERE {condition} "  # noqa: S608 - see where()
        "AND m.id IN (SELECT value FROM json_each(?)) "
        "ORDER BY m.created_at DESC, m.seq DESC LIMIT ?",
        [*params, json.dumps(list(ids)), limit],
    )
    return [_memory(row) for row in rows]


def with_partial_id(
    tx: ReadTx, filters: Filter, prefix: str, suffix: str | None, limit: int
) -> list[Memory]:
    """Return the matching memories whose ids start or end with a text, ordered by id."""
    condition, params = where(filters)
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM memories m WHERE {condition} "  # noqa: S608 - see where()
        "AND m.id IN (SELECT id FROM memories WHERE id >= ? AND id < ? || char(0x10FFFF) "
        "UNION SELECT id FROM memories WHERE substr(id, -length(?)) = ?) ORDER BY m.id LIMIT ?",
        [*params, prefix, prefix, suffix, suffix, limit],
    )
    return [_memory(row) for row in rows]


def strongest(tx: ReadTx, filters: Filter, rate: float, now: str, limit: int) -> list[int]:
    """Return the row numbers with the highest effective importance, computed as in `decay`."""
    condition, params = where(filters)
    idle = "max(0, ? - julianday(ifnull(m.last_accessed, m.created_at)))"
    return tx.column(
        int,
        f"SELECT m.seq FROM memories m WHERE {condition} ORDER BY "  # noqa: S608 - see where()
        f"iif(m.pinned, 1, m.importance * pow(?, {idle})) DESC, m.seq DESC LIMIT ?",
        [*params, rate, tx.value("SELECT julianday(?)", (now,)), limit],
    )


def authors(tx: ReadTx, filters: Filter) -> list[str]:
    """List the authors of the memories that match, alphabetically."""
    condition, params = where(filters)
    named = f"SELECT DISTINCT m.who FROM memories m WHERE {condition} ORDER BY 1"  # noqa: S608 - see where()
    return tx.column(str, named, params)


def projects(tx: ReadTx) -> list[str]:
    """List the projects that have live memories, in the order of their keys."""
    least = "SELECT min(project) FROM memories INDEXED BY memories_project WHERE is_deleted = 0"
    # From one to the next by the index: as many steps as projects, however many memories.
    return tx.column(
        str,
        f"WITH RECURSIVE each(key) AS ({least} AND project IS NOT NULL UNION ALL "  # noqa: S608 - a constant
        f"SELECT ({least} AND project > each.key) FROM each WHERE each.key IS NOT NULL) "
        "SELECT key FROM each WHERE key IS NOT NULL",
    )


def have_memories(tx: ReadTx, keys: Collection[str]) -> bool:
    """Tell whether any of these projects has live memories."""
    return bool(
        tx.count(
            "SELECT EXISTS (SELECT 1 FROM memories WHERE is_deleted = 0 "
            "AND project IN (SELECT value FROM json_each(?)))",
            (json.dumps(list(keys)),),
        )
    )


def counts(tx: ReadTx) -> tuple[int, int]:
    """Return how many memories are live, and how many are tombstones."""
    return (
        tx.count("SELECT count(*) FROM memories WHERE is_deleted = 0"),
        tx.count("SELECT count(*) FROM memories WHERE is_deleted = 1"),
    )


def delete(tx: WriteTx, memory_id: str) -> None:
    """Delete a memory's row, and with it its index entries and an otherwise unused vector."""
    tx.execute("DELETE FROM memories WHERE id = ?", (memory_id,))
