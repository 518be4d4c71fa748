"""The job types of embedding, and when a memory asks for its vector."""

from typing import Final

from intaglio.jobs import rows
from intaglio.jobs.job_type import JobType
from intaglio.memory.operations import MemoryChange
from intaglio.store.tx import WriteTx

EMBED: Final = JobType(
    name="embed", label="Vectors of new and changed memories", concurrency=2, of_memory=True
)
"""The vector of a memory that was written."""

REEMBED: Final = JobType(
    name="reembed", label="Vectors that are missing", concurrency=2, of_memory=True
)
"""A vector that is missing for another cause, such as a change of the model.

A type of its own, so that what was just written does not wait for the rest.
"""

EMBEDDING_TYPES: Final = (EMBED, REEMBED)
EMBEDDING_TYPE_NAMES: Final = tuple(each.name for each in EMBEDDING_TYPES)


def queue_vector(tx: WriteTx, change: MemoryChange) -> None:
    """Have the vector of a memory made that is new, is back, or says something else than before."""
    if change.what in ("added", "recovered") or change.content_changed:
        rows.enqueue(tx, EMBED, change.id, change.at)


def unqueue_vector(tx: WriteTx, memory_id: str) -> None:
    """Drop the job of a memory that has its vector already."""
    rows.drop_pending(tx, EMBED, memory_id)
