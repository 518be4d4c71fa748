"""Retention: forgotten-content hashes and the record of the sweeps."""

from typing import Final

NAME: Final = "retention"

STATEMENTS: Final[tuple[str, ...]] = (
    # No content: after its tombstone is purged, forgotten content is identified only by a hash.
    """
    CREATE TABLE forgotten(
      digest BLOB PRIMARY KEY,
      forgotten_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX memories_dead_hash ON memories(content_hash) WHERE is_deleted = 1",
    """
    CREATE TABLE sweeps(
      seq INTEGER PRIMARY KEY,
      cause TEXT NOT NULL,
      started_at TEXT NOT NULL,
      ended_at TEXT,
      report TEXT
    ) STRICT
    """,
)
