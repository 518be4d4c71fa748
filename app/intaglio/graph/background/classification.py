"""Assigns facts that have no aspect to one of the entity that they are about (pass 2a).

What is decided about a fact is written only if it still waits as it was read: a memory that was
edited, forgotten or classified by the user meanwhile is left alone.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from intaglio.base.events import Changed
from intaglio.domain.entity_kinds import EntityType
from intaglio.graph import reading_rows as readings
from intaglio.graph import structure_rows as structure
from intaglio.graph.background import rows
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.collection import TOPIC
from intaglio.graph.job_types import ASPECT_STAGE, queue_classification, queue_sorting
from intaglio.graph.linking.aspects import classify_aspect
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.values import LOW_CONFIDENCE
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

FACTS_PER_RUN: Final = 10


@dataclass(frozen=True, slots=True)
class EntityFacts:
    """Facts of an entity that have no aspect yet, and its aspects, each with some of its facts."""

    type: EntityType
    aspects: Mapping[str, Sequence[str]]
    facts: tuple[rows.WaitingFact, ...]


@dataclass(frozen=True, slots=True)
class AssignedAspect:
    """The aspect that a fact belongs to, by name; confidence is 0 to 1."""

    fact: rows.WaitingFact
    aspect: str
    confidence: float


AssignAspects: TypeAlias = Callable[[EntityFacts], Awaitable[Sequence[AssignedAspect]]]
"""Decides outside any transaction; facts that it leaves out are asked again later."""


async def by_rules(found: EntityFacts) -> list[AssignedAspect]:
    """Assign each fact by the words of its text."""
    aspects = {name: list(samples) for name, samples in found.aspects.items()}
    assigned: list[AssignedAspect] = []
    for fact in found.facts:
        aspect, confidence = classify_aspect(fact.content, found.type, tuple(aspects.items()))
        assigned.append(AssignedAspect(fact, aspect, confidence))
        aspects.setdefault(aspect, []).append(fact.content)
    return assigned


class NothingAssignedError(RuntimeError):
    """None of an entity's facts was assigned; trying at once again would not help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectClassifier:
    """Runs jobs of type `structural_classify`; the subject is an entity's row number.

    If ``asks_model``, a model sorts the facts again that rules aren't sure of.
    """

    db: Database
    context: ChangeContext
    telemetry: GraphTelemetry
    assign: AssignAspects = by_rules
    asks_model: Callable[[], bool] = lambda: False

    async def run(self, job: Job) -> None:
        """Classify some facts of an entity, and queue the job again while more of them wait."""
        entity = int(job.subject)
        found = await self.db.read(lambda tx: _read(tx, entity))
        assigned = await self.assign(found) if found.facts else ()
        if found.facts and not assigned:
            raise NothingAssignedError(f"no aspect for any of {len(found.facts)} facts")
        written = await self.db.write(lambda tx: self._write(tx, job, entity, assigned))
        self.telemetry.classified += len(written)
        self.telemetry.classified_uncertain += sum(
            each.confidence < LOW_CONFIDENCE for each in written
        )

    def _write(
        self, tx: WriteTx, job: Job, entity: int, assigned: Sequence[AssignedAspect]
    ) -> list[AssignedAspect]:
        at = self.context.now
        owner = rows.entity(tx, entity)
        written: list[AssignedAspect] = []
        for each in assigned:
            if owner is None or not rows.still_waits(tx, entity, each.fact):
                continue
            key = structure.AspectKey(entity, owner.agent_id, canonical_name(each.aspect))
            aspect = structure.aspect(tx, self.context.new_id(), key, each.aspect, at)
            rows.classify(tx, each.fact.attribute, aspect, at)
            readings.record(
                tx, each.fact.attribute, readings.FactReading(ASPECT_STAGE, each.confidence), at
            )
            written.append(each)
        jobs.complete(tx, job, at)
        if rows.waiting_facts(tx, entity, 1):
            queue_classification(tx, entity, at)
        if self.asks_model() and any(each.confidence < LOW_CONFIDENCE for each in written):
            queue_sorting(tx, entity, at)
        if owner is not None and written:
            tx.publish(Changed(TOPIC, "updated", (owner.id,)))
        return written


def _read(tx: ReadTx, entity: int) -> EntityFacts:
    owner = rows.entity(tx, entity)
    if owner is None:
        return EntityFacts("unknown", {}, ())
    facts = rows.waiting_facts(tx, entity, FACTS_PER_RUN)
    return EntityFacts(owner.type, rows.aspects(tx, entity), tuple(facts))
