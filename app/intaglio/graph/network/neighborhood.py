"""The local graph around an entity: its dependencies, and what memories name together with it.

Naming two entities together is weaker than a dependency, and approaches it with the number of
memories. Only an entity's newest memories are looked at, so that a busy one costs no more.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, Literal, TypeAlias

from intaglio.domain.entity_kinds import DependencyType
from intaglio.domain.reader import Reader
from intaglio.graph.network import neighbor_rows as rows
from intaglio.graph.values import Entity
from intaglio.graph.visibility_rows import as_seen
from intaglio.store.tx import ReadTx

EdgeType: TypeAlias = DependencyType | Literal["mentioned_with"]

_MOST_NODES: Final = 40
_MOST_EDGES: Final = 160
_MOST_MEMORIES: Final = 300
_MOST_DEPENDENCIES: Final = 80
_FIRST_RING: Final = 20
_EXPANDED: Final = 12
_HALF: Final = 3
"""How many common memories make half a dependency."""


@dataclass(frozen=True, slots=True)
class Neighbor:
    """An entity, and how many steps it is away."""

    entity: Entity
    depth: int


@dataclass(frozen=True, slots=True)
class NeighborhoodEdge:
    """An edge between two entities, by id; strength is 0 to 1."""

    source: str
    target: str
    type: EdgeType
    strength: float


@dataclass(frozen=True, slots=True)
class LocalGraph:
    """An entity, which comes first, its neighbours, strongest first, and the edges between them."""

    nodes: list[Neighbor]
    edges: list[NeighborhoodEdge]


@dataclass(slots=True)
class _Search:
    """The entities that were found, with how they are connected to those before."""

    tx: ReadTx
    reader: Reader
    memories: set[int] = field(default_factory=set[int])

    def neighbors(self, seq: int, known: Collection[int], limit: int) -> list[Entity]:
        """Return the strongest neighbours of an entity that aren't known yet."""
        strengths: defaultdict[int, float] = defaultdict(float)
        for edge in rows.dependencies_of(self.tx, seq, self.reader, _MOST_DEPENDENCIES):
            other = edge.target if edge.source == seq else edge.source
            strengths[other] = max(strengths[other], edge.strength)
        memories = rows.newest_memories(self.tx, seq, self.reader, _MOST_MEMORIES)
        self.memories.update(memories)
        common = Counter(other for _, other in rows.named_in(self.tx, memories))
        for other, count in common.items():
            strengths[other] = max(strengths[other], _strength(count))
        best = sorted(strengths, key=lambda each: (-strengths[each], -common[each], each))
        wanted = [each for each in best if each != seq and each not in known]
        shown = rows.shown(self.tx, wanted, self.reader)
        return [shown[each] for each in wanted if each in shown][:limit]


def _strength(memories: int) -> float:
    return round(memories / (memories + _HALF), 3)


def local_graph(tx: ReadTx, entity: Entity, depth: int, reader: Reader) -> LocalGraph:
    """Return the graph up to two steps around an entity that the reader sees."""
    search = _Search(tx, reader)
    found = {entity.seq: Neighbor(entity, 0)}
    first = search.neighbors(entity.seq, found, _MOST_NODES - 1 if depth == 1 else _FIRST_RING)
    found |= {each.seq: Neighbor(each, 1) for each in first}
    if depth > 1:
        rings = [search.neighbors(each.seq, found, _MOST_NODES) for each in first[:_EXPANDED]]
        for each in _in_turn(rings):
            if len(found) == _MOST_NODES:
                break
            found.setdefault(each.seq, Neighbor(each, 2))
    ids = {seq: each.entity.id for seq, each in found.items()}
    seen = as_seen(tx, [each.entity for each in found.values()], reader)
    return LocalGraph(
        nodes=[
            Neighbor(shown, each.depth) for shown, each in zip(seen, found.values(), strict=True)
        ],
        edges=_edges(tx, ids, search.memories, reader),
    )


def _in_turn(rings: list[list[Entity]]) -> Iterable[Entity]:
    """Take the strongest of each ring, then the next ones."""
    for place in range(max(map(len, rings), default=0)):
        yield from (ring[place] for ring in rings if place < len(ring))


def _edges(
    tx: ReadTx, ids: Mapping[int, str], memories: Collection[int], reader: Reader
) -> list[NeighborhoodEdge]:
    edges = [
        NeighborhoodEdge(ids[each.source], ids[each.target], each.type, each.strength)
        for each in rows.dependencies_between(tx, ids, reader)
    ]
    named: defaultdict[int, list[int]] = defaultdict(list)
    for memory, seq in rows.named_in(tx, memories):
        if seq in ids:
            named[memory].append(seq)
    together = Counter(pair for each in named.values() for pair in combinations(each, 2))
    edges += [
        NeighborhoodEdge(ids[one], ids[other], "mentioned_with", _strength(count))
        for (one, other), count in sorted(together.items())
    ]
    return sorted(edges, key=lambda each: -each.strength)[:_MOST_EDGES]
