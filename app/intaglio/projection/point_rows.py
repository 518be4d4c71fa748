"""SQL on the points of layouts, and on the vectors that they stand for."""

from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple

from intaglio.memory.filters import Filter, where
from intaglio.store.tx import ReadTx, Sql, WriteTx
from intaglio.store.vectors.values import Model

_JOINED: Final = (
    "memories m JOIN embeddings e ON e.memory = m.seq AND e.model = ? AND length(e.vector) = ?"
)
_AMONG: Final = "m.seq IN (SELECT value FROM carray(?))"
_STANDS: Final = (
    "EXISTS (SELECT 1 FROM projection_points p WHERE p.projection = ? AND p.memory = m.seq "
    "AND p.vector = e.id)"
)


class Covered(NamedTuple):
    """The live memories that a map covers, and the model whose vectors of them it lays out."""

    memories: Filter
    model: Model


class VectorOf(NamedTuple):
    """A memory's vector, as stored."""

    memory: int
    id: int
    vector: bytes


class PointPosition(NamedTuple):
    """Where a memory is in a layout; ``z`` is None in two dimensions."""

    memory: int
    x: float
    y: float
    z: float | None

    @property
    def coordinates(self) -> tuple[float, ...]:
        """The two or three coordinates."""
        return (self.x, self.y) if self.z is None else (self.x, self.y, self.z)


class NewPoint(NamedTuple):
    """A point to write; ``neighbours`` are little-endian 64-bit row numbers, nearest first."""

    memory: int
    vector: int
    x: float
    y: float
    z: float | None
    is_placed: bool
    neighbours: bytes | None


def vector_ids(tx: ReadTx, covered: Covered, after: int, limit: int) -> list[tuple[int, int]]:
    """List covered memories above a row number with the ids of their vectors, in order."""
    condition, params = where(covered.memories)
    return tx.rows(
        tuple[int, int],
        f"SELECT m.seq, e.id FROM {_JOINED} WHERE {condition} AND m.seq > ? "  # noqa: S608 - constants only
        "ORDER BY m.seq LIMIT ?",
        (covered.model.id, covered.model.dimensions, *params, after, limit),
    )


def vectors(tx: ReadTx, ids: "array[int]") -> dict[int, bytes]:
    """Return the vectors with these ids."""
    return dict(
        tx.rows(
            tuple[int, bytes],
            "SELECT id, vector FROM embeddings WHERE id IN (SELECT value FROM carray(?))",
            (tx.bind_integers(ids),),
        )
    )


def current_vectors(tx: ReadTx, covered: Covered, memories: Sequence[int]) -> dict[int, VectorOf]:
    """Return the vectors of those of these memories that a map covers."""
    condition, params = where(covered.memories)
    found = tx.map(
        VectorOf,
        f"SELECT m.seq, e.id, e.vector FROM {_JOINED} WHERE {_AMONG} AND {condition}",  # noqa: S608 - constants only
        (
            covered.model.id,
            covered.model.dimensions,
            tx.bind_integers(array("q", memories)),
            *params,
        ),
    )
    return {each.memory: each for each in found}


def without_point(
    tx: ReadTx, layout: int, covered: Covered, memories: Sequence[int] | None, limit: int
) -> list[VectorOf]:
    """List covered memories whose vector has no point; ``memories`` None: among all."""
    condition, params = where(covered.memories)
    among: tuple[Sql, ...] = ()
    if memories is not None:
        condition, among = f"{condition} AND {_AMONG}", (tx.bind_integers(array("q", memories)),)
    return tx.map(
        VectorOf,
        f"SELECT m.seq, e.id, e.vector FROM {_JOINED} WHERE {condition} AND NOT {_STANDS} "  # noqa: S608 - constants only
        "ORDER BY m.seq LIMIT ?",
        (covered.model.id, covered.model.dimensions, *params, *among, layout, limit),
    )


def places(tx: ReadTx, layout: int, memories: Sequence[int]) -> dict[int, PointPosition]:
    """Return where these memories are in a layout, unless their text has changed since."""
    found = tx.map(
        PointPosition,
        "SELECT memory, x, y, z FROM projection_points WHERE projection = ? AND vector <> 0 "
        "AND memory IN (SELECT value FROM carray(?))",
        (layout, tx.bind_integers(array("q", memories))),
    )
    return {each.memory: each for each in found}


def all_places(tx: ReadTx, layout: int, after: int, limit: int) -> list[PointPosition]:
    """List the points of a layout above a row number of memories, in order."""
    return tx.map(
        PointPosition,
        "SELECT memory, x, y, z FROM projection_points WHERE projection = ? AND memory > ? "
        "ORDER BY memory LIMIT ?",
        (layout, after, limit),
    )


def add_points(tx: WriteTx, layout: int, points: Sequence[NewPoint]) -> None:
    """Write points of a layout, in place of what it has of the same memories."""
    for point in points:
        tx.execute(
            "INSERT INTO projection_points(projection, memory, vector, x, y, z, placed, "
            "neighbours) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "vector = excluded.vector, x = excluded.x, y = excluded.y, z = excluded.z, "
            "placed = excluded.placed, neighbours = excluded.neighbours",
            (layout, *point),
        )


def count_laid_out(tx: WriteTx, layout: int, points: int) -> None:
    """Add to the number of points that a full run laid out."""
    tx.execute("UPDATE projections SET points = points + ? WHERE number = ?", (points, layout))


def set_vector(tx: WriteTx, layout: int, memory: int, vector: int) -> int:
    """Let a point stand for another vector of the same text; return how many there were."""
    return tx.execute(
        "UPDATE projection_points SET vector = ? WHERE projection = ? AND memory = ? "
        "AND vector <> 0",
        (vector, layout, memory),
    )


def raise_revision(tx: WriteTx, layout: int) -> None:
    """Count a change of a layout's points."""
    tx.execute("UPDATE projections SET revision = revision + 1 WHERE number = ?", (layout,))


def hidden(tx: ReadTx, layout: int) -> list[int]:
    """List the forgotten memories that have a point in a layout."""
    return tx.column(
        int,
        "SELECT p.memory FROM memories m JOIN projection_points p ON p.projection = ? "
        "AND p.memory = m.seq WHERE m.is_deleted = 1 ORDER BY p.memory",
        (layout,),
    )


def carry_over(tx: WriteTx, former: int, draft: int, memories: Sequence[int]) -> None:
    """Give a draft the points of memories that are forgotten, where they were."""
    tx.execute(
        "INSERT OR IGNORE INTO projection_points(projection, memory, vector, x, y, z, placed, "
        "neighbours) SELECT ?, p.memory, p.vector, p.x, p.y, p.z, 1, p.neighbours "
        "FROM projection_points p JOIN memories m ON m.seq = p.memory "
        "WHERE p.projection = ? AND p.memory IN (SELECT value FROM carray(?)) "
        "AND m.is_deleted = 1",
        (draft, former, tx.bind_integers(array("q", memories))),
    )
