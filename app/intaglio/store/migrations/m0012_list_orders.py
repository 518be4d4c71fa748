"""Indexes for the orders of the memory list, and for its filter by type."""

from typing import Final

NAME: Final = "list orders"

STATEMENTS: Final[tuple[str, ...]] = (
    "CREATE INDEX memories_changed ON memories(updated_at, seq) WHERE is_deleted = 0",
    "CREATE INDEX memories_importance ON memories(importance, seq) WHERE is_deleted = 0",
    "CREATE INDEX memories_used ON memories(access_count, seq) WHERE is_deleted = 0",
    "CREATE INDEX memories_type ON memories(type) WHERE is_deleted = 0",
)
