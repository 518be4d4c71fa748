"""The outcomes of the user's changes of the graph."""

from dataclasses import dataclass
from typing import TypeAlias

from intaglio.graph.values import Attribute, Entity


@dataclass(frozen=True, slots=True)
class EntityEdited:
    """The entity as it is now; ``change_id`` undoes the change, None if nothing can be."""

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
class EditRefused:
    """The entity, or what it is about, isn't in the state that the change requires."""

    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class NotItsMemories:
    """These memories are unknown, or don't name the entity and aren't about it."""

    entity: Entity
    memory_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoSuchAlias:
    """The entity has no such alias, or the reader doesn't see it."""


@dataclass(frozen=True, slots=True)
class NoSuchChange:
    """There is no such change, or the reader doesn't see its entity."""


@dataclass(frozen=True, slots=True)
class AttributeEdited:
    """The attribute as it is now."""

    attribute: Attribute


@dataclass(frozen=True, slots=True)
class NoSuchAttribute:
    """There is no such attribute, or the reader doesn't see its memory."""


RenameOutcome: TypeAlias = EntityEdited | NameTaken
MergeOutcome: TypeAlias = EntityEdited | NoSuchEntity | EditRefused
SplitOutcome: TypeAlias = EntityEdited | NameTaken | NotItsMemories | EditRefused
AliasOutcome: TypeAlias = EntityEdited | NameTaken | NoSuchAlias | EditRefused
UndoOneOutcome: TypeAlias = EntityEdited | NameTaken | EditRefused
UndoChangeOutcome: TypeAlias = UndoOneOutcome | NoSuchChange
EditProblem: TypeAlias = (
    NoSuchEntity | NoSuchAlias | NoSuchChange | NameTaken | NotItsMemories | EditRefused
)
EditOutcome: TypeAlias = EntityEdited | EditProblem
AttributeOutcome: TypeAlias = AttributeEdited | NoSuchAttribute
