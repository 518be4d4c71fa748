"""The migrations of the graph's tables that came after the schema's first twenty steps."""

from typing import Final

from intaglio.store.migrations import Migration

# What capture heard was a constraint by its type alone. It stays one if the user placed or changed
# it, or if its words may set a standing limit, as far as SQL can tell.
_MARKS: Final = (
    *("never", "always", "must", "do not", "don''t", "only", "not allowed", "forbidden"),
    *("mandatory", "under no circumstances", "from now on", "shall", "cannot", "nie", "immer"),
    *("muss", "müssen", "darf", "dürfen", "nunca", "siempre", "debe", "jamais", "toujours", "doit"),
    *("必须", "不要", "不能", "禁止", "绝不", "一律", "必ず"),
)
_MARKED: Final = tuple(f"m.content LIKE '%{mark}%'" for mark in _MARKS)
_HEARD_WITHOUT_A_LIMIT: Final = (
    "SELECT m.seq FROM memories m WHERE (m.why LIKE 'said as a %' "  # noqa: S608 - constants
    "OR m.why = 'said by the user, worded by the agent') "
    "AND NOT EXISTS (SELECT 1 FROM memory_history h WHERE h.memory = m.seq "
    "AND h.event = 'updated' AND h.actor_type IS NULL) "
    f"AND NOT ({' OR '.join(_MARKED)})"
)

# What no memory and no message states is no relation; its ends may have been there only for it.
_FOLLOW_SOURCES: Final = (
    "UPDATE entities SET is_stale = 1 WHERE seq IN ("
    "SELECT source FROM relations WHERE seq = old.relation "
    "UNION SELECT target FROM relations WHERE seq = old.relation); "
    "UPDATE relations SET mentions = max(mentions - 1, 1) WHERE seq = old.relation; "
    "DELETE FROM relations WHERE seq = old.relation "
    "AND NOT EXISTS (SELECT 1 FROM relation_sources WHERE relation = old.relation) "
    "AND NOT EXISTS (SELECT 1 FROM relation_messages WHERE relation = old.relation)"
)
_FORGET_MESSAGE: Final = "DELETE FROM relation_messages WHERE message = old.seq"


def _trigger(name: str, event: str, body: str) -> str:
    return f"CREATE TRIGGER {name} AFTER {event} BEGIN {body}; END"


MIGRATIONS: Final = (
    Migration(
        26,
        "constraints that the user stated",
        (
            (
                "UPDATE entity_attributes SET kind = 'attribute', importance = "  # noqa: S608 - constants
                "(SELECT m.importance FROM memories m WHERE m.seq = memory) "
                "WHERE kind = 'constraint' "
                f"AND origin <> 'user' AND memory IN ({_HEARD_WITHOUT_A_LIMIT})"
            ),
        ),
    ),
    Migration(
        37,
        "sources of relations",
        (
            # The messages of transcripts that a relation was read from.
            """
            CREATE TABLE relation_messages(
              message INTEGER NOT NULL,
              relation INTEGER NOT NULL REFERENCES relations(seq) ON DELETE CASCADE,
              PRIMARY KEY(message, relation)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX relation_messages_relation ON relation_messages(relation)",
            _trigger("relation_sources_deleted", "DELETE ON relation_sources", _FOLLOW_SOURCES),
            _trigger("relation_messages_deleted", "DELETE ON relation_messages", _FOLLOW_SOURCES),
            _trigger("relations_unsaid", "DELETE ON transcript_messages", _FORGET_MESSAGE),
            _trigger(
                "relations_cut",
                "UPDATE OF text ON transcript_messages WHEN old.text IS NOT new.text",
                _FORGET_MESSAGE,
            ),
        ),
    ),
    Migration(
        39,
        "what was read of facts",
        (
            # By whom a fact's aspect was found, or its dependencies were: by rules, with their
            # confidence, or by a model, with its prompt.
            """
            CREATE TABLE attribute_readings(
              attribute INTEGER NOT NULL REFERENCES entity_attributes(seq) ON DELETE CASCADE,
              stage TEXT NOT NULL,
              confidence REAL,
              version INTEGER,
              model TEXT,
              created_at TEXT NOT NULL,
              PRIMARY KEY(attribute, stage)
            ) STRICT, WITHOUT ROWID
            """,
        ),
    ),
    Migration(
        55,
        "pruned entities",
        # When a repair suppressed it; empty for what the user suppressed.
        ("ALTER TABLE entities ADD COLUMN pruned_at TEXT",),
    ),
)
