"""The tables of transcripts and their full-text index."""

from typing import Final

from intaglio.store.migrations import Migration


def _unrelate(name: str, event: str, transcript: str) -> str:
    """Return a trigger that forgets what a transcript is related to; it is compared once more."""
    return (
        f"CREATE TRIGGER {name} AFTER {event} BEGIN "  # noqa: S608 - constants of this module
        f"UPDATE transcripts SET compared = -1 WHERE seq = {transcript} "
        f"OR seq IN (SELECT later FROM related_sessions WHERE earlier = {transcript}); "
        f"DELETE FROM related_sessions WHERE later = {transcript}; "
        f"DELETE FROM related_sessions WHERE earlier = {transcript}; END"
    )


MIGRATIONS: Final = (
    Migration(
        25,
        "transcripts",
        (
            # A session's part in one project. What is counted are its messages with a text.
            """
            CREATE TABLE transcripts(
              seq INTEGER PRIMARY KEY,
              harness TEXT NOT NULL,
              session_id TEXT NOT NULL,
              agent_id TEXT NOT NULL,
              project TEXT,
              started_at TEXT NOT NULL,
              ended_at TEXT NOT NULL,
              messages INTEGER NOT NULL DEFAULT 0,
              words INTEGER NOT NULL DEFAULT 0,
              characters INTEGER NOT NULL DEFAULT 0,
              last_number INTEGER NOT NULL DEFAULT 0
            ) STRICT
            """,
            "CREATE INDEX transcripts_session ON transcripts(session_id, harness)",
            # A search reads these columns of every session of a project.
            "CREATE INDEX transcripts_place ON transcripts(project, agent_id, words)",
            "CREATE INDEX transcripts_ended ON transcripts(ended_at)",
            # The high bits of a row's number are its transcript, the lower 20 count its messages:
            # a search learns the session from the index alone. A text that was removed is empty;
            # its row stays, so that reading the message again doesn't bring it back.
            """
            CREATE TABLE transcript_messages(
              seq INTEGER PRIMARY KEY,
              message_id TEXT NOT NULL,
              role TEXT NOT NULL,
              said_at TEXT NOT NULL,
              text TEXT NOT NULL,
              pairs TEXT,
              words INTEGER NOT NULL
            ) STRICT
            """,
            "CREATE INDEX transcript_messages_id ON transcript_messages(message_id)",
            # Sessions that the user forgot, so that reading their transcripts again adds nothing.
            """
            CREATE TABLE forgotten_transcripts(
              session_id TEXT NOT NULL,
              harness TEXT NOT NULL,
              forgotten_at TEXT NOT NULL,
              PRIMARY KEY(session_id, harness)
            ) STRICT, WITHOUT ROWID
            """,
            # What forgotten memories took out of messages, until they are restored or gone.
            """
            CREATE TABLE transcript_cuts(
              message INTEGER NOT NULL,
              memory_id TEXT NOT NULL,
              original TEXT NOT NULL,
              phrases TEXT NOT NULL,
              PRIMARY KEY(message, memory_id)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX transcript_cuts_memory ON transcript_cuts(memory_id)",
            # Scores count messages, not positions in them: without those, it is half as large.
            """
            CREATE VIRTUAL TABLE transcripts_fts USING fts5(
              text, pairs, content='transcript_messages', content_rowid='seq',
              tokenize='porter unicode61', detail=none
            )
            """,
            "INSERT INTO transcripts_fts(transcripts_fts, rank) VALUES ('pgsz', 1000)",
            "INSERT INTO transcripts_fts(transcripts_fts, rank) VALUES ('usermerge', 2)",
            "INSERT INTO transcripts_fts(transcripts_fts, rank) VALUES ('secure-delete', 1)",
            "CREATE VIRTUAL TABLE transcripts_vocabulary USING fts5vocab(transcripts_fts, 'row')",
            """
            CREATE TRIGGER transcript_messages_inserted AFTER INSERT ON transcript_messages BEGIN
              INSERT INTO transcripts_fts(rowid, text, pairs) VALUES (new.seq, new.text, new.pairs);
            END
            """,
            """
            CREATE TRIGGER transcript_messages_deleted AFTER DELETE ON transcript_messages BEGIN
              INSERT INTO transcripts_fts(transcripts_fts, rowid, text, pairs)
              VALUES ('delete', old.seq, old.text, old.pairs);
            END
            """,
            """
            CREATE TRIGGER transcript_messages_updated AFTER UPDATE OF text ON transcript_messages
            WHEN old.text IS NOT new.text BEGIN
              INSERT INTO transcripts_fts(transcripts_fts, rowid, text, pairs)
              VALUES ('delete', old.seq, old.text, old.pairs);
              INSERT INTO transcripts_fts(rowid, text, pairs) VALUES (new.seq, new.text, new.pairs);
            END
            """,
        ),
    ),
    Migration(
        27,
        "vectors of transcripts",
        (
            # A transcript's vectors in one row. A search reads the centroids of a whole project,
            # and all vectors of the nearest; centroids stand before what spills to other pages.
            """
            CREATE TABLE transcript_vectors(
              transcript INTEGER PRIMARY KEY,
              model TEXT NOT NULL,
              last_number INTEGER NOT NULL,
              centroid BLOB NOT NULL,
              numbers BLOB NOT NULL,
              vectors BLOB NOT NULL,
              lengths BLOB NOT NULL,
              pieces BLOB NOT NULL
            ) STRICT
            """,
            # Word pieces tell what was said: they go with any text of the transcript.
            """
            CREATE TRIGGER transcript_vectors_deleted AFTER DELETE ON transcript_messages BEGIN
              DELETE FROM transcript_vectors WHERE transcript = old.seq >> 20;
            END
            """,
            """
            CREATE TRIGGER transcript_vectors_changed AFTER UPDATE OF text ON transcript_messages
            WHEN old.text IS NOT new.text BEGIN
              DELETE FROM transcript_vectors WHERE transcript = old.seq >> 20;
            END
            """,
        ),
    ),
    Migration(
        30,
        "related sessions",
        (
            # With how many earlier transcripts one was compared since it last grew; -1 for not yet.
            "ALTER TABLE transcripts ADD COLUMN compared INTEGER NOT NULL DEFAULT -1",
            """
            CREATE TABLE related_sessions(
              later INTEGER NOT NULL,
              earlier INTEGER NOT NULL,
              likeness REAL NOT NULL,
              PRIMARY KEY(later, earlier)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX related_sessions_earlier ON related_sessions(earlier, later)",
            _unrelate(
                "related_sessions_deleted",
                "DELETE ON transcript_messages",
                "old.seq >> 20",
            ),
            _unrelate(
                "related_sessions_changed",
                "UPDATE OF text ON transcript_messages WHEN old.text IS NOT new.text",
                "old.seq >> 20",
            ),
            _unrelate(
                "related_sessions_moved",
                "UPDATE OF project, agent_id ON transcripts "
                "WHEN old.project IS NOT new.project OR old.agent_id IS NOT new.agent_id",
                "old.seq",
            ),
        ),
    ),
    Migration(
        36,
        "titles of sessions",
        (
            # `title_by` is harness, user, or removed: what was taken out doesn't come back.
            "ALTER TABLE transcripts ADD COLUMN title TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE transcripts ADD COLUMN title_by TEXT NOT NULL DEFAULT ''",
        ),
    ),
    Migration(
        58,
        "contradictions between sessions",
        (
            # How likely statements of both contradict each other; NULL until they are read.
            "ALTER TABLE related_sessions ADD COLUMN contradiction REAL",
            """
            CREATE INDEX related_sessions_unread ON related_sessions(likeness)
            WHERE contradiction IS NULL
            """,
        ),
    ),
)
