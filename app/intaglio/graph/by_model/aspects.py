"""Has a model sort facts that the rules placed by guessing (pass 2a).

Rules place every fact at once; this only improves what they weren't sure of. What the user placed
is left alone, and a model alone makes nothing that sessions are always told: a fact becomes a
constraint by its word only if the user saved, kept or changed the memory themself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.events import Changed
from intaglio.graph import entity_rows
from intaglio.graph import reading_rows as rows
from intaglio.graph import structure_rows as structure
from intaglio.graph.background import rows as waiting
from intaglio.graph.by_model.aspect_prompt import ASPECTS, SortedFact, facts_text
from intaglio.graph.by_model.services import PassServices
from intaglio.graph.collection import TOPIC
from intaglio.graph.job_types import ASPECT_STAGE, queue_sorting
from intaglio.graph.link_memory import edited_by_user, is_by_user
from intaglio.graph.linking.assignment import CONSTRAINT_IMPORTANCE
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.values import Entity
from intaglio.jobs.job_type import Job
from intaglio.memory import rows as memories
from intaglio.models.admission import closed_projects
from intaglio.models.values import CallContext, NoAnswer
from intaglio.store.tx import ReadTx, WriteTx

# Types of memories that are never binding, whatever they say.
_NEVER_BINDING: Final = frozenset({"issue", "learning"})


@dataclass(frozen=True, slots=True)
class _Guessed:
    """An entity with facts whose aspect was guessed, and the names of its aspects."""

    entity: Entity
    aspects: tuple[str, ...]
    facts: tuple[rows.Fact, ...]

    @property
    def about(self) -> CallContext:
        """What the call is for."""
        return CallContext(stage=ASPECT_STAGE, project=self.entity.project, subject=self.entity.id)

    @property
    def text(self) -> str:
        """What the model is shown."""
        contents = [each.content for each in self.facts]
        return facts_text(self.entity.name, self.entity.type, self.aspects, contents)


@dataclass(frozen=True, slots=True)
class AspectsByModel:
    """The work of jobs of type `model_aspects`; the subject is an entity's row number."""

    services: PassServices

    async def work(self, job: Job) -> NoAnswer | None:
        """Ask about some facts of an entity, and queue the job again while others are left."""
        most = self.services.settings().facts_per_call
        return await self.services.ask(
            job, lambda tx: _read(tx, int(job.subject), most), ASPECTS, self._write
        )

    def _write(
        self,
        tx: WriteTx,
        found: _Guessed,
        answered: Sequence[SortedFact],
        reading: rows.FactReading,
    ) -> None:
        at, entity = self.services.context.now, found.entity.seq
        by_number = {each.number: each for each in answered}
        for number, fact in enumerate(found.facts, 1):
            if not rows.is_doubtful(tx, ASPECT_STAGE, entity, fact):
                continue
            sorted_fact = by_number.get(number)
            if sorted_fact is not None:
                self._place(tx, found.entity, fact, sorted_fact)
                self.services.telemetry.classified_by_model += 1
            # What the model left out keeps the place that the rules gave it.
            rows.record(tx, fact.attribute, reading, at)
        if rows.doubtful(tx, ASPECT_STAGE, entity, 1, closed_projects(tx)):
            queue_sorting(tx, entity, at)
        if answered:
            tx.publish(Changed(TOPIC, "updated", (found.entity.id,)))

    def _place(self, tx: WriteTx, entity: Entity, fact: rows.Fact, found: SortedFact) -> None:
        at = self.services.context.now
        key = structure.AspectKey(entity.seq, entity.agent_id, canonical_name(found.aspect))
        aspect = structure.aspect(tx, self.services.context.new_id(), key, found.aspect, at)
        waiting.classify(tx, fact.attribute, aspect, at)
        if found.kind == "constraint" and _is_users_own(tx, fact.memory_id):
            structure.bind(tx, fact.attribute, CONSTRAINT_IMPORTANCE)


def _is_users_own(tx: ReadTx, memory_id: str) -> bool:
    """Tell whether the user saved, kept or changed a memory themself, and it can be binding."""
    memory = memories.get(tx, memory_id)
    if memory is None or memory.type in _NEVER_BINDING or not is_by_user(memory):
        return False
    return not memory.is_heard or memory.seq in edited_by_user(tx, (memory,))


def _read(tx: ReadTx, seq: int, most: int) -> _Guessed | None:
    entity = entity_rows.by_seq(tx, (seq,)).get(seq)
    facts = rows.doubtful(tx, ASPECT_STAGE, seq, most, closed_projects(tx)) if entity else ()
    if entity is None or not facts:
        return None
    return _Guessed(entity, tuple(waiting.aspects(tx, seq)), tuple(facts))
