"""The stages of reading memories, and how their jobs run."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from intaglio.base.settings.values import Settings
from intaglio.jobs.job_type import Job
from intaglio.models.job_runner import ModelJobs
from intaglio.models.stages import QueueSubjects, Redo, Stage
from intaglio.pipeline.extraction import rows
from intaglio.pipeline.extraction.decide_prompt import DECIDE_PROMPT
from intaglio.pipeline.extraction.extract_prompt import EXTRACT_PROMPT
from intaglio.pipeline.extraction.job_type import DECIDE_STAGE, EXTRACT
from intaglio.pipeline.settings import PipelineSettings

_LOOK_AGAIN_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class ExtractionJobs:
    """Runs jobs while both stages may ask: a memory that can't be decided on isn't read either.

    ``may_run`` is false while memories are read-only, or aren't to be read; ``at_once`` says how
    many jobs a lease may have.
    """

    jobs: ModelJobs
    may_run: Callable[[], bool]
    at_once: Callable[[], int]

    @property
    def capacity(self) -> int:
        """How many jobs may run together now."""
        return 0 if self.rest_s > 0 else self.at_once()

    @property
    def rest_s(self) -> float:
        """In how many seconds jobs may run again; 0 if they may now."""
        if not self.may_run():
            return _LOOK_AGAIN_S
        return max(self.jobs.rest_s, self.jobs.calls.rest_s(self.jobs.role, DECIDE_STAGE))

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Run the jobs; return how many are done."""
        return await self.jobs.run(jobs)


def _is_enabled(settings: Settings) -> bool:
    return settings.of(PipelineSettings).enabled


STAGES: Final = (
    Stage(
        name=EXTRACT.name,
        position=10,
        label="Reading memories",
        help="Finds the facts that a new memory states, and what depends on what.",
        role="extraction",
        job_types=(EXTRACT.name,),
        prompts=(EXTRACT_PROMPT,),
        redo=Redo(count=rows.count_read, queue=QueueSubjects(EXTRACT, rows.read_since)),
        is_enabled=_is_enabled,
    ),
    Stage(
        name=DECIDE_STAGE,
        position=20,
        label="Deciding on facts",
        help="Decides whether a fact is new, known already, or changes a memory.",
        role="extraction",
        job_types=(EXTRACT.name,),
        prompts=(DECIDE_PROMPT,),
        is_enabled=_is_enabled,
    ),
)
"""Both stages of the same jobs."""
