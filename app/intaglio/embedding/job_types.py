"""The job types of embedding, and when a memory needs a new vector."""

from typing import Final

from intaglio.jobs import rows
from intaglio.jobs.job_type import JobType
from intaglio.memory.operations import ChangeContext, MemoryChange
from intaglio.store.tx import WriteTx

EMBED: Final = JobType(
    name="embed",
    label="Embeddings of new and changed memories",
    concurrency=2,
    about="memory",
    embeds=True,
)
"""Embeds a memory that was just written."""

REEMBED: Final = JobType(
    name="reembed", label="Missing embeddings", concurrency=2, about="memory", embeds=True
)
"""Embeds a memory that lacks a vector for another reason, such as a change of the model.

It is a separate type so that new memories don't wait for the rest.
"""

EMBEDDING_TYPES: Final = (EMBED, REEMBED)
EMBEDDING_TYPE_NAMES: Final = tuple(each.name for each in EMBEDDING_TYPES)


def queue_vector(tx: WriteTx, change: MemoryChange, _: ChangeContext) -> None:
    """Queue the embedding of a memory that is new, was recovered, or changed its text."""
    if change.what in ("added", "recovered") or change.content_changed:
        rows.enqueue(tx, EMBED, change.id, change.at)


def unqueue_vector(tx: WriteTx, memory_id: str) -> None:
    """Drop the job of a memory that already has its vector."""
    rows.drop_pending(tx, EMBED, memory_id)
