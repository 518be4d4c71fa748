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
)
