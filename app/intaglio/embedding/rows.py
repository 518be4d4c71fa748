"""SQL for vectors and their models.

Triggers delete a vector when its memory is forgotten or rewritten, or when what it was made with
changes (m0014).
"""

import json
from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple

from intaglio.embedding.context_rows import contexts
from intaglio.embedding.values import (
    Coverage,
    EmbeddableText,
    MemoryContext,
    NewVector,
    VectorSet,
    VectorSetIdentity,
)
from intaglio.memory.embedding_model_rows import note_embedded
from intaglio.store.tx import ReadTx, Row, Sql, WriteTx
from intaglio.store.vectors import quantization
from intaglio.store.vectors.values import Model

_HAS: Final = "e.memory = m.seq AND e.model = ?"
SOUND: Final = "length(vector) = ? AND (pieces IS NULL OR length(pieces) % 2 = 0)"
"""Holds for a vector that has the size of its model's dimensions, and for its word pieces."""
_HAS_MARKED: Final = "e.memory = m.seq AND e.model = CAST(m.embedding_model AS INTEGER)"
_UNUSED: Final = "NOT EXISTS (SELECT 1 FROM memories m WHERE m.seq = e.memory AND m.is_deleted = 0)"
# Each part is one lookup in the index of models, so that it costs nothing if nothing is missing.
_OTHER_MODELS: Final = (
    "m.embedding_model IS NULL AND ?1 IS NOT NULL",
    "m.embedding_model < ?1",
    "m.embedding_model > ?1",
)


class _Set(NamedTuple):
    provider: str
    model: str
    hash: str
    dimensions: int
    id: int
    scale: float
    vectors: int


def find_model(tx: ReadTx, identity: VectorSetIdentity) -> Model | None:
    """Return the model with this identity, if it has ever made a vector."""
    found = tx.map(
        Model,
        "SELECT id, dimensions, scale FROM embedding_models "
        "WHERE provider = ? AND model = ? AND hash = ? AND dimensions = ?",
        (identity.provider, identity.model, identity.hash, identity.dimensions),
    )
    return found[0] if found else None


def add_model(tx: WriteTx, identity: VectorSetIdentity, scale: float, at: str) -> Model:
    """Write the identity with its scale unless it exists; the first scale stays."""
    tx.execute(
        "INSERT INTO embedding_models(provider, model, hash, dimensions, scale, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (identity.provider, identity.model, identity.hash, identity.dimensions, scale, at),
    )
    model = find_model(tx, identity)
    if model is None:
        raise LookupError("a model that was just written is not there")
    return model


def texts(
    tx: ReadTx, ids: Sequence[str], model: Model | None, *, in_context: bool
) -> list[EmbeddableText]:
    """Return the live memories with these ids, in any order, with the data for embedding them."""
    rows = tx.rows(
        tuple[str, int, str, int],
        "SELECT m.id, m.seq, m.content, "  # noqa: S608 - constants only
        f"EXISTS (SELECT 1 FROM embeddings e WHERE {_HAS}) FROM memories m "
        "WHERE m.id IN (SELECT value FROM json_each(?)) AND m.is_deleted = 0",
        (model.id if model else None, json.dumps(list(ids))),
    )
    around = contexts(tx, [seq for _, seq, _, _ in rows]) if in_context else {}
    return [
        EmbeddableText(id_, seq, content, bool(known), around.get(seq, MemoryContext()))
        for id_, seq, content, known in rows
    ]


def put(tx: WriteTx, model: Model, new: NewVector) -> None:
    """Write the vector of a live memory, replacing an earlier one of this model."""
    tx.execute(
        "INSERT INTO embeddings(memory, model, vector, pieces, length, previous, statement) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT(memory, model) DO UPDATE SET "
        "vector = excluded.vector, pieces = excluded.pieces, length = excluded.length, "
        "previous = excluded.previous, statement = excluded.statement",
        (
            new.memory,
            model.id,
            new.vector,
            new.pieces,
            new.length,
            new.previous,
            new.statement,
        ),
    )
    note_embedded(tx, model.id, new.memory)


def damaged(tx: ReadTx, model: Model, limit: int) -> list[int]:
    """Return the ids of vectors of the model that can't be used."""
    return tx.column(
        int,
        f"SELECT id FROM embeddings WHERE model = ? AND NOT ({SOUND}) LIMIT ?",  # noqa: S608 - constants only
        (model.id, model.dimensions, limit),
    )


def delete_vectors(tx: WriteTx, ids: Sequence[int]) -> None:
    """Delete vectors, so that their memories count as not embedded."""
    tx.execute(
        "DELETE FROM embeddings WHERE id IN (SELECT value FROM carray(?))",
        (tx.bind_integers(array("q", ids)),),
    )


def coverage(tx: ReadTx, model: Model | None) -> Coverage:
    """Count the live memories, and those that have a vector of this model."""
    live = tx.count("SELECT count(*) FROM memories WHERE is_deleted = 0")
    if model is None:
        return Coverage(live, 0)
    marked = "SELECT count(*) FROM memories WHERE is_deleted = 0 AND embedding_model = ?"
    return Coverage(live, tx.count(marked, (str(model.id),)))


def list_sets(tx: ReadTx) -> list[VectorSet]:
    """List the models with the number of their vectors; scans an index."""
    rows = tx.map(
        _Set,
        "SELECT m.provider, m.model, m.hash, m.dimensions, m.id, m.scale, ifnull(e.vectors, 0) "
        "FROM embedding_models m LEFT JOIN "
        "(SELECT model, count(*) AS vectors FROM embeddings GROUP BY model) e ON e.model = m.id",
    )
    return [
        VectorSet(
            VectorSetIdentity(row.provider, row.model, row.hash, row.dimensions),
            Model(row.id, row.dimensions, row.scale),
            row.vectors,
        )
        for row in rows
    ]


def vector_of(tx: ReadTx, memory_id: str, model: Model) -> bytes | None:
    """Return the stored vector of a live memory."""
    return tx.scalar(
        bytes,
        f"SELECT e.vector FROM memories m JOIN embeddings e ON {_HAS} "  # noqa: S608 - constants only
        "WHERE length(e.vector) = ? AND m.id = ? AND m.is_deleted = 0",
        (model.id, model.dimensions, memory_id),
    )


def made_in_context(tx: ReadTx, model: Model, seqs: Sequence[int]) -> frozenset[int]:
    """Return which of these memories have a vector that was made with other texts than theirs."""
    found = tx.column(
        int,
        "SELECT memory FROM embeddings WHERE model = ? AND memory IN (SELECT value FROM carray(?)) "
        "AND (previous IS NOT NULL OR statement IS NOT NULL)",
        (model.id, tx.bind_integers(array("q", seqs))),
    )
    return frozenset(found)


def delete_others(tx: WriteTx, keep: Model, limit: int) -> int:
    """Delete at most ``limit`` vectors of other models; return the number.

    Only for when every live memory has a vector of the kept model, or never will.
    """
    return tx.execute(
        "DELETE FROM embeddings WHERE id IN (SELECT id FROM embeddings WHERE model <> ? LIMIT ?)",
        (keep.id, limit),
    )


def count_unused(tx: ReadTx) -> int:
    """Count the vectors of memories that aren't live; scans all."""
    return tx.count(f"SELECT count(*) FROM embeddings e WHERE {_UNUSED}")  # noqa: S608 - a constant


def delete_unused(tx: WriteTx, after: int, limit: int) -> tuple[int, int] | None:
    """Delete the unused ones among the next ``limit`` vectors after a row number.

    Returns the last row number and how many were deleted; None if there are no more vectors.
    """
    last = tx.scalar(
        int,
        "SELECT max(id) FROM (SELECT id FROM embeddings WHERE id > ? ORDER BY id LIMIT ?)",
        (after, limit),
    )
    if last is None:
        return None
    gone = tx.execute(
        f"DELETE FROM embeddings AS e WHERE id > ? AND id <= ? AND {_UNUSED}",  # noqa: S608 - a constant
        (after, last),
    )
    return last, gone


def count_misfits(tx: ReadTx) -> int:
    """Count the vectors whose length differs from their model's; scans all."""
    return tx.count(
        "SELECT count(*) FROM embeddings e JOIN embedding_models m ON m.id = e.model "
        "WHERE length(e.vector) <> m.dimensions"
    )


def count_indexable(tx: ReadTx, model: Model) -> int:
    """Count the live memories whose vector of the model is in the table; scans all."""
    return tx.count(
        f"SELECT count(*) FROM memories m JOIN embeddings e ON {_HAS} WHERE m.is_deleted = 0",  # noqa: S608 - constants only
        (model.id,),
    )


def embedded(
    tx: ReadTx,
    condition: tuple[str, Sequence[Sql]],
    after: tuple[str, int],
    offset: int,
    limit: int,
) -> list[tuple[str, int]]:
    """List (marker, row number) of matching memories that have a vector, in order."""
    return tx.rows(
        tuple[str, int],
        f"SELECT m.embedding_model, m.seq FROM memories m WHERE {condition[0]} "  # noqa: S608 - built of constants
        "AND m.embedding_model >= ? AND (m.embedding_model, m.seq) > (?, ?) "
        "ORDER BY m.embedding_model, m.seq LIMIT ? OFFSET ?",
        (*condition[1], after[0], *after, limit, offset),
    )


def count_embedded(tx: ReadTx, condition: tuple[str, Sequence[Sql]]) -> int:
    """Count the matching memories that have a vector."""
    return tx.count(
        f"SELECT count(*) FROM memories m WHERE {condition[0]} AND m.embedding_model IS NOT NULL",  # noqa: S608 - see above
        condition[1],
    )


def vectors(tx: ReadTx, seqs: Sequence[int]) -> dict[int, list[float]]:
    """Return the vectors of memories as numbers, each from the model that made it last."""
    rows = tx.rows(
        tuple[int, bytes, float],
        f"SELECT m.seq, e.vector, em.scale FROM memories m JOIN embeddings e ON {_HAS_MARKED} "  # noqa: S608 - constants only
        "JOIN embedding_models em ON em.id = e.model WHERE m.seq IN (SELECT value FROM carray(?))",
        (tx.bind_integers(array("q", seqs)),),
    )
    return {seq: list(quantization.restore(vector, scale)) for seq, vector, scale in rows}


def gaps(tx: ReadTx, model: Model | None, job_types: Sequence[str], limit: int) -> list[str]:
    """List ids of live memories without a vector of this model and without a job to make one.

    A failed or discarded job of these types counts as one.
    """
    types = ", ".join(f"?{number}" for number in range(3, 3 + len(job_types)))
    job = f"SELECT 1 FROM jobs j WHERE j.subject = m.id AND j.type IN ({types}) AND j.status IN"  # noqa: S608 - numbers of parameters
    # Two lookups, worded for the two indexes of jobs by subject.
    no_job = (
        f"NOT EXISTS ({job} ('pending', 'leased')) AND NOT EXISTS ({job} ('dead', 'completed'))"
    )
    parts = " UNION ALL ".join(
        f"SELECT m.id FROM memories m WHERE m.is_deleted = 0 AND {other} AND {no_job}"  # noqa: S608 - constants only
        for other in _OTHER_MODELS
    )
    mark = str(model.id) if model else ""
    return tx.column(str, f"{parts} LIMIT ?2", (mark, limit, *job_types))


def count_lacking(tx: ReadTx, model: Model | None) -> int:
    """Count the live memories without a vector of this model, queued or not."""
    mark = str(model.id) if model else ""
    return sum(
        tx.count(
            f"SELECT count(*) FROM memories m WHERE m.is_deleted = 0 AND {other}",  # noqa: S608 - constants only
            (mark,),
        )
        for other in _OTHER_MODELS
    )


def left_by_tombstones(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List vectors left by tombstones from before a time; the triggers leave none."""
    return tx.all(
        "SELECT e.id FROM memories m JOIN embeddings e ON e.memory = m.seq "
        "WHERE m.is_deleted = 1 AND m.deleted_at < ? LIMIT ?",
        (before, limit),
    )


def purge_unused(tx: WriteTx, key: Row, _before: str, _now: str) -> int:
    """Delete a vector whose memory isn't live."""
    return tx.execute(f"DELETE FROM embeddings AS e WHERE e.id = ? AND {_UNUSED}", key)  # noqa: S608 - a constant


def drop_of_sessions(tx: WriteTx, project: str, sessions: Sequence[str]) -> int:
    """Delete the vectors of a project's memories of these sessions: their context has changed."""
    return tx.execute(
        "DELETE FROM embeddings WHERE pieces IS NOT NULL AND memory IN (SELECT seq FROM memories "
        "WHERE project = ? AND session_id IN (SELECT value FROM json_each(?)))",
        (project, json.dumps(list(sessions))),
    )
