"""A memory of a project that may apply to all projects."""

from typing import Final

from intaglio.domain.reader import Reader
from intaglio.inbox import rows
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
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import Change, Done, NoChange, ScopeConflict
from intaglio.store.tx import ReadTx, WriteTx

_NAME: Final = "wider_scope"
_GONE: Final = Refusal("The memory is forgotten", "Restore it first.")
_CHANGED: Final = Refusal(
    "The memory was changed since", "Change its project on the Memories page."
)
_SAME: Final = Refusal("Another memory has the same text", "Forget one of them instead.")


def wider_scope(
    tx: WriteTx, memory_id: str, evidence: Evidence, context: ChangeContext
) -> str | None:
    """Ask whether a memory of a project applies to all projects; return the item's id.

    That of the existing item about it, whether it is open or done; None if it is no live memory of
    a project.
    """
    for item in rows.about(tx, memory_id):
        if item.kind == _NAME:
            return item.id
    memory = memories.get(tx, memory_id)
    if memory is None or memory.is_deleted or memory.scope.project is None:
        return None
    item = item_about(memory, _NAME, context, (cleaned_evidence(evidence),))
    return add(tx, item)


def _show(tx: ReadTx, item: InboxItem, reader: Reader) -> ItemDetail:
    memory = operations.find_visible(tx, item.memory_id or "", reader)
    return ItemDetail(content=memory.content if memory else "", memory_id=item.memory_id)


def _decide(tx: WriteTx, decision: Decision) -> DecisionEffect | Refusal:
    if decision.action == "this_project":
        return DecisionEffect()
    memory_id = decision.item.memory_id
    wide = Change(project=None)
    match operations.modify(tx, memory_id or "", wide, decision.audit, decision.context):
        case Done(new_version=version):
            return DecisionEffect(memory_id, version)
        case NoChange():
            return DecisionEffect(memory_id)
        case ScopeConflict():
            return _SAME
        case _:
            return _GONE


def _undo(tx: WriteTx, decision: Decision) -> Refusal | None:
    if decision.action == "this_project" or decision.item.changed_version is None:
        return None
    memory = memories.get(tx, decision.item.memory_id or "")
    if memory is None or memory.is_deleted:
        return _GONE
    if memory.version != decision.item.changed_version:
        return _CHANGED
    back = Change(project=decision.item.project)
    match operations.modify(tx, memory.id, back, decision.audit, decision.context):
        case Done() | NoChange():
            return None
        case _:
            return _SAME


WIDER_SCOPE: Final = InboxKind(
    name=_NAME,
    label="For all projects?",
    plural="For all projects?",
    actions=(
        InboxAction(
            name="all_projects",
            label="For all projects",
            report="Applied to all projects",
            outcome="for all projects",
            already="decided: it applies to all projects",
        ),
        InboxAction(
            name="this_project",
            label="Only this project",
            report="Left in its project",
            outcome="this project only",
            already="decided: it applies to its project only",
        ),
    ),
    decide=_decide,
    undo=_undo,
    show=_show,
    confidence_label="Confidence",
)
