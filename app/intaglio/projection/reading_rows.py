"""SQL that reads layouts for a reader: points, neighbours, counts; only of what it may read."""

import json
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from intaglio.domain.reader import GLOBAL, UserReader
from intaglio.memory import rows as memories
from intaglio.memory.filters import Condition, Filter, where
from intaglio.memory.values import AS_OLDER
from intaglio.projection.rows import layouts
from intaglio.projection.values import EXTENT, Dimensions, Layout, MapScope
from intaglio.store.tx import ReadTx, SearchExpression

STEPS: Final = 32_767
"""Coordinates of points are whole numbers from -STEPS to STEPS, which is `EXTENT`."""

# Unpacking the columns of this many rows holds the interpreter for milliseconds.
_ROWS_AT_ONCE: Final = 2_000
_STEP: Final = f"max(-{STEPS}, min({STEPS}, CAST(round({{}} * {STEPS / EXTENT}) AS INTEGER)))"
# The Julian day of 1970-01-01 begins at noon of the day before.
_DAY: Final = (
    "max(0, min(65535, ifnull(CAST(julianday({}, 'localtime') - 2440587.5 AS INTEGER), 0)))"
)
_FLAGS: Final = (
    f"m.pinned + 2 * (m.visibility <> '{GLOBAL}') + 4 * p.placed + 8 * (m.valid_until IS NOT NULL) "
    f"+ 16 * m.is_deleted + 32 * (m.valid_until IS NULL AND m.dispute & {AS_OLDER} <> 0)"
)


class PointColumns(NamedTuple):
    """Points and what their memories are coloured by, column by column.

    ``solid`` are the coordinates in three dimensions. Days are local ones since 1970-01-01, 0 for
    never; importance is from 0 to 255, ``flags`` are those of `FLAGS` in the dashboard.
    """

    memory: Sequence[int]
    id: Sequence[str]
    x: Sequence[int]
    y: Sequence[int]
    solid_x: Sequence[int]
    solid_y: Sequence[int]
    solid_z: Sequence[int]
    created: Sequence[int]
    changed: Sequence[int]
    ended: Sequence[int]
    type: Sequence[str]
    origin: Sequence[str]
    agent: Sequence[str]
    project: Sequence[str | None]
    importance: Sequence[int]
    flags: Sequence[int]


@dataclass(frozen=True, slots=True)
class PointSelection:
    """Which points are wanted: those of live memories that pass a filter.

    ``words`` must all occur in them; ``types`` and ``source_types`` allow several values. With
    ``forgotten``, forgotten memories are wanted, too.
    """

    filters: Filter
    words: str = ""
    types: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    forgotten: bool = False

    def condition(self, tx: ReadTx) -> Condition:
        """Return the condition on memories ``m``."""
        sql, params = where(self.filters)
        if self.forgotten:
            gone, more = where(replace(self.filters, forgotten=True))
            sql, params = f"(({sql}) OR ({gone}))", [*params, *more]
        for column, values in (("type", self.types), ("source_type", self.source_types)):
            if values:
                sql += f" AND m.{column} IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants
                params.append(json.dumps(values))
        if self.words.strip():
            found, expression = _with_words(tx, self.words)
            sql, params = f"{sql} AND {found}", [*params, *expression]
        return sql, tuple(params)


def _with_words(tx: ReadTx, text: str) -> Condition:
    words = [word.replace('"', "") for word in text.split()]
    quoted = " ".join(f'"{word}"' for word in words if tx.index_terms(word))
    if not quoted:
        return "0", ()
    found = "m.seq IN (SELECT rowid FROM memories_fts WHERE memories_fts MATCH ?)"
    return found, (SearchExpression(quoted),)


def whole_map(filters: Filter) -> PointSelection:
    """Return what a map shows of a filter; forgotten memories to the user only."""
    return PointSelection(filters, forgotten=isinstance(filters.reader, UserReader))


def points(
    tx: ReadTx, flat: int, solid: int | None, wanted: PointSelection
) -> Iterator[PointColumns]:
    """Yield the points of a layout in order of memories, with their places in another one.

    A memory that isn't in that one stands where it is in the first.
    """
    condition, params = wanted.condition(tx)
    changed, ended = "nullif(m.updated_at, '')", "ifnull(m.valid_until, m.deleted_at)"
    sql = (
        f"SELECT p.memory, m.id, {_STEP.format('p.x')}, {_STEP.format('p.y')}, "  # noqa: S608 - built by where()
        f"{_STEP.format('ifnull(q.x, p.x)')}, {_STEP.format('ifnull(q.y, p.y)')}, "
        f"{_STEP.format('ifnull(q.z, 0.0)')}, {_DAY.format('m.created_at')}, "
        f"{_DAY.format(changed)}, {_DAY.format(ended)}, "
        "m.type, m.source_type, m.agent_id, m.project, "
        f"CAST(round(m.importance * 255) AS INTEGER), {_FLAGS} "
        "FROM projection_points p CROSS JOIN memories m ON m.seq = p.memory "
        "LEFT JOIN projection_points q ON q.projection = ? AND q.memory = p.memory "
        f"WHERE p.projection = ? AND p.memory > ? AND {condition} "
        "ORDER BY p.memory LIMIT ?"
    )
    last = -1
    while rows := tx.all(sql, (solid, flat, last, *params, _ROWS_AT_ONCE)):
        columns: Any = zip(*rows, strict=True)
        yield (found := PointColumns(*columns))
        last = found.memory[-1]


def neighbours(
    tx: ReadTx, flat: int, wanted: PointSelection, seqs: Sequence[int] = ()
) -> list[tuple[int, bytes]]:
    """Return the nearest memories of each point; of these rows only, if some are given.

    As row numbers, little-endian 64-bit integers, nearest first.
    """
    condition, params = wanted.condition(tx)
    among = "AND p.memory IN (SELECT value FROM carray(?)) " if seqs else ""
    bound = (tx.bind_integers(array("q", seqs)),) if seqs else ()
    return tx.rows(
        tuple[int, bytes],
        "SELECT p.memory, p.neighbours FROM projection_points p "  # noqa: S608 - built by where()
        "CROSS JOIN memories m ON m.seq = p.memory "
        f"WHERE p.projection = ? {among}AND p.neighbours IS NOT NULL AND {condition} "
        "ORDER BY p.memory",
        (flat, *bound, *params),
    )


def layout_of(tx: ReadTx, scope: MapScope, dimensions: Dimensions) -> Layout | None:
    """Return a scope's layout of these dimensions if there is one."""
    return next((each for each in layouts(tx, scope) if each.dimensions == dimensions), None)


def shows_any(tx: ReadTx, filters: Filter) -> bool:
    """Tell whether a filter's reader may know of the layouts of the scope that it selects.

    To an agent that may read none of a scope's memories, it is as if nobody had opened its map.
    """
    return isinstance(filters.reader, UserReader) or memories.count(tx, filters) > 0


class PointPlace(NamedTuple):
    """Where a memory stands in a layout; ``z`` only in three dimensions."""

    memory: int
    id: str
    x: float
    y: float
    z: float | None


class PlacePage(NamedTuple):
    """Some of the places that were asked for, and how many there are in all."""

    places: list[PointPlace]
    total: int


def page(tx: ReadTx, layout: int, wanted: PointSelection, limit: int, offset: int) -> PlacePage:
    """Return the places of matching memories, the newest first."""
    condition, params = wanted.condition(tx)
    found = (
        "FROM projection_points p CROSS JOIN memories m ON m.seq = p.memory "
        f"WHERE p.projection = ? AND {condition}"
    )
    places = tx.map(
        PointPlace,
        f"SELECT p.memory, m.id, p.x, p.y, p.z {found} ORDER BY p.memory DESC LIMIT ? OFFSET ?",
        (layout, *params, limit, offset),
    )
    return PlacePage(places, tx.count(f"SELECT count(*) {found}", (layout, *params)))


class PointCounts(NamedTuple):
    """How many points a full run laid out, and how many were placed since."""

    points: int
    placed: int


def count_points(tx: ReadTx, layout: int, wanted: PointSelection) -> PointCounts:
    """Count the points of matching memories."""
    condition, params = wanted.condition(tx)
    row = tx.row(
        tuple[int, int],
        "SELECT count(*), ifnull(sum(p.placed), 0) FROM projection_points p "  # noqa: S608 - built by where()
        f"CROSS JOIN memories m ON m.seq = p.memory WHERE p.projection = ? AND {condition}",
        (layout, *params),
    )
    total, placed = row or (0, 0)
    return PointCounts(total - placed, placed)


def count_embedded(tx: ReadTx, filters: Filter) -> int:
    """Count the matching memories that have a vector, and so can have a point."""
    condition, params = where(filters)
    return tx.count(
        f"SELECT count(*) FROM memories m WHERE {condition} AND m.embedding_model IS NOT NULL",  # noqa: S608 - see where()
        params,
    )
