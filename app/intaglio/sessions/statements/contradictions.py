"""Two memories that contradict each other: both hold, the newer replaces the older, or it goes."""

from dataclasses import replace
from typing import Final

from intaglio.domain.reader import Reader
from intaglio.inbox import rows
from intaglio.inbox.forgetting import forget_decided, restore_decided
from intaglio.inbox.kinds import (
    Decision,
    DecisionEffect,
    InboxAction,
    InboxKind,
    ItemDetail,
    Refusal,
)
from intaglio.inbox.operations import add, cleaned_evidence, joint_visibility
from intaglio.inbox.values import Evidence, InboxItem
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext
from intaglio.memory.replacement import reinstate, replace_memory
from intaglio.memory.values import (
    AGENT_SOURCE,
    Done,
    Memory,
    NoChange,
    Source,
)
from intaglio.store.tx import ReadTx, WriteTx

_NAME: Final = "contradiction"
_NEWER_WON: Final = "a newer memory contradicts it (inbox)"
_NEWER_DROPPED: Final = "it contradicts an older memory (inbox)"


def contradiction(  # noqa: PLR0913 - two memories, and how they are known
    tx: WriteTx,
    memory_id: str,
    other_id: str,
    evidence: Evidence,
    context: ChangeContext,
    *,
    in_order: bool = False,
    by_agent: bool = False,
    more: tuple[Evidence, ...] = (),
) -> str | None:
    """Add an item about two memories that contradict each other; return its id.

    ``evidence`` is of the first, which was saved later; the newer is the one that was said later,
    or the first if they are given ``in_order``. What is asked ``by_agent`` hides nothing that the
    user said; ``more`` is evidence besides. Returns the id of the existing item about both,
    whether it is open or done, and None if one of them is no live memory, or is replaced.
    """
    for item in rows.about(tx, memory_id):
        if {item.memory_id, item.older_id} == {memory_id, other_id}:
            return item.id
    newer, older = memories.get(tx, memory_id), memories.get(tx, other_id)
    if newer is None or older is None or newer.is_deleted or older.is_deleted:
        return None
    if "replaced" in {newer.status, older.status}:
        return None
    # What an old transcript says doesn't become the latest word by being read late.
    if newer.worded_at < older.worded_at and not in_order:
        newer, older = older, newer
    item = InboxItem(
        id=context.new_id(),
        kind=_NAME,
        type=newer.type,
        confidence=newer.confidence,
        agent_id=newer.scope.agent_id,
        project=newer.scope.project or older.scope.project,
        visibility=joint_visibility((newer, older)),
        source=_source(newer, by_agent=by_agent),
        memory_id=newer.id,
        older_id=older.id,
        created_at=context.now,
        evidence=tuple(map(cleaned_evidence, (evidence, *more))),
    )
    return add(tx, item)


def _source(newer: Memory, *, by_agent: bool) -> Source:
    """Return whose word the item is: a claim of an agent that the user accepted is the user's."""
    if by_agent or newer.is_of_agent:
        return Source(AGENT_SOURCE)
    return Source() if newer.source.is_agent else newer.source


def _show(tx: ReadTx, item: InboxItem, reader: Reader) -> ItemDetail:
    both = (operations.find_visible(tx, each, reader) for each in _pair(item))
    found = [memory for memory in both if memory is not None]
    return ItemDetail(content=found[-1].content if found else "", memories=found)


def _pair(item: InboxItem) -> tuple[str, str]:
    return item.older_id or "", item.memory_id or ""


def _decide(tx: WriteTx, decision: Decision) -> DecisionEffect | Refusal:
    if decision.action == "keep_both":
        return DecisionEffect()
    older, newer = _pair(decision.item)
    if decision.action == "newer_wins":
        audit = replace(decision.audit, reason=decision.audit.reason or _NEWER_WON)
        match replace_memory(tx, older, newer, audit, decision.context):
            case Done() | NoChange():
                return DecisionEffect()
            case _:
                return Refusal("The memory can't be replaced any more", "Read the inbox again.")
    return forget_decided(tx, newer, decision, _NEWER_DROPPED)


def _undo(tx: WriteTx, decision: Decision) -> Refusal | None:
    older, newer = _pair(decision.item)
    forgotten, kept_id = (newer, older) if decision.action == "drop" else (older, newer)
    kept = memories.get(tx, kept_id)
    if kept is None or kept.is_deleted:
        return Refusal("The other memory is forgotten", "Restore it first, then undo.")
    if decision.action == "keep_both":
        found = memories.get(tx, forgotten)
        if found is None or found.is_deleted:
            return Refusal("One of its memories is forgotten", "Restore it first, then undo.")
        return None
    refused = restore_decided(tx, forgotten, decision)
    if refused is None and decision.action == "newer_wins":
        reinstate(tx, older, decision.audit, decision.context)
    return refused


CONTRADICTION: Final = InboxKind(
    name=_NAME,
    label="Contradiction",
    plural="Contradictions",
    actions=(
        InboxAction(
            name="keep_both",
            label="Keep both",
            report="Kept both",
            outcome="both kept",
            already="decided: both are kept",
        ),
        InboxAction(
            name="newer_wins",
            label="Keep newer",
            report="Kept the newer one",
            outcome="newer one kept",
            already="decided: the newer memory wins",
        ),
        InboxAction(
            name="drop",
            label="Keep older",
            report="Kept the older one",
            outcome="older one kept",
            already="decided: the older memory wins",
            command="older-wins",
            forgets=True,
        ),
    ),
    decide=_decide,
    undo=_undo,
    show=_show,
    confidence_label="Confidence",
    memory_labels=("Older memory", "Newer memory"),
)
