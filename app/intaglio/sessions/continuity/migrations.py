"""The table of checkpoints."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        44,
        "checkpoints",
        (
            # Agent and project are those of the session.
            """
            CREATE TABLE checkpoints(
              seq INTEGER PRIMARY KEY,
              id TEXT NOT NULL UNIQUE,
              session INTEGER NOT NULL,
              cause TEXT NOT NULL,
              prompts INTEGER NOT NULL,
              lines TEXT NOT NULL,
              summary TEXT NOT NULL,
              focal_entities TEXT NOT NULL,
              active_aspects TEXT NOT NULL,
              constraints INTEGER NOT NULL,
              traversed INTEGER NOT NULL,
              created_at TEXT NOT NULL
            ) STRICT
            """,
            "CREATE INDEX checkpoints_session ON checkpoints(session, seq)",
            "CREATE INDEX checkpoints_created ON checkpoints(created_at)",
            # A session's number may be given again.
            """
            CREATE TRIGGER sessions_checkpoints_deleted AFTER DELETE ON sessions BEGIN
              DELETE FROM checkpoints WHERE session = old.number;
            END
            """,
        ),
    ),
)
