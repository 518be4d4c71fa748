"""The closed unions of the graph: types of entities, of attributes and of dependencies."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

EntityType: TypeAlias = Literal[
    "person",
    "organization",
    "project",
    "system",
    "service",
    "component",
    "tool",
    "language",
    "format",
    "file",
    "config",
    "concept",
    "skill",
    "task",
    "unknown",
]
"""What an entity is; ``unknown`` is replaced as soon as a text tells."""

ENTITY_TYPES: Final[tuple[EntityType, ...]] = get_args(EntityType)

SHARED_TYPES: Final[frozenset[EntityType]] = frozenset(
    {"person", "organization", "tool", "language", "format", "skill"}
)
"""Types whose entities are the same in all projects; others belong to the project they occur in."""

LONGEST_NAME: Final = 200
"""The maximum length of a name, in characters."""

AttributeKind: TypeAlias = Literal["attribute", "constraint"]
AttributeStatus: TypeAlias = Literal["active", "superseded", "deleted"]

DependencyType: TypeAlias = Literal[
    "uses", "requires", "owned_by", "blocks", "informs", "part_of", "related_to"
]

DEPENDENCY_TYPES: Final[tuple[DependencyType, ...]] = get_args(DependencyType)

Direction: TypeAlias = Literal["incoming", "outgoing", "both"]
"""Which dependencies of an entity: those on it, its own on others, or both."""

FocalSource: TypeAlias = Literal["checkpoint", "project", "query", "session_key", "pinned"]
"""By what the focal entities of a walk were found."""

EntityOrigin: TypeAlias = Literal["linker", "classifier", "user"]
"""Who made a row of the graph: the linker, a background job, or the user."""

AliasOrigin: TypeAlias = Literal["text", "lexicon", "user"]
"""Where an alias comes from: a memory's text, the list of known names, or the user."""

EntityChangeKind: TypeAlias = Literal[
    "merge", "split", "rename", "retype", "add_alias", "remove_alias"
]
"""What the user did to an entity, so that it can be undone."""

_SAME_TYPES: Final[Mapping[str, EntityType]] = {"extracted": "unknown", "tech": "tool"}


def entity_type(name: str) -> EntityType | None:
    """Return the type of this name, or of a synonym; None if there is none."""
    word = name.strip().lower()
    known: Mapping[str, EntityType] = {each: each for each in ENTITY_TYPES}
    return known.get(word) or _SAME_TYPES.get(word)


_SAME_DEPENDENCIES: Final[Mapping[str, DependencyType]] = {
    "use": "uses", "used": "uses", "using": "uses", "calls": "uses", "runs_on": "uses",
    "built_with": "uses", "require": "requires", "needs": "requires", "need": "requires",
    "depends_on": "requires", "depends": "requires", "dependency": "requires",
    "owned": "owned_by", "belongs_to": "part_of", "maintained_by": "owned_by",
    "block": "blocks", "prevents": "blocks", "inform": "informs", "feeds": "informs",
    "notifies": "informs", "sends_to": "informs", "component_of": "part_of",
    "related": "related_to",
    "relates_to": "related_to",
}  # fmt: skip


def dependency_type(name: str) -> DependencyType | None:
    """Return the type of dependency of this name, or of a synonym; None if there is none."""
    word = "_".join(name.strip().lower().replace("-", " ").replace("_", " ").split())
    known: Mapping[str, DependencyType] = {each: each for each in DEPENDENCY_TYPES}
    return known.get(word) or _SAME_DEPENDENCIES.get(word)
