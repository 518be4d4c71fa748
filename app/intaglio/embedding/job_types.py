"""The job types of embedding, and the one way by which a memory asks for its vector."""

from typing import Final

from intaglio.jobs import rows
from intaglio.jobs.job_type import JobType
from intaglio.store.tx import WriteTx

EMBED: Final = JobType(name="embed", label="Vectors of new and changed memories", concurrency=2)
"""The vector of a memory that was written."""

REEMBED: Final = JobType(name="reembed", label="Vectors that are missing", concurrency=2)
"""A vector that is missing for another cause, such as a change of the model.

A type of its own, so that what was just written does not wait for the rest.
"""

EMBEDDING_TYPES: Final = (EMBED, REEMBED)
EMBEDDING_TYPE_NAMES: Final = tuple(each.name for each in EMBEDDING_TYPES)


def enqueue_embedding(tx: WriteTx, memory_id: str, at: str) -> None:
    """Have the vector of a memory made: it is new, or says something else than before."""
    rows.enqueue(tx, EMBED, memory_id, at)
