"""SQL over memories and jobs together: what lacks a vector and is not queued. It only reads."""

from typing import Final

from intaglio.store.tx import ReadTx
from intaglio.store.vectors.values import Model

# Each part is one seek in the index of marks, so that it costs nothing while nothing is missing.
_OTHER_MARKS: Final = (
    "m.embedding_model IS NULL AND ? IS NOT NULL",
    "m.embedding_model < ?",
    "m.embedding_model > ?",
)
_JOB: Final = (
    "SELECT 1 FROM jobs j WHERE j.subject = m.id AND j.type IN ('embed', 'reembed') AND j.status IN"
)
# Twice, in the words of the two indexes of jobs by subject.
_NO_JOB: Final = (
    f"NOT EXISTS ({_JOB} ('pending', 'leased')) AND NOT EXISTS ({_JOB} ('dead', 'completed'))"
)


def gaps(tx: ReadTx, model: Model | None, limit: int) -> list[str]:
    """List ids of live memories without a vector of this model and without a job to make one.

    A job that was given up or discarded counts as one.
    """
    mark = str(model.id) if model else ""
    parts = " UNION ALL ".join(
        f"SELECT m.id FROM memories m WHERE m.is_deleted = 0 AND {other} AND {_NO_JOB}"  # noqa: S608 - constants only
        for other in _OTHER_MARKS
    )
    return [str(id_) for (id_,) in tx.all(f"{parts} LIMIT ?", (mark, mark, mark, limit))]


def count_lacking(tx: ReadTx, model: Model | None) -> int:
    """Count the live memories without a vector of this model, queued or not."""
    mark = str(model.id) if model else ""
    return sum(
        tx.count(
            f"SELECT count(*) FROM memories m WHERE m.is_deleted = 0 AND {other}",  # noqa: S608 - constants only
            (mark,),
        )
        for other in _OTHER_MARKS
    )
