"""Makes the questions that memories answer: by a model, or by templates where that is switched on.

Each job is for one memory. What changed meanwhile is read again, as the change queues it anew.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.hints import rows
from intaglio.hints.prompt import HINTS, note_text
from intaglio.hints.templates import template_questions
from intaglio.jobs import rows as queue
from intaglio.jobs.job_type import Job, JobType
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import Memory
from intaglio.models.calls import ModelCalls
from intaglio.models.values import CallContext, ModelAnswer, NoAnswer
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

STAGE: Final = "hints"
TEMPLATES_VERSION: Final = 1
_TEMPLATES_PER_RUN: Final = 20

ASK_MODEL: Final = JobType(
    name="hint_questions", label="Questions that memories answer", about="memory"
)
"""Has a model think up questions that a memory answers."""

FILL_TEMPLATES: Final = JobType(
    name="hint_templates", label="Questions from memories' own words", about="memory"
)
"""Makes questions of a memory's own words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HintsByModel:
    """The work of jobs of type `hint_questions`; ``is_wanted`` tells whether it is switched on."""

    db: Database
    context: ChangeContext
    calls: ModelCalls
    is_wanted: Callable[[], bool] = lambda: True

    async def work(self, job: Job) -> NoAnswer | None:
        """Ask about a memory and store the questions, unless it changed meanwhile."""
        memory = await self.db.read(lambda tx: memories.get(tx, job.subject))
        if memory is None or memory.is_deleted or not self.is_wanted():
            await self.db.write(lambda tx: queue.complete(tx, job, self.context.now))
            return None
        about = CallContext(stage=STAGE, project=memory.scope.project, subject=memory.id)
        answer = await self.calls.ask(HINTS, note_text(memory.content, memory.type), about)
        if not isinstance(answer, ModelAnswer):
            return answer
        reading = rows.HintReading(HINTS.version, answer.model.model)
        await self.db.write(
            lambda tx: _write(tx, job, memory, answer.value, reading, self.context.now)
        )
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class HintsByTemplates:
    """Runs jobs of type `hint_templates`."""

    db: Database
    context: ChangeContext
    capacity: int = _TEMPLATES_PER_RUN
    rest_s: float = 0.0

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Make the questions of some memories, in one transaction."""
        ids = [job.subject for job in jobs]
        found = await self.db.read(lambda tx: memories.by_ids(tx, ids))
        made = {
            memory.id: template_questions(memory.content, memory.type)
            for memory in found.values()
            if not memory.is_deleted
        }
        reading = rows.HintReading(TEMPLATES_VERSION, None)

        def write(tx: WriteTx) -> None:
            for job in jobs:
                memory = found.get(job.subject)
                _write(tx, job, memory, made.get(job.subject, ()), reading, self.context.now)

        await self.db.write(write)
        return len(jobs)


def _write(
    tx: WriteTx,
    job: Job,
    read: Memory | None,
    questions: Sequence[str],
    reading: rows.HintReading,
    at: str,
) -> None:
    now = memories.get(tx, job.subject)
    if read is not None and now is not None and not now.is_deleted:
        if now.content != read.content:
            queue.release(tx, job, None)
            return
        rows.replace(tx, now.seq, questions, reading, at)
    queue.complete(tx, job, at)
