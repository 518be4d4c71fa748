"""Tells what is known about one entity, constraints first, within a budget of tokens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.text import estimate_tokens
from intaglio.graph import query_rows
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.lexicon.known_names import SPELLINGS
from intaglio.graph.traversal.focal_rows import keys_of
from intaglio.graph.traversal.values import (
    FocalEntities,
    FocalEntity,
    GraphWalk,
    WalkBudget,
    WalkedAspect,
    WalkedAttribute,
    WalkedEntity,
)
from intaglio.graph.traversal.walk import walk
from intaglio.graph.values import Entity
from intaglio.graph.visibility_rows import as_seen
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.store.tx import ReadTx

_MIN_TERM_CHARS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityQuestion:
    """An entity, by name, alias or id; ``question`` says which facts matter most.

    ``filters`` name the reader, and the project if only what is known there is wanted. Constraints
    count toward ``max_tokens``, but are never left out.
    """

    entity: str
    filters: Filter
    aspect: str | None = None
    question: str | None = None
    max_tokens: int = 2_000


@dataclass(frozen=True, slots=True)
class KnownConstraint:
    """A constraint of the entity ``name``, which is the one asked for, or it depends on that."""

    name: str
    memory: Memory
    importance: float


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact with the memory that states it."""

    memory: Memory
    importance: float
    confidence: float


@dataclass(frozen=True, slots=True)
class KnownAspect:
    """An aspect, with its facts in the order in which they matter; no name: unclassified ones."""

    name: str | None
    weight: float
    facts: tuple[KnownFact, ...]


@dataclass(frozen=True, slots=True)
class ExpandedKnowledge:
    """What is known about an entity; ``memory_count`` counts all memories that were found.

    ``memories`` are those that are told, each once.
    """

    entity: Entity
    constraints: tuple[KnownConstraint, ...]
    aspects: tuple[KnownAspect, ...]
    dependencies: tuple[WalkedEntity, ...]
    memory_count: int
    memories: tuple[Memory, ...]

    @property
    def left_out(self) -> int:
        """How many memories found no room."""
        return self.memory_count - len(self.memories)


def expand(
    tx: ReadTx, wanted: EntityQuestion, budget: WalkBudget, seconds: Callable[[], float]
) -> ExpandedKnowledge | None:
    """Return what is known about an entity, or None if the reader sees no such entity.

    ``seconds`` is a monotonic clock.
    """
    entity = _find(tx, wanted)
    if entity is None:
        return None
    focal = FocalEntities("query", (FocalEntity(entity, "query"),))
    found = walk(tx, focal, budget, wanted.filters, seconds)
    aspects = _aspects_of(found, wanted)
    numbers = [each.memory for each in found.constraints]
    numbers += [fact.memory for aspect in aspects for fact in aspect.attributes]
    known = memories.by_seq(tx, list(dict.fromkeys(numbers)))
    left = wanted.max_tokens
    constraints: list[KnownConstraint] = []
    for each in found.constraints:
        memory = known[each.memory]
        constraints.append(KnownConstraint(each.name, memory, each.importance))
        left -= estimate_tokens(memory.content)
    terms = _terms(tx, wanted.question or "")
    told: list[KnownAspect] = []
    for aspect in aspects:
        facts = _by_overlap(tx, aspect.attributes, known, terms)
        chosen: list[KnownFact] = []
        for fact in facts:
            size = estimate_tokens(fact.memory.content)
            if size <= left:
                left -= size
                chosen.append(fact)
        if chosen:
            told.append(KnownAspect(aspect.name, aspect.weight, tuple(chosen)))
    shown = [known[each.memory] for each in found.constraints]
    shown += [fact.memory for aspect in told for fact in aspect.facts]
    return ExpandedKnowledge(
        entity=entity,
        constraints=tuple(constraints),
        aspects=tuple(told),
        dependencies=tuple(each for each in found.visited if each.dependency is not None),
        memory_count=len(known),
        memories=tuple({each.id: each for each in shown}.values()),
    )


def _find(tx: ReadTx, wanted: EntityQuestion) -> Entity | None:
    """Find an entity by id, name or alias: of the project first, and never of another one's."""
    reader, keys = wanted.filters.reader, keys_of(wanted.filters)
    name = wanted.entity.strip()
    by_id = query_rows.find(tx, name, reader)
    canonical = canonical_name(name)
    known = SPELLINGS.get(canonical)
    usual = known.thing.canonical if known else canonical
    found = [by_id] if by_id else query_rows.named(tx, usual, canonical, reader, keys)
    own = [each for each in found if not keys or each.project is None or each.project in keys]
    return next(iter(as_seen(tx, own[:1], reader)), None)


def _aspects_of(found: GraphWalk, wanted: EntityQuestion) -> Sequence[WalkedAspect]:
    own = [aspect for each in found.visited if not each.dependency for aspect in each.aspects]
    if wanted.aspect is None:
        return own
    name = canonical_name(wanted.aspect)
    return [each for each in own if each.name is not None and canonical_name(each.name) == name]


def _terms(tx: ReadTx, text: str) -> frozenset[str]:
    return frozenset(term for term in tx.index_terms(text) if len(term) >= _MIN_TERM_CHARS)


def _by_overlap(
    tx: ReadTx,
    facts: Sequence[WalkedAttribute],
    known: dict[int, Memory],
    terms: frozenset[str],
) -> list[KnownFact]:
    """Return facts with their memories; those that share most words with the question first."""
    made = [KnownFact(known[each.memory], each.importance, each.confidence) for each in facts]
    if terms:
        made.sort(key=lambda each: -len(terms & _terms(tx, each.memory.content)))
    return made
