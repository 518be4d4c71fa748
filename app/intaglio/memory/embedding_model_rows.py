"""SQL for the column of memories that names the model of a memory's embedding.

The vector index learns about new vectors from this column, so code that writes vectors calls these
functions in the same transaction (see `embedding/rows.py`). A trigger clears it when the vector is
deleted.
"""

from typing import Final

from intaglio.store.tx import ReadTx, Sql, WriteTx

_HAS: Final = "e.memory = m.seq AND e.model = ?"
_HAS_MARKED: Final = "e.memory = m.seq AND e.model = CAST(m.embedding_model AS INTEGER)"
# The given model if its vector exists, otherwise the recorded model if its vector exists.
_TRUE_MODEL: Final = (
    f"CASE WHEN EXISTS (SELECT 1 FROM embeddings e WHERE {_HAS}) THEN ? "  # noqa: S608 - constants only
    f"WHEN EXISTS (SELECT 1 FROM embeddings e WHERE {_HAS_MARKED}) THEN m.embedding_model END"
)

_WRONG: Final = f"m.is_deleted = 0 AND m.embedding_model IS NOT {_TRUE_MODEL}"


def note_embedded(tx: WriteTx, model: int, seq: int) -> int:
    """Record the model on a memory if its vector exists; return how many rows changed."""
    return tx.execute(
        "UPDATE memories SET embedding_model = ? WHERE seq = ? AND is_deleted = 0 "
        "AND EXISTS (SELECT 1 FROM embeddings WHERE memory = seq AND model = ?)",
        (str(model), seq, model),
    )


def correct_models(
    tx: WriteTx, model: int | None, after: int, limit: int
) -> tuple[int, int] | None:
    """Correct the recorded model of the next ``limit`` memories after a row number.

    Compares with the table of vectors. Returns the last row number and how many were wrong; None if
    there are no more memories.
    """
    last = tx.scalar(
        int,
        "SELECT max(seq) FROM (SELECT seq FROM memories WHERE seq > ? ORDER BY seq LIMIT ?)",
        (after, limit),
    )
    if last is None:
        return None
    known = _known(model)
    wrong = tx.execute(
        f"UPDATE memories AS m SET embedding_model = {_TRUE_MODEL} "  # noqa: S608 - constants only
        f"WHERE seq > ? AND seq <= ? AND {_WRONG}",
        (*known, after, last, *known),
    )
    return last, wrong


def count_incorrect_models(tx: ReadTx, model: int | None) -> int:
    """Count the memories whose recorded model differs from the table of vectors; reads all."""
    return tx.count(f"SELECT count(*) FROM memories m WHERE {_WRONG}", _known(model))  # noqa: S608 - constants only


def _known(model: int | None) -> tuple[Sql, ...]:
    return (None, None) if model is None else (model, str(model))
