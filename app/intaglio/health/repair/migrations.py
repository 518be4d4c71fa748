"""The table of repairs that were run."""

from typing import Final

from intaglio.store.migrations import Migration

REPAIR_MIGRATIONS: Final = (
    Migration(
        52,
        "repair runs",
        (
            # `undo` has ids, never text; empty if the run can't be undone.
            """
            CREATE TABLE repair_runs(
              seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, action TEXT NOT NULL,
              at TEXT NOT NULL, actor TEXT NOT NULL, actor_type TEXT NOT NULL,
              reason TEXT NOT NULL, affected INTEGER NOT NULL, message TEXT NOT NULL,
              undo TEXT NOT NULL, undone_at TEXT
            ) STRICT
            """,
            # How often each was run, and when last, is asked whenever repairs are shown.
            "CREATE INDEX repair_runs_action ON repair_runs(action, at)",
        ),
    ),
)
