"""Requests and replies of the knowledge graph. Times are ISO-8601 UTC.

Names are as in the client contract, in camel case.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from intaglio.domain.context_groups import ConstraintBasis
from intaglio.domain.entity_kinds import (
    LONGEST_NAME,
    AliasOrigin,
    AttributeKind,
    AttributeStatus,
    DependencyType,
    EntityChangeKind,
    EntityOrigin,
    EntityType,
    FocalSource,
)
from intaglio.wire.memory import PathText, ShortText

EntityName = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
EntityId = Annotated[str, Meta(min_length=1, max_length=200)]


class EntityRow(Struct, kw_only=True, rename="camel"):
    """An entity.

    `project` is the directory or name that it belongs to, null if all projects share it;
    `projectName` is its display name. `origin` is `user` for one that the user made.
    `weightOverride` (0 to 1) replaces the learned salience.
    """

    id: str
    name: str
    canonical_name: str
    entity_type: EntityType
    agent_id: str
    description: str | None
    mentions: int
    pinned: bool
    pinned_at: str | None
    created_at: str
    updated_at: str
    project: str | None
    project_name: str | None
    origin: EntityOrigin
    suppressed: bool
    weight_override: float | None
    pin_reason: str | None


class EntityListItem(Struct, kw_only=True, rename="camel"):
    """An entity with its counts."""

    entity: EntityRow
    aspect_count: int
    attribute_count: int
    constraint_count: int
    dependency_count: int


class EntityTypeCount(Struct, kw_only=True, rename="camel"):
    """How many entities of a type match the query without its type."""

    type: EntityType
    count: int


class EntityList(Struct, kw_only=True, rename="camel"):
    """A page of entities, pinned ones first, then the most mentioned.

    `total` counts all matches; `types` counts them by type.
    """

    items: list[EntityListItem]
    limit: int
    offset: int
    total: int
    types: list[EntityTypeCount]


class StructuralDensity(Struct, kw_only=True, rename="camel"):
    """How many aspects, facts, constraints and dependencies an entity has."""

    aspect_count: int
    attribute_count: int
    constraint_count: int
    dependency_count: int


class EntityDetail(EntityListItem, kw_only=True, rename="camel"):
    """An entity with its aliases and what was merged into it."""

    structural_density: StructuralDensity
    incoming_dependency_count: int
    outgoing_dependency_count: int
    merged: list["EntityReference"]


class EntityReference(Struct, kw_only=True, rename="camel"):
    """An entity, by id and name."""

    id: str
    name: str
    entity_type: EntityType


class PinnedEntity(Struct, kw_only=True, rename="camel"):
    """A pinned entity."""

    id: str
    name: str
    pinned_at: str
    entity_type: EntityType
    project: str | None


class PinRequest(Struct, kw_only=True, rename="camel"):
    """Why an entity is pinned."""

    reason: Annotated[str, Meta(max_length=400)] | None = None


class PinReply(Struct, kw_only=True, rename="camel"):
    """Whether the entity is pinned now, and since when."""

    pinned: bool
    pinned_at: str | UnsetType = UNSET


class SuppressReply(Struct, kw_only=True, rename="camel"):
    """Whether the entity is suppressed now; a suppressed one is never pinned."""

    suppressed: bool


class EntityHealth(Struct, kw_only=True, rename="camel"):
    """How often an entity's memories helped; none are listed, as nothing predicts it yet."""

    entity_id: str
    entity_name: str
    comparisons: int
    win_rate: float


class AliasRow(Struct, kw_only=True, rename="camel"):
    """A name of an entity; `id` is for removing it."""

    id: str
    alias: str
    origin: AliasOrigin
    mentions: int


class AliasList(Struct, kw_only=True):
    """The names of an entity, its own first."""

    items: list[AliasRow]


class AddAliasRequest(Struct, kw_only=True):
    """Another name of the entity."""

    alias: EntityName


class MentionRow(Struct, kw_only=True, rename="camel"):
    """The characters `start` to `end` (code points) of a memory's content that name the entity."""

    memory_id: str
    start: int
    end: int
    surface: str


class MentionList(Struct, kw_only=True, rename="camel"):
    """Mentions of an entity, newest memory first; `cursor` requests the next page."""

    items: list[MentionRow]
    cursor: str | None


class MentionSpan(Struct, kw_only=True, rename="camel"):
    """The characters `start` to `end` (code points) of the memory's content."""

    start: int
    end: int


class EntityMemory(Struct, kw_only=True, rename="camel"):
    """A memory that names an entity or says something about it.

    `basis` says why it is always told, null if it isn't. `mark` says what became of the files that
    it names, such as "file gone since"; it is empty for nothing.
    """

    id: str
    content: str
    type: str
    project: str | None
    created_at: str
    mentions: list[MentionSpan]
    kind: AttributeKind | None
    aspect: str | None
    basis: ConstraintBasis | None
    mark: str


class EntityMemoryList(Struct, kw_only=True, rename="camel"):
    """Memories of an entity, newest first; `cursor` requests the next page."""

    items: list[EntityMemory]
    cursor: str | None


class AspectRow(Struct, kw_only=True, rename="camel"):
    """A named dimension of an entity."""

    id: str
    entity_id: str
    agent_id: str
    name: str
    canonical_name: str
    weight: float
    created_at: str
    updated_at: str


class AspectItem(Struct, kw_only=True, rename="camel"):
    """An aspect with its counts."""

    aspect: AspectRow
    attribute_count: int
    constraint_count: int


class AspectList(Struct, kw_only=True, rename="camel"):
    """The aspects of an entity, weightiest first; `unclassified` facts have none yet."""

    items: list[AspectItem]
    unclassified: int


class AttributeRow(Struct, kw_only=True, rename="camel"):
    """A statement about an entity; `origin` tells who put it there, `type` is its memory's.

    `mark` says what became of the files that its memory names, such as "file gone since"; it is
    empty for nothing.
    """

    id: str
    aspect_id: str | None
    agent_id: str
    memory_id: str | None
    kind: AttributeKind
    content: str
    normalized_content: str
    confidence: float
    importance: float
    status: AttributeStatus
    superseded_by: str | None
    created_at: str
    updated_at: str
    origin: EntityOrigin
    type: str
    mark: str


class AttributeList(Struct, kw_only=True, rename="camel"):
    """A page of attributes, most important first."""

    items: list[AttributeRow]
    limit: int
    offset: int


class AttributeChange(Struct, kw_only=True, rename="camel", omit_defaults=True):
    """What to change of an attribute; an `aspect` is a name, made if there is none of that name."""

    status: AttributeStatus | UnsetType = UNSET
    kind: AttributeKind | UnsetType = UNSET
    aspect: EntityName | UnsetType = UNSET


class DependencyRow(Struct, kw_only=True, rename="camel"):
    """A dependency of an entity on another, or of another on it."""

    id: str
    direction: Literal["incoming", "outgoing"]
    dependency_type: DependencyType
    strength: float
    aspect_id: str | None
    source_entity_id: str
    source_entity_name: str
    target_entity_id: str
    target_entity_name: str
    created_at: str
    updated_at: str


class DependencyList(Struct, kw_only=True):
    """Dependencies of an entity, strongest first."""

    items: list[DependencyRow]


class NeighborNode(Struct, kw_only=True, rename="camel"):
    """An entity of a local graph; `depth` is how many steps it is away."""

    id: str
    name: str
    entity_type: EntityType
    mentions: int
    pinned: bool
    depth: int


class NeighborEdge(Struct, kw_only=True, rename="camel"):
    """An edge of a local graph: a dependency, or entities named together (`mentioned_with`)."""

    source: str
    target: str
    type: DependencyType | Literal["mentioned_with"]
    strength: float


class Neighborhood(Struct, kw_only=True, rename="camel"):
    """The local graph around an entity, which comes first."""

    nodes: list[NeighborNode]
    edges: list[NeighborEdge]


class EntityPatch(Struct, kw_only=True, rename="camel", omit_defaults=True):
    """What to change of an entity; `weightOverride` null returns to the learned salience."""

    name: EntityName | UnsetType = UNSET
    entity_type: EntityType | UnsetType = UNSET
    description: Annotated[str, Meta(max_length=2_000)] | UnsetType | None = UNSET
    weight_override: Annotated[float, Meta(ge=0, le=1)] | UnsetType | None = UNSET


class MergeRequest(Struct, kw_only=True, rename="camel"):
    """The entity that this one is merged into: from then on it counts as that one."""

    into: EntityId


class SplitRequest(Struct, kw_only=True, rename="camel"):
    """The memories that are about another entity, and that entity's name."""

    name: EntityName
    entity_type: EntityType | None = None
    memory_ids: Annotated[list[ShortText], Meta(min_length=1, max_length=1_000)]


class EntityChangeReply(Struct, kw_only=True, rename="camel"):
    """What was changed; `changeId` undoes it, null if nothing was. `entity` is as it is now."""

    change_id: str | None
    entity: EntityRow


class EntityChangeRow(Struct, kw_only=True, rename="camel"):
    """A change of an entity by the user."""

    id: str
    kind: EntityChangeKind
    summary: str
    created_at: str
    undone_at: str | None


class EntityChangeList(Struct, kw_only=True):
    """The user's changes of an entity, newest first."""

    items: list[EntityChangeRow]


class AssignedFactCounts(Struct, kw_only=True, rename="camel"):
    """Facts that have a place in the graph.

    By what they are about: an entity that their text names, the project, or the user. By how sure
    that is: `low` below 0.6, `high` from 0.7 on. By who told their aspect: the linker, a background
    job, or the user.
    """

    entity: int
    project: int
    user: int
    low: int
    medium: int
    high: int
    by_linker: int
    by_classifier: int
    by_user: int


class BackgroundCounts(Struct, kw_only=True, rename="camel"):
    """What background jobs found since the daemon started; `uncertain` aspects are below 0.6."""

    classified: int
    uncertain: int
    dependencies: int


class BackfillState(Struct, kw_only=True, rename="camel"):
    """Linking memories from before the graph, or from while it was switched off.

    Of the `done` ones, `uncertain` got no place in the graph; `failed` ones couldn't be read.
    """

    running: bool
    done: int
    left: int
    uncertain: int
    failed: int


class KnowledgeStats(Struct, kw_only=True, rename="camel"):
    """Counts of the graph; `coveragePercent` of the atomic facts have a place in it."""

    entity_count: int
    aspect_count: int
    attribute_count: int
    constraint_count: int
    dependency_count: int
    unassigned_memory_count: int
    coverage_percent: float
    feedback_updated_aspect_count: int
    average_aspect_weight: float
    max_weight_aspect_count: int
    min_weight_aspect_count: int
    unclassified_count: int
    average_confidence: float
    assigned: AssignedFactCounts
    background: BackgroundCounts
    backfill: BackfillState


class TraversalReport(Struct, kw_only=True, rename="camel"):
    """The last walk of the graph."""

    phase: Literal["session_start", "recall"]
    at: str
    source: FocalSource
    focal_entity_names: list[str]
    focal_entities: int
    traversed_entities: int
    memory_count: int
    constraint_count: int
    timed_out: bool


class TraversalStatus(Struct, kw_only=True):
    """The last walk of the graph since the daemon started; null before the first."""

    status: TraversalReport | None


class ExpandRequest(Struct, kw_only=True, rename="camel"):
    """An entity, by name or id, and how much of it to return."""

    entity: Annotated[str, Meta(max_length=400)] = ""
    aspect: EntityName | None = None
    question: Annotated[str, Meta(max_length=10_000)] | None = None
    max_tokens: Annotated[int, Meta(ge=1, le=10_000)] = 2_000
    project: PathText | None = None


class ExpandedEntity(Struct, kw_only=True):
    """The entity."""

    id: str
    name: str
    type: EntityType
    description: str | None


class ExpandedConstraint(Struct, kw_only=True, rename="camel"):
    """A constraint of the entity, or of one that it depends on."""

    entity_name: str
    content: str
    importance: float


class ExpandedAttribute(Struct, kw_only=True):
    """A fact about the entity."""

    content: str
    kind: AttributeKind
    importance: float
    confidence: float


class ExpandedAspect(Struct, kw_only=True):
    """A dimension of the entity."""

    name: str
    weight: float
    attributes: list[ExpandedAttribute]


class ExpandedDependency(Struct, kw_only=True):
    """What the entity depends on."""

    target: str
    type: DependencyType
    strength: float


class ExpandedMemory(Struct, kw_only=True):
    """A memory of the entity."""

    id: str
    content: str


class ExpandReply(Struct, kw_only=True, rename="camel"):
    """What is known about an entity, constraints first."""

    entity: ExpandedEntity
    constraints: list[ExpandedConstraint]
    aspects: list[ExpandedAspect]
    dependencies: list[ExpandedDependency]
    memory_count: int
    memories: list[ExpandedMemory]


class ConstellationAttribute(Struct, kw_only=True, rename="camel"):
    """A fact or constraint, for the map."""

    id: str
    content: str
    kind: AttributeKind
    importance: float
    memory_id: str | None


class ConstellationAspect(Struct, kw_only=True, rename="camel"):
    """An aspect, for the map."""

    id: str
    name: str
    weight: float
    attributes: list[ConstellationAttribute]


class ConstellationEntity(Struct, kw_only=True, rename="camel"):
    """An entity, for the map.

    ``position`` is where its label stands in the map of its memories, moved so that labels don't
    cover each other; ``position_3d`` is among its memories in three dimensions. None without a
    layout, or a memory in it.
    """

    id: str
    name: str
    entity_type: EntityType
    mentions: int
    pinned: bool
    position: tuple[float, float] | None
    position_3d: tuple[float, float, float] | None
    aspects: list[ConstellationAspect]


class ConstellationDependency(Struct, kw_only=True, rename="camel"):
    """A dependency, for the map."""

    source_entity_id: str
    target_entity_id: str
    dependency_type: DependencyType
    strength: float


class Constellation(Struct, kw_only=True):
    """The most important entities with their aspects and dependencies; at most 500."""

    entities: list[ConstellationEntity]
    dependencies: list[ConstellationDependency]
