"""The filter that selects memories by an entity."""

from typing import Final

from intaglio.memory.filters import MemorySet

# An entity counts as the one that it was merged into.
_ENTITY: Final = (
    "SELECT seq FROM entities WHERE id = ? UNION ALL SELECT x.seq FROM entities x "
    "JOIN entities r ON r.seq = x.merged_into WHERE r.id = ?"
)


def of_entity(entity_id: str) -> MemorySet:
    """Return the memories that name an entity or are about it."""
    named = (
        "SELECT n.memory FROM entity_aliases a JOIN memory_entity_mentions n ON n.alias = a.seq "  # noqa: S608 - constants
        f"WHERE a.entity IN ({_ENTITY}) "
        f"UNION SELECT t.memory FROM entity_attributes t WHERE t.entity IN ({_ENTITY})"
    )
    return MemorySet(entity_id, (f"m.seq IN ({named})", (entity_id,) * 4))
