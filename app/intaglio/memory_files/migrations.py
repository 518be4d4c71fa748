"""The tables of memory files."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        47,
        "memory files",
        (
            """
            CREATE TABLE memory_files(
              path TEXT PRIMARY KEY,
              harness TEXT NOT NULL,
              modified_ns INTEGER NOT NULL,
              size INTEGER NOT NULL,
              inode INTEGER NOT NULL,
              waiting INTEGER NOT NULL DEFAULT 0,
              read_at TEXT NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            # What became of each statement of a file; no text.
            """
            CREATE TABLE memory_file_lines(
              path TEXT NOT NULL,
              line TEXT NOT NULL,
              memory_id TEXT,
              item_id TEXT,
              removed_at TEXT,
              PRIMARY KEY(path, line)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX memory_file_lines_memory ON memory_file_lines(memory_id)",
            """
            CREATE INDEX memory_file_lines_removed ON memory_file_lines(removed_at)
            WHERE removed_at IS NOT NULL
            """,
        ),
    ),
)
