"""A graph over a real database, changed as the daemon does, and what must always hold of it."""

import itertools
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from fakes.plain_store import plain_store
from fakes.store import MovableClock
from intaglio.base.settings.values import Settings
from intaglio.daemon.packages import PACKAGES
from intaglio.domain.reader import USER
from intaglio.graph import entity_rows, query_rows
from intaglio.graph.edits.context import EditContext
from intaglio.graph.edits.outcomes import EntityEdited
from intaglio.graph.edits.undo import undo
from intaglio.graph.settings import GraphSettings
from intaglio.graph.values import Entity, EntityQuery
from intaglio.memory import operations
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import Actor, Change, Inserted, NewMemory, Scope, Source
from intaglio.store.tx import Row, WriteTx

TABLES = (
    *("entities", "entity_aliases", "memory_entity_mentions", "entity_aspects"),
    *("entity_attributes", "task_meta", "entity_dependencies", "dependency_sources"),
    *("relations", "relation_sources", "relation_messages"),
    *("communities", "episodes", "episode_entities"),
)
"""The tables of the graph, but for the record of changes."""

_BY = Audit(Actor("user"), "test")


@dataclass
class GraphStore:
    """Memories and their graph; each step takes a second."""

    tx: WriteTx
    clock: MovableClock = field(default_factory=MovableClock)
    numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    settings: GraphSettings = field(default_factory=GraphSettings)

    def new_id(self) -> str:
        return f"00000000-0000-7000-8000-{next(self.numbers):012d}"

    @property
    def context(self) -> ChangeContext:
        self.clock.forward(seconds=1)
        settings = Settings().having(self.settings)
        return ChangeContext(self.clock, self.new_id, PACKAGES.memory_steps, lambda: settings)

    @property
    def edit(self) -> EditContext:
        return EditContext(self.context.now, self.new_id, "user")

    def remember(
        self, text: str, project: str | None = "/work/shop", agent: str = "default"
    ) -> str | None:
        """Save a memory and return its id; None if there is one of this text."""
        memory = NewMemory(
            content=text,
            type="fact",
            importance=0.5,
            confidence=1.0,
            pinned=False,
            tags=(),
            who="user",
            why=None,
            scope=Scope(agent, project),
            source=Source(),
            session_id=None,
            idempotency_key=None,
            runtime_path=None,
            created_at=self.context.now,
        )
        outcome = operations.insert(self.tx, memory, _BY, self.context)
        return outcome.id if isinstance(outcome, Inserted) else None

    def modify(self, memory_id: str, text: str) -> None:
        operations.modify(self.tx, memory_id, Change(content=text), _BY, self.context)

    def forget(self, memory_id: str) -> None:
        operations.forget(self.tx, memory_id, _BY, self.context)

    def recover(self, memory_id: str) -> None:
        operations.recover(self.tx, memory_id, _BY, self.context, timedelta(days=30))

    def erase(self, memory_id: str) -> None:
        operations.erase(self.tx, memory_id, _BY, self.context)

    def entities(self) -> list[Entity]:
        """Return the entities that count as themselves, in the order in which they were made."""
        found = query_rows.page(self.tx, EntityQuery(limit=1_000))
        return sorted(found, key=lambda each: each.seq)

    def entity(self, name: str) -> Entity:
        """Return the entity of this name."""
        [found] = [each for each in self.entities() if each.name == name]
        return found

    def undo(self, outcome: object) -> bool:
        """Undo a change, and return whether that was possible."""
        assert isinstance(outcome, EntityEdited), outcome
        assert outcome.change_id is not None
        return isinstance(undo(self.tx, outcome.change_id, USER, self.edit), EntityEdited)

    def dump(self) -> dict[str, list[Row]]:
        """Return every row of the graph, but the record of changes."""
        return {name: sorted(self.tx.all(f"SELECT * FROM {name}"), key=repr) for name in TABLES}  # noqa: S608 - constants

    def check(self) -> None:
        """Assert what holds after every step."""
        tx = self.tx
        assert tx.all("PRAGMA foreign_key_check") == []
        deep = (
            "SELECT a.seq FROM entities a JOIN entities b ON b.seq = a.merged_into "
            "WHERE b.merged_into IS NOT NULL"
        )
        assert tx.all(deep) == [], "a group is deeper than one step"
        assert tx.all("SELECT seq FROM entities WHERE pinned AND suppressed") == []
        lost = (
            "SELECT memory FROM memory_entity_mentions UNION ALL "
            "SELECT memory FROM entity_attributes WHERE memory IS NOT NULL "
            "EXCEPT SELECT seq FROM memories"
        )
        assert tx.all(lost) == []
        primary = (
            "SELECT m.id FROM memories m WHERE 1 <> (SELECT count(*) FROM entity_attributes t "
            "WHERE t.memory = m.seq AND t.is_primary)"
        )
        assert tx.all(primary) == [], "a fact has no primary attribute, or several"
        elsewhere = (
            "SELECT t.seq FROM entity_attributes t JOIN entity_aspects s ON s.seq = t.aspect "
            "WHERE s.entity <> t.entity"
        )
        assert tx.all(elsewhere) == [], "an aspect of another entity"
        nameless = (
            "SELECT e.name FROM entities e WHERE NOT EXISTS (SELECT 1 FROM entity_aliases a "
            "WHERE a.entity = e.seq AND a.canonical = e.canonical_name)"
        )
        assert tx.all(nameless) == [], "a name is no alias"
        before = tx.all("SELECT seq, name, mentions FROM entities ORDER BY seq")
        entity_rows.recount(tx, tx.column(int, "SELECT seq FROM entities"))
        assert tx.all("SELECT seq, name, mentions FROM entities ORDER BY seq") == before
        tx.execute("INSERT INTO entities_fts(entities_fts) VALUES ('integrity-check')")


@contextmanager
def graph_store(folder: Path) -> Generator[GraphStore]:
    """Yield a graph over an empty database."""
    with plain_store(folder) as tx:
        yield GraphStore(tx)
