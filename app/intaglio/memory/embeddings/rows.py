"""SQL on vectors and their models; deleting unused vectors is done by triggers (m0002)."""

import json
from collections.abc import Sequence
from typing import Final

from intaglio.memory.embeddings.values import Coverage, Identity, Text, Waiting
from intaglio.store.tx import ReadTx, Row, WriteTx
from intaglio.store.vector_values import Model

_KEY_BYTES: Final = 8
_KEY: Final = f"substr(m.content_hash, 1, {_KEY_BYTES})"
_HAS: Final = f"e.content_key = {_KEY} AND e.model = ?"


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
    row = tx.one(
        "SELECT count(*), count(*) FILTER (WHERE embedding_model = ?) "
        "FROM memories WHERE is_deleted = 0",
        (str(model.id) if model else None,),
    )
    live, embedded = row or (0, 0)
    return Coverage(int(str(live)), int(str(embedded)))


def without(tx: ReadTx, model: Model | None, after: int, limit: int) -> list[Waiting]:
    """List live memories that have no vector of this model, beyond a row number, in order."""
    rows = tx.all(
        "SELECT seq, id FROM memories WHERE seq > ? AND is_deleted = 0 "
        "AND embedding_model IS NOT ? ORDER BY seq LIMIT ?",
        # Without a model none has one: no row holds an empty name.
        (after, str(model.id) if model else "", limit),
    )
    return [Waiting(int(str(seq)), str(id_)) for seq, id_ in rows]


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

    Only for when every live memory has one of the model that is kept.
    """
    return tx.execute(
        "DELETE FROM embeddings WHERE id IN (SELECT id FROM embeddings WHERE model <> ? LIMIT ?)",
        (keep.id, limit),
    )


def name_of(tx: ReadTx, model: Model) -> str:
    """Return the model's name as a person knows it."""
    found = tx.value("SELECT model FROM embedding_models WHERE id = ?", (model.id,))
    return str(found or "")
