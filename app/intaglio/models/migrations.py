"""The tables of language models: what calls cost, and which stages are paused."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        38,
        "calls of language models",
        (
            # The day is that of the user's clock at the time: caps and summaries are by it.
            """
            CREATE TABLE model_calls(
              id INTEGER PRIMARY KEY,
              at TEXT NOT NULL,
              day TEXT NOT NULL,
              provider TEXT NOT NULL,
              model TEXT NOT NULL,
              stage TEXT NOT NULL,
              prompt TEXT NOT NULL,
              prompt_version INTEGER NOT NULL,
              tokens_read INTEGER NOT NULL,
              tokens_written INTEGER NOT NULL,
              is_estimated INTEGER NOT NULL,
              usd REAL,
              ms INTEGER NOT NULL,
              attempts INTEGER NOT NULL,
              outcome TEXT NOT NULL,
              detail TEXT NOT NULL,
              project TEXT,
              subject TEXT NOT NULL
            ) STRICT
            """,
            "CREATE INDEX model_calls_day ON model_calls(day, stage)",
            "CREATE INDEX model_calls_subject ON model_calls(subject)",
            """
            CREATE TABLE stage_pauses(
              stage TEXT PRIMARY KEY,
              paused_at TEXT NOT NULL,
              asked_by TEXT NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
        ),
    ),
)
