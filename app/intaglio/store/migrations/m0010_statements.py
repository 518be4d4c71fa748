"""Statements: what users said in sessions, as the evidence of memories and suggestions."""

from typing import Final

NAME: Final = "statements"

STATEMENTS: Final[tuple[str, ...]] = (
    # A place in a transcript has one row, so that reading it again adds nothing. Rows without texts
    # remain of erased memories, for the same reason.
    """
    CREATE TABLE statements(
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
      confidence REAL NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN ('kept', 'suggested', 'withdrawal')),
      state TEXT NOT NULL CHECK (state IN ('live', 'withdrawn', 'replaced', 'erased')),
      settled INTEGER NOT NULL DEFAULT 0,
      memory_id TEXT,
      inbox_id TEXT
    ) STRICT
    """,
    "CREATE UNIQUE INDEX statements_place ON statements(message_id, start_char, harness)",
    "CREATE INDEX statements_session ON statements(session_id, harness)",
    "CREATE INDEX statements_unsettled ON statements(session_id, harness) WHERE settled = 0",
    "CREATE INDEX statements_memory ON statements(memory_id) WHERE memory_id IS NOT NULL",
    "CREATE INDEX statements_inbox ON statements(inbox_id) WHERE inbox_id IS NOT NULL",
    "CREATE INDEX statements_recorded ON statements(recorded_at)",
)
