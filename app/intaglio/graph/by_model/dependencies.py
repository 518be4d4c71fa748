"""Has a model read how entities depend on each other (pass 2b).

Only facts that name other entities are read, and only entities that the fact itself names become
ends of a dependency. Rules have read the same texts at once; what a model finds is added.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.graph import entity_rows
from intaglio.graph import reading_rows as rows
from intaglio.graph.background.dependency_search import add_stated
from intaglio.graph.by_model.dependency_prompt import (
    DEPENDENCIES,
    ReadDependency,
    facts_text,
)
from intaglio.graph.by_model.services import PassServices
from intaglio.graph.job_types import DEPENDENCY_STAGE, queue_reading
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.values import Existing, FoundDependency
from intaglio.graph.values import Entity
from intaglio.jobs.job_type import Job
from intaglio.memory import rows as memories
from intaglio.models.admission import closed_projects
from intaglio.models.values import CallContext, NoAnswer
from intaglio.store.tx import ReadTx, WriteTx

_STRENGTH: Final = 0.6


@dataclass(frozen=True, slots=True)
class _Facts:
    """An entity with facts that name others; ``named`` has those of each memory, by name."""

    entity: Entity
    facts: tuple[rows.Fact, ...]
    named: Mapping[int, Mapping[str, int]]
    known: tuple[str, ...]

    @property
    def about(self) -> CallContext:
        """What the call is for."""
        return CallContext(
            stage=DEPENDENCY_STAGE, project=self.entity.project, subject=self.entity.id
        )

    @property
    def text(self) -> str:
        """What the model is shown."""
        contents = [each.content for each in self.facts]
        return facts_text(self.entity.name, self.entity.type, self.known, contents)


@dataclass(frozen=True, slots=True)
class DependenciesByModel:
    """The work of jobs of type `model_dependencies`; the subject is an entity's row number."""

    services: PassServices

    async def work(self, job: Job) -> NoAnswer | None:
        """Ask about some facts of an entity, and queue the job again while others are left."""
        most = self.services.settings().texts_per_call
        return await self.services.ask(
            job, lambda tx: _read(tx, int(job.subject), most), DEPENDENCIES, self._write
        )

    def _write(
        self,
        tx: WriteTx,
        found: _Facts,
        answered: Sequence[ReadDependency],
        reading: rows.FactReading,
    ) -> None:
        at, entity = self.services.context.now, found.entity.seq
        for number, fact in enumerate(found.facts, 1):
            if not rows.is_unread(tx, DEPENDENCY_STAGE, entity, fact):
                continue
            for each in answered:
                if each.number == number and self._add(tx, found, fact, each):
                    self.services.telemetry.dependencies += 1
            rows.record(tx, fact.attribute, reading, at)
        if rows.naming_others(tx, DEPENDENCY_STAGE, entity, 1, closed_projects(tx)):
            queue_reading(tx, entity, at)

    def _add(self, tx: WriteTx, found: _Facts, fact: rows.Fact, read: ReadDependency) -> bool:
        memory = memories.get(tx, fact.memory_id)
        target = found.named.get(fact.memory, {}).get(canonical_name(read.target))
        if memory is None or target is None:
            return False
        stated = FoundDependency(Existing(found.entity.seq), Existing(target), read.type, _STRENGTH)
        return add_stated(tx, memory, stated, self.services.context)


def _read(tx: ReadTx, seq: int, most: int) -> _Facts | None:
    entity = entity_rows.by_seq(tx, (seq,)).get(seq)
    closed = closed_projects(tx)
    facts = rows.naming_others(tx, DEPENDENCY_STAGE, seq, most, closed) if entity else ()
    if entity is None or not facts:
        return None
    root = entity_rows.root_of(tx, seq)
    named: dict[int, dict[str, int]] = {}
    known: dict[str, None] = {}
    for each in rows.named_in(tx, [fact.memory for fact in facts]):
        if each.entity != root:
            names = named.setdefault(each.memory, {})
            names.setdefault(canonical_name(each.name), each.entity)
            names.setdefault(each.canonical, each.entity)
            known.setdefault(each.name)
    return _Facts(entity, tuple(facts), named, tuple(known))
