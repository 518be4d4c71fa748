"""Fewer bytes per memory: a narrow history, and indexes of what differs from the common case."""

from typing import Final

NAME: Final = "smaller rows"

_SAME_CONTENT: Final = (
    "substr(content_hash, 1, 8) = substr(new.content_hash, 1, 8) "
    "AND content_hash = new.content_hash AND agent_id = new.agent_id "
    "AND visibility = new.visibility AND ifnull(project, '') = ifnull(new.project, '') "
    "AND is_deleted = 0"
)
_REFUSE: Final = "SELECT RAISE(ABORT, 'a live memory of this scope has this content');"

STATEMENTS: Final[tuple[str, ...]] = (
    "DROP INDEX memory_history_memory",
    "ALTER TABLE memory_history RENAME TO wide_history",
    # `memory` is the row number of a memory; `memory_id` takes its place when that row is deleted,
    # because a later memory may get the number. `created` entries, one per memory, have no id of
    # their own: the memory's identifies them. Times are milliseconds since 1970. NULL is the common
    # actor, an operator.
    """
    CREATE TABLE memory_history(
      seq INTEGER PRIMARY KEY,
      memory INTEGER,
      memory_id TEXT,
      id TEXT,
      event TEXT NOT NULL,
      old_content TEXT,
      new_content TEXT,
      changed_by TEXT NOT NULL,
      actor_type TEXT,
      reason TEXT,
      metadata TEXT,
      session_id TEXT,
      request_id TEXT,
      created_at INTEGER NOT NULL,
      agent_id TEXT,
      visibility TEXT,
      CHECK ((memory IS NULL) <> (memory_id IS NULL))
    ) STRICT
    """,
    """
    INSERT INTO memory_history
    SELECT h.seq, m.seq, iif(m.seq IS NULL, h.memory_id, NULL),
      iif(h.event = 'created', NULL, h.id), h.event, h.old_content, h.new_content, h.changed_by,
      nullif(h.actor_type, 'operator'), h.reason, h.metadata, h.session_id, h.request_id,
      ifnull(CAST(round(unixepoch(h.created_at, 'subsec') * 1000) AS INTEGER), 0),
      h.agent_id, h.visibility
    FROM wide_history h LEFT JOIN memories m ON m.id = h.memory_id ORDER BY h.seq
    """,
    "DROP TABLE wide_history",
    "CREATE INDEX memory_history_memory ON memory_history(memory) WHERE memory IS NOT NULL",
    "CREATE INDEX memory_history_gone ON memory_history(memory_id) WHERE memory_id IS NOT NULL",
    """
    CREATE TRIGGER memories_history_stays AFTER DELETE ON memories BEGIN
      UPDATE memory_history SET memory_id = old.id, memory = NULL WHERE memory = old.seq;
    END
    """,
    # Half of the hash identifies a content, and eight bytes find it; triggers keep contents unique
    # in their scope. `updated_at` and `updated_by` are empty until a memory is changed: then
    # `created_at` and `who` tell when and by whom it was written.
    "DROP INDEX memories_live_hash",
    "DROP INDEX memories_changed",
    """
    UPDATE memories SET content_hash = substr(content_hash, 1, 16),
      updated_at = iif(updated_at = created_at AND updated_by = who, '', updated_at),
      updated_by = iif(updated_at = created_at AND updated_by = who, '', updated_by)
    """,
    """
    CREATE INDEX memories_live_hash ON memories(substr(content_hash, 1, 8)) WHERE is_deleted = 0
    """,
    f"""
    CREATE TRIGGER memories_same_inserted BEFORE INSERT ON memories
    WHEN new.is_deleted = 0 AND EXISTS (SELECT 1 FROM memories WHERE {_SAME_CONTENT})
    BEGIN {_REFUSE} END
    """,  # noqa: S608 - constants only
    f"""
    CREATE TRIGGER memories_same_updated
    BEFORE UPDATE OF content_hash, agent_id, visibility, project, is_deleted ON memories
    WHEN new.is_deleted = 0 AND EXISTS (
      SELECT 1 FROM memories WHERE {_SAME_CONTENT} AND seq <> old.seq
    )
    BEGIN {_REFUSE} END
    """,  # noqa: S608 - constants only
    # An index holds the row number anyway; it is a column of its own where many values are equal.
    # Memories that were never changed or used are in no index by that: they are in the order of
    # `memories_newest`, and of their numbers.
    "DROP INDEX memories_agent",
    "CREATE INDEX memories_agent ON memories(agent_id) WHERE is_deleted = 0",
    """
    CREATE INDEX memories_private ON memories(agent_id)
    WHERE is_deleted = 0 AND visibility = 'private'
    """,
    "DROP INDEX memories_newest",
    "CREATE INDEX memories_newest ON memories(created_at) WHERE is_deleted = 0",
    "DROP INDEX memories_importance",
    "CREATE INDEX memories_importance ON memories(importance, seq) WHERE is_deleted = 0",
    "DROP INDEX memories_used",
    """
    CREATE INDEX memories_used ON memories(access_count, seq)
    WHERE is_deleted = 0 AND access_count > 0
    """,
    """
    CREATE INDEX memories_changed ON memories(updated_at)
    WHERE is_deleted = 0 AND updated_at <> ''
    """,
)
