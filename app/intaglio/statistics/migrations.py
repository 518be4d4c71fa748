"""The tables of counts, and the indexes by which a day is counted."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        56,
        "statistics",
        (
            # A project keeps its number when its name is deleted with the last of what it had.
            "CREATE TABLE counted_projects(number INTEGER PRIMARY KEY, key TEXT UNIQUE) STRICT",
            """
            CREATE TABLE counted_days(
              day TEXT PRIMARY KEY, counted_at TEXT NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            # `project` is 0 for what applies to all projects.
            """
            CREATE TABLE daily_counts(
              day TEXT NOT NULL, measure TEXT NOT NULL, project INTEGER NOT NULL,
              type TEXT NOT NULL, origin TEXT NOT NULL, count INTEGER NOT NULL,
              PRIMARY KEY(day, measure, project, type, origin)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX memory_history_time ON memory_history(created_at)",
            "CREATE INDEX injections_time ON injections(created_at)",
            "CREATE INDEX entities_time ON entities(created_at)",
            "CREATE INDEX sessions_recorded ON sessions(ifnull(imported_at, started_at))",
        ),
    ),
)
