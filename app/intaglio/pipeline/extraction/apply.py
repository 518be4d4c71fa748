"""Writes a plan in one transaction, which finishes its job.

A memory that changed meanwhile is read again; of one that is gone, nothing is written.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Literal, TypeAlias

from intaglio.embedding.inline_embedding import NewVectors
from intaglio.embedding.job_types import unqueue_vector
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import (
    AlreadyOpen,
    DroppedBefore,
    Evidence,
    NewSuggestion,
    Proposal,
    ProposeOutcome,
    Suggested,
    SuggestOutcome,
    TooManyProposals,
)
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext
from intaglio.memory.settings import MemorySettings
from intaglio.memory.values import (
    AGENT_SOURCE,
    Change,
    Done,
    Duplicate,
    ForgetOutcome,
    Forgotten,
    Inserted,
    Memory,
    ModifyOutcome,
    NewMemory,
)
from intaglio.pipeline.extraction import rows
from intaglio.pipeline.extraction.following import is_touched
from intaglio.pipeline.extraction.history_entries import (
    FactOutcome,
    pipeline_audit,
    record_fact,
    record_warnings,
    shadow_outcome,
)
from intaglio.pipeline.extraction.job_type import may_be_read
from intaglio.pipeline.extraction.plan import is_derived
from intaglio.pipeline.extraction.values import (
    PIPELINE_ACTOR,
    AddMemory,
    ChangeMemory,
    FactDecision,
    Plan,
    PlannedFact,
    ProposeChange,
    Skip,
    SuggestMemory,
)
from intaglio.pipeline.proposed_changes import propose, record_applied
from intaglio.store.tx import WriteTx

Applied: TypeAlias = Literal["written", "shadow", "gone", "changed", "lost"]
"""What became of a plan; ``lost``: another worker has the job."""

_MOST_SUGGESTIONS: Final = 50
_READ_ANEW: Final = "no longer read in the memory that it came from"
_READ_AGAIN: Final = "read once more"


def is_same_text(now: Memory, before: Memory) -> bool:
    """Tell whether what was read of a memory still holds: its text, its place and its type."""
    return (now.content, now.scope, now.type) == (before.content, before.scope, before.type)


@dataclass(frozen=True, slots=True)
class PlanWriter:
    """Writes one plan; ``vectors`` are those of its new memories, as far as they are made."""

    tx: WriteTx
    plan: Plan
    context: ChangeContext
    vectors: NewVectors | None = None

    def apply(self, job: Job) -> Applied:
        """Write the plan and finish the job, unless its memory is another one by now."""
        source = memories.get(self.tx, job.subject)
        if source is None or not may_be_read(source):
            jobs.complete(self.tx, job, self.context.now)
            return "gone"
        if not is_same_text(source, self.plan.source):
            jobs.release(self.tx, job, None)
            return "changed"
        if not jobs.complete(self.tx, job, self.context.now):
            return "lost"
        shadow = self.plan.policy.shadow
        for each in self.plan.facts:
            outcome = shadow_outcome(each) if shadow else self._carry_out(each)
            record_fact(self.tx, self.plan, each, outcome, self.context)
        if self.plan.warnings:
            record_warnings(self.tx, self.plan, self.context)
        for memory in () if shadow else self.plan.retired:
            self._retire(memory)
        self._finish(source)
        return "shadow" if shadow else "written"

    def _retire(self, memory: Memory) -> None:
        """Forget a memory that isn't read in the source any more, unless others state it, too."""
        if rows.is_read_elsewhere(self.tx, memory.seq, self.plan.source.id):
            rows.release(self.tx, memory.seq, self.plan.source.id)
            return
        audit = replace(pipeline_audit(_READ_ANEW), if_version=memory.version)
        operations.forget(self.tx, memory.id, audit, self.context)

    def _finish(self, source: Memory) -> None:
        made_by = self.plan.provenance
        rows.finish(
            self.tx,
            source.seq,
            self.context.now,
            version=made_by.extract_version,
            model=made_by.model_text,
            is_skipped=False,
        )

    def _carry_out(self, planned: PlannedFact) -> FactOutcome:
        match planned.effect:
            case Skip(reason=reason):
                return FactOutcome(result="skipped", skipped=reason)
            case AddMemory(memory=memory):
                return self._add(planned, memory)
            case SuggestMemory(memory=memory):
                return self._suggest(planned, memory)
            case ProposeChange():
                return self._propose(planned, planned.effect)
            case ChangeMemory():
                return self._change(planned, planned.effect)

    def _add(self, planned: PlannedFact, memory: NewMemory) -> FactOutcome:
        audit = pipeline_audit(_reason(planned))
        found = operations.insert(self.tx, memory, audit, self.context, revive=False)
        match found:
            case Inserted(id=memory_id):
                self._derive(planned, memory_id)
                if self.vectors is not None and self.vectors.write(self.tx, memory_id):
                    unqueue_vector(self.tx, memory_id)
                return FactOutcome(result="applied", created=memory_id)
            case Duplicate(memory=known):
                if is_derived(known):
                    # It stays as long as one of the memories that it was read in does.
                    self._derive(planned, known.id)
                return FactOutcome(result="skipped", skipped="known", same_as=known.id)
            case Forgotten(id=gone):
                if self._restore(gone):
                    self._derive(planned, gone)
                    return FactOutcome(result="applied", created=gone)
                return FactOutcome(result="skipped", skipped="forgotten")

    def _restore(self, memory_id: str) -> bool:
        """Restore what only the pipeline itself had forgotten; False for what others did."""
        memory = memories.get(self.tx, memory_id)
        if memory is None or not is_derived(memory) or is_touched(self.tx, memory):
            return False
        within = timedelta(days=self.context.settings().of(MemorySettings).tombstone_days)
        restored = operations.recover(
            self.tx, memory_id, pipeline_audit(_READ_AGAIN), self.context, within
        )
        return isinstance(restored, Done)

    def _derive(self, planned: PlannedFact, memory_id: str) -> None:
        memory = memories.get(self.tx, memory_id)
        if memory is None:
            return
        new = rows.NewDerivation(
            memory=memory.seq,
            source_id=self.plan.source.id,
            quote=planned.fact.evidence,
            version=self.plan.provenance.extract_version,
            model=self.plan.provenance.model_text,
            at=self.context.now,
        )
        rows.add(self.tx, new)

    def _suggest(self, planned: PlannedFact, memory: NewMemory) -> FactOutcome:
        if inbox_rows.count_open_of_source(self.tx, AGENT_SOURCE) >= _MOST_SUGGESTIONS:
            return FactOutcome(result="skipped", skipped="inbox_full", blocked="needs_user")
        new = NewSuggestion(
            content=memory.content,
            type=memory.type,
            agent_id=memory.scope.agent_id,
            project=memory.scope.project,
            source=memory.source,
            confidence=memory.confidence,
            evidence=self._evidence(planned),
            visibility=memory.scope.visibility,
        )
        found: SuggestOutcome = inbox.suggest(self.tx, new, self.context)
        match found:
            case Suggested(id=item) | AlreadyOpen(id=item):
                return FactOutcome(result="blocked", blocked="needs_user", item=item)
            case DroppedBefore():
                return FactOutcome(result="skipped", skipped="rejected_before")
            case Duplicate(memory=known):
                return FactOutcome(result="skipped", skipped="known", same_as=known.id)

    def _propose(self, planned: PlannedFact, effect: ProposeChange) -> FactOutcome:
        target = self._unchanged(effect.target)
        if target is None:
            return FactOutcome(result="skipped", skipped="target_changed")
        new = Proposal(target, effect.change, self._evidence(planned))
        found: ProposeOutcome = propose(self.tx, new, self.context, read_in=self.plan.source.id)
        match found:
            case Suggested(id=item) | AlreadyOpen(id=item):
                return FactOutcome(result="blocked", blocked=effect.blocked, item=item)
            case DroppedBefore():
                return FactOutcome(result="skipped", skipped="rejected_before")
            case TooManyProposals():
                return FactOutcome(result="skipped", skipped="inbox_full", blocked=effect.blocked)

    def _change(self, planned: PlannedFact, effect: ChangeMemory) -> FactOutcome:
        """Change or forget a memory; the inbox has a done item by which that can be undone."""
        target = self._unchanged(effect.target)
        if target is None:
            return FactOutcome(result="skipped", skipped="target_changed")
        item = self.context.new_id()
        audit = replace(
            pipeline_audit(_reason(planned), item=item), if_version=effect.target.version
        )
        change = effect.change
        made: ForgetOutcome | ModifyOutcome
        if change.content is None:
            made = operations.forget(self.tx, target.id, audit, self.context)
        else:
            wanted = Change(content=change.content)
            made = operations.modify(self.tx, target.id, wanted, audit, self.context)
        if not isinstance(made, Done):
            return FactOutcome(result="skipped", skipped="target_changed")
        new = Proposal(target, change, self._evidence(planned))
        record_applied(self.tx, item, new, made.new_version, self.context)
        return FactOutcome(result="applied", item=item)

    def _unchanged(self, target: Memory) -> Memory | None:
        """Return the memory as it is now, if nobody changed it since it was read."""
        now = memories.get(self.tx, target.id)
        if now is None or now.is_deleted or now.version != target.version:
            return None
        return None if now.status == "replaced" else now

    def _evidence(self, planned: PlannedFact) -> Evidence:
        quote = planned.fact.evidence or planned.fact.content
        return Evidence(quote, PIPELINE_ACTOR, said_at=self.plan.source.worded_at)


def _reason(planned: PlannedFact) -> str:
    outcome = planned.decided.outcome
    return outcome.reason if isinstance(outcome, FactDecision) else ""
