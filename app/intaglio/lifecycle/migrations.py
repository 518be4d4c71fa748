"""The tables of the lifecycle package that came after the schema's first twenty steps."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        46,
        "sources taken back",
        (
            # `source` is the id of its kind; `state` is planned, running, done, undoing or undone.
            """
            CREATE TABLE source_removals(
              seq INTEGER PRIMARY KEY,
              id TEXT NOT NULL UNIQUE,
              kind TEXT NOT NULL,
              source TEXT NOT NULL,
              label TEXT NOT NULL,
              state TEXT NOT NULL,
              reason TEXT NOT NULL,
              changed_by TEXT NOT NULL,
              created_at TEXT NOT NULL,
              undone_at TEXT,
              forgotten INTEGER NOT NULL DEFAULT 0,
              kept INTEGER NOT NULL DEFAULT 0,
              dropped INTEGER NOT NULL DEFAULT 0
            ) STRICT
            """,
            "CREATE INDEX source_removals_source ON source_removals(source, kind)",
            # `kind` is memory, suggestion or session; `outcome` is empty until it is dealt with.
            # `detail` is what undoing needs: when a suggestion was dropped, or when the user had
            # forgotten a session before.
            """
            CREATE TABLE source_removal_items(
              removal INTEGER NOT NULL,
              kind TEXT NOT NULL,
              id TEXT NOT NULL,
              outcome TEXT NOT NULL,
              detail TEXT NOT NULL DEFAULT '',
              PRIMARY KEY(removal, kind, id)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX source_removal_items_id ON source_removal_items(id, kind)",
        ),
    ),
)
