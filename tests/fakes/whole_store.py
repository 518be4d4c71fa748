"""What a store holds of memories, inbox, statements and conversations, to compare two states."""

from typing import Final

from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, Row

_STORE: Final = {
    "memories": "SELECT id, content, type, pinned, tags, who, why, is_deleted, superseded_by, "
    "valid_until, project FROM memories ORDER BY id",
    "inbox": "SELECT id, kind, status, action, content, memory_id, older_id FROM inbox_items "
    "ORDER BY id",
    "statements": "SELECT message_id, start_char, sentence, outcome, state, memory_id, inbox_id "
    "FROM statements ORDER BY message_id, start_char",
    "considered": "SELECT message_id, start_char, sentence, confidence FROM considered_statements "
    "ORDER BY message_id, start_char",
    "messages": "SELECT t.session_id, m.message_id, m.role, m.text, m.said_at "
    "FROM transcript_messages m JOIN transcripts t ON t.seq = m.seq >> 20 ORDER BY 1, 2",
    "forgotten sessions": "SELECT session_id FROM forgotten_transcripts ORDER BY 1",
    "words that are not wanted": "SELECT hex(digest) FROM dropped_suggestions ORDER BY 1",
}


async def whole_store(db: Database) -> dict[str, list[Row]]:
    """Return all of it, without what counts or dates changes."""

    def read(tx: ReadTx) -> dict[str, list[Row]]:
        return {name: tx.all(sql) for name, sql in _STORE.items()}

    return await db.read(read)
