"""The agents, and an index of the memories by agent."""

from typing import Final

NAME: Final = "agents"

_NOW: Final = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
_COLUMNS: Final = "id, name, read_policy, source, created_at, updated_at, last_seen_at"

STATEMENTS: Final[tuple[str, ...]] = (
    """
    CREATE TABLE agents(
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      description TEXT,
      read_policy TEXT NOT NULL CHECK (read_policy IN ('isolated', 'shared', 'group')),
      policy_group TEXT,
      source TEXT NOT NULL CHECK (source IN ('roster', 'seen', 'api')),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      archived_at TEXT,
      last_seen_at TEXT
    ) STRICT, WITHOUT ROWID
    """,
    # Authors of memories from before the roster become agents that were seen.
    f"""
    INSERT INTO agents({_COLUMNS})
    SELECT agent_id, agent_id, 'shared', 'seen', min(created_at), max(updated_at), max(created_at)
    FROM memories WHERE agent_id <> 'default' GROUP BY agent_id
    """,  # noqa: S608 - constants only
    f"""
    INSERT INTO agents(id, name, read_policy, source, created_at, updated_at)
    VALUES ('default', 'default', 'shared', 'api', {_NOW}, {_NOW})
    """,  # noqa: S608 - constants only
    """
    CREATE INDEX memories_agent ON memories(agent_id, created_at, seq, visibility)
    WHERE is_deleted = 0
    """,
)
