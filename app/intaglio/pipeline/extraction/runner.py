"""Runs jobs that read a memory: stages with typed results, one plan, one transaction.

Whatever fails before the transaction leaves nothing behind; what is read is kept for the next
attempt, so that a memory isn't paid for twice while the second call has to wait.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.base.metrics.measured import MemoryRead
from intaglio.base.text import scrub
from intaglio.embedding.inline_embedding import InlineEmbedding, NewVectors
from intaglio.fence.outgoing import Fence
from intaglio.graph.stated_relations import OfMemory, StatedRelations, Triple, state_relations
from intaglio.inference.completion.ports import ModelName
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job
from intaglio.memory import history_rows as history
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import Memory
from intaglio.models.calls import ModelCalls
from intaglio.models.values import CallContext, CallFailed, ModelAnswer, MustWait, NoAnswer
from intaglio.pipeline.extraction import rows
from intaglio.pipeline.extraction.apply import Applied, PlanWriter, is_same_text
from intaglio.pipeline.extraction.candidates import CandidateSearch
from intaglio.pipeline.extraction.decide_prompt import DECIDE_PROMPT, batches
from intaglio.pipeline.extraction.extract_prompt import EXTRACT_PROMPT, note_text
from intaglio.pipeline.extraction.following import derived_of
from intaglio.pipeline.extraction.job_type import DECIDE_STAGE, EXTRACT, may_be_read
from intaglio.pipeline.extraction.marks import is_marked
from intaglio.pipeline.extraction.plan import plan, screen
from intaglio.pipeline.extraction.standing import with_standing
from intaglio.pipeline.extraction.values import (
    DecidedFact,
    DerivedFact,
    Extracted,
    FactDecision,
    Plan,
    Policy,
    Provenance,
    ReadFact,
    Undecided,
)
from intaglio.pipeline.settings import PipelineSettings
from intaglio.redaction.redact import clean
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

_MOST_KEPT: Final = 200
_MOST_AT_ONCE: Final = 8
# So long the calls of one lease may take together, if they run one after another.
_OF_A_LEASE_S: Final = 4.0
_SHORTEST_CALL_S: Final = 0.001


@dataclass(frozen=True, slots=True)
class MemoryReading:
    """A memory that is to be read, and what was read in it before.

    One that ``is_marked`` isn't read: what it says may be aimed at a model.
    """

    memory: Memory
    derived: tuple[DerivedFact, ...]
    is_marked: bool


@dataclass(frozen=True, slots=True)
class MemoryReply:
    """What the model read, with which model, and what of its reply couldn't be used."""

    extracted: Extracted
    warnings: tuple[str, ...]
    model: ModelName


@dataclass(frozen=True, slots=True)
class _Decisions:
    """The decision of each open fact, and the ids of targets that the user confirmed."""

    facts: tuple[DecidedFact, ...] = ()
    warnings: tuple[str, ...] = ()
    confirmed: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True)
class MemoryReader:
    """Reads one memory after another; see the stages' methods, in their order."""

    db: Database
    context: ChangeContext
    calls: ModelCalls
    candidates: CandidateSearch
    embedding: InlineEmbedding
    fence: Fence
    settings: Callable[[], PipelineSettings]
    frozen: Callable[[], bool]
    measure: Callable[[MemoryRead], None] = lambda _: None
    # How long the model takes, from its latest calls; 0 before the first.
    _call_s: float = 0.0
    # Replies whose jobs wait for a decision, by the memory's id and text.
    _kept: "OrderedDict[tuple[str, str], MemoryReply]" = field(
        default_factory=OrderedDict[tuple[str, str], MemoryReply]
    )

    @property
    def at_once(self) -> int:
        """How many memories are read together: few where a call takes long.

        A slow model answers one after another; what waits for it runs into its deadline.
        """
        if self._call_s == 0:
            return 1
        return max(1, min(_MOST_AT_ONCE, int(_OF_A_LEASE_S / self._call_s)))

    async def run(self, job: Job) -> NoAnswer | None:
        """Read the job's memory; return why not, if the model didn't answer."""
        began = self.calls.monotonic_s()
        reading = await self.db.read(lambda tx: _reading(tx, job.subject, self.fence))
        if reading is None or reading.is_marked:
            await self.db.write(lambda tx: self._skip(tx, job, reading))
            return None
        reply = await self.extract(reading)
        if not isinstance(reply, MemoryReply):
            return reply
        least = self.settings().min_confidence
        # Many facts take tens of milliseconds.
        open_, skipped = await asyncio.to_thread(_screened, reading.memory, reply.extracted, least)
        decided = await self.decide(reading, open_)
        if not isinstance(decided, _Decisions):
            return decided
        planned = self._plan(reading, reply, [*decided.facts, *skipped], decided)
        vectors = await self.embed(planned)
        applied = await self.db.write(lambda tx: self._apply(tx, planned, vectors, job))
        self._kept.pop((reading.memory.id, reading.memory.content), None)
        self.measure(
            MemoryRead(
                memory_id=reading.memory.id,
                actions=tuple(_action(each.decided) for each in planned.facts),
                applied=applied,
                ms=(self.calls.monotonic_s() - began) * 1_000,
            )
        )
        if applied == "written" and planned.triples:
            await self.relate(planned)
        return None

    async def extract(self, reading: MemoryReading) -> MemoryReply | NoAnswer:
        """Ask what the memory states."""
        memory = reading.memory
        key = (memory.id, memory.content)
        if (known := self._kept.get(key)) is not None:
            return known
        started = self.calls.monotonic_s()
        answer = await self.calls.ask(
            EXTRACT_PROMPT, note_text(memory.content), _context(EXTRACT.name, memory)
        )
        if isinstance(answer, MustWait):
            return answer
        took_s = max(self.calls.monotonic_s() - started, _SHORTEST_CALL_S)
        self._call_s = (self._call_s + took_s) / 2 if self._call_s else took_s
        if isinstance(answer, CallFailed):
            return answer
        reply = MemoryReply(_cleaned(answer.value), answer.warnings, answer.model)
        self._kept[key] = reply
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return reply

    async def decide(
        self, reading: MemoryReading, facts: Sequence[ReadFact]
    ) -> _Decisions | NoAnswer:
        """Decide what each fact does; one that nothing is like is added without a call."""
        own = {each.memory.id for each in reading.derived if not each.is_touched}
        found = await self.candidates.find(reading.memory, facts, own)
        decided: list[DecidedFact] = []
        asked: list[tuple[ReadFact, Sequence[Memory]]] = []
        for each, candidates in zip(facts, found, strict=True):
            if candidates:
                asked.append((each, candidates))
            else:
                decided.append(DecidedFact(each, _NEW))
        warnings: list[str] = []
        for choices in batches(asked):
            answer = await self.calls.ask(
                DECIDE_PROMPT, choices.text, _context(DECIDE_STAGE, reading.memory)
            )
            if not isinstance(answer, ModelAnswer):
                return answer
            outcomes, unusable = choices.decisions(answer.value)
            warnings += [*answer.warnings, *unusable]
            decided += [
                DecidedFact(read, _cleaned_decision(outcome))
                for (read, _), outcome in zip(choices.facts, outcomes, strict=True)
            ]
        targets = [
            each.outcome.target
            for each in decided
            if isinstance(each.outcome, FactDecision) and each.outcome.target is not None
        ]
        confirmed = await self.db.read(lambda tx: _confirmed(tx, targets)) if targets else ()
        return _Decisions(tuple(decided), tuple(warnings), frozenset(confirmed))

    def _plan(
        self,
        reading: MemoryReading,
        reply: MemoryReply,
        facts: Sequence[DecidedFact],
        decided: _Decisions,
    ) -> Plan:
        settings = self.settings()
        return plan(
            reading.memory,
            facts,
            reply.extracted,
            reading.derived,
            Provenance(
                model=reply.model,
                extract_version=EXTRACT_PROMPT.version,
                decide_version=DECIDE_PROMPT.version,
            ),
            Policy(
                shadow=settings.shadow_mode,
                min_confidence=settings.min_confidence,
                allow_update_delete=settings.allow_update_delete,
            ),
            confirmed=decided.confirmed,
            warnings=(*reply.warnings, *decided.warnings),
        )

    async def embed(self, planned: Plan) -> NewVectors | None:
        """Embed the new memories; without vectors they are stored all the same, and queued."""
        if planned.policy.shadow:
            return None
        return await self.embedding.embed_new([each.content for each in planned.added])

    async def relate(self, planned: Plan) -> None:
        """Write the relations that the memory states; the job is done already, whatever happens."""
        try:
            stated = await self.db.write(
                lambda tx: _relate(tx, planned.source, planned.triples, self.context)
            )
        except UnavailableError as error:
            get_logger("pipeline").warning("couldn't write relations", reason=error.detail)
        else:
            if stated.rejected:
                get_logger("pipeline").debug("left out relations", count=len(stated.rejected))

    def _apply(self, tx: WriteTx, planned: Plan, vectors: NewVectors | None, job: Job) -> Applied:
        if self.frozen():
            jobs.release(tx, job, None)
            return "lost"
        if self.settings().shadow_mode:
            planned = replace(planned, policy=replace(planned.policy, shadow=True))
        return PlanWriter(tx, planned, self.context, vectors).apply(job)

    def _skip(self, tx: WriteTx, job: Job, reading: MemoryReading | None) -> None:
        """Finish the job of a memory that is gone, or that isn't read for its marks."""
        if not jobs.complete(tx, job, self.context.now) or reading is None:
            return
        version = EXTRACT_PROMPT.version
        seq, now = reading.memory.seq, self.context.now
        rows.finish(tx, seq, now, version=version, model="", is_skipped=True)


_NEW: Final = FactDecision(
    action="add", target=None, confidence=1.0, reason="no memory is about the same"
)


def _reading(tx: ReadTx, memory_id: str, fence: Fence) -> MemoryReading | None:
    memory = memories.get(tx, memory_id)
    if memory is None or not may_be_read(memory):
        return None
    derived = tuple(derived_of(tx, memory_id))
    return MemoryReading(memory, derived, is_marked(memory.content, fence))


def _screened(
    source: Memory, extracted: Extracted, least: float
) -> tuple[list[ReadFact], list[DecidedFact]]:
    facts = [with_standing(source, each) for each in extracted.facts]
    return screen(source, facts, least)


def _action(decided: DecidedFact) -> str:
    return decided.outcome.action if isinstance(decided.outcome, FactDecision) else "undecided"


def _confirmed(tx: ReadTx, targets: Sequence[Memory]) -> list[str]:
    known = history.confirmed_among(tx, [each.seq for each in targets])
    return [each.id for each in targets if each.seq in known]


def _relate(
    tx: WriteTx, source: Memory, triples: Sequence[Triple], context: ChangeContext
) -> StatedRelations:
    memory = memories.get(tx, source.id)
    if memory is None or not may_be_read(memory) or not is_same_text(memory, source):
        return StatedRelations(0)
    return state_relations(tx, triples, OfMemory(memory), context)


def _context(stage: str, memory: Memory) -> CallContext:
    return CallContext(stage=stage, project=memory.scope.project, subject=memory.id)


def _cleaned(extracted: Extracted) -> Extracted:
    """Remove secrets from what a model wrote: it is stored, and asked about."""
    facts = tuple(
        replace(
            each, content=clean(scrub(each.content)).strip(), evidence=clean(scrub(each.evidence))
        )
        for each in extracted.facts
    )
    return replace(extracted, facts=facts)


def _cleaned_decision(outcome: FactDecision | Undecided) -> FactDecision | Undecided:
    return replace(outcome, reason=clean(scrub(outcome.reason)))
