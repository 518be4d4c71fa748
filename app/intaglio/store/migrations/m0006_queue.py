"""Indexes for finding missing vectors and finished jobs without a scan."""

from typing import Final

NAME: Final = "queue"

STATEMENTS: Final[tuple[str, ...]] = (
    "CREATE INDEX memories_embedded ON memories(embedding_model) WHERE is_deleted = 0",
    "CREATE INDEX jobs_ended ON jobs(subject, type) WHERE status IN ('dead', 'completed')",
)
