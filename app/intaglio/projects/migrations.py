"""The table of what users set for single projects."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        35,
        "settings of projects",
        (
            # A value is JSON. Without a row, the general value holds.
            """
            CREATE TABLE project_settings(
              project TEXT NOT NULL,
              key TEXT NOT NULL,
              value TEXT NOT NULL,
              PRIMARY KEY(project, key)
            ) STRICT, WITHOUT ROWID
            """,
        ),
    ),
)
