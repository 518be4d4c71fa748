"""The tables of notes and of the messages that were read for the graph."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        41,
        "notes of sessions",
        (
            # Of each transcript of a session: how far it was read, and what was said up to there.
            """
            CREATE TABLE session_summaries(
              harness TEXT NOT NULL,
              session_id TEXT NOT NULL,
              transcript INTEGER NOT NULL,
              read_up_to INTEGER NOT NULL,
              summary TEXT NOT NULL,
              topics TEXT NOT NULL,
              decisions TEXT NOT NULL,
              prompt TEXT NOT NULL,
              version INTEGER NOT NULL,
              provider TEXT NOT NULL,
              model TEXT NOT NULL,
              made_at TEXT NOT NULL,
              PRIMARY KEY(session_id, harness, transcript)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX session_summaries_transcript ON session_summaries(transcript)",
            "CREATE INDEX session_summaries_made ON session_summaries(made_at)",
            # A reply's notes until each is kept, so that none is asked for or kept twice.
            """
            CREATE TABLE pending_notes(
              seq INTEGER PRIMARY KEY,
              harness TEXT NOT NULL,
              session_id TEXT NOT NULL,
              transcript INTEGER NOT NULL,
              message INTEGER NOT NULL,
              note TEXT NOT NULL,
              made_at TEXT NOT NULL
            ) STRICT
            """,
            "CREATE INDEX pending_notes_session ON pending_notes(session_id, harness)",
            # What became of each note; no text.
            """
            CREATE TABLE session_notes(
              seq INTEGER PRIMARY KEY,
              harness TEXT NOT NULL,
              session_id TEXT NOT NULL,
              message_id TEXT NOT NULL,
              origin TEXT NOT NULL CHECK (origin IN ('user', 'accepted', 'agent')),
              memory_id TEXT,
              inbox_id TEXT,
              prompt TEXT NOT NULL,
              version INTEGER NOT NULL,
              provider TEXT NOT NULL,
              model TEXT NOT NULL,
              made_at TEXT NOT NULL
            ) STRICT
            """,
            "CREATE INDEX session_notes_session ON session_notes(session_id, harness)",
            "CREATE INDEX session_notes_memory ON session_notes(memory_id)",
            "CREATE INDEX session_notes_made ON session_notes(made_at)",
            # Which messages were read for the graph, by their rows in transcripts.
            """
            CREATE TABLE read_turns(
              message INTEGER PRIMARY KEY,
              result TEXT NOT NULL CHECK (result IN ('read', 'unsurprising', 'injected', 'empty')),
              relations INTEGER NOT NULL,
              prompt TEXT NOT NULL,
              version INTEGER NOT NULL,
              provider TEXT NOT NULL,
              model TEXT NOT NULL,
              read_at TEXT NOT NULL
            ) STRICT
            """,
            "CREATE INDEX read_turns_at ON read_turns(read_at)",
            # What was taken out of a session stays in no summary and in no note of the message.
            """
            CREATE TRIGGER session_notes_cut AFTER UPDATE OF text ON transcript_messages
            WHEN old.text IS NOT new.text BEGIN
              DELETE FROM pending_notes WHERE message = old.seq;
              UPDATE session_summaries SET summary = '', topics = '[]', decisions = '[]'
              WHERE transcript = old.seq >> 20
              AND (session_id, harness) = (SELECT session_id, harness FROM transcripts
              WHERE seq = old.seq >> 20);
            END
            """,
            """
            CREATE TRIGGER session_notes_deleted AFTER DELETE ON transcript_messages BEGIN
              DELETE FROM pending_notes WHERE message = old.seq;
              DELETE FROM read_turns WHERE message = old.seq;
            END
            """,
        ),
    ),
)
