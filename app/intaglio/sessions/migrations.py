"""The tables of the sessions package that came after the schema's first twenty steps."""

from typing import Final

from intaglio.store.migrations import Migration

_REMINDERS: Final = (
    # `closed_at` is when the turn ended, `wording` the version of the text that was given.
    """
    CREATE TABLE reminders(
      seq INTEGER PRIMARY KEY, harness TEXT NOT NULL, session_id TEXT NOT NULL, prompt_id TEXT,
      created_at TEXT NOT NULL, closed_at TEXT, wording INTEGER NOT NULL,
      tokens INTEGER NOT NULL, confidence REAL NOT NULL
    ) STRICT
    """,
    "CREATE INDEX reminders_of_session ON reminders(session_id, harness)",
    # What the agent did: saved, known or suggested; one memory or one item of the inbox.
    """
    CREATE TABLE reminder_results(
      reminder INTEGER NOT NULL, kind TEXT NOT NULL, memory_id TEXT, inbox_id TEXT
    ) STRICT
    """,
    "CREATE INDEX reminder_results_of_reminder ON reminder_results(reminder)",
)

MIGRATIONS: Final = (
    Migration(
        21,
        "considered statements",
        (
            # What capture judged and neither kept nor offered; a place has one row.
            """
            CREATE TABLE considered_statements(
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
              confidence REAL NOT NULL
            ) STRICT
            """,
            """
            CREATE UNIQUE INDEX considered_place
            ON considered_statements(message_id, start_char, harness)
            """,
            "CREATE INDEX considered_session ON considered_statements(session_id, harness)",
            "CREATE INDEX considered_recorded ON considered_statements(recorded_at)",
            # The latest lines that capture kept without asking, of which few follow each other.
            "CREATE INDEX statements_kept ON statements(recorded_at) WHERE outcome = 'kept'",
        ),
    ),
    Migration(22, "save reminders", _REMINDERS),
    Migration(
        28,
        "compared sessions",
        (
            """
            CREATE TABLE compared_sessions(
              injection INTEGER NOT NULL,
              rank INTEGER NOT NULL,
              transcript INTEGER NOT NULL,
              harness TEXT NOT NULL,
              session_id TEXT NOT NULL,
              score REAL NOT NULL,
              floor REAL NOT NULL,
              shown INTEGER NOT NULL,
              reason TEXT NOT NULL,
              PRIMARY KEY(injection, rank)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX compared_with_session ON compared_sessions(session_id, harness)",
        ),
    ),
    Migration(
        29,
        "comparison of facts",
        # One row: up to which memory facts were compared with those of the same aspect.
        ("CREATE TABLE fact_comparison(position INTEGER NOT NULL) STRICT",),
    ),
    Migration(
        33,
        "compared commits",
        (
            """
            CREATE TABLE compared_commits(
              injection INTEGER NOT NULL,
              rank INTEGER NOT NULL,
              project TEXT NOT NULL,
              hash TEXT NOT NULL,
              score REAL NOT NULL,
              floor REAL NOT NULL,
              shown INTEGER NOT NULL,
              tokens INTEGER NOT NULL,
              reason TEXT NOT NULL,
              PRIMARY KEY(injection, rank)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX compared_with_commit ON compared_commits(hash, project)",
        ),
    ),
    Migration(
        42,
        "contradictions by a model",
        (
            # The pairs that a model compared, as they were then; no text.
            """
            CREATE TABLE contradiction_checks(
              newer INTEGER NOT NULL,
              older INTEGER NOT NULL,
              newer_version INTEGER NOT NULL,
              older_version INTEGER NOT NULL,
              version INTEGER NOT NULL,
              model TEXT NOT NULL,
              contradicts INTEGER NOT NULL,
              created_at TEXT NOT NULL,
              PRIMARY KEY(newer, older)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX contradiction_checks_older ON contradiction_checks(older)",
            """
            CREATE TRIGGER memories_checks_deleted AFTER DELETE ON memories BEGIN
              DELETE FROM contradiction_checks WHERE newer = old.seq;
              DELETE FROM contradiction_checks WHERE older = old.seq;
            END
            """,
        ),
    ),
    Migration(
        48,
        "imported sessions",
        (
            # The import that brought a session in; when it was read last, and whether it is now.
            "ALTER TABLE sessions ADD COLUMN import_id TEXT",
            "ALTER TABLE sessions ADD COLUMN imported_at TEXT",
            "ALTER TABLE sessions ADD COLUMN importing INTEGER NOT NULL DEFAULT 0",
            "CREATE INDEX sessions_of_import ON sessions(import_id) WHERE import_id IS NOT NULL",
        ),
    ),
)
