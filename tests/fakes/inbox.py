"""Suggestions for tests: what capture would suggest."""

from intaglio.domain.memory_types import MemoryType
from intaglio.inbox import operations as inbox
from intaglio.inbox.values import Evidence, NewSuggestion, Proposal, ProposedChange, Suggested
from intaglio.memory import operations as memories
from intaglio.memory import rows
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import (
    AGENT_SOURCE,
    Actor,
    Change,
    Inserted,
    NewMemory,
    Scope,
    Source,
)
from intaglio.pipeline import proposed_changes, session_changes
from intaglio.store.tx import WriteTx

SAID_AT = "2026-01-30T08:00:00.000Z"


def evidence(sentence: str, message: str = "m1", session: str = "s1") -> Evidence:
    return Evidence(sentence, "claude-code", session, message, 0, len(sentence), SAID_AT)


def suggestion(
    content: str = "Use pnpm in this repository.",
    *,
    message: str = "m1",
    project: str | None = "/work/shop",
    agent: str = "default",
    kind: MemoryType = "rule",
) -> NewSuggestion:
    return NewSuggestion(
        content=content,
        type=kind,
        agent_id=agent,
        project=project,
        source=Source("claude-code", f"{message}#1"),
        confidence=0.6,
        evidence=evidence(f"oh, and {content.lower()}", message),
    )


def claim(
    content: str = "Deploy with make ship.",
    *,
    session: str = "s1",
    project: str | None = "/work/shop",
    agent: str = "default",
) -> NewSuggestion:
    """Return what an agent suggests by itself."""
    return NewSuggestion(
        content=content,
        type="rule",
        agent_id=agent,
        project=project,
        source=Source(AGENT_SOURCE),
        confidence=0.6,
        evidence=Evidence(content, "claude-code", session),
    )


def suggest(tx: WriteTx, context: ChangeContext, new: NewSuggestion) -> str:
    """Add a suggestion and return its id."""
    outcome = inbox.suggest(tx, new, context)
    assert isinstance(outcome, Suggested)
    return outcome.id


def propose(tx: WriteTx, context: ChangeContext, content: str, change: ProposedChange) -> str:
    """Write a memory and the change that an agent proposes of it; return the item's id."""
    memory = rows.get(tx, remember(tx, context, content))
    assert memory is not None
    reason = Evidence("It is outdated.", "claude-code", "s1")
    outcome = proposed_changes.propose(tx, Proposal(memory, change, reason), context)
    assert isinstance(outcome, Suggested)
    return outcome.id


def change_as_agent(tx: WriteTx, context: ChangeContext, content: str) -> str:
    """Write two memories of which an agent forgets one, and tell the user; return the item's id."""
    by = Audit(Actor("claude-code", "agent", "s2"), "Tidying up.")
    kept, gone = (remember(tx, context, f"{content} ({one})") for one in ("kept", "gone"))
    memories.modify(tx, kept, Change(tags=("tidy",)), by, context)
    memories.forget(tx, gone, by, context)
    told = Evidence("Tidying up.", "claude-code", "s2")
    return session_changes.tell_changes(tx, Scope("default", "/work/shop"), told, context)


def remember(tx: WriteTx, context: ChangeContext, content: str, scope: Scope | None = None) -> str:
    """Write a memory as capture keeps it and return its id."""
    memory = NewMemory(
        content=content,
        type="decision",
        importance=0.8,
        confidence=0.9,
        pinned=False,
        tags=(),
        who="user",
        why=None,
        scope=scope or Scope(project="/work/shop"),
        source=Source("claude-code", f"{content}#1"),
        session_id="s1",
        idempotency_key=None,
        runtime_path=None,
        created_at=context.now,
    )
    outcome = memories.insert(tx, memory, Audit(Actor("claude-code", "harness")), context)
    assert isinstance(outcome, Inserted)
    return outcome.id
