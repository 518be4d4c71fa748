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
        if sys.byteorder == "big":
            values.byteswap()
        length = len(values) * values.itemsize
        columns.append(PackedColumn(name, _TYPE_CODES[values.typecode], len(body), length))
        body += values.tobytes()
        body += bytes(-len(body) % ALIGNMENT)
    return tuple(columns), bytes(body)


def edges(seqs: "array[int]", neighbours: Iterable[tuple[int, bytes]], each: int) -> bytes:
    """Return pairs of indexes of points, as little-endian u32; both ends are in ``seqs``.

    Every point has edges to its ``each`` nearest; first come those to the nearest of each point.
    """
    import numpy as np  # noqa: PLC0415 - not at the daemon's start

    known = np.array(seqs, np.int64)
    wanted = 8 * each
    near = [(memory, found[:wanted].ljust(wanted, b"\xff")) for memory, found in neighbours]
    sources = np.array([memory for memory, _ in near], np.int64)
    targets = np.frombuffer(b"".join(found for _, found in near), "<i8").reshape(-1, each)
    pairs: list[np.ndarray[tuple[int, int], np.dtype[np.int64]]] = []
    for rank in range(each):
        both = np.stack((sources, targets[:, rank]), axis=1)
        both = both[np.isin(both, known).all(axis=1)]
        pairs.append(np.sort(np.searchsorted(known, both), axis=1))
    joined = np.concatenate(pairs)
    joined = joined[joined[:, 0] != joined[:, 1]]
    _, first = np.unique(joined, axis=0, return_index=True)
    return bytes(joined[np.sort(first)].astype("<u4").tobytes())
