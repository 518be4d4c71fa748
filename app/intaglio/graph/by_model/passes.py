"""The two structural passes by a model: their stages, jobs, and what queues them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from intaglio.base.bus import EventBus
from intaglio.graph import reading_rows as rows
from intaglio.graph.by_model.aspect_prompt import ASPECTS
from intaglio.graph.by_model.aspects import AspectsByModel
from intaglio.graph.by_model.dependencies import DependenciesByModel
from intaglio.graph.by_model.dependency_prompt import DEPENDENCIES
from intaglio.graph.by_model.services import PassServices, is_wanted
from intaglio.graph.job_types import (
    ASPECT_STAGE,
    CLASSIFY,
    DEPENDENCIES_BY_MODEL,
    DEPENDENCY_STAGE,
    SORT_BY_MODEL,
    queue_reading,
    queue_sorting,
)
from intaglio.graph.job_types import DEPENDENCIES as DEPENDENCIES_BY_RULES
from intaglio.jobs.job_type import JobType
from intaglio.memory.operations import MEMORY_TOPIC
from intaglio.models.backlog import FindUnread, ModelBacklog, Unread
from intaglio.models.job_runner import ModelJobs
from intaglio.models.stages import Redo, Stage
from intaglio.package import Loop
from intaglio.store.tx import ReadTx, WriteTx


def _redo(stage: str, queue: Callable[[WriteTx, int, str], None]) -> Redo:
    def again(tx: WriteTx, since: str, now: str) -> int:
        count = rows.count_by_model(tx, stage, since)
        for entity in rows.forget_by_model(tx, stage, since):
            queue(tx, entity, now)
        return count

    return Redo(lambda tx, since: rows.count_by_model(tx, stage, since), again)


STAGES: Final = (
    Stage(
        name=ASPECT_STAGE,
        position=50,
        label="Aspects of facts",
        help="Sorts facts below an aspect of what they are about, where rules only guessed.",
        role="extraction",
        job_types=(SORT_BY_MODEL.name, CLASSIFY.name),
        prompts=(ASPECTS,),
        redo=_redo(ASPECT_STAGE, queue_sorting),
        is_enabled=is_wanted,
    ),
    Stage(
        name=DEPENDENCY_STAGE,
        position=60,
        label="Dependencies between entities",
        help="Reads from facts that name several entities how these depend on each other.",
        role="extraction",
        job_types=(DEPENDENCIES_BY_MODEL.name, DEPENDENCIES_BY_RULES.name),
        prompts=(DEPENDENCIES,),
        redo=_redo(DEPENDENCY_STAGE, queue_reading),
        is_enabled=is_wanted,
    ),
)


@dataclass(frozen=True, slots=True)
class ModelPasses:
    """Builds the jobs and loops of both passes."""

    services: PassServices
    bus: EventBus

    def job_types(self) -> tuple[JobType, ...]:
        """Return the types of jobs that ask the model, with their runners."""
        own = self.services
        runner = partial(
            ModelJobs, db=own.db, calls=own.calls, clock=own.context.clock, role="extraction"
        )
        aspects, dependencies = AspectsByModel(own), DependenciesByModel(own)
        return (
            SORT_BY_MODEL.run_by(runner(stage=ASPECT_STAGE, work=aspects.work)),
            DEPENDENCIES_BY_MODEL.run_by(runner(stage=DEPENDENCY_STAGE, work=dependencies.work)),
        )

    def backlogs(self) -> tuple[ModelBacklog, ModelBacklog]:
        """Return what queues facts that no model has read, of each pass."""
        aspects = Unread(
            job_type=SORT_BY_MODEL,
            last=rows.last_attribute,
            find=_subjects(ASPECT_STAGE, rows.doubtful_entities),
            rows_of=rows.attributes_of,
        )
        dependencies = Unread(
            job_type=DEPENDENCIES_BY_MODEL,
            last=rows.last_attribute,
            find=_subjects(DEPENDENCY_STAGE, rows.entities_naming_others),
            rows_of=rows.attributes_of,
        )
        return self._backlog(aspects), self._backlog(dependencies)

    def loops(self) -> tuple[Loop, ...]:
        """Return the loops that run them."""
        aspects, dependencies = self.backlogs()
        return (
            Loop("aspects by a model", aspects.run, when=is_wanted),
            Loop("dependencies by a model", dependencies.run, when=is_wanted),
        )

    def _backlog(self, unread: Unread) -> ModelBacklog:
        return ModelBacklog(
            db=self.services.db,
            bus=self.bus,
            unread=unread,
            topic=MEMORY_TOPIC,
            is_on=self.services.is_on,
            now=lambda: self.services.context.now,
        )


def _subjects(
    stage: str, find: Callable[[ReadTx, str, int, int, Collection[str]], Sequence[int]]
) -> FindUnread:
    return lambda tx, first, last, closed: [
        str(each) for each in find(tx, stage, first, last, closed)
    ]
