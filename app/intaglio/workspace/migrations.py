"""The tables of the workspace."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        50,
        "workspace",
        (
            """
            CREATE TABLE workspace_targets(
              id TEXT PRIMARY KEY, path TEXT NOT NULL, digest TEXT, state TEXT NOT NULL,
              reason TEXT NOT NULL DEFAULT '', hint TEXT NOT NULL DEFAULT '', off_by TEXT,
              synced_at TEXT, connection TEXT NOT NULL DEFAULT ''
            ) STRICT
            """,
            """
            CREATE TABLE workspace_conflicts(
              seq INTEGER PRIMARY KEY, item TEXT NOT NULL UNIQUE, target TEXT NOT NULL,
              path TEXT NOT NULL, files TEXT NOT NULL, base TEXT, ours TEXT NOT NULL,
              theirs TEXT NOT NULL, decision TEXT, is_applied INTEGER NOT NULL DEFAULT 0,
              restores INTEGER NOT NULL DEFAULT 0, shown TEXT NOT NULL,
              earlier TEXT NOT NULL DEFAULT '[]', kept TEXT NOT NULL DEFAULT '[]',
              taken TEXT NOT NULL DEFAULT '[]'
            ) STRICT
            """,
            "CREATE INDEX workspace_conflicts_target ON workspace_conflicts(target, seq)",
        ),
    ),
)
