"""The table of bypasses."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        45,
        "bypasses",
        (
            # Like `pauses`, but of one session; a session has at most one without an end.
            """
            CREATE TABLE bypasses(
              id TEXT PRIMARY KEY,
              harness TEXT NOT NULL,
              session_id TEXT NOT NULL,
              started_at TEXT NOT NULL,
              ended_at TEXT,
              asked_by TEXT NOT NULL CHECK (asked_by IN ('user', 'agent'))
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX bypasses_of_session ON bypasses(session_id, harness)",
            "CREATE INDEX bypasses_open ON bypasses(harness, session_id) WHERE ended_at IS NULL",
        ),
    ),
)
