"""The first schema: memories with history and index, jobs, sessions with the ledger."""

from typing import Final

NAME: Final = "initial"

STATEMENTS: Final[tuple[str, ...]] = (
    """
    CREATE TABLE memories(
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      content TEXT NOT NULL,
      content_hash BLOB NOT NULL,
      type TEXT NOT NULL,
      importance REAL NOT NULL,
      confidence REAL NOT NULL,
      pinned INTEGER NOT NULL,
      tags TEXT,
      who TEXT NOT NULL,
      why TEXT,
      project TEXT,
      agent_id TEXT NOT NULL,
      visibility TEXT NOT NULL,
      source_type TEXT NOT NULL,
      source_id TEXT,
      source_path TEXT,
      session_id TEXT,
      idempotency_key TEXT,
      runtime_path TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      updated_by TEXT NOT NULL,
      last_accessed TEXT,
      access_count INTEGER NOT NULL DEFAULT 0,
      version INTEGER NOT NULL DEFAULT 1,
      is_deleted INTEGER NOT NULL DEFAULT 0,
      deleted_at TEXT,
      extraction_status TEXT NOT NULL DEFAULT 'none',
      embedding_model TEXT
    ) STRICT
    """,
    """
    CREATE UNIQUE INDEX memories_live_hash
    ON memories(content_hash, agent_id, visibility, ifnull(project, '')) WHERE is_deleted = 0
    """,
    """
    CREATE UNIQUE INDEX memories_live_source
    ON memories(source_id, source_type, agent_id, visibility, ifnull(project, ''))
    WHERE is_deleted = 0 AND source_id IS NOT NULL
    """,
    """
    CREATE INDEX memories_dead_source ON memories(source_id)
    WHERE is_deleted = 1 AND source_id IS NOT NULL
    """,
    """
    CREATE UNIQUE INDEX memories_idempotency ON memories(idempotency_key, agent_id)
    WHERE idempotency_key IS NOT NULL AND is_deleted = 0
    """,
    "CREATE INDEX memories_newest ON memories(created_at, seq) WHERE is_deleted = 0",
    "CREATE INDEX memories_project ON memories(project, type, created_at) WHERE is_deleted = 0",
    "CREATE INDEX memories_pinned ON memories(project) WHERE is_deleted = 0 AND pinned = 1",
    "CREATE INDEX memories_tombstones ON memories(deleted_at) WHERE is_deleted = 1",
    """
    CREATE TABLE memory_history(
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      memory_id TEXT NOT NULL,
      event TEXT NOT NULL,
      old_content TEXT,
      new_content TEXT,
      changed_by TEXT NOT NULL,
      actor_type TEXT NOT NULL,
      reason TEXT,
      metadata TEXT,
      session_id TEXT,
      request_id TEXT,
      created_at TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX memory_history_memory ON memory_history(memory_id)",
    """
    CREATE TABLE jobs(
      id INTEGER PRIMARY KEY,
      type TEXT NOT NULL,
      subject TEXT NOT NULL,
      status TEXT NOT NULL DEFAULT 'pending',
      payload TEXT,
      attempts INTEGER NOT NULL DEFAULT 0,
      max_attempts INTEGER NOT NULL DEFAULT 3,
      not_before TEXT,
      leased_at TEXT,
      lease TEXT,
      error TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT,
      completed_at TEXT,
      failed_at TEXT
    ) STRICT
    """,
    """
    CREATE UNIQUE INDEX jobs_open ON jobs(subject, type) WHERE status IN ('pending', 'leased')
    """,
    """
    CREATE TABLE sessions(
      harness TEXT NOT NULL,
      id TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      project TEXT,
      cwd TEXT,
      transcript_path TEXT,
      transcript_offset INTEGER NOT NULL DEFAULT 0,
      runtime_path TEXT,
      prompts INTEGER NOT NULL DEFAULT 0,
      started_at TEXT NOT NULL,
      last_seen_at TEXT NOT NULL,
      ended_at TEXT,
      end_reason TEXT,
      PRIMARY KEY(harness, id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX sessions_open ON sessions(last_seen_at) WHERE ended_at IS NULL",
    """
    CREATE TABLE injections(
      seq INTEGER PRIMARY KEY,
      harness TEXT NOT NULL,
      session_id TEXT NOT NULL,
      event TEXT NOT NULL,
      source TEXT,
      prompt_id TEXT,
      project TEXT,
      terms TEXT,
      candidates INTEGER NOT NULL,
      injected INTEGER NOT NULL,
      tokens INTEGER NOT NULL,
      elapsed_ms REAL NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX injections_session ON injections(session_id, harness)",
    """
    CREATE TABLE session_memories(
      injection INTEGER NOT NULL REFERENCES injections(seq) ON DELETE CASCADE,
      rank INTEGER NOT NULL,
      memory_id TEXT NOT NULL,
      score REAL,
      reason TEXT NOT NULL,
      tokens INTEGER NOT NULL,
      injected INTEGER NOT NULL,
      PRIMARY KEY(injection, rank)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX session_memories_memory ON session_memories(memory_id)",
    "CREATE VIEW live_memories AS SELECT seq, content, tags FROM memories WHERE is_deleted = 0",
    """
    CREATE VIRTUAL TABLE memories_fts USING fts5(
      content, tags, content='live_memories', content_rowid='seq', tokenize='porter unicode61'
    )
    """,
    "CREATE VIRTUAL TABLE memories_vocabulary USING fts5vocab(memories_fts, 'row')",
    """
    CREATE TRIGGER memories_inserted AFTER INSERT ON memories WHEN new.is_deleted = 0 BEGIN
      INSERT INTO memories_fts(rowid, content, tags) VALUES (new.seq, new.content, new.tags);
    END
    """,
    """
    CREATE TRIGGER memories_deleted AFTER DELETE ON memories WHEN old.is_deleted = 0 BEGIN
      INSERT INTO memories_fts(memories_fts, rowid, content, tags)
      VALUES ('delete', old.seq, old.content, old.tags);
    END
    """,
    """
    CREATE TRIGGER memories_updated AFTER UPDATE OF content, tags, is_deleted ON memories
    WHEN old.content IS NOT new.content OR old.tags IS NOT new.tags
      OR old.is_deleted IS NOT new.is_deleted
    BEGIN
      INSERT INTO memories_fts(memories_fts, rowid, content, tags)
      SELECT 'delete', old.seq, old.content, old.tags WHERE old.is_deleted = 0;
      INSERT INTO memories_fts(rowid, content, tags)
      SELECT new.seq, new.content, new.tags WHERE new.is_deleted = 0;
    END
    """,
)
