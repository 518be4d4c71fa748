"""The columns of memories that came after the schema's first twenty steps."""

from typing import Final

from intaglio.store.migrations import Migration

_OF_AGENT: Final = "(memories.source_type = 'agent' AND memories.who <> 'user')"
# What an agent asks about by itself says nothing of what the user said.
_OPEN: Final = (
    f"i.kind = 'contradiction' AND i.status = 'open' AND (i.source_type <> 'agent' OR {_OF_AGENT})"
)
_SET_DISPUTE: Final = (
    "UPDATE memories SET dispute = EXISTS (SELECT 1 FROM inbox_items i "  # noqa: S608 - constants
    f"WHERE i.older_id = memories.id AND {_OPEN}) + 2 * EXISTS (SELECT 1 FROM inbox_items i "
    f"WHERE i.memory_id = memories.id AND {_OPEN})"
)
_SET_DISPUTE_NOW: Final = (
    f"{_SET_DISPUTE} WHERE id IN (SELECT memory_id FROM inbox_items WHERE kind = 'contradiction' "  # noqa: S608 - constants
    "UNION SELECT older_id FROM inbox_items WHERE kind = 'contradiction')"
)


def _follow_items(name: str, event: str, row: str) -> str:
    return (
        f"CREATE TRIGGER {name} AFTER {event} ON inbox_items WHEN {row}.kind = 'contradiction' "
        f"BEGIN {_SET_DISPUTE} WHERE id IN ({row}.memory_id, {row}.older_id); END"
    )


MIGRATIONS: Final = (
    Migration(
        24,
        "replaced memories",
        (
            # Replaced while `valid_until` is set. `superseded_by` stays while that memory is
            # forgotten, so that restoring it replaces this one again.
            "ALTER TABLE memories ADD COLUMN superseded_by TEXT",
            "ALTER TABLE memories ADD COLUMN valid_until TEXT",
            # Open contradictions: 1 as the older memory of one, 2 as the newer, 3 as both.
            "ALTER TABLE memories ADD COLUMN dispute INTEGER NOT NULL DEFAULT 0",
            # The ids of the memories that an accepted suggestion replaces, as JSON.
            "ALTER TABLE inbox_items ADD COLUMN replaces TEXT",
            """
            CREATE INDEX memories_superseded ON memories(superseded_by)
            WHERE superseded_by IS NOT NULL
            """,
            # What was replaced by a memory that is purged or erased is replaced by that one's own
            # successor.
            """
            CREATE TRIGGER memories_superseding_deleted AFTER DELETE ON memories BEGIN
              UPDATE memories SET superseded_by = old.superseded_by
                WHERE superseded_by = old.id AND old.valid_until IS NOT NULL;
              UPDATE memories SET superseded_by = NULL
                WHERE superseded_by = old.id AND valid_until IS NULL;
            END
            """,
            _follow_items("inbox_dispute_added", "INSERT", "new"),
            _follow_items("inbox_dispute_changed", "UPDATE OF status, memory_id, older_id", "new"),
            _follow_items("inbox_dispute_deleted", "DELETE", "old"),
            _SET_DISPUTE_NOW,
        ),
    ),
)
