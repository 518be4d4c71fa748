"""The tables of hints; they follow their memory by triggers."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        40,
        "questions that memories answer",
        (
            # `is_indexed`: those of forgotten memories aren't searched, and come back with them.
            """
            CREATE TABLE memory_hints(
              seq INTEGER PRIMARY KEY,
              memory INTEGER NOT NULL,
              question TEXT NOT NULL,
              is_indexed INTEGER NOT NULL DEFAULT 1
            ) STRICT
            """,
            "CREATE INDEX memory_hints_memory ON memory_hints(memory)",
            # By which model and which version of its prompt; no model for templates.
            """
            CREATE TABLE hint_readings(
              memory INTEGER PRIMARY KEY,
              version INTEGER NOT NULL,
              model TEXT,
              created_at TEXT NOT NULL
            ) STRICT
            """,
            # What is expected to be asked must not change how rare the words of memories are.
            """
            CREATE VIRTUAL TABLE hints_fts USING fts5(
              question, content='memory_hints', content_rowid='seq', tokenize='porter unicode61',
              detail=none
            )
            """,
            "INSERT INTO hints_fts(hints_fts, rank) VALUES ('pgsz', 1000)",
            "INSERT INTO hints_fts(hints_fts, rank) VALUES ('usermerge', 2)",
            "INSERT INTO hints_fts(hints_fts, rank) VALUES ('secure-delete', 1)",
            """
            CREATE TRIGGER memory_hints_inserted AFTER INSERT ON memory_hints
            WHEN new.is_indexed = 1 BEGIN
              INSERT INTO hints_fts(rowid, question) VALUES (new.seq, new.question);
            END
            """,
            """
            CREATE TRIGGER memory_hints_deleted AFTER DELETE ON memory_hints
            WHEN old.is_indexed = 1 BEGIN
              INSERT INTO hints_fts(hints_fts, rowid, question)
              VALUES ('delete', old.seq, old.question);
            END
            """,
            """
            CREATE TRIGGER memory_hints_hidden AFTER UPDATE OF is_indexed ON memory_hints
            WHEN old.is_indexed = 1 AND new.is_indexed = 0 BEGIN
              INSERT INTO hints_fts(hints_fts, rowid, question)
              VALUES ('delete', old.seq, old.question);
            END
            """,
            """
            CREATE TRIGGER memory_hints_shown AFTER UPDATE OF is_indexed ON memory_hints
            WHEN old.is_indexed = 0 AND new.is_indexed = 1 BEGIN
              INSERT INTO hints_fts(rowid, question) VALUES (new.seq, new.question);
            END
            """,
            """
            CREATE TRIGGER memories_hints_deleted AFTER DELETE ON memories BEGIN
              DELETE FROM memory_hints WHERE memory = old.seq;
              DELETE FROM hint_readings WHERE memory = old.seq;
            END
            """,
            """
            CREATE TRIGGER memories_hints_reworded AFTER UPDATE OF content ON memories
            WHEN old.content IS NOT new.content BEGIN
              DELETE FROM memory_hints WHERE memory = old.seq;
              DELETE FROM hint_readings WHERE memory = old.seq;
            END
            """,
            """
            CREATE TRIGGER memories_hints_followed AFTER UPDATE OF is_deleted ON memories
            WHEN old.is_deleted IS NOT new.is_deleted BEGIN
              UPDATE memory_hints SET is_indexed = 1 - new.is_deleted WHERE memory = new.seq;
            END
            """,
        ),
    ),
)
