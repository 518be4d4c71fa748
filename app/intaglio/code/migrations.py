"""The tables of the code index, and of the places that memories name."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        32,
        "code",
        (
            # A project's checked-out commit. `placed` is the last memory whose places were found.
            """
            CREATE TABLE code_readings(
              seq INTEGER PRIMARY KEY,
              project TEXT NOT NULL UNIQUE,
              head TEXT NOT NULL DEFAULT '',
              read_at TEXT,
              stopped TEXT NOT NULL DEFAULT '',
              placed INTEGER NOT NULL DEFAULT 0
            ) STRICT
            """,
            """
            CREATE TABLE code_files(
              seq INTEGER PRIMARY KEY,
              reading INTEGER NOT NULL,
              path TEXT NOT NULL,
              blob TEXT NOT NULL,
              UNIQUE(reading, path)
            ) STRICT
            """,
            # Hashes of a file's name, of what it defines and of what it raises, each with the
            # reading's number: words are looked up, none is listed, no text of a file is stored.
            """
            CREATE TABLE code_terms(
              term INTEGER NOT NULL,
              file INTEGER NOT NULL,
              PRIMARY KEY(term, file)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX code_terms_file ON code_terms(file)",
            """
            CREATE TABLE code_imports(
              file INTEGER NOT NULL,
              target TEXT NOT NULL,
              PRIMARY KEY(file, target)
            ) STRICT, WITHOUT ROWID
            """,
            # `lines` are hashes of 4 bytes each; `size` and `changed_ns` are those of the file when
            # `state` was found; `asked` is the state that an inbox item was about.
            """
            CREATE TABLE memory_places(
              seq INTEGER PRIMARY KEY,
              memory_id TEXT NOT NULL,
              project TEXT NOT NULL,
              path TEXT NOT NULL,
              symbol TEXT NOT NULL,
              by_path INTEGER NOT NULL,
              blob TEXT NOT NULL,
              commit_hash TEXT NOT NULL,
              lines BLOB NOT NULL,
              found_at TEXT NOT NULL,
              state TEXT NOT NULL DEFAULT 'there',
              now_path TEXT NOT NULL DEFAULT '',
              size INTEGER NOT NULL DEFAULT -1,
              changed_ns INTEGER NOT NULL DEFAULT -1,
              checked_at TEXT NOT NULL,
              asked TEXT NOT NULL DEFAULT '',
              UNIQUE(memory_id, path, symbol)
            ) STRICT
            """,
            "CREATE INDEX memory_places_project ON memory_places(project)",
            """
            CREATE TRIGGER memories_places_moved AFTER UPDATE OF project ON memories
            WHEN new.project IS NOT old.project AND new.project IS NOT NULL BEGIN
              UPDATE memory_places SET project = new.project WHERE memory_id = old.id;
            END
            """,
            """
            CREATE TRIGGER memories_places_deleted AFTER DELETE ON memories BEGIN
              DELETE FROM memory_places WHERE memory_id = old.id;
            END
            """,
        ),
    ),
)
