"""What agents want of memories that aren't theirs to change, and notices of what they changed."""

from typing import Final

from intaglio.base.events import Changed
from intaglio.domain.reader import GLOBAL
from intaglio.inbox import rows
from intaglio.inbox.operations import TOPIC, add_evidence, cleaned_evidence
from intaglio.inbox.values import (
    AlreadyOpen,
    DroppedBefore,
    Evidence,
    InboxItem,
    Proposal,
    ProposeOutcome,
    Suggested,
    TooManyProposals,
)
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import AGENT_SOURCE, Scope, Source
from intaglio.store.tx import WriteTx

# More would hide what else waits; the agent is told to ask the user.
_MAX_OF_SESSION: Final = 10
_MAX_OPEN: Final = 50


def propose(tx: WriteTx, new: Proposal, context: ChangeContext) -> ProposeOutcome:
    """Ask the user about a change of a memory, unless the same is asked or was rejected."""
    memory = new.memory
    for item in rows.proposals_of(tx, memory.id):
        if item.change != new.change:
            continue
        if item.status == "open":
            add_evidence(tx, item.id, new.evidence)
            return AlreadyOpen(item.id)
        if item.action == "reject":
            return DroppedBefore(item.id)
    session = new.evidence.session_id or ""
    own = rows.of_session(tx, "proposed_change", session, _MAX_OF_SESSION)
    if len(own) >= _MAX_OF_SESSION or rows.count_open_proposals(tx) >= _MAX_OPEN:
        return TooManyProposals()
    item = InboxItem(
        id=context.new_id(),
        kind="proposed_change",
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
    rows.insert(tx, item, None)
    tx.publish(Changed(TOPIC, "added", (item.id,)))
    return Suggested(item.id)


def tell_changes(tx: WriteTx, scope: Scope, evidence: Evidence, context: ChangeContext) -> str:
    """Tell the user that an agent changed as many memories as it may in a session; once each.

    ``evidence`` names the session. Returns the item's id.
    """
    told = rows.of_session(tx, "agent_changes", evidence.session_id or "", 1)
    if told:
        return told[0].id
    item = InboxItem(
        id=context.new_id(),
        kind="agent_changes",
        type="fact",
        confidence=1.0,
        agent_id=scope.agent_id,
        project=scope.project,
        visibility=GLOBAL,
        source=Source(AGENT_SOURCE),
        created_at=context.now,
        evidence=(cleaned_evidence(evidence),),
    )
    rows.insert(tx, item, None)
    tx.publish(Changed(TOPIC, "added", (item.id,)))
    return item.id
