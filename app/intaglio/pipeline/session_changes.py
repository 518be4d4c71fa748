"""A notice of all that an agent changed in a session: the user keeps or undoes it."""

from typing import Final

from intaglio.domain.reader import GLOBAL, Reader
from intaglio.inbox import rows
from intaglio.inbox.kinds import (
    Decision,
    DecisionEffect,
    InboxAction,
    InboxKind,
    ItemDetail,
    Refusal,
)
from intaglio.inbox.operations import add, cleaned_evidence
from intaglio.inbox.values import Evidence, InboxItem
from intaglio.memory import operations
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import AGENT_SOURCE, Scope, Source
from intaglio.pipeline.agent_change_decisions import AgentChangeDecisions, session_steps
from intaglio.store.tx import ReadTx, WriteTx

_NAME: Final = "agent_changes"
_MAX_SHOWN: Final = 100


def tell_changes(tx: WriteTx, scope: Scope, evidence: Evidence, context: ChangeContext) -> str:
    """Tell the user that an agent changed as many memories as it may in a session; once each.

    ``evidence`` names the session. Returns the item's id.
    """
    told = rows.of_session(tx, _NAME, evidence.session_id or "", 1)
    if told:
        return told[0].id
    item = InboxItem(
        id=context.new_id(),
        kind=_NAME,
        type="fact",
        confidence=1.0,
        agent_id=scope.agent_id,
        project=scope.project,
        visibility=GLOBAL,
        source=Source(AGENT_SOURCE),
        created_at=context.now,
        evidence=(cleaned_evidence(evidence),),
    )
    return add(tx, item)


def _show(tx: ReadTx, item: InboxItem, reader: Reader) -> ItemDetail:
    ids = [step.memory_id for step in session_steps(tx, item)][:_MAX_SHOWN]
    visible = (operations.find_visible(tx, each, reader) for each in ids)
    found = [memory for memory in visible if memory is not None]
    by = item.evidence[0].harness if item.evidence else "An agent"
    memories = "memory" if len(found) == 1 else "memories"
    # Not how many are forgotten now: that is another number once the changes are undone.
    content = f"{by} changed or forgot {len(found):,} {memories} in one session"
    return ItemDetail(content=content, memories=found)


def _decide(tx: WriteTx, decision: Decision) -> DecisionEffect | Refusal:
    if decision.action == "keep_changes":
        return DecisionEffect()
    return AgentChangeDecisions(decision).undo_session(tx) or DecisionEffect()


def _undo(tx: WriteTx, decision: Decision) -> Refusal | None:
    if decision.action == "undo_changes":
        AgentChangeDecisions(decision).redo_session(tx)
    return None


AGENT_CHANGES: Final = InboxKind(
    name=_NAME,
    label="Changes by an agent",
    plural="Changes by agents",
    actions=(
        InboxAction(
            name="keep_changes",
            label="Keep the changes",
            report="Kept the changes",
            outcome="changes kept",
            already="decided: the changes are kept",
        ),
        InboxAction(
            name="undo_changes",
            label="Undo all changes",
            report="Undid the changes",
            outcome="changes undone",
            already="decided: the changes are undone",
            forgets=True,
        ),
    ),
    decide=_decide,
    undo=_undo,
    show=_show,
)
