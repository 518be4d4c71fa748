"""The outcomes of the user's changes of the graph."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from intaglio.graph.values import Attribute, Entity


@dataclass(frozen=True, slots=True)
class EntityEdited:
    """The entity as it is now; ``change_id`` undoes the change, None if there is nothing to undo."""

    entity: Entity
    change_id: str | None = None


@dataclass(frozen=True, slots=True)
class NoSuchEntity:
    """There is no such entity, or the reader doesn't see it."""


@dataclass(frozen=True, slots=True)
class NameTaken:
    """Another entity of the same scope and type has this name.

    ``in_group``: it was merged into the entity that was to get the name.
    """

    name: str
    other: Entity
    in_group: bool = False


@dataclass(frozen=True, slots=True)
class CannotMerge:
    """Two entities can't be merged: they are one already, or belong to different agents."""

    reason: Literal["same", "agents"]


@dataclass(frozen=True, slots=True)
class NotItsMemories:
    """These memories are unknown, or don't name the entity and aren't about it."""

    entity: Entity
    memory_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AllItsMemories:
    """Nothing would be left of the entity."""

    entity: Entity


@dataclass(frozen=True, slots=True)
class NoSuchAlias:
    """The entity has no such alias, or the reader doesn't see it."""


@dataclass(frozen=True, slots=True)
class AliasIsName:
    """The alias is the name of the entity, or of ``merged``, which was merged into it."""

    alias: str
    merged: Entity | None = None


@dataclass(frozen=True, slots=True)
class NoSuchChange:
    """There is no such change, or the reader doesn't see its entity."""


@dataclass(frozen=True, slots=True)
class UndoRefused:
    """The change can't be undone, or not yet."""

    reason: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class AttributeEdited:
    """The attribute as it is now."""

    attribute: Attribute


@dataclass(frozen=True, slots=True)
class NoSuchAttribute:
    """There is no such attribute, or the reader doesn't see its memory."""


EditOutcome: TypeAlias = EntityEdited | NoSuchEntity
RenameOutcome: TypeAlias = EditOutcome | NameTaken
MergeOutcome: TypeAlias = EditOutcome | CannotMerge
SplitOutcome: TypeAlias = EditOutcome | NameTaken | NotItsMemories | AllItsMemories
AliasOutcome: TypeAlias = EditOutcome | NameTaken | NoSuchAlias | AliasIsName
UndoChangeOutcome: TypeAlias = EntityEdited | NoSuchChange | NameTaken | UndoRefused
AttributeOutcome: TypeAlias = AttributeEdited | NoSuchAttribute
AnyEditOutcome: TypeAlias = (
    RenameOutcome | MergeOutcome | SplitOutcome | AliasOutcome | UndoChangeOutcome
)
