"""Has a model compare facts of which rules can't tell whether both hold.

If it says surely that they contradict each other, the inbox asks the user. It retires nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from intaglio.inbox import rows as inbox
from intaglio.inbox.values import MODEL_SPEAKER, Evidence
from intaglio.jobs import rows as queue
from intaglio.jobs.job_type import Job, JobType
from intaglio.memory import history_rows as history
from intaglio.memory import rows as memories
from intaglio.memory.values import Memory
from intaglio.models.admission import closed_projects
from intaglio.models.calls import ModelCalls
from intaglio.models.stages import Stage
from intaglio.models.values import CallContext, ModelAnswer, NoAnswer
from intaglio.sessions.settings import ContradictionSettings
from intaglio.sessions.statements import contradiction_rows as rows
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.contradiction_prompt import (
    CONTRADICTIONS,
    MOST_PAIRS,
    ComparedPair,
    PairVerdict,
    pairs_text,
)
from intaglio.sessions.statements.contradictions import contradiction
from intaglio.sessions.statements.services import CaptureServices
from intaglio.sessions.statements.sibling_facts import SiblingPair, doubtful_pairs
from intaglio.store.tx import ReadTx, WriteTx

STAGE: Final = "contradiction"
CHECK_FACTS: Final = JobType(
    name="semantic_contradiction", label="Contradictions, by a model", about="memory"
)
"""Has a model compare a memory with those of its subject that may contradict it."""

SURE_FROM: Final = 0.75

STAGES: Final = (
    Stage(
        name=STAGE,
        position=80,
        label="Contradictions",
        help="Compares facts of which rules can't tell whether both hold, and asks in the inbox.",
        role="extraction",
        job_types=(CHECK_FACTS.name,),
        prompts=(CONTRADICTIONS,),
        is_enabled=lambda settings: settings.of(ContradictionSettings).enabled,
    ),
)


@dataclass(frozen=True, slots=True)
class SemanticContradictions:
    """The work of jobs of type `semantic_contradiction`, and what queues them."""

    services: CaptureServices
    calls: ModelCalls

    @property
    def is_on(self) -> bool:
        """Whether the check is switched on and a model is configured."""
        return self._settings.enabled and self.calls.is_on(CONTRADICTIONS.role)

    @property
    def _settings(self) -> ContradictionSettings:
        return self.services.settings().of(ContradictionSettings)

    def queue(self, tx: WriteTx, memory_ids: Sequence[str]) -> None:
        """Queue memories that rules can't compare, if the check is on."""
        if self.is_on:
            for each in memory_ids:
                queue.enqueue(tx, CHECK_FACTS, each, self.services.context.now)

    async def work(self, job: Job) -> NoAnswer | None:
        """Ask about the pairs of a memory that weren't compared yet as they are now."""
        services = self.services
        pairs = await doubtful_pairs(services, job.subject) if self._settings.enabled else ()
        unread = await services.db.read(lambda tx: _unread(tx, pairs))
        if not unread:
            await services.db.write(lambda tx: queue.complete(tx, job, services.context.now))
            return None
        prompt = replace(CONTRADICTIONS, max_s=self._settings.timeout_ms / 1_000)
        text = pairs_text([ComparedPair(newer.content, older.content) for newer, older in unread])
        about = CallContext(stage=STAGE, project=unread[0][0].scope.project, subject=job.subject)
        answer = await self.calls.ask(prompt, text, about)
        if not isinstance(answer, ModelAnswer):
            return answer
        verdicts = {each.number: each for each in answer.value}

        def write(tx: WriteTx) -> None:
            queue.complete(tx, job, services.context.now)
            for number, (newer, older) in enumerate(unread, 1):
                self._write(tx, (newer, older), verdicts.get(number), answer.model.model)

        await services.db.write(write)
        return None

    def _write(
        self, tx: WriteTx, read: tuple[Memory, Memory], verdict: PairVerdict | None, model: str
    ) -> None:
        context = self.services.context
        newer, older = (memories.get(tx, each.id) for each in read)
        if newer is None or older is None or newer.is_deleted or older.is_deleted:
            return
        if (newer.version, older.version) != (read[0].version, read[1].version):
            return
        is_sure = verdict is not None and verdict.contradicts and verdict.confidence >= SURE_FROM
        by = rows.CheckedBy(model, CONTRADICTIONS.version, is_sure)
        rows.record(tx, newer, older, by, context.now)
        if verdict is None or not is_sure or history.was_reinstated(tx, older.id, newer.id):
            return
        said = statements.evidence(tx, newer.id)
        evidence = said[0] if said else Evidence(newer.content, newer.source.type, newer.session_id)
        reason = (Evidence(verdict.reason, MODEL_SPEAKER),) if verdict.reason else ()
        contradiction(tx, newer.id, older.id, evidence, context, more=reason)


def _unread(tx: ReadTx, pairs: Sequence[SiblingPair]) -> list[tuple[Memory, Memory]]:
    """Return the pairs that no model has compared and that the inbox doesn't ask about.

    None is of a project about which nothing is asked.
    """
    found: list[tuple[Memory, Memory]] = []
    closed = closed_projects(tx)
    for pair in pairs:
        newer, older = memories.get(tx, pair.newer_id), memories.get(tx, pair.older_id)
        if newer is None or older is None or newer.is_deleted or older.is_deleted:
            continue
        if {newer.scope.project, older.scope.project} & closed:
            continue
        both = {newer.id, older.id}
        asked = any({one.memory_id, one.older_id} == both for one in inbox.about(tx, newer.id))
        if not asked and not rows.is_checked(tx, newer, older):
            found.append((newer, older))
    return found[:MOST_PAIRS]
