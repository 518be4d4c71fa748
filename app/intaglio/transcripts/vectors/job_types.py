"""The job that embeds what was said in a session."""

from typing import Final

from intaglio.jobs import rows
from intaglio.jobs.job_type import JobType
from intaglio.store.tx import WriteTx

EMBED_TRANSCRIPT: Final = JobType(name="embed_transcript", label="Embeddings of what was said")


def queue_transcript(tx: WriteTx, transcript: int, at: str) -> None:
    """Queue the embedding of a transcript's new messages."""
    rows.enqueue(tx, EMBED_TRANSCRIPT, str(transcript), at)
