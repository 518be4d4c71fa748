"""The graph: entities, their structure, the edges between them, and tables for what comes later.

Rows refer to each other, and to memories, by row number. A trigger deletes what refers to a memory
together with its row, because a later memory may get its number.
"""

from typing import Final

NAME: Final = "graph"

_ENTITIES: Final = (
    # Without a project, an entity is shared by all. A merged entity stays as it is and only refers
    # to the one it counts as, so that undoing a merge changes one column. `is_stale`: one of its
    # memories was deleted, and what only that memory said must go.
    """
    CREATE TABLE entities(
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      agent_id TEXT NOT NULL,
      project TEXT,
      name TEXT NOT NULL,
      canonical_name TEXT NOT NULL,
      entity_type TEXT NOT NULL,
      description TEXT,
      summary TEXT,
      origin TEXT NOT NULL,
      mentions INTEGER NOT NULL DEFAULT 0,
      pinned INTEGER NOT NULL DEFAULT 0,
      pinned_at TEXT,
      pin_reason TEXT,
      suppressed INTEGER NOT NULL DEFAULT 0,
      weight_override REAL,
      merged_into INTEGER REFERENCES entities(seq),
      community INTEGER REFERENCES communities(seq) ON DELETE SET NULL,
      is_stale INTEGER NOT NULL DEFAULT 0,
      last_seen_at TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      CHECK (NOT (pinned AND suppressed))
    ) STRICT
    """,
    """
    CREATE UNIQUE INDEX entities_key
    ON entities(canonical_name, agent_id, ifnull(project, ''), entity_type)
    """,
    "CREATE INDEX entities_pinned ON entities(pinned_at) WHERE pinned = 1",
    "CREATE INDEX entities_mentioned ON entities(mentions, seq) WHERE merged_into IS NULL",
    "CREATE INDEX entities_project ON entities(project) WHERE entity_type = 'project'",
    "CREATE INDEX entities_merged ON entities(merged_into) WHERE merged_into IS NOT NULL",
    # Tells for each of many entities whether it was merged, without reading its row.
    """
    CREATE INDEX entities_are_merged ON entities(seq, merged_into)
    WHERE merged_into IS NOT NULL
    """,
    "CREATE INDEX entities_stale ON entities(seq) WHERE is_stale = 1",
    "CREATE INDEX entities_community ON entities(community) WHERE community IS NOT NULL",
    """
    CREATE TABLE entity_aliases(
      seq INTEGER PRIMARY KEY,
      entity INTEGER NOT NULL REFERENCES entities(seq) ON DELETE CASCADE,
      alias TEXT NOT NULL,
      canonical TEXT NOT NULL,
      origin TEXT NOT NULL,
      created_at TEXT NOT NULL,
      UNIQUE(canonical, entity)
    ) STRICT
    """,
    "CREATE INDEX entity_aliases_entity ON entity_aliases(entity)",
    # The characters of a memory's content that name an entity, by one of its aliases.
    """
    CREATE TABLE memory_entity_mentions(
      memory INTEGER NOT NULL,
      start INTEGER NOT NULL,
      end INTEGER NOT NULL,
      alias INTEGER NOT NULL REFERENCES entity_aliases(seq) ON DELETE CASCADE,
      confidence REAL NOT NULL,
      PRIMARY KEY(memory, start, alias)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX memory_entity_mentions_alias ON memory_entity_mentions(alias, memory)",
    """
    CREATE VIRTUAL TABLE entities_fts USING fts5(
      name, summary, content='entities', content_rowid='seq', tokenize='unicode61', prefix='2 3'
    )
    """,
    "INSERT INTO entities_fts(entities_fts, rank) VALUES ('secure-delete', 1)",
    """
    CREATE TRIGGER entities_inserted AFTER INSERT ON entities BEGIN
      INSERT INTO entities_fts(rowid, name, summary) VALUES (new.seq, new.name, new.summary);
    END
    """,
    """
    CREATE TRIGGER entities_deleted AFTER DELETE ON entities BEGIN
      INSERT INTO entities_fts(entities_fts, rowid, name, summary)
      VALUES ('delete', old.seq, old.name, old.summary);
    END
    """,
    """
    CREATE TRIGGER entities_renamed AFTER UPDATE OF name, summary ON entities BEGIN
      INSERT INTO entities_fts(entities_fts, rowid, name, summary)
      VALUES ('delete', old.seq, old.name, old.summary);
      INSERT INTO entities_fts(rowid, name, summary) VALUES (new.seq, new.name, new.summary);
    END
    """,
)
_STRUCTURE: Final = (
    """
    CREATE TABLE entity_aspects(
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      entity INTEGER NOT NULL REFERENCES entities(seq) ON DELETE CASCADE,
      agent_id TEXT NOT NULL,
      name TEXT NOT NULL,
      canonical_name TEXT NOT NULL,
      description TEXT,
      weight REAL NOT NULL DEFAULT 0.5,
      feedback_at TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE(entity, canonical_name)
    ) STRICT
    """,
    # An attribute without a content has that of its memory; without an aspect, it awaits
    # classification. `updated_at` is NULL until something changes.
    """
    CREATE TABLE entity_attributes(
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      entity INTEGER NOT NULL REFERENCES entities(seq) ON DELETE CASCADE,
      aspect INTEGER REFERENCES entity_aspects(seq) ON DELETE SET NULL,
      agent_id TEXT NOT NULL,
      memory INTEGER,
      kind TEXT NOT NULL,
      content TEXT,
      normalized_content TEXT,
      attribute_key TEXT,
      attribute_value TEXT,
      confidence REAL NOT NULL DEFAULT 0.0,
      importance REAL NOT NULL DEFAULT 0.5,
      is_primary INTEGER NOT NULL DEFAULT 1,
      status TEXT NOT NULL DEFAULT 'active',
      superseded_by TEXT,
      origin TEXT NOT NULL,
      valid_from TEXT,
      valid_until TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT
    ) STRICT
    """,
    "CREATE INDEX entity_attributes_entity ON entity_attributes(entity, aspect, importance)",
    "CREATE INDEX entity_attributes_aspect ON entity_attributes(aspect)",
    """
    CREATE UNIQUE INDEX entity_attributes_primary ON entity_attributes(memory)
    WHERE is_primary = 1 AND memory IS NOT NULL
    """,
    """
    CREATE INDEX entity_attributes_secondary ON entity_attributes(memory)
    WHERE is_primary = 0 AND memory IS NOT NULL
    """,
    """
    CREATE INDEX entity_attributes_constraints ON entity_attributes(entity)
    WHERE kind = 'constraint' AND status = 'active'
    """,
    """
    CREATE TABLE task_meta(
      entity INTEGER PRIMARY KEY REFERENCES entities(seq) ON DELETE CASCADE,
      agent_id TEXT NOT NULL,
      status TEXT NOT NULL,
      expires_at TEXT,
      retention_until TEXT,
      completed_at TEXT,
      updated_at TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE entity_dependencies(
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      source INTEGER NOT NULL REFERENCES entities(seq) ON DELETE CASCADE,
      target INTEGER NOT NULL REFERENCES entities(seq) ON DELETE CASCADE,
      agent_id TEXT NOT NULL,
      aspect INTEGER REFERENCES entity_aspects(seq) ON DELETE SET NULL,
      dependency_type TEXT NOT NULL,
      strength REAL NOT NULL DEFAULT 0.5,
      origin TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE(source, target, dependency_type)
    ) STRICT
    """,
    "CREATE INDEX entity_dependencies_source ON entity_dependencies(source, strength, target)",
    "CREATE INDEX entity_dependencies_target ON entity_dependencies(target)",
    "CREATE INDEX entity_dependencies_aspect ON entity_dependencies(aspect)",
    # The memories that a dependency was read from: whoever may read one of them may see it.
    """
    CREATE TABLE dependency_sources(
      memory INTEGER NOT NULL,
      dependency INTEGER NOT NULL REFERENCES entity_dependencies(seq) ON DELETE CASCADE,
      PRIMARY KEY(memory, dependency)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX dependency_sources_dependency ON dependency_sources(dependency)",
)
_RELATIONS: Final = (
    """
    CREATE TABLE relations(
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      source INTEGER NOT NULL REFERENCES entities(seq) ON DELETE CASCADE,
      target INTEGER NOT NULL REFERENCES entities(seq) ON DELETE CASCADE,
      agent_id TEXT NOT NULL,
      relation TEXT NOT NULL,
      edge_type TEXT NOT NULL,
      fact TEXT,
      strength REAL NOT NULL DEFAULT 0.5,
      confidence REAL NOT NULL,
      mentions INTEGER NOT NULL DEFAULT 1,
      retrieval_count REAL NOT NULL DEFAULT 0.0,
      metadata TEXT,
      valid_from TEXT,
      valid_until TEXT,
      created_at TEXT NOT NULL,
      expired_at TEXT,
      supersedes_id TEXT
    ) STRICT
    """,
    """
    CREATE UNIQUE INDEX relations_active ON relations(source, target, relation)
    WHERE valid_until IS NULL AND expired_at IS NULL
    """,
    "CREATE INDEX relations_source ON relations(source, valid_from)",
    "CREATE INDEX relations_target ON relations(target, valid_from)",
    """
    CREATE TABLE relation_sources(
      memory INTEGER NOT NULL,
      relation INTEGER NOT NULL REFERENCES relations(seq) ON DELETE CASCADE,
      PRIMARY KEY(memory, relation)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX relation_sources_relation ON relation_sources(relation)",
    """
    CREATE TABLE communities(
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      agent_id TEXT NOT NULL,
      name TEXT NOT NULL,
      summary TEXT,
      fingerprint BLOB NOT NULL,
      method TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE episodes(
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      agent_id TEXT NOT NULL,
      project TEXT,
      harness TEXT NOT NULL,
      session_id TEXT NOT NULL,
      summary TEXT,
      started_at TEXT NOT NULL,
      ended_at TEXT,
      UNIQUE(harness, session_id)
    ) STRICT
    """,
    """
    CREATE TABLE episode_entities(
      episode INTEGER NOT NULL REFERENCES episodes(seq) ON DELETE CASCADE,
      entity INTEGER NOT NULL REFERENCES entities(seq) ON DELETE CASCADE,
      mentions INTEGER NOT NULL,
      PRIMARY KEY(episode, entity)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX episode_entities_entity ON episode_entities(entity)",
)
_INBOX: Final = (
    # The two entities that may be one; an item goes with either of them.
    "ALTER TABLE inbox_items ADD COLUMN entity_id TEXT",
    "ALTER TABLE inbox_items ADD COLUMN other_entity_id TEXT",
    "CREATE INDEX inbox_entity ON inbox_items(entity_id) WHERE entity_id IS NOT NULL",
    """
    CREATE INDEX inbox_other_entity ON inbox_items(other_entity_id)
    WHERE other_entity_id IS NOT NULL
    """,
    """
    CREATE TRIGGER entities_inbox_deleted AFTER DELETE ON entities BEGIN
      DELETE FROM inbox_items WHERE entity_id = old.id;
      DELETE FROM inbox_items WHERE other_entity_id = old.id;
    END
    """,
)
_CHANGES: Final = (
    # What the user did to an entity, so that it can be undone: row numbers and former values, no
    # text of a memory.
    """
    CREATE TABLE entity_changes(
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      entity INTEGER NOT NULL REFERENCES entities(seq) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      detail TEXT NOT NULL,
      changed_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      undone_at TEXT
    ) STRICT
    """,
    "CREATE INDEX entity_changes_entity ON entity_changes(entity)",
    "CREATE INDEX entity_changes_time ON entity_changes(created_at)",
    """
    CREATE TRIGGER memories_graph_deleted AFTER DELETE ON memories BEGIN
      UPDATE entities SET is_stale = 1 WHERE seq IN (
        SELECT a.entity FROM memory_entity_mentions n JOIN entity_aliases a ON a.seq = n.alias
        WHERE n.memory = old.seq
        UNION SELECT entity FROM entity_attributes WHERE memory = old.seq AND is_primary = 1
        UNION SELECT entity FROM entity_attributes WHERE memory = old.seq AND is_primary = 0
        UNION SELECT d.source FROM dependency_sources s
          JOIN entity_dependencies d ON d.seq = s.dependency WHERE s.memory = old.seq
      );
      DELETE FROM memory_entity_mentions WHERE memory = old.seq;
      DELETE FROM entity_attributes WHERE memory = old.seq AND is_primary = 1;
      DELETE FROM entity_attributes WHERE memory = old.seq AND is_primary = 0;
      DELETE FROM dependency_sources WHERE memory = old.seq;
      DELETE FROM relation_sources WHERE memory = old.seq;
    END
    """,
)

STATEMENTS: Final[tuple[str, ...]] = (
    *_ENTITIES,
    *_STRUCTURE,
    *_RELATIONS,
    *_INBOX,
    *_CHANGES,
)
