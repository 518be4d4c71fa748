"""What the user takes back that another session said: it is forgotten, or the user is asked."""

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
from intaglio.inbox.operations import add, cleaned_evidence, item_about
from intaglio.inbox.values import Evidence, InboxItem
from intaglio.memory import history_rows as history
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import WORDED, Actor, Done
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.constraints import constraints_among
from intaglio.sessions.statements.values import NamedMemories
from intaglio.store.tx import ReadTx, WriteTx

_NAME: Final = "taken_back"
_TAKEN_BACK: Final = "taken back by the user"


def take_back_named(
    tx: WriteTx,
    named: NamedMemories,
    evidence: Evidence,
    actor: Actor,
    context: ChangeContext,
) -> None:
    """Forget what is certain, and ask about the rest.

    What the user pinned, confirmed, worded or stated as a limit is asked about, too.
    """
    for memory_id in named.certain:
        if not _is_forgotten(tx, memory_id, actor, context):
            _ask(tx, memory_id, evidence, context)
    for memory_id in named.likely:
        _ask(tx, memory_id, evidence, context)


def _is_forgotten(tx: WriteTx, memory_id: str, actor: Actor, context: ChangeContext) -> bool:
    memory = memories.get(tx, memory_id)
    if memory is None or constraints_among(tx, (memory,)):
        return False
    if history.was_changed(tx, memory.id, WORDED):
        return False
    outcome = operations.forget(tx, memory.id, Audit(actor, _TAKEN_BACK), context)
    if not isinstance(outcome, Done):
        return False
    for said in statements.of_memory(tx, memory.id):
        if said.state == "live":
            statements.set_state(tx, said.seq, "withdrawn")
    return True


def _ask(tx: WriteTx, memory_id: str, evidence: Evidence, context: ChangeContext) -> None:
    memory = memories.get(tx, memory_id)
    if memory is None or memory.is_deleted or memory.status == "replaced":
        return
    if any(each.kind == _NAME and each.status == "open" for each in rows.about(tx, memory_id)):
        return
    item = item_about(memory, _NAME, context, (cleaned_evidence(evidence),))
    add(tx, item)


def _show(tx: ReadTx, item: InboxItem, reader: Reader) -> ItemDetail:
    memory = operations.find_visible(tx, item.memory_id or "", reader)
    return ItemDetail(content=memory.content if memory else "", memory_id=item.memory_id)


def _decide(tx: WriteTx, decision: Decision) -> DecisionEffect | Refusal:
    memory_id = decision.item.memory_id or ""
    if decision.action == "holds":
        return DecisionEffect(memory_id)
    return forget_decided(tx, memory_id, decision, _TAKEN_BACK)


def _undo(tx: WriteTx, decision: Decision) -> Refusal | None:
    if decision.action == "holds":
        return None
    return restore_decided(tx, decision.item.memory_id or "", decision)


TAKEN_BACK: Final = InboxKind(
    name=_NAME,
    label="Taken back?",
    plural="Taken back",
    actions=(
        InboxAction(
            name="drop",
            label="Forget",
            report="Forgot",
            outcome="forgotten",
            already="decided: it is forgotten",
            forgets=True,
        ),
        InboxAction(
            name="holds",
            label="It still holds",
            report="Kept",
            outcome="still holds",
            already="decided: it still holds",
        ),
    ),
    decide=_decide,
    undo=_undo,
    show=_show,
)
