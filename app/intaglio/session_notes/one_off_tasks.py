"""Memories of rules that a model calls one-off tasks: not told any more, the user is asked."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from intaglio.domain.reader import Reader
from intaglio.inbox import rows as inbox
from intaglio.inbox.forgetting import forget_decided, restore_decided
from intaglio.inbox.kinds import (
    Decision,
    DecisionEffect,
    InboxAction,
    InboxKind,
    ItemDetail,
    Refusal,
)
from intaglio.inbox.operations import add, item_about
from intaglio.inbox.values import InboxItem
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.replacement import reinstate, retire
from intaglio.memory.values import HEARD, Done, NoChange
from intaglio.session_notes.values import pipeline_actor
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.values import RecordedStatement
from intaglio.sessions.values import SessionKey, SessionRef
from intaglio.store.tx import ReadTx, WriteTx

_NAME: Final = "one_off_task"
_REASON: Final = "a language model that read the session calls it a one-off task"
_FORGOTTEN: Final = "it was a one-off task (inbox)"
_HOLDS: Final = "it holds beyond its session (inbox)"
_UNTOUCHED: Final = 1
_GONE: Final = Refusal("The memory is forgotten", "Restore it first.")


def captured_sentences(
    tx: ReadTx, session: SessionKey, project: str | None
) -> list[tuple[str, str, str]]:
    """Return message, sentence and memory of what only rules made of a session, oldest first."""
    said = statements.of_session(tx, *session)
    found: dict[str, tuple[str, str, str]] = {}
    for each in said:
        memory_id = each.memory_id
        if memory_id is None or memory_id in found or each.project not in {project, None}:
            continue
        if _is_of_rules_alone(tx, session, memory_id):
            found[memory_id] = (each.message_id, each.sentence, memory_id)
    return list(found.values())


def demote(tx: WriteTx, session: SessionRef, memory_id: str, context: ChangeContext) -> str | None:
    """Have a memory not told any more and ask the user; returns the item's id.

    None if it isn't one of rules alone any more: the user confirmed, edited or pinned it, it was
    said in another session too, or a note took it in.
    """
    if not _is_of_rules_alone(tx, session.key, memory_id):
        return None
    memory = memories.get(tx, memory_id)
    audit = Audit(pipeline_actor(session), _REASON)
    if memory is None or not isinstance(retire(tx, memory_id, audit, context), Done):
        return None
    said = statements.of_memory(tx, memory_id)
    item = item_about(memory, _NAME, context, tuple(each.evidence for each in said[:1]))
    return add(tx, item)


def _is_of_rules_alone(tx: ReadTx, session: SessionKey, memory_id: str) -> bool:
    memory = memories.get(tx, memory_id)
    if (
        memory is None
        or memory.is_deleted
        or memory.pinned
        or memory.version != _UNTOUCHED
        or memory.status == "replaced"
        or not (memory.why or "").startswith(HEARD)
    ):
        return False
    said = statements.of_memory(tx, memory_id)
    return _all_in(said, session) and not inbox.about(tx, memory_id)


def _all_in(said: Sequence[RecordedStatement], session: SessionKey) -> bool:
    return bool(said) and all((each.harness, each.session_id) == session for each in said)


def _show(tx: ReadTx, item: InboxItem, reader: Reader) -> ItemDetail:
    memory = operations.find_visible(tx, item.memory_id or "", reader)
    return ItemDetail(content=memory.content if memory else "", memory_id=item.memory_id)


def _decide(tx: WriteTx, decision: Decision) -> DecisionEffect | Refusal:
    memory_id = decision.item.memory_id or ""
    if decision.action == "drop":
        return forget_decided(tx, memory_id, decision, _FORGOTTEN)
    audit = replace(decision.audit, reason=decision.audit.reason or _HOLDS)
    match reinstate(tx, memory_id, audit, decision.context):
        case Done() | NoChange():
            return DecisionEffect(memory_id)
        case _:
            return _GONE


def _undo(tx: WriteTx, decision: Decision) -> Refusal | None:
    memory_id = decision.item.memory_id or ""
    if decision.item.action == "drop":
        return restore_decided(tx, memory_id, decision)
    match retire(tx, memory_id, decision.audit, decision.context):
        case Done() | NoChange():
            return None
        case _:
            return Refusal("The memory can't be set aside any more", "Unpin or restore it first.")


ONE_OFF_TASK: Final = InboxKind(
    name=_NAME,
    label="One-off task",
    plural="One-off tasks",
    actions=(
        InboxAction(
            name="holds",
            label="It still holds",
            report="Kept",
            outcome="still holds",
            already="decided: it still holds",
        ),
        InboxAction(
            name="drop",
            label="Forget",
            report="Forgot",
            outcome="forgotten",
            already="decided: it was a one-off task",
            forgets=True,
        ),
    ),
    decide=_decide,
    undo=_undo,
    show=_show,
    confidence_label="Confidence",
)
