"""How a decision on an inbox item forgets a memory, and how undoing it restores the memory."""

from dataclasses import replace

from intaglio.inbox.kinds import Decision, DecisionEffect, Refusal
from intaglio.memory import operations
from intaglio.memory.values import (
    Done,
    NotDeleted,
    PinnedConflict,
    RetentionExpired,
    ScopeConflict,
)
from intaglio.store.tx import WriteTx


def forget_decided(
    tx: WriteTx, memory_id: str, decision: Decision, reason: str
) -> DecisionEffect | Refusal:
    """Forget a memory; ``reason`` is recorded unless the user gave one."""
    audit = replace(decision.audit, reason=decision.audit.reason or reason)
    match operations.forget(tx, memory_id, audit, decision.context):
        case Done(new_version=version):
            return DecisionEffect(version=version)
        case PinnedConflict():
            return Refusal("The memory is pinned", "Unpin it first.")
        case _:
            return Refusal("The memory can't be forgotten any more", "Read the inbox again.")


def restore_decided(tx: WriteTx, memory_id: str, decision: Decision) -> Refusal | None:
    """Restore a memory that a decision forgot; None if it is there now."""
    match operations.recover(tx, memory_id, decision.audit, decision.context, decision.retention):
        case Done() | NotDeleted():
            return None
        case RetentionExpired():
            return Refusal("The memory was forgotten too long ago to be restored", "Save it again.")
        case ScopeConflict():
            return Refusal("Another memory has the same text", "Forget the other memory first.")
        case _:
            return Refusal("The memory no longer exists", "It was erased.")
