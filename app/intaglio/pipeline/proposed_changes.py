"""A change of a memory that an agent proposes: the user applies or rejects it."""

from dataclasses import replace
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
from intaglio.inbox.operations import add, add_evidence, cleaned_evidence, close
from intaglio.inbox.values import (
    AlreadyOpen,
    DroppedBefore,
    InboxItem,
    Proposal,
    ProposeOutcome,
    Suggested,
    TooManyProposals,
)
from intaglio.memory import operations
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import AGENT_SOURCE, Source
from intaglio.pipeline.agent_change_decisions import AgentChangeDecisions
from intaglio.store.tx import ReadTx, WriteTx

_NAME: Final = "proposed_change"
# More would hide what else waits; the agent is told to ask the user.
_MAX_OF_SESSION: Final = 10
_MAX_OPEN: Final = 50


def propose(
    tx: WriteTx, new: Proposal, context: ChangeContext, *, read_in: str | None = None
) -> ProposeOutcome:
    """Ask the user about a change of a memory, unless the same is asked or was rejected.

    ``read_in`` is the memory in which a language model read it: the item goes with that one, too.
    """
    memory = new.memory
    for item in rows.proposals_of(tx, memory.id):
        if item.change != new.change:
            continue
        if item.status == "open":
            add_evidence(tx, item.id, new.evidence)
            return AlreadyOpen(item.id)
        if item.action == "reject":
            return DroppedBefore(item.id)
    if rows.count_open_proposals(tx) >= _MAX_OPEN or (
        read_in is None and _has_proposed_enough(tx, new.evidence.session_id or "")
    ):
        return TooManyProposals()
    return Suggested(add(tx, replace(_item(context.new_id(), new, context), older_id=read_in)))


def record_applied(
    tx: WriteTx, item_id: str, new: Proposal, version: int, context: ChangeContext
) -> None:
    """Add a change that was made without asking, as decided on, so that the user can undo it.

    ``version`` is the one that the change made; its history has the item's id as the request's.
    """
    add(tx, _item(item_id, new, context))
    close(tx, item_id, "apply", context, changed_version=version)


def _has_proposed_enough(tx: ReadTx, session: str) -> bool:
    return len(rows.of_session(tx, _NAME, session, _MAX_OF_SESSION)) >= _MAX_OF_SESSION


def _item(item_id: str, new: Proposal, context: ChangeContext) -> InboxItem:
    memory = new.memory
    return InboxItem(
        id=item_id,
        kind=_NAME,
        type=new.change.type or memory.type,
        confidence=memory.confidence,
        agent_id=memory.scope.agent_id,
        project=memory.scope.project,
        visibility=memory.scope.visibility,
        source=Source(AGENT_SOURCE),
        memory_id=memory.id,
        created_at=context.now,
        evidence=(cleaned_evidence(new.evidence),),
        change=new.change,
    )


def _show(tx: ReadTx, item: InboxItem, reader: Reader) -> ItemDetail:
    memory = operations.find_visible(tx, item.memory_id or "", reader)
    return ItemDetail(
        content=memory.content if memory else "", memories=(memory,) if memory else ()
    )


def _decide(tx: WriteTx, decision: Decision) -> DecisionEffect | Refusal:
    if decision.action == "reject":
        return DecisionEffect()
    applied = AgentChangeDecisions(decision).apply(tx)
    return applied if isinstance(applied, Refusal) else DecisionEffect(version=applied)


def _undo(tx: WriteTx, decision: Decision) -> Refusal | None:
    return AgentChangeDecisions(decision).undo_applied(tx)


PROPOSED_CHANGE: Final = InboxKind(
    name=_NAME,
    label="Proposed change",
    plural="Proposed changes",
    actions=(
        InboxAction(
            name="apply",
            label="Apply",
            report="Applied the change to",
            outcome="applied",
            forgets=True,
        ),
        InboxAction(
            name="reject",
            label="Keep as it is",
            report="Left as it is",
            outcome="left as it is",
            already="decided: the memory stays as it is",
        ),
    ),
    decide=_decide,
    undo=_undo,
    show=_show,
    expires=True,
)
