"""Walks the graph from focal entities: their constraints, their facts, and one step further.

Constraints of the focal entities and of what they depend on are read first, all of them, whatever
the budget and the deadline. Then the weightiest aspects with their most important facts: of each
focal entity in turn, and of the entities that they depend on most.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from intaglio.domain.entity_kinds import DependencyType
from intaglio.domain.reader import UserReader
from intaglio.graph import entity_rows
from intaglio.graph.settings import GraphSettings
from intaglio.graph.traversal import focal_rows
from intaglio.graph.traversal import walk_rows as rows
from intaglio.graph.traversal.values import (
    FocalEntities,
    FoundConstraint,
    GraphWalk,
    WalkBudget,
    WalkedAspect,
    WalkedAttribute,
    WalkedEntity,
)
from intaglio.graph.values import Entity
from intaglio.graph.visibility_rows import as_seen
from intaglio.memory.filters import Filter
from intaglio.store.tx import ReadTx

# How many entities are read between two looks at the clock.
_AT_ONCE: Final = 15
# What an entity that is one step away has of the budget of a focal one.
_SHARE_OF_HOP: Final = 0.25
_SPARE_ASPECTS: Final = 5
_UNCLASSIFIED: Final = -1


@dataclass(frozen=True, slots=True)
class _Stop:
    """An entity to visit, and how it was reached."""

    entity: Entity
    focal: Entity
    dependency: DependencyType | None = None
    strength: float = 1.0


def walk(
    tx: ReadTx,
    focal: FocalEntities,
    budget: WalkBudget,
    filters: Filter,
    seconds: Callable[[], float],
) -> GraphWalk:
    """Walk from the focal entities; only what memories say that pass the filter is found.

    ``seconds`` is a monotonic clock; the result depends on nothing else but the snapshot.
    """
    if not focal.entities:
        return GraphWalk(focal)
    end = seconds() + budget.deadline_s
    steps = _Steps(tx, filters, {each.entity.seq: each.entity for each in focal.entities})
    constraints = steps.constraints(budget.min_strength)
    visited: list[WalkedEntity] = []
    for entity in steps.focal.values():
        if seconds() >= end:
            return GraphWalk(focal, constraints, tuple(visited), timed_out=True)
        visited += steps.visit([_Stop(entity, entity)], budget, _SPARE_ASPECTS)
    if seconds() >= end:
        return GraphWalk(focal, constraints, tuple(visited), timed_out=True)
    stops = steps.hops(budget)
    less = replace(
        budget,
        aspects=math.ceil(budget.aspects * _SHARE_OF_HOP),
        attributes=math.ceil(budget.attributes * _SHARE_OF_HOP),
    )
    for start in range(0, len(stops), _AT_ONCE):
        if seconds() >= end:
            return GraphWalk(focal, constraints, tuple(visited), timed_out=True)
        visited += steps.visit(stops[start : start + _AT_ONCE], less)
    return GraphWalk(focal, constraints, tuple(visited))


def budget_of(settings: GraphSettings) -> WalkBudget:
    """Return the budget of a walk that the settings allow."""
    return WalkBudget(
        aspects=settings.max_aspects,
        attributes=settings.max_attributes,
        hops=settings.max_hops,
        min_strength=settings.min_strength,
        deadline_s=settings.timeout_ms / 1000,
    )


class _Steps:
    """The steps of one walk; ``focal`` are its focal entities by row number."""

    def __init__(self, tx: ReadTx, filters: Filter, focal: Mapping[int, Entity]) -> None:
        self._tx = tx
        self._filters = filters
        self.focal = focal
        groups = focal_rows.groups(tx, list(focal))
        self._members = [seq for group in groups.values() for seq in group]
        self._root = {seq: root for root, group in groups.items() for seq in group}

    def constraints(self, min_strength: float) -> tuple[FoundConstraint, ...]:
        """Return all constraints of the focal entities and of what they depend on, each once."""
        tx, focal = self._tx, self.focal
        found: dict[int, FoundConstraint] = {}
        for own in rows.constraints(tx, self._members, self._filters):
            by = focal[self._root[own.bearer]]
            found[own.seq] = FoundConstraint(
                seq=own.seq,
                memory=own.memory,
                importance=own.importance,
                entity=by.seq,
                name=by.name,
                focal=by,
                worded_at=own.worded_at,
                by_user=bool(own.by_user),
            )
        others = [
            each
            for each in rows.constraints_of_dependencies(
                tx, self._members, min_strength, self._filters
            )
            if each.root not in focal
        ]
        reader = self._filters.reader
        foreign: dict[int, Entity] = {}
        if not isinstance(reader, UserReader):
            foreign = self._seen({each.root for each in others if each.agent_id != reader.agent_id})
        for each in others:
            if each.seq not in found:
                by, entity = focal[self._root[each.source]], foreign.get(each.root)
                name = entity.name if entity else each.name
                found[each.seq] = FoundConstraint(
                    seq=each.seq,
                    memory=each.memory,
                    importance=each.importance,
                    entity=each.root,
                    name=name,
                    focal=by,
                    worded_at=each.worded_at,
                    dependency=each.dependency,
                    by_user=bool(each.by_user),
                )
        # Of the same importance: a focal entity's own first, then what was said later.
        order = sorted(
            found.values(),
            key=lambda each: (each.importance, each.dependency is None, each.worded_at, each.seq),
            reverse=True,
        )
        return tuple(order)

    def _seen(self, seqs: Collection[int]) -> dict[int, Entity]:
        """Return entities as the reader sees them: without names that are others' own."""
        entities = entity_rows.by_seq(self._tx, seqs) if seqs else {}
        seen = as_seen(self._tx, list(entities.values()), self._filters.reader)
        return {each.seq: each for each in seen}

    def hops(self, budget: WalkBudget) -> list[_Stop]:
        """Return the entities that the focal ones depend on most, each once, strongest first."""
        # Several dependencies may lead to one entity.
        most = budget.hops * 2
        found = rows.hops(self._tx, self._members, budget.min_strength, most, self._filters)
        first: dict[int, rows.HopRow] = {}
        for hop in found:
            if hop.root not in self.focal:
                first.setdefault(hop.root, hop)
        chosen = list(first.values())[: budget.hops]
        entities = self._seen({each.root for each in chosen})
        return [
            _Stop(
                entities[each.root],
                self.focal[self._root[each.source]],
                each.dependency,
                each.strength,
            )
            for each in chosen
        ]

    def visit(
        self, stops: Sequence[_Stop], budget: WalkBudget, spare: int = 0
    ) -> list[WalkedEntity]:
        """Read the weightiest aspects of some entities with their most important facts.

        Those of ``spare`` more aspects are read, in case others have none that may be told.
        """
        groups = focal_rows.groups(self._tx, [each.entity.seq for each in stops])
        members = {seq: root for root, group in groups.items() for seq in group}
        by_root: defaultdict[int, dict[str, list[rows.VisitedAspectRow]]] = defaultdict(dict)
        for row in rows.aspects(self._tx, list(members)):
            by_root[members[row.entity]].setdefault(row.canonical, []).append(row)
        places: defaultdict[int, list[int | None]] = defaultdict(list)
        for root, group in groups.items():
            for aspect in list(by_root[root].values())[: budget.aspects + spare]:
                for row in aspect:
                    places[row.entity].append(row.seq)
            for seq in group:
                places[seq].append(None)
        facts: defaultdict[tuple[int, int], list[WalkedAttribute]] = defaultdict(list)
        for fact in rows.facts(self._tx, places, budget.attributes, self._filters):
            facts[fact.entity, fact.aspect].append(WalkedAttribute(*fact[2:]))
        return [
            WalkedEntity(
                stop.entity,
                stop.focal,
                stop.dependency,
                stop.strength,
                tuple(_aspects(by_root[stop.entity.seq], groups[stop.entity.seq], facts, budget)),
            )
            for stop in stops
        ]


def _aspects(
    named: Mapping[str, Sequence[rows.VisitedAspectRow]],
    group: Sequence[int],
    facts: Mapping[tuple[int, int], Sequence[WalkedAttribute]],
    budget: WalkBudget,
) -> list[WalkedAspect]:
    """Return an entity's aspects with facts; the unclassified facts come last."""
    found: list[WalkedAspect] = []
    for same in named.values():
        below = [fact for row in same for fact in facts.get((row.entity, row.seq), ())]
        if below and len(found) < budget.aspects:
            found.append(WalkedAspect(same[0].name, same[0].weight, _most_important(below, budget)))
    rest = [fact for seq in group for fact in facts.get((seq, _UNCLASSIFIED), ())]
    if rest and len(found) < budget.aspects:
        found.append(WalkedAspect(None, 0.0, _most_important(rest, budget)))
    return found


def _most_important(
    facts: Sequence[WalkedAttribute], budget: WalkBudget
) -> tuple[WalkedAttribute, ...]:
    ordered = sorted(facts, key=lambda each: (-each.importance, -each.seq))
    return tuple(ordered[: budget.attributes])
