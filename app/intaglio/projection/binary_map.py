"""Packs the points of a map into columns of small numbers; pure."""

import sys
from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, TypeVar

from intaglio.memory.facet_index.columns import Column
from intaglio.projection.reading_rows import PointColumns

V = TypeVar("V", bound=Hashable)
ColumnType: TypeAlias = Literal["u8", "u16", "i16"]

ALIGNMENT: Final = 8
MOST_VALUES: Final = 255
"""How many values a table numbers; this number stands for all others."""
MOST_ENTITIES: Final = MOST_VALUES - 1
"""Entities are numbered from 1, because 0 is none."""

EDGES_EACH: Final = 3
"""How many edges a point has to others."""

_NEAR_BYTES: Final = 5 * 8
_TYPE_CODES: Final[Mapping[str, ColumnType]] = {"B": "u8", "H": "u16", "h": "i16"}


@dataclass(frozen=True, slots=True)
class PackedColumn:
    """Where a column is in the body: ``offset`` and ``length`` in bytes."""

    name: str
    type: ColumnType
    offset: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedPoints:
    """The columns of points, and the values that their numbers stand for.

    ``seqs`` are the row numbers of the points' memories, ascending.
    """

    seqs: "array[int]"
    columns: tuple[PackedColumn, ...]
    body: bytes
    types: list[str]
    origins: list[str]
    agents: list[str]
    projects: list[str | None]


def pack(
    chunks: Iterable[PointColumns], entities: Mapping[int, int | None], *, solid: bool
) -> PackedPoints:
    """Pack points that come in order of their memories' row numbers.

    ``entities`` has the index of each memory's main entity, None for one that has no number. With
    ``solid``, there are coordinates in three dimensions.
    """
    seqs, ids = array("q"), bytearray()
    flat, solids = array("h"), array("h")
    days = {name: array("H") for name in ("created", "changed", "ended")}
    small = {name: array("B") for name in ("importance", "flags")}
    kinds: tuple[Column[str], ...] = (Column(), Column(), Column())
    projects: Column[str | None] = Column()
    for chunk in chunks:
        seqs.extend(chunk.memory)
        ids += bytes.fromhex("".join(chunk.id).replace("-", ""))
        _interleave(flat, (chunk.x, chunk.y))
        if solid:
            _interleave(solids, (chunk.solid_x, chunk.solid_y, chunk.solid_z))
        for name, column in (*days.items(), *small.items()):
            column.extend(getattr(chunk, name))
        for kind, values in zip(kinds, (chunk.type, chunk.origin, chunk.agent), strict=True):
            kind.extend(values)
        projects.extend(chunk.project)
    (types, type_), (origins, origin), (agents, agent) = map(_numbered, kinds)
    names, project = _numbered(projects)
    packed = (
        ("ids", array("B", ids)), ("xy", flat), *((("xyz", solids),) if solid else ()),
        *days.items(), ("type", type_), ("origin", origin), ("agent", agent), ("project", project),
        ("entity", _entities(seqs, entities)), *small.items(),
    )  # fmt: skip
    columns, body = _joined(packed)
    return PackedPoints(
        seqs=seqs,
        columns=columns,
        body=body,
        types=types,
        origins=origins,
        agents=agents,
        projects=names,
    )


def _interleave(into: "array[int]", columns: Sequence[Sequence[int]]) -> None:
    added = array("h", bytes(2 * len(columns) * len(columns[0])))
    for index, column in enumerate(columns):
        added[index :: len(columns)] = array("h", column)
    into.extend(added)


def _numbered(column: Column[V]) -> tuple[list[V], "array[int]"]:
    """Number the most frequent values, the most frequent first."""
    counts = column.count(None)
    values = sorted(counts, key=lambda value: (-counts[value], str(value)))[:MOST_VALUES]
    numbers = {value: number for number, value in enumerate(values)}
    number_of = [numbers.get(value, MOST_VALUES) for value in column.values]
    return values, array("B", bytes(map(number_of.__getitem__, column.rows)))


def _entities(seqs: Sequence[int], entities: Mapping[int, int | None]) -> "array[int]":
    numbers = {
        memory: MOST_VALUES if index is None else index + 1 for memory, index in entities.items()
    }
    return array("B", (numbers.get(seq, 0) for seq in seqs))


def _joined(packed: Iterable[tuple[str, "array[int]"]]) -> tuple[tuple[PackedColumn, ...], bytes]:
    columns: list[PackedColumn] = []
    body = bytearray()
    for name, values in packed:
        length = len(values) * values.itemsize
        columns.append(PackedColumn(name, _TYPE_CODES[values.typecode], len(body), length))
        body += little_endian(values)
        body += bytes(-len(body) % ALIGNMENT)
    return tuple(columns), bytes(body)


def little_endian(values: "array[int]") -> bytes:
    """Return the bytes of an array, which is changed if this machine orders them otherwise."""
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def edges(seqs: "array[int]", neighbours: Iterable[tuple[int, bytes]], each: int) -> "array[int]":
    """Return the indexes of points that are near each other, two by two.

    Every point has edges to its ``each`` nearest of those in ``seqs``, which ascend; first come
    those to the nearest of each point. ``neighbours`` are row numbers of memories, nearest first,
    as little-endian 64-bit integers.
    """
    import numpy as np  # noqa: PLC0415 - not at the daemon's start

    known = np.array(seqs, np.int64)
    near = [
        (memory, found[:_NEAR_BYTES].ljust(_NEAR_BYTES, b"\xff")) for memory, found in neighbours
    ]
    sources = np.array([memory for memory, _ in near], np.int64)
    targets = np.frombuffer(b"".join(found for _, found in near), "<i8")
    targets = targets.reshape(-1, _NEAR_BYTES // 8)
    is_shown = np.isin(targets, known) & np.isin(sources, known)[:, np.newaxis]
    rank = is_shown.cumsum(axis=1)
    rows, columns = np.nonzero(is_shown & (rank <= each))
    order = np.argsort(rank[rows, columns], kind="stable")
    ends = np.stack((sources[rows], targets[rows, columns]), axis=1)[order]
    pairs = np.sort(np.searchsorted(known, ends), axis=1)
    # Of the two edges of points that are each other's nearest, the first stays.
    _, first = np.unique(pairs[:, 0] * len(known) + pairs[:, 1], return_index=True)
    return array("I", pairs[np.sort(first)].astype(np.uintc).tobytes())
