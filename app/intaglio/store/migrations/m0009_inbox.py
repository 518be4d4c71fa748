"""The inbox: what waits for the user's decision, its evidence, and what was dropped."""

from typing import Final

NAME: Final = "inbox"

STATEMENTS: Final[tuple[str, ...]] = (
    # memory_id is the memory that keeping a suggestion made, or the newer one of a contradiction,
    # whose texts are in `memories`.
    """
    CREATE TABLE inbox_items(
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('open', 'done')),
      content TEXT NOT NULL,
      content_hash BLOB,
      type TEXT NOT NULL,
      confidence REAL NOT NULL,
      agent_id TEXT NOT NULL,
      project TEXT,
      visibility TEXT NOT NULL,
      source_type TEXT NOT NULL,
      source_id TEXT,
      memory_id TEXT,
      older_id TEXT,
      created_at TEXT NOT NULL,
      decided_at TEXT,
      action TEXT,
      changed_version INTEGER
    ) STRICT
    """,
    "CREATE INDEX inbox_open ON inbox_items(created_at, seq) WHERE status = 'open'",
    "CREATE INDEX inbox_done ON inbox_items(decided_at, seq) WHERE status = 'done'",
    "CREATE INDEX inbox_words ON inbox_items(content_hash) WHERE content_hash IS NOT NULL",
    "CREATE INDEX inbox_source ON inbox_items(source_id) WHERE source_id IS NOT NULL",
    "CREATE INDEX inbox_memory ON inbox_items(memory_id) WHERE memory_id IS NOT NULL",
    "CREATE INDEX inbox_older ON inbox_items(older_id) WHERE older_id IS NOT NULL",
    """
    CREATE TABLE inbox_evidence(
      item INTEGER NOT NULL,
      number INTEGER NOT NULL,
      sentence TEXT NOT NULL,
      harness TEXT NOT NULL,
      session_id TEXT,
      message_id TEXT,
      start_char INTEGER NOT NULL,
      end_char INTEGER NOT NULL,
      said_at TEXT,
      PRIMARY KEY(item, number)
    ) STRICT, WITHOUT ROWID
    """,
    # No content: dropped words are recognised by a hash, also after their item is purged.
    """
    CREATE TABLE dropped_suggestions(
      digest BLOB PRIMARY KEY,
      dropped_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
)
