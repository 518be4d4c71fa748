"""What is kept how long: digests of what was forgotten, and the record of the sweeps."""

from typing import Final

NAME: Final = "retention"

STATEMENTS: Final[tuple[str, ...]] = (
    # No content: what was forgotten is known by a digest alone once its tombstone is purged.
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
