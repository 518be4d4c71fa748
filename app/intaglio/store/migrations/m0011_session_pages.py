"""What pages about sessions read: a number per session, the text as sent, and their indexes."""

from typing import Final

NAME: Final = "session pages"

STATEMENTS: Final[tuple[str, ...]] = (
    # A harness's own id is unique only within the harness, and may contain any character.
    "ALTER TABLE sessions ADD COLUMN number INTEGER",
    """
    UPDATE sessions SET number = n.number FROM (
      SELECT harness, id, row_number() OVER (ORDER BY started_at, harness, id) AS number
      FROM sessions
    ) n WHERE n.harness = sessions.harness AND n.id = sessions.id
    """,
    "CREATE UNIQUE INDEX sessions_number ON sessions(number)",
    "CREATE INDEX sessions_recent ON sessions(last_seen_at, number)",
    "CREATE INDEX sessions_project ON sessions(project, last_seen_at, number)",
    # NULL if nothing was sent, after its retention period, and once one of its memories is erased.
    "ALTER TABLE injections ADD COLUMN text TEXT",
    "CREATE INDEX injections_text ON injections(created_at) WHERE text IS NOT NULL",
    "CREATE INDEX memories_session ON memories(session_id) WHERE session_id IS NOT NULL",
)
