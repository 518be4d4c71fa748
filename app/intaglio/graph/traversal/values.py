"""What a walk of the graph starts from, and what it finds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from intaglio.domain.entity_kinds import DependencyType, FocalSource
from intaglio.graph.values import Entity
from intaglio.memory.filters import Filter

WalkPhase: TypeAlias = Literal["session_start", "recall"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FocalSignals:
    """What focal entities are found by.

    ``filters`` name the reader and the project; ``entity_ids`` come from a session's checkpoint,
    ``query`` is a question or a prompt.
    """

    filters: Filter
    entity_ids: Sequence[str] = ()
    query: str = ""


@dataclass(frozen=True, slots=True)
class FocalEntity:
    """An entity that a walk starts from, and by what it was found."""

    entity: Entity
    source: FocalSource


@dataclass(frozen=True, slots=True)
class FocalEntities:
    """What a walk starts from, in the order in which it is visited; ``source`` found the first."""

    source: FocalSource
    entities: tuple[FocalEntity, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkBudget:
    """How much a walk visits; constraints are read whatever it says.

    ``deadline_s`` counts from the walk's start.
    """

    aspects: int = 10
    attributes: int = 20
    hops: int = 30
    min_strength: float = 0.3
    deadline_s: float = 0.5


@dataclass(frozen=True, slots=True)
class FoundConstraint:
    """A constraint of a focal entity, or of one that it depends on.

    ``memory`` is the row number of its memory, whose words were said at ``worded_at``. ``entity``,
    a row number too, bears it and is called ``name``; ``focal`` depends on that by ``dependency``,
    or is the same and there is none. ``by_user`` is set if the user marked it as a constraint.
    """

    seq: int
    memory: int
    importance: float
    entity: int
    name: str
    focal: Entity
    worded_at: str
    dependency: DependencyType | None = None
    by_user: bool = False


@dataclass(frozen=True, slots=True)
class WalkedAttribute:
    """A fact that the walk visited; ``memory`` is the row number of its memory."""

    seq: int
    memory: int
    importance: float
    confidence: float


@dataclass(frozen=True, slots=True)
class WalkedAspect:
    """An aspect that the walk visited, with its most important facts; None: unclassified ones."""

    name: str | None
    weight: float
    attributes: tuple[WalkedAttribute, ...]


@dataclass(frozen=True, slots=True)
class WalkedEntity:
    """An entity that the walk visited: a focal one, or one that ``focal`` depends on."""

    entity: Entity
    focal: Entity
    dependency: DependencyType | None
    strength: float
    aspects: tuple[WalkedAspect, ...]


@dataclass(frozen=True, slots=True)
class GraphWalk:
    """What a walk found: all constraints, most important first, and the entities it visited."""

    focal: FocalEntities
    constraints: tuple[FoundConstraint, ...] = ()
    visited: tuple[WalkedEntity, ...] = ()
    timed_out: bool = False

    @property
    def memories(self) -> tuple[int, ...]:
        """The row numbers of the memories that it found, each once; those of constraints first."""
        found = [each.memory for each in self.constraints]
        found += [
            fact.memory
            for each in self.visited
            for aspect in each.aspects
            for fact in aspect.attributes
        ]
        return tuple(dict.fromkeys(found))


NO_FOCAL = FocalEntities("session_key")
NO_WALK = GraphWalk(NO_FOCAL)
