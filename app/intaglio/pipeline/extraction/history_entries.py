"""How the history tells what became of each fact: an event `none` of the memory that was read."""

import json
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from intaglio.memory import history_rows as history
from intaglio.memory.operations import Audit, ChangeContext, new_event
from intaglio.memory.values import Actor, Memory
from intaglio.pipeline.extraction.decide_prompt import DECIDE_PROMPT
from intaglio.pipeline.extraction.extract_prompt import EXTRACT_PROMPT
from intaglio.pipeline.extraction.job_type import PIPELINE
from intaglio.pipeline.extraction.values import (
    PIPELINE_ACTOR,
    SHADOW_ACTOR,
    BlockReason,
    FactDecision,
    Plan,
    PlannedFact,
    ProposeChange,
    Skip,
    SkipReason,
    SuggestMemory,
    Undecided,
)
from intaglio.store.tx import WriteTx

ProposalResult: TypeAlias = Literal["applied", "blocked", "shadow", "skipped"]
"""What became of a fact; ``shadow`` records what would have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactOutcome:
    """What became of a fact: the memory it made, the inbox item that asks, or why nothing."""

    result: ProposalResult
    created: str | None = None
    item: str | None = None
    skipped: SkipReason | None = None
    blocked: BlockReason | None = None
    same_as: str | None = None


def pipeline_audit(reason: str, *, shadow: bool = False, item: str | None = None) -> Audit:
    """Return the audit of what the pipeline does; ``item`` is the inbox item that tells of it."""
    name = SHADOW_ACTOR if shadow else PIPELINE_ACTOR
    return Audit(Actor(name, PIPELINE, request_id=item), reason)


def shadow_outcome(planned: PlannedFact) -> FactOutcome:
    """Return what is recorded of a fact in shadow mode."""
    match planned.effect:
        case Skip(reason=reason):
            return FactOutcome(result="shadow", skipped=reason)
        case ProposeChange(blocked=blocked):
            return FactOutcome(result="shadow", blocked=blocked)
        case SuggestMemory():
            return FactOutcome(result="shadow", blocked="needs_user")
        case _:
            return FactOutcome(result="shadow")


def record_fact(
    tx: WriteTx, plan: Plan, planned: PlannedFact, outcome: FactOutcome, context: ChangeContext
) -> None:
    """Record what became of a fact, with everything that led to it."""
    decision = planned.decided.outcome
    metadata = _provenance(plan, outcome) | {
        "proposedAction": decision.action if isinstance(decision, FactDecision) else "none",
        "fact": _fact(planned, outcome),
        "createdMemoryId": outcome.created,
        "inboxItemId": outcome.item,
        "sameAs": outcome.same_as,
    }
    reason = ""
    match decision:
        case FactDecision(target=target, confidence=confidence, reason=reason):
            metadata["confidence"] = confidence
            metadata["targetMemoryId"] = target.id if target else None
        case Undecided(reason=reason):
            pass
        case _:
            pass
    if planned.contradiction_risk:
        metadata |= {"contradictionRisk": True, "reviewNeeded": True}
    _record(tx, plan, metadata, reason, context)


def record_warnings(tx: WriteTx, plan: Plan, context: ChangeContext) -> None:
    """Record what of the replies couldn't be used."""
    result: ProposalResult = "shadow" if plan.policy.shadow else "skipped"
    outcome = FactOutcome(result=result, skipped="malformed")
    metadata = _provenance(plan, outcome) | {"proposedAction": "none"}
    _record(tx, plan, metadata, "; ".join(plan.warnings)[:2_000], context)


def _fact(planned: PlannedFact, outcome: FactOutcome) -> dict[str, Any]:
    # What became a memory isn't stored twice: erasing that must leave no copy.
    content = {} if outcome.created else {"content": planned.fact.content}
    return content | {
        "type": planned.fact.type,
        "confidence": planned.fact.confidence,
        "evidence": planned.fact.evidence,
        "saidByUser": planned.decided.read.said_by_user,
    }


def _provenance(plan: Plan, outcome: FactOutcome) -> dict[str, Any]:
    return {
        "outcome": outcome.result,
        "shadow": plan.policy.shadow,
        "skippedReason": outcome.skipped,
        "blockedReason": outcome.blocked,
        "model": plan.provenance.model_text,
        "prompts": {
            EXTRACT_PROMPT.name: plan.provenance.extract_version,
            DECIDE_PROMPT.name: plan.provenance.decide_version,
        },
    }


def _record(
    tx: WriteTx, plan: Plan, metadata: dict[str, Any], reason: str, context: ChangeContext
) -> None:
    source: Memory = plan.source
    audit = pipeline_audit(reason, shadow=plan.policy.shadow)
    told = {key: value for key, value in metadata.items() if value is not None}
    entry = replace(
        new_event(context, audit, "none", None, None),
        metadata=json.dumps(told, ensure_ascii=False),
    )
    history.record(tx, source.id, source.scope, entry)
