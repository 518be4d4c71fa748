"""Ratings by sessions, the agent and visibility of history entries, and secure deletion."""

from typing import Final

NAME: Final = "feedback"

STATEMENTS: Final[tuple[str, ...]] = (
    """
    CREATE TABLE feedback(
      session_id TEXT NOT NULL,
      memory_id TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      rating REAL NOT NULL,
      created_at TEXT NOT NULL,
      PRIMARY KEY(session_id, memory_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX feedback_memory ON feedback(memory_id)",
    "CREATE INDEX feedback_age ON feedback(created_at)",
    # NULL is the common case: the default agent, and global.
    "ALTER TABLE memory_history ADD COLUMN agent_id TEXT",
    "ALTER TABLE memory_history ADD COLUMN visibility TEXT",
    """
    UPDATE memory_history SET (agent_id, visibility) = (
      SELECT nullif(agent_id, 'default'), nullif(visibility, 'global')
      FROM memories WHERE id = memory_history.memory_id
    )
    """,
    # Without this, a deleted word stays in the file until segments are merged.
    "INSERT INTO memories_fts(memories_fts, rank) VALUES ('secure-delete', 1)",
)
