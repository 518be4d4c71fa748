"""The values of the graph: entities, aliases, mentions, aspects, attributes, dependencies.

Entities refer to each other by row number (``seq``); the API uses their ids.
"""

from dataclasses import dataclass

from intaglio.domain.entity_kinds import (
    AliasOrigin,
    AttributeKind,
    AttributeStatus,
    DependencyType,
    EntityChangeKind,
    EntityOrigin,
    EntityType,
)
from intaglio.domain.reader import USER, Reader


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the graph. The fields are in the order in which their columns are read.

    ``project`` is its scope, None if all projects share it. ``merged_into`` is the row number of
    the entity that it counts as, None for most. Never both pinned and suppressed;
    ``weight_override`` (0 to 1) replaces the learned salience in rankings.
    """

    seq: int
    id: str
    agent_id: str
    project: str | None
    name: str
    canonical_name: str
    type: EntityType
    description: str | None
    origin: EntityOrigin
    mentions: int
    pinned: bool
    pinned_at: str | None
    pin_reason: str | None
    suppressed: bool
    weight_override: float | None
    merged_into: int | None
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class EntityCounts:
    """How many aspects, facts and dependencies of an entity a reader may see."""

    aspects: int = 0
    attributes: int = 0
    constraints: int = 0
    incoming: int = 0
    outgoing: int = 0


@dataclass(frozen=True, slots=True)
class EntityAlias:
    """A name of an entity; ``seq`` is its row number, ``entity`` that of its entity."""

    seq: int
    entity: int
    alias: str
    canonical: str
    origin: AliasOrigin


@dataclass(frozen=True, slots=True)
class Mention:
    """The characters ``start`` to ``end`` of a live memory that name an entity."""

    memory_id: str
    start: int
    end: int
    surface: str


@dataclass(frozen=True, slots=True)
class Aspect:
    """A named dimension of an entity, with its weight (0 to 1) and how many facts it has."""

    seq: int
    id: str
    entity_id: str
    agent_id: str
    name: str
    canonical_name: str
    weight: float
    created_at: str
    updated_at: str
    attributes: int = 0
    constraints: int = 0


@dataclass(frozen=True, slots=True)
class Attribute:
    """A fact or constraint below an aspect; without one, it awaits classification.

    ``content`` is that of its memory unless it has its own, ``type`` that of its memory.
    """

    seq: int
    id: str
    entity_id: str
    aspect_id: str | None
    agent_id: str
    memory_id: str | None
    kind: AttributeKind
    content: str
    confidence: float
    importance: float
    status: AttributeStatus
    superseded_by: str | None
    origin: EntityOrigin
    created_at: str
    updated_at: str
    type: str


@dataclass(frozen=True, slots=True)
class Dependency:
    """A directed edge between two entities; ``strength`` is 0 to 1."""

    seq: int
    id: str
    type: DependencyType
    strength: float
    aspect_id: str | None
    source_id: str
    source_name: str
    target_id: str
    target_name: str
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class EntityChange:
    """A change of an entity that the user can undo; ``detail`` is JSON without text.

    ``changed_by`` is the name of the actor, or of what merged entities by itself.
    """

    seq: int
    id: str
    entity: int
    kind: EntityChangeKind
    detail: str
    created_at: str
    undone_at: str | None
    changed_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityQuery:
    """Which entities are wanted, of those that the reader may see.

    ``text`` searches names and aliases; ``projects`` are the key and the other names of a project,
    whose own and shared entities are wanted; none selects all projects. ``memory_id`` selects the
    entities that a memory names.
    """

    reader: Reader = USER
    text: str = ""
    type: EntityType | None = None
    projects: tuple[str, ...] = ()
    pinned: bool | None = None
    memory_id: str | None = None
    limit: int = 50
    offset: int = 0
