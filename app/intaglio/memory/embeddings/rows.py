"""SQL on vectors and their models; deleting unused vectors is done by triggers (m0002)."""

import json
from array import array
from collections.abc import Sequence
from typing import Final

from intaglio.memory.embeddings.values import Coverage, Identity, Text, VectorSet
from intaglio.store.tx import ReadTx, Row, Sql, WriteTx
from intaglio.store.vectors import quantise
from intaglio.store.vectors.values import Model

_KEY_BYTES: Final = 8
_KEY: Final = f"substr(m.content_hash, 1, {_KEY_BYTES})"
_HAS: Final = f"e.content_key = {_KEY} AND e.model = ?"
_HAS_MARKED: Final = f"e.content_key = {_KEY} AND e.model = CAST(m.embedding_model AS INTEGER)"
_HASHES_OF_KEY: Final = f"e.content_key AND CAST(e.content_key || x'{'ff' * 24}' AS BLOB)"
_UNUSED: Final = (
    "NOT EXISTS (SELECT 1 FROM memories m WHERE m.is_deleted = 0 "  # noqa: S608 - constants only
    f"AND m.content_hash BETWEEN {_HASHES_OF_KEY})"
)
# What the mark of a memory ought to be: the wanted model's, else that of a vector that is there.
_TRUE_MARK: Final = (
    f"CASE WHEN EXISTS (SELECT 1 FROM embeddings e WHERE {_HAS}) THEN ? "  # noqa: S608 - constants only
    f"WHEN EXISTS (SELECT 1 FROM embeddings e WHERE {_HAS_MARKED}) THEN m.embedding_model END"
)


def find_model(tx: ReadTx, identity: Identity) -> Model | None:
    """Return the model of this identity, if any vector was ever made by it."""
    row = tx.one(
        "SELECT id, dimensions, scale FROM embedding_models "
        "WHERE provider = ? AND model = ? AND hash = ? AND dimensions = ?",
        (identity.provider, identity.model, identity.hash, identity.dimensions),
    )
    return _model(row) if row else None


def _model(row: Row) -> Model:
    number, dimensions, scale = row
    return Model(int(str(number)), int(str(dimensions)), float(str(scale)))


def add_model(tx: WriteTx, identity: Identity, scale: float, at: str) -> Model:
    """Write the identity with its scale unless it is there; the scale written first stays."""
    tx.execute(
        "INSERT INTO embedding_models(provider, model, hash, dimensions, scale, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (identity.provider, identity.model, identity.hash, identity.dimensions, scale, at),
    )
    model = find_model(tx, identity)
    if model is None:
        raise LookupError("a model that was just written is not there")
    return model


def texts(tx: ReadTx, ids: Sequence[str], model: Model | None) -> list[Text]:
    """Return the live memories of these ids in any order, with what their vectors need."""
    rows = tx.all(
        "SELECT m.id, m.content, m.content_hash, "  # noqa: S608 - constants only
        f"EXISTS (SELECT 1 FROM embeddings e WHERE {_HAS}) FROM memories m "
        "WHERE m.id IN (SELECT value FROM json_each(?)) AND m.is_deleted = 0",
        (model.id if model else None, json.dumps(list(ids))),
    )
    return [
        Text(str(id_), str(content), digest, bool(known))
        for id_, content, digest, known in rows
        if isinstance(digest, bytes)
    ]


def has_content(tx: ReadTx, text: Text) -> bool:
    """Tell whether the memory is live and its content is still the one that was read."""
    return bool(
        tx.count(
            "SELECT count(*) FROM memories WHERE id = ? AND content_hash = ? AND is_deleted = 0",
            (text.id, text.digest),
        )
    )


def put(tx: WriteTx, model: Model, digest: bytes, row: bytes) -> None:
    """Write the vector of a content, in the place of the one that this model made before."""
    tx.execute(
        "INSERT INTO embeddings(content_key, model, vector) VALUES (?, ?, ?) "
        "ON CONFLICT(content_key, model) DO UPDATE SET vector = excluded.vector",
        (digest[:_KEY_BYTES], model.id, row),
    )


def mark(tx: WriteTx, model: Model, digest: bytes) -> int:
    """Note in every live memory of this content that its vector is there; count them.

    The index learns of a vector by this, so it follows each ``put``.
    """
    return tx.execute(
        "UPDATE memories SET embedding_model = ? WHERE content_hash = ? AND is_deleted = 0 "
        "AND EXISTS (SELECT 1 FROM embeddings WHERE content_key = ? AND model = ?)",
        (str(model.id), digest, digest[:_KEY_BYTES], model.id),
    )


def coverage(tx: ReadTx, model: Model | None) -> Coverage:
    """Count the live memories, and those that have a vector of this model."""
    live = tx.count("SELECT count(*) FROM memories WHERE is_deleted = 0")
    if model is None:
        return Coverage(live, 0)
    marked = "SELECT count(*) FROM memories WHERE is_deleted = 0 AND embedding_model = ?"
    return Coverage(live, tx.count(marked, (str(model.id),)))


def sets(tx: ReadTx) -> list[VectorSet]:
    """List the models with the number of their vectors; reads a whole index."""
    rows = tx.all(
        "SELECT m.provider, m.model, m.hash, m.dimensions, m.id, m.scale, ifnull(e.vectors, 0) "
        "FROM embedding_models m LEFT JOIN "
        "(SELECT model, count(*) AS vectors FROM embeddings GROUP BY model) e ON e.model = m.id"
    )
    return [
        VectorSet(
            Identity(str(provider), str(name), str(digest), int(str(dimensions))),
            _model((number, dimensions, scale)),
            int(str(vectors)),
        )
        for provider, name, digest, dimensions, number, scale, vectors in rows
    ]


def vector_of(tx: ReadTx, memory_id: str, model: Model) -> bytes | None:
    """Return the stored vector of a live memory."""
    found = tx.value(
        f"SELECT e.vector FROM memories m JOIN embeddings e ON {_HAS} "  # noqa: S608 - constants only
        "WHERE m.id = ? AND m.is_deleted = 0",
        (model.id, memory_id),
    )
    return found if isinstance(found, bytes) else None


def delete_others(tx: WriteTx, keep: Model, limit: int) -> int:
    """Delete vectors of other models, at most ``limit``; return how many went.

    Only for when every live memory has one of the model that is kept, or will never have it; the
    latter say from then on that they have none.
    """
    others = "is_deleted = 0 AND (embedding_model < ? OR embedding_model > ?)"
    tx.execute(
        "UPDATE memories SET embedding_model = NULL WHERE seq IN "  # noqa: S608 - a constant
        f"(SELECT seq FROM memories WHERE {others} LIMIT ?)",
        (str(keep.id), str(keep.id), limit),
    )
    return tx.execute(
        "DELETE FROM embeddings WHERE id IN (SELECT id FROM embeddings WHERE model <> ? LIMIT ?)",
        (keep.id, limit),
    )


def name_of(tx: ReadTx, model: Model) -> str:
    """Return the model's name as a person knows it."""
    found = tx.value("SELECT model FROM embedding_models WHERE id = ?", (model.id,))
    return str(found or "")


def correct_marks(
    tx: WriteTx, model: Model | None, after: int, limit: int
) -> tuple[int, int] | None:
    """Make ``limit`` memories beyond a row number say which vector they have, as the table has it.

    Returns the last row number and how many were wrong; None when there are no more memories.
    """
    last = tx.value(
        "SELECT max(seq) FROM (SELECT seq FROM memories WHERE seq > ? ORDER BY seq LIMIT ?)",
        (after, limit),
    )
    if last is None:
        return None
    known: tuple[Sql, ...] = (model.id, str(model.id)) if model else (None, None)
    wrong = tx.execute(
        f"UPDATE memories AS m SET embedding_model = {_TRUE_MARK} "  # noqa: S608 - constants only
        f"WHERE seq > ? AND seq <= ? AND is_deleted = 0 AND embedding_model IS NOT {_TRUE_MARK}",
        (*known, after, last, *known),
    )
    return int(str(last)), wrong


def count_unused(tx: ReadTx) -> int:
    """Count the vectors of contents that no live memory has; looks at each."""
    return tx.count(f"SELECT count(*) FROM embeddings e WHERE {_UNUSED}")  # noqa: S608 - a constant


def delete_unused(tx: WriteTx, after: int, limit: int) -> tuple[int, int] | None:
    """Delete unused ones among ``limit`` vectors beyond a row number.

    Returns the last row number and how many went; None when there are no more vectors.
    """
    last = tx.value(
        "SELECT max(id) FROM (SELECT id FROM embeddings WHERE id > ? ORDER BY id LIMIT ?)",
        (after, limit),
    )
    if last is None:
        return None
    gone = tx.execute(
        f"DELETE FROM embeddings AS e WHERE id > ? AND id <= ? AND {_UNUSED}",  # noqa: S608 - a constant
        (after, last),
    )
    return int(str(last)), gone


def count_misfits(tx: ReadTx) -> int:
    """Count the vectors that are not as long as those of their model are; looks at each."""
    return tx.count(
        "SELECT count(*) FROM embeddings e JOIN embedding_models m ON m.id = e.model "
        "WHERE length(e.vector) <> m.dimensions"
    )


def count_indexable(tx: ReadTx, model: Model) -> int:
    """Count the live memories that have a vector of the model in the table; looks at each."""
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
    """List (mark, row number) of memories that pass the condition and have a vector, in order."""
    rows = tx.all(
        f"SELECT m.embedding_model, m.seq FROM memories m WHERE {condition[0]} "  # noqa: S608 - built of constants
        "AND m.embedding_model >= ? AND (m.embedding_model, m.seq) > (?, ?) "
        "ORDER BY m.embedding_model, m.seq LIMIT ? OFFSET ?",
        (*condition[1], after[0], *after, limit, offset),
    )
    return [(str(mark), int(str(seq))) for mark, seq in rows]


def count_embedded(tx: ReadTx, condition: tuple[str, Sequence[Sql]]) -> int:
    """Count the memories that pass the condition and have a vector."""
    return tx.count(
        f"SELECT count(*) FROM memories m WHERE {condition[0]} AND m.embedding_model IS NOT NULL",  # noqa: S608 - see above
        condition[1],
    )


def vectors(tx: ReadTx, seqs: Sequence[int]) -> dict[int, list[float]]:
    """Return the vectors of memories as numbers again, each of the model that made it last."""
    rows = tx.all(
        f"SELECT m.seq, e.vector, em.scale FROM memories m JOIN embeddings e ON {_HAS_MARKED} "  # noqa: S608 - constants only
        "JOIN embedding_models em ON em.id = e.model WHERE m.seq IN (SELECT value FROM carray(?))",
        (tx.numbers(array("q", seqs)),),
    )
    return {
        int(str(seq)): list(quantise.restore(vector, float(str(scale))))
        for seq, vector, scale in rows
        if isinstance(vector, bytes)
    }
