"""The tables of commits and their full-text index."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        31,
        "commits",
        (
            # The high bits of a row's number are its project's, the lower 24 count its commits: a
            # search filters by project in the index alone.
            """
            CREATE TABLE commits(
              seq INTEGER PRIMARY KEY,
              project TEXT NOT NULL,
              hash TEXT NOT NULL,
              committed_at TEXT NOT NULL,
              kind TEXT NOT NULL CHECK(kind IN ('commit', 'merge', 'revert')),
              reverts TEXT,
              author TEXT,
              subject TEXT NOT NULL,
              body TEXT NOT NULL,
              symbols TEXT NOT NULL,
              pairs TEXT,
              words INTEGER NOT NULL,
              UNIQUE(project, hash)
            ) STRICT
            """,
            "CREATE INDEX commits_newest ON commits(project, committed_at)",
            """
            CREATE TABLE commit_paths(
              seq INTEGER PRIMARY KEY,
              project TEXT NOT NULL,
              path TEXT NOT NULL,
              UNIQUE(project, path)
            ) STRICT
            """,
            """
            CREATE TABLE commit_files(
              commit_seq INTEGER NOT NULL,
              path_seq INTEGER NOT NULL,
              PRIMARY KEY(commit_seq, path_seq)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX commit_files_path ON commit_files(path_seq, commit_seq)",
            # The projects whose log is read, and how far. `enabled` is the user's choice, NULL if
            # the settings decide; `stored` counts the commits. `base` and `walked` are set while
            # the log below a head isn't read to its end: where it began, and how many commits of it
            # were read; `found` counts those with a body. `shallow` stands for the limits of a
            # shallow clone, and `checked_at` is when the reachable commits were last compared with
            # the stored ones.
            """
            CREATE TABLE commit_reading(
              number INTEGER PRIMARY KEY,
              project TEXT NOT NULL UNIQUE,
              enabled INTEGER,
              stored INTEGER NOT NULL DEFAULT 0,
              head TEXT NOT NULL DEFAULT '',
              read_at TEXT,
              found INTEGER NOT NULL DEFAULT 0,
              stopped TEXT NOT NULL DEFAULT '',
              base TEXT NOT NULL DEFAULT '',
              walked INTEGER NOT NULL DEFAULT 0,
              shallow TEXT NOT NULL DEFAULT '',
              checked_at TEXT NOT NULL DEFAULT '',
              session_at TEXT NOT NULL DEFAULT ''
            ) STRICT
            """,
            # What the user forgot, so that reading the log again doesn't bring it back.
            """
            CREATE TABLE forgotten_commits(
              project TEXT NOT NULL,
              hash TEXT NOT NULL,
              forgotten_at TEXT NOT NULL,
              PRIMARY KEY(project, hash)
            ) STRICT, WITHOUT ROWID
            """,
            # Scores count commits, not positions in them, as those of transcripts do.
            """
            CREATE VIRTUAL TABLE commits_fts USING fts5(
              subject, body, symbols, pairs, content='commits', content_rowid='seq',
              tokenize='porter unicode61', detail=none
            )
            """,
            "INSERT INTO commits_fts(commits_fts, rank) VALUES ('pgsz', 1000)",
            "INSERT INTO commits_fts(commits_fts, rank) VALUES ('usermerge', 2)",
            "INSERT INTO commits_fts(commits_fts, rank) VALUES ('secure-delete', 1)",
            "CREATE VIRTUAL TABLE commits_vocabulary USING fts5vocab(commits_fts, 'row')",
            """
            CREATE TRIGGER commits_inserted AFTER INSERT ON commits BEGIN
              INSERT INTO commits_fts(rowid, subject, body, symbols, pairs)
              VALUES (new.seq, new.subject, new.body, new.symbols, new.pairs);
            END
            """,
            """
            CREATE TRIGGER commits_deleted AFTER DELETE ON commits BEGIN
              INSERT INTO commits_fts(commits_fts, rowid, subject, body, symbols, pairs)
              VALUES ('delete', old.seq, old.subject, old.body, old.symbols, old.pairs);
            END
            """,
            """
            CREATE TRIGGER commits_updated
            AFTER UPDATE OF subject, body, symbols, pairs ON commits BEGIN
              INSERT INTO commits_fts(commits_fts, rowid, subject, body, symbols, pairs)
              VALUES ('delete', old.seq, old.subject, old.body, old.symbols, old.pairs);
              INSERT INTO commits_fts(rowid, subject, body, symbols, pairs)
              VALUES (new.seq, new.subject, new.body, new.symbols, new.pairs);
            END
            """,
        ),
    ),
    Migration(
        34,
        "vectors of commits",
        (
            """
            CREATE TABLE commit_vectors(
              seq INTEGER PRIMARY KEY,
              model TEXT NOT NULL,
              vector BLOB NOT NULL,
              pieces BLOB NOT NULL
            ) STRICT
            """,
            # Grows with each change, so that searches know when to read the vectors again.
            "ALTER TABLE commit_reading ADD COLUMN vector_changes INTEGER NOT NULL DEFAULT 0",
            """
            CREATE TRIGGER commit_vectors_inserted AFTER INSERT ON commit_vectors BEGIN
              UPDATE commit_reading SET vector_changes = vector_changes + 1
              WHERE number = new.seq >> 24;
            END
            """,
            """
            CREATE TRIGGER commit_vectors_deleted AFTER DELETE ON commits BEGIN
              DELETE FROM commit_vectors WHERE seq = old.seq;
              UPDATE commit_reading SET vector_changes = vector_changes + 1
              WHERE number = old.seq >> 24;
            END
            """,
            """
            CREATE TRIGGER commit_vectors_outdated AFTER UPDATE OF subject, body ON commits BEGIN
              DELETE FROM commit_vectors WHERE seq = old.seq;
            END
            """,
        ),
    ),
)
