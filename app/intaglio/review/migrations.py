"""The tables of the review of captured memories."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        23,
        "review of captured memories",
        (
            # One row for each judge that this store has seen, and how far it has come.
            """
            CREATE TABLE capture_judges(
              judge TEXT PRIMARY KEY,
              since TEXT NOT NULL,
              position INTEGER NOT NULL DEFAULT 0,
              finished_at TEXT,
              dismissed_at TEXT
            ) STRICT
            """,
            # The memories that a judge would not keep; `kept_at` is when the user kept one.
            """
            CREATE TABLE capture_reviews(
              memory_id TEXT PRIMARY KEY,
              judge TEXT NOT NULL,
              confidence REAL NOT NULL,
              reason TEXT,
              judged_at TEXT NOT NULL,
              kept_at TEXT
            ) STRICT
            """,
            """
            CREATE INDEX capture_reviews_open ON capture_reviews(judge, confidence)
            WHERE kept_at IS NULL
            """,
        ),
    ),
)
