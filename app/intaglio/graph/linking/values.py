"""What linking a text needs to know, and what it finds."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from intaglio.domain.entity_kinds import AttributeKind, DependencyType, EntityType


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownName:
    """An alias of an entity that exists: ``entity`` is the row number that it counts as.

    ``project`` is the entity's scope, None for one that is shared by all projects. ``mentions`` is
    how many memories name the entity, 0 if no other memory does so far. ``by_user`` says whether
    the user gave it this name. ``name`` is the entity's display name, by which people who share a
    first name are told apart.
    """

    entity: int
    canonical: str
    type: EntityType
    project: str | None
    mentions: int
    by_user: bool = False
    name: str = ""


FindNames: TypeAlias = Callable[[Collection[str]], Mapping[str, Sequence[KnownName]]]
"""Returns, for canonical names, what has this alias: in the memory's project or in all projects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextToLink:
    """A memory's text and what is known about it.

    ``project_name`` is the display name of the memory's project, None without one. ``by_user`` says
    whether the user said it, rather than an agent, a tool, a file or an import; ``confirmed``
    whether they saved, kept or changed it themself, rather than capture hearing it.
    """

    text: str
    memory_type: str
    importance: float
    by_user: bool
    project_name: str | None
    confirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntity:
    """An entity that no alias is known of; ``aliases`` are other names that the text introduces."""

    name: str
    canonical: str
    type: EntityType
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Existing:
    """An entity that exists, by row number.

    ``type`` replaces an unknown type; ``aliases`` are new names that the text introduces for it.
    """

    entity: int
    type: EntityType | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProjectItself:
    """The memory's project, which a text without another subject is about."""


@dataclass(frozen=True, slots=True)
class UserThemself:
    """The user, whom a text without a project and without another subject is about."""


Target: TypeAlias = NewEntity | Existing | ProjectItself | UserThemself


SURE_FROM: Final = 0.5
"""The least confidence of a mention by which its entity is shown."""


LOW_CONFIDENCE: Final = 0.6
"""Below this, the place of a fact, or its aspect, counts as uncertain."""


@dataclass(frozen=True, slots=True)
class FoundMention:
    """The characters ``start`` to ``end`` of the text name this target; confidence is 0 to 1.

    Equal targets are one entity. ``surface`` is the text at this place. Below `SURE_FROM`, only
    code or an error message names it so far: it is no entity until another memory names it, too.
    """

    start: int
    end: int
    surface: str
    target: Target
    confidence: float


@dataclass(frozen=True, slots=True)
class FoundDependency:
    """The text says that one target depends on another in this way; confidence is 0 to 1."""

    source: Target
    target: Target
    type: DependencyType
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedText:
    """What a text names, and where the fact that it states belongs.

    ``primary`` is the entity that the fact is about. ``aspect`` is the dimension of it, or None if
    the text's own words don't tell: then it awaits classification. ``confidence`` is that of the
    assignment. ``needs_dependencies``: several entities are named, so that the text may say how
    they depend on each other.
    """

    mentions: tuple[FoundMention, ...]
    primary: Target
    aspect: str | None
    kind: AttributeKind
    importance: float
    confidence: float
    needs_dependencies: bool = False
