"""A graph of any size, written straight into a database: few big entities, many small ones."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from intaglio.base.agent_id import DEFAULT_AGENT
from intaglio.projects.names import display_name
from intaglio.store.tx import Sql, WriteTx

AT: Final = "2026-01-31T08:00:00.000Z"
_ASPECTS: Final = ("deployment", "storage", "interface", "testing", "ownership", "history")
_STRENGTHS: Final = (0.2, 0.5, 0.5, 0.5, 0.75, 0.875)
_MERGED: Final = 0.01
_CONSTRAINTS: Final = 0.04
_HUB_CONSTRAINTS: Final = 0.004
_HAS_ASPECT: Final = 0.4
_SHARED_EVERY: Final = 10
_EDGES_EACH: Final = 2


@dataclass(frozen=True, slots=True)
class GraphSize:
    """How much to write about the first so many memories of the database.

    Entity 1 is the project. It and the next ones are ``hubs``, of which each has so many
    ``hub_facts`` and ``hub_edges``.
    """

    project: str
    entities: int
    memories: int
    hubs: int
    hub_facts: int
    hub_edges: int


@dataclass(slots=True)
class BulkGraph:
    """Writes a graph; the same for the same size."""

    size: GraphSize
    _random: random.Random = field(default_factory=lambda: random.Random(7))  # noqa: S311 - figures have to be repeatable

    def write(self, tx: WriteTx) -> None:
        """Write entities with all that hangs below them."""
        _insert(
            tx,
            "entities(seq, id, agent_id, project, name, canonical_name, entity_type, origin, "
            "mentions, created_at, updated_at)",
            self._entities(),
        )
        self._merge(tx)
        _insert(
            tx,
            "entity_aliases(seq, entity, alias, canonical, origin, created_at)",
            (
                (seq, seq, f"Entity {seq}", f"entity {seq}", "text", AT)
                for seq in range(1, self.size.entities + 1)
            ),
        )
        aspects = list(self._aspects())
        _insert(
            tx,
            "entity_aspects(seq, id, entity, agent_id, name, canonical_name, weight, created_at, "
            "updated_at)",
            aspects,
        )
        owners = [1 + n % self.size.hubs for n in range(self.size.hub_facts * self.size.hubs)]
        owners += [self._entity() for _ in range(self.size.memories - len(owners))]
        self._random.shuffle(owners)
        _insert(
            tx,
            "entity_attributes(id, entity, aspect, agent_id, memory, kind, confidence, "
            "importance, origin, created_at)",
            self._facts(owners, {row[0] for row in aspects}),
        )
        _insert(
            tx,
            "memory_entity_mentions(memory, start, end, alias, confidence)",
            ((n, 0, 5, owner, 0.8) for n, owner in enumerate(owners, 1)),
        )
        self._write_edges(tx)

    def _entity(self) -> int:
        """Return an entity; half of all that is said is about a tenth of them."""
        return (
            1
            + self.size.hubs
            + int((self.size.entities - self.size.hubs) * self._random.random() ** 3)
        )

    def _entities(self) -> Iterator[tuple[Sql, ...]]:
        for seq in range(1, self.size.entities + 1):
            name = display_name(self.size.project) if seq == 1 else f"Entity {seq}"
            is_shared = seq % _SHARED_EVERY == 0
            yield (
                *(seq, f"e-{seq}", DEFAULT_AGENT, None if is_shared else self.size.project),
                *(name, name.lower(), "project" if seq == 1 else "service", "linker"),
                *(1 + self.size.entities // (seq + 10), AT, AT),
            )

    def _merge(self, tx: WriteTx) -> None:
        first = self.size.hubs + 2
        merged = {n for n in range(first, self.size.entities) if self._random.random() < _MERGED}
        for seq in sorted(merged):
            into = self._random.randrange(2, self.size.entities)
            if into not in merged:
                tx.execute("UPDATE entities SET merged_into = ? WHERE seq = ?", (into, seq))

    def _aspects(self) -> Iterator[tuple[Sql, ...]]:
        for seq in range(1, self.size.entities + 1):
            for place, name in enumerate(_ASPECTS):
                if seq <= self.size.hubs or self._random.random() < _HAS_ASPECT:
                    weight = round(self._random.random(), 3)
                    number = seq * len(_ASPECTS) + place
                    yield number, f"a-{number}", seq, DEFAULT_AGENT, name, name, weight, AT, AT

    def _facts(self, owners: list[int], aspects: set[Sql]) -> Iterator[tuple[Sql, ...]]:
        for memory, owner in enumerate(owners, 1):
            aspect = owner * len(_ASPECTS) + self._random.randrange(len(_ASPECTS))
            share = _HUB_CONSTRAINTS if owner <= self.size.hubs else _CONSTRAINTS
            kind = "constraint" if self._random.random() < share else "attribute"
            yield (
                *(f"t-{memory}", owner, aspect if aspect in aspects else None, DEFAULT_AGENT),
                *(memory, kind, 0.8, round(self._random.random(), 2), "linker", AT),
            )

    def _write_edges(self, tx: WriteTx) -> None:
        size, source = self.size, self._random
        ends = {
            (1 + n % size.hubs, source.randrange(1, size.entities + 1))
            for n in range(size.hub_edges * size.hubs)
        }
        ends |= {(self._entity(), self._entity()) for _ in range(size.entities * _EDGES_EACH)}
        ordered = sorted(ends)
        _insert(
            tx,
            "entity_dependencies(seq, id, source, target, dependency_type, agent_id, strength, "
            "origin, created_at, updated_at)",
            (
                (
                    *(seq, f"d-{seq}", start, end, "uses", DEFAULT_AGENT),
                    *(source.choice(_STRENGTHS), "classifier", AT, AT),
                )
                for seq, (start, end) in enumerate(ordered, 1)
            ),
        )
        _insert(
            tx,
            "dependency_sources(memory, dependency)",
            ((source.randint(1, size.memories), seq) for seq in range(1, len(ordered) + 1)),
        )


def _insert(tx: WriteTx, table: str, values: Iterable[tuple[Sql, ...]]) -> None:
    for row in values:
        tx.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608 - constants
