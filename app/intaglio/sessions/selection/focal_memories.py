"""Reads what the graph says about a session: its constraints, and facts about related entities."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from intaglio.base.text import clip, storage_form
from intaglio.domain.context_groups import ConstraintBasis
from intaglio.domain.entity_kinds import DependencyType
from intaglio.fence.characters import visible
from intaglio.graph.link_memory import edited_by_user
from intaglio.graph.settings import GraphSettings
from intaglio.graph.traversal.focal import resolve_focal
from intaglio.graph.traversal.focal_rows import groups
from intaglio.graph.traversal.values import (
    NO_WALK,
    FocalEntities,
    FocalSignals,
    FoundConstraint,
    GraphWalk,
    WalkedEntity,
)
from intaglio.graph.traversal.walk import budget_of, walk
from intaglio.graph.traversal.walk_rows import naming
from intaglio.graph.values import Entity
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.sessions.selection.constraints import constraint_of, group_of
from intaglio.sessions.values import ContextCandidate
from intaglio.store.tx import ReadTx

_PINNED_FACTS: Final = 12
_PINNED_FACTS_EACH: Final = 6
_DEPENDENCY_FACTS: Final = 3
_MAX_HOPS: Final = 6
_MIN_IMPORTANCE: Final = 0.6
_NAME_CHARS: Final = 60

_DEPENDS: Final[dict[DependencyType, str]] = {
    "uses": "which {} uses",
    "requires": "which {} requires",
    "owned_by": "which owns {}",
    "blocks": "which {} blocks",
    "informs": "which {} informs",
    "part_of": "which {} is part of",
    "related_to": "which {} is related to",
}


@dataclass(frozen=True, slots=True)
class FocalMemories:
    """What the graph says about a session.

    ``constraints`` come first; ``pinned`` are about entities that the user pinned,
    ``dependencies`` about those that the project depends on. A memory may be in several.
    """

    walk: GraphWalk = NO_WALK
    constraints: tuple[ContextCandidate, ...] = ()
    pinned: tuple[ContextCandidate, ...] = ()
    dependencies: tuple[ContextCandidate, ...] = ()

    @property
    def memories(self) -> Iterator[Memory]:
        """All that the graph found."""
        for each in (*self.constraints, *self.pinned, *self.dependencies):
            yield each.memory


NO_FOCAL_MEMORIES: Final = FocalMemories()


def read_focal_memories(
    tx: ReadTx,
    filters: Filter,
    settings: GraphSettings,
    seconds: Callable[[], float],
    in_play: Sequence[str] = (),
) -> FocalMemories:
    """Walk from a session's focal entities and return what was found, as candidates.

    ``filters`` name the reader and the project; ``seconds`` is a monotonic clock. ``in_play`` are
    the ids of entities that the session was about, by its checkpoint; they follow its project's.
    """
    if not (settings.enabled and settings.walk):
        return NO_FOCAL_MEMORIES
    focal = _focal(tx, filters, in_play)
    budget = budget_of(settings)
    # A few facts of these are told at most; constraints aren't limited.
    few = replace(
        budget,
        hops=min(budget.hops, _MAX_HOPS),
        attributes=min(budget.attributes, _PINNED_FACTS_EACH),
    )
    found = walk(tx, focal, few, filters, seconds)
    pinned = _facts_of_pinned(tx, found, filters)
    near = _facts_of_dependencies(found)
    numbers = [each.memory for each in found.constraints]
    numbers += [memory for memory, *_ in (*pinned, *near)]
    known = memories.by_seq(tx, list(dict.fromkeys(numbers)))
    return FocalMemories(
        found,
        tuple(_constraints(tx, found.constraints, known)),
        tuple(_fact(known[memory], why, score) for memory, why, score in pinned),
        tuple(_fact(known[memory], why, score) for memory, why, score in near),
    )


def _focal(tx: ReadTx, filters: Filter, in_play: Sequence[str]) -> FocalEntities:
    found = resolve_focal(tx, FocalSignals(filters=filters))
    if not in_play:
        return found
    known = {each.entity.seq for each in found.entities}
    more = resolve_focal(tx, FocalSignals(filters=filters, entity_ids=in_play)).entities
    return replace(
        found,
        entities=(*found.entities, *(each for each in more if each.entity.seq not in known)),
    )


def _fact(memory: Memory, reason: str, score: float) -> ContextCandidate:
    return ContextCandidate(memory, reason, score, group=group_of(memory))


def shown_name(name: str) -> str:
    """Return an entity's name for a reason: on one line, without invisible characters."""
    return clip(storage_form(visible(name)), _NAME_CHARS)


def _near(name: str, focal: Entity, dependency: DependencyType | None) -> str:
    """Name an entity, and how the focal one depends on it."""
    if dependency is None:
        return shown_name(name)
    return f"{shown_name(name)}, {_DEPENDS[dependency].format(shown_name(focal.name))}"


def _constraints(
    tx: ReadTx, found: Sequence[FoundConstraint], known: Mapping[int, Memory]
) -> Iterable[ContextCandidate]:
    """Yield each constraint's memory once, by the most important of its entities."""
    edited = edited_by_user(tx, (known[each.memory] for each in found))
    told: set[int] = set()
    for each in found:
        if each.memory in told:
            continue
        told.add(each.memory)
        memory = known[each.memory]
        # What the walk finds is stated outright, unless the user did more.
        basis: ConstraintBasis = "pinned" if memory.pinned else "outright"
        if basis == "outright" and (each.by_user or not memory.is_heard or memory.seq in edited):
            basis = "confirmed"
        is_own = each.dependency is None and each.focal.type == "project"
        about = "" if is_own else _near(each.name, each.focal, each.dependency)
        yield constraint_of(memory, basis, about, each.entity)


_Fact = tuple[int, str, float]


def _facts_of_pinned(tx: ReadTx, found: GraphWalk, filters: Filter) -> list[_Fact]:
    """Return the most important facts about pinned entities, and then memories that name them."""
    pinned = [each.entity for each in found.focal.entities if each.entity.pinned]
    of = {each.entity.seq: each for each in found.visited if each.dependency is None}
    facts: list[_Fact] = []
    for entity in pinned:
        reason = f"about {shown_name(entity.name)}, which you pinned"
        own = [
            (memory, reason, importance)
            for memory, importance in _ordered(of.get(entity.seq))[:_PINNED_FACTS_EACH]
        ]
        if len(own) < _PINNED_FACTS_EACH and entity.type != "project":
            members = groups(tx, [entity.seq])[entity.seq]
            named = naming(tx, members, _PINNED_FACTS_EACH, filters)
            known = {memory for memory, *_ in own}
            own += [(memory, reason, 0.0) for memory in named if memory not in known]
        facts += own[:_PINNED_FACTS_EACH]
    return facts[:_PINNED_FACTS]


def _facts_of_dependencies(found: GraphWalk) -> list[_Fact]:
    """Return important facts about what the project depends on, one of each entity."""
    facts: list[_Fact] = []
    for each in found.visited:
        if each.dependency is not None:
            reason = f"about {_near(each.entity.name, each.focal, each.dependency)}"
            facts += [
                (memory, reason, importance * each.strength)
                for memory, importance in _ordered(each)[:1]
                if importance >= _MIN_IMPORTANCE
            ]
    facts.sort(key=lambda each: -each[2])
    return facts[:_DEPENDENCY_FACTS]


def _ordered(visited: WalkedEntity | None) -> list[tuple[int, float]]:
    """Return an entity's facts, by memory and importance, most important first."""
    if visited is None:
        return []
    facts = [fact for aspect in visited.aspects for fact in aspect.attributes]
    facts.sort(key=lambda each: (-each.importance, -each.seq))
    return [(each.memory, each.importance) for each in facts]
