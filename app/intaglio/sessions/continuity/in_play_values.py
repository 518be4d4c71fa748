"""What of the graph a session is about, with names for display."""

from dataclasses import dataclass

from intaglio.domain.entity_kinds import EntityType


@dataclass(frozen=True, slots=True)
class EntityInPlay:
    """An entity that a session is about."""

    id: str
    name: str
    entity_type: EntityType


@dataclass(frozen=True, slots=True)
class AspectInPlay:
    """An aspect that a session is about, and its entity."""

    id: str
    name: str
    entity_id: str
    entity_name: str


@dataclass(frozen=True, slots=True)
class InPlay:
    """The entities and aspects that a session is about, the most named first."""

    entities: tuple[EntityInPlay, ...]
    aspects: tuple[AspectInPlay, ...]
