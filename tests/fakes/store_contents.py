"""What a store says, without ids and times of its own: two stores that say the same are equal."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final, TypeAlias

Contents: TypeAlias = dict[str, list[tuple[object, ...]]]

_QUERIES: Final = {
    "memories": "SELECT m.content, m.type, round(m.confidence, 6), m.project, m.agent_id, "
    "m.source_type, m.source_id, m.session_id, m.created_at, m.is_deleted, m.valid_until, "
    "(SELECT n.content FROM memories n WHERE n.id = m.superseded_by) FROM memories m",
    "statements": "SELECT t.harness, t.session_id, t.message_id, t.start_char, t.said_at, "
    "t.project, t.sentence, t.content, t.type, round(t.confidence, 6), t.outcome, t.state, "
    "(SELECT content FROM memories WHERE id = t.memory_id), "
    "(SELECT content FROM inbox_items WHERE id = t.inbox_id), t.context FROM statements t",
    "considered": "SELECT harness, session_id, message_id, start_char, said_at, project, "
    "sentence, round(confidence, 6) FROM considered_statements",
    "inbox": "SELECT i.kind, i.status, i.content, i.type, i.project, i.source_type, i.source_id, "
    "i.action, (SELECT content FROM memories WHERE id = i.memory_id), "
    "(SELECT content FROM memories WHERE id = i.older_id), "
    "(SELECT group_concat(message_id || sentence, '|') FROM (SELECT * FROM inbox_evidence e "
    "WHERE e.item = i.seq ORDER BY e.said_at, e.message_id)) FROM inbox_items i",
    "sessions": "SELECT harness, id, agent_id, project, cwd, transcript_path, started_at, "
    "last_seen_at, ended_at, end_reason, transcript_position, importing FROM sessions "
    "WHERE id NOT LIKE 'live-%'",
    "transcripts": "SELECT harness, session_id, project, started_at, ended_at, messages, words, "
    "characters, title FROM transcripts",
    "messages": "SELECT message_id, role, said_at, text FROM transcript_messages",
}


def contents(database: Path) -> Contents:
    """Return what a store's database says, table by table."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as db:
        return {name: sorted(db.execute(sql), key=repr) for name, sql in _QUERIES.items()}


def differences(one: Contents, other: Contents) -> list[str]:
    """Describe what only one of two stores says."""
    return [
        f"{side} {name}: {row}"
        for name in one
        for side, row in (
            *(("only first", row) for row in one[name] if row not in other[name]),
            *(("only second", row) for row in other[name] if row not in one[name]),
        )
    ]
