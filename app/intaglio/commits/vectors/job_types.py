"""The job that embeds a project's commits."""

from typing import Final

from intaglio.jobs import rows
from intaglio.jobs.job_type import JobType
from intaglio.store.tx import WriteTx

EMBED_COMMITS: Final = JobType(name="embed_commits", label="Embeddings of commits")


def queue_commits(tx: WriteTx, project: str, at: str) -> None:
    """Queue the embedding of a project's commits."""
    rows.enqueue(tx, EMBED_COMMITS, project, at)
