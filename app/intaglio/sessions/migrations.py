"""The tables of the sessions package that came after the schema's first twenty steps."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        21,
        "considered statements",
        (
            # What capture judged and neither kept nor offered; a place has one row.
            """
            CREATE TABLE considered_statements(
              seq INTEGER PRIMARY KEY,
              harness TEXT NOT NULL,
              session_id TEXT NOT NULL,
              message_id TEXT NOT NULL,
              start_char INTEGER NOT NULL,
              end_char INTEGER NOT NULL,
              said_at TEXT,
              recorded_at TEXT NOT NULL,
              agent_id TEXT NOT NULL,
              project TEXT,
              sentence TEXT NOT NULL,
              content TEXT NOT NULL,
              type TEXT NOT NULL,
              everywhere INTEGER NOT NULL,
              confidence REAL NOT NULL
            ) STRICT
            """,
            """
            CREATE UNIQUE INDEX considered_place
            ON considered_statements(message_id, start_char, harness)
            """,
            "CREATE INDEX considered_session ON considered_statements(session_id, harness)",
            "CREATE INDEX considered_recorded ON considered_statements(recorded_at)",
            # The latest lines that capture kept without asking, of which few follow each other.
            "CREATE INDEX statements_kept ON statements(recorded_at) WHERE outcome = 'kept'",
        ),
    ),
)
