"""SQL for the vectors of memories together with those of their neighbours in conversations."""

from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple

from intaglio.embedding.rows import SOUND
from intaglio.store.tx import ReadTx
from intaglio.store.vectors.values import Model

_SELECT: Final = (
    f"SELECT memory, vector, pieces, length, previous FROM embeddings WHERE model = ? AND {SOUND} "  # noqa: S608 - constants only
)


class StoredVector(NamedTuple):
    """A memory's vector as stored.

    ``pieces`` are the distinct ids of its word pieces, ascending, as little-endian uint16, and
    ``length`` is their number with repetitions; both are None if the model has no token states.
    ``previous`` is the memory right before it in its conversation, of the same scope; that memory
    may be longer than a turn.
    """

    memory: int
    vector: bytes
    pieces: bytes | None
    length: int | None
    previous: int | None


def with_neighbours(tx: ReadTx, model: Model, seqs: Sequence[int]) -> dict[int, StoredVector]:
    """Return the vectors of memories, of those before them and of those after them, by memory."""
    asked = array("q", seqs)
    found = _of(tx, "AND memory IN (SELECT value FROM carray(?))", model, asked)
    after = _of(tx, "AND previous IN (SELECT value FROM carray(?))", model, asked)
    before = {row.previous for row in found.values() if row.previous is not None}
    missing = array("q", sorted(before - found.keys() - after.keys()))
    return found | after | _of(tx, "AND memory IN (SELECT value FROM carray(?))", model, missing)


def _of(tx: ReadTx, condition: str, model: Model, seqs: "array[int]") -> dict[int, StoredVector]:
    if not seqs:
        return {}
    rows = tx.map(
        StoredVector, _SELECT + condition, (model.id, model.dimensions, tx.bind_integers(seqs))
    )
    return {row.memory: row for row in rows}
