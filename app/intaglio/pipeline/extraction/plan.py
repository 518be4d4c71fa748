"""What becomes of the facts that were read in a memory; pure."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from intaglio.base.text import content_hash, normal_form
from intaglio.inbox.values import ProposedChange
from intaglio.language.overlap import topic_overlap
from intaglio.language.restatements import phrasing, say_the_same
from intaglio.memory.values import (
    AGENT_SOURCE,
    DEFAULT_IMPORTANCE,
    WORDED_BY_MODEL,
    Memory,
    NewMemory,
    Source,
)
from intaglio.pipeline.extraction.contradiction import may_contradict
from intaglio.pipeline.extraction.values import (
    PIPELINE_ACTOR,
    AddMemory,
    BlockReason,
    ChangeMemory,
    DecidedFact,
    DerivedFact,
    Extracted,
    FactDecision,
    FactEffect,
    Plan,
    PlannedFact,
    Policy,
    ProposeChange,
    Provenance,
    ReadFact,
    Skip,
    SkipReason,
    SuggestMemory,
    Undecided,
)

DERIVED: Final = "extract:"
"""How the source ids of memories begin that were read in another memory; its id follows."""

_BINDING: Final = frozenset({"rule", "preference"})
_SAME_SHARE: Final = 0.9
_HASH_DIGITS: Final = 12
_SAID_SOURCE: Final = "pipeline"


def is_derived(memory: Memory) -> bool:
    """Tell whether a memory was read in another one."""
    return (memory.source.id or "").startswith(DERIVED)


def screen(
    source: Memory, facts: Iterable[ReadFact], least: float
) -> tuple[list[ReadFact], list[DecidedFact]]:
    """Return the facts that need a decision, and those that change nothing, with the reason."""
    open_: list[ReadFact] = []
    skipped: list[DecidedFact] = []
    seen: set[bytes] = set()
    for each in facts:
        reason = _skip_reason(source, each, least, seen)
        if reason is None:
            open_.append(each)
        else:
            skipped.append(DecidedFact(each, reason))
    return open_, skipped


def _skip_reason(
    source: Memory, read: ReadFact, least: float, seen: set[bytes]
) -> SkipReason | None:
    content = read.fact.content
    if not normal_form(content):
        return "empty"
    if read.fact.confidence < least:
        return "low_confidence"
    digest = content_hash(content)
    if digest in seen:
        return "same_as_other_fact"
    seen.add(digest)
    return "same_as_source" if _says_the_same(content, source.content) else None


def _says_the_same(fact: str, text: str) -> bool:
    """Whether a fact is all that a text says: it would only stand beside it."""
    if say_the_same(phrasing(fact), phrasing(text)):
        return True
    both = topic_overlap(fact, text)
    return bool(both.shared) and both.share_of_all >= _SAME_SHARE


def plan(  # noqa: PLR0913 - what a plan depends on
    source: Memory,
    decided: Sequence[DecidedFact],
    extracted: Extracted,
    derived: Sequence[DerivedFact],
    provenance: Provenance,
    policy: Policy,
    *,
    confirmed: Collection[str] = (),
    warnings: Sequence[str] = (),
) -> Plan:
    """Return what becomes of each fact.

    ``derived`` are the memories that were read in the source before; those that no longer are, and
    that nobody touched, are retired, unless a reply wasn't whole. ``confirmed`` are the ids of
    memories that the user confirmed.
    """
    facts = tuple(_planned(source, each, policy, confirmed) for each in decided)
    stated = {content_hash(each.fact.content) for each in facts}
    incomplete = bool(warnings) or any(isinstance(each.outcome, Undecided) for each in decided)
    unsaid = (
        each.memory
        for each in derived
        if not (incomplete or each.is_touched or content_hash(each.memory.content) in stated)
    )
    return Plan(
        source=source,
        provenance=provenance,
        policy=policy,
        facts=facts,
        retired=tuple(unsaid),
        warnings=tuple(warnings),
        triples=extracted.triples,
    )


def _planned(
    source: Memory, decided: DecidedFact, policy: Policy, confirmed: Collection[str]
) -> PlannedFact:
    match decided.outcome:
        case FactDecision(target=target) as decision:
            risk = (
                decision.action in {"update", "delete"}
                and target is not None
                and may_contradict(decided.read.fact.content, target.content)
            )
            effect = _effect(source, decided.read, decision, policy, confirmed, risk=risk)
            return PlannedFact(decided=decided, effect=effect, contradiction_risk=risk)
        case Undecided():
            return PlannedFact(decided=decided, effect=Skip("no_decision"))
        case reason:
            return PlannedFact(decided=decided, effect=Skip(reason))


def _effect(
    source: Memory,
    read: ReadFact,
    decision: FactDecision,
    policy: Policy,
    confirmed: Collection[str],
    *,
    risk: bool,
) -> FactEffect:
    if decision.action == "none":
        return Skip("covered")
    if decision.action == "add" or decision.target is None:
        memory = new_memory(source, read)
        if read.fact.type in _BINDING and not read.said_by_user:
            return SuggestMemory(memory)
        return AddMemory(memory)
    change = (
        ProposedChange(forget=True)
        if decision.action == "delete"
        else ProposedChange(content=read.fact.content)
    )
    target = decision.target
    blocked = _block_reason(
        decision, target, policy, is_confirmed=target.id in confirmed, risk=risk
    )
    if blocked is None:
        return ChangeMemory(target, change)
    return ProposeChange(target, change, blocked)


def _block_reason(
    decision: FactDecision, target: Memory, policy: Policy, *, is_confirmed: bool, risk: bool
) -> BlockReason | None:
    """Return why a change waits for the user: only what agents noted is changed without asking."""
    if not policy.allow_update_delete:
        return "not_allowed"
    if target.pinned or is_confirmed or not target.is_unvouched:
        return "of_user"
    if risk:
        return "contradiction"
    return "low_confidence" if decision.confidence < policy.min_confidence else None


def new_memory(source: Memory, read: ReadFact) -> NewMemory:
    """Return the memory that a fact becomes.

    It has the scope of the source and is as old. What isn't said by the user is an agent's note;
    what is, is in the model's words, so it binds no more than what was heard in a session.
    """
    fact = read.fact
    source_id = f"{DERIVED}{source.id}:{content_hash(fact.content).hex()[:_HASH_DIGITS]}"
    return NewMemory(
        content=fact.content,
        type=fact.type,
        importance=min(fact.confidence, DEFAULT_IMPORTANCE),
        confidence=min(fact.confidence, source.confidence),
        pinned=False,
        tags=(),
        who=source.who if read.said_by_user else PIPELINE_ACTOR,
        why=WORDED_BY_MODEL if read.said_by_user else f"read in {source.id}",
        scope=source.scope,
        source=Source(_SAID_SOURCE if read.said_by_user else AGENT_SOURCE, source_id),
        session_id=None,
        idempotency_key=None,
        runtime_path=source.runtime_path,
        created_at=source.worded_at,
    )
