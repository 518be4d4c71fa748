"""The tables of imports."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        49,
        "imports of history",
        (
            # `listed` is set once all sessions are written down; `seconds` is how long it has read.
            """
            CREATE TABLE imports(
              number INTEGER PRIMARY KEY,
              id TEXT NOT NULL UNIQUE,
              state TEXT NOT NULL,
              keep TEXT NOT NULL,
              project TEXT,
              sources TEXT NOT NULL,
              created_at TEXT NOT NULL,
              finished_at TEXT,
              listed INTEGER NOT NULL DEFAULT 0,
              seconds REAL NOT NULL DEFAULT 0,
              reason TEXT NOT NULL DEFAULT ''
            ) STRICT
            """,
            "CREATE INDEX imports_open ON imports(number) WHERE finished_at IS NULL",
            # In the order in which they are read. A source that couldn't be listed has a row
            # without a session.
            """
            CREATE TABLE import_sessions(
              import INTEGER NOT NULL,
              place INTEGER NOT NULL,
              source TEXT NOT NULL,
              harness TEXT NOT NULL,
              session_id TEXT NOT NULL,
              path TEXT NOT NULL,
              size INTEGER NOT NULL,
              modified_at TEXT NOT NULL,
              started_at TEXT,
              cwd TEXT,
              project TEXT,
              state TEXT NOT NULL DEFAULT 'waiting',
              read_at TEXT,
              kept INTEGER NOT NULL DEFAULT 0,
              suggested INTEGER NOT NULL DEFAULT 0,
              known INTEGER NOT NULL DEFAULT 0,
              problem TEXT NOT NULL DEFAULT '',
              PRIMARY KEY(import, place)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX import_sessions_of ON import_sessions(session_id, harness)",
            "CREATE INDEX import_sessions_state ON import_sessions(import, state, place)",
        ),
    ),
)
