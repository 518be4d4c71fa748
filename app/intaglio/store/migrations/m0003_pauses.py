"""Pauses of capture, and when the unread part of each transcript was written."""

from typing import Final

NAME: Final = "pauses"

STATEMENTS: Final[tuple[str, ...]] = (
    """
    CREATE TABLE pauses(
      id TEXT NOT NULL PRIMARY KEY,
      started_at TEXT NOT NULL,
      until TEXT,
      ended_at TEXT,
      asked_by TEXT NOT NULL
    ) STRICT
    """,
    "ALTER TABLE sessions ADD COLUMN read_at TEXT",
)
