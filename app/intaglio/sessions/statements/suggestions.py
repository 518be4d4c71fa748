"""Suggested memories: kept, edited or not, or dropped."""

import heapq
from dataclasses import replace
from typing import Final

from intaglio.base.text import content_hash
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
from intaglio.inbox.operations import MAX_REPLACED
from intaglio.inbox.values import Edit, Evidence, InboxItem
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import Relation, Wording, relate
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.replacement import replace_memory
from intaglio.memory.values import (
    KEEP,
    USER_AUTHOR,
    Done,
    Duplicate,
    Forgotten,
    Inserted,
    NewMemory,
    PinnedConflict,
)
from intaglio.pipeline.ingest import Remember, prepare
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.constraints import constraints_among
from intaglio.sessions.statements.reversals import Reversal
from intaglio.sessions.statements.values import ACCEPTED
from intaglio.store.tx import ReadTx, WriteTx

_LONG: Final = 2_000
_SCANNED: Final = 300
_COMPARED: Final = 12


def _show(tx: ReadTx, item: InboxItem, reader: Reader) -> ItemDetail:
    older = (operations.find_visible(tx, each, reader) for each in item.replaces)
    return ItemDetail(
        content=item.content,
        memory_id=item.memory_id,
        memories=[memory for memory in older if memory is not None],
    )


def _prepare(item: InboxItem, edit: Edit, audit: Audit, context: ChangeContext) -> NewMemory:
    """Return the memory that a suggestion becomes, ready to be written."""
    said = item.evidence[0] if item.evidence else None
    is_as_said = edit.content is None or edit.content == item.content
    command = Remember(
        content=item.content if edit.content is None else edit.content,
        actor=audit.actor,
        who=USER_AUTHOR,
        why=ACCEPTED,
        type=item.type if edit.type is None else edit.type,
        agent_id=item.agent_id,
        project=item.project if edit.project is KEEP else edit.project,
        visibility=item.visibility,
        source=item.source,
        session_id=said.session_id if said else None,
        created_at=((said.said_at if said else None) or item.created_at) if is_as_said else None,
    )
    return prepare(command, context)[0]


def _decide(tx: WriteTx, decision: Decision) -> DecisionEffect | Refusal:
    if decision.prepared is None:
        return DecisionEffect()
    audit = replace(decision.audit, reason=decision.audit.reason or ACCEPTED)
    effect = insert_accepted(
        tx, decision.prepared, decision.item.evidence[0], audit, decision.context
    )
    if isinstance(effect, DecisionEffect) and effect.memory_id is not None:
        # The item has shown them: whoever accepts it has decided, on constraints too.
        for older_id in decision.item.replaces:
            replace_memory(tx, older_id, effect.memory_id, audit, decision.context)
    return effect


def insert_accepted(
    tx: WriteTx, memory: NewMemory, evidence: Evidence, audit: Audit, context: ChangeContext
) -> DecisionEffect | Refusal:
    """Write a memory that the user accepted; it replaces older ones, or the user is asked."""
    match operations.insert(tx, memory, audit, context):
        case Inserted(id=memory_id):
            made = memories.get(tx, memory_id)
            reversal = Reversal(memory_id, evidence, audit.actor, context)
            for older_id, found in _reversed(tx, memory):
                if found == "replaces":
                    reversal.replace(tx, older_id)
                else:
                    reversal.ask(tx, older_id)
            return DecisionEffect(memory_id, made.version if made else None)
        case Duplicate(memory=known):
            return DecisionEffect(known.id)
        case Forgotten():
            # Not reached: what is kept by the user is revived.
            return Refusal("It was forgotten before", "Restore it instead.")


def _reversed(tx: ReadTx, memory: NewMemory) -> list[tuple[str, Relation]]:
    """Return the memories of the same scope that a kept suggestion denies, by their words."""
    if len(memory.content) > _LONG:
        return []
    new, scope = Wording(memory.content), memory.scope
    known = statements.latest_memories(tx, scope.agent_id, scope.project, _SCANNED)
    scored = [(topic_overlap(new.text, content).share, each, content) for each, content in known]
    nearest = heapq.nlargest(_COMPARED, (one for one in scored if one[0] > 0))
    older = memories.by_ids(tx, [memory_id for _, memory_id, _ in nearest])
    constraints = constraints_among(tx, older.values())
    found: list[tuple[str, Relation]] = [
        (each.id, relate(new, Wording(each.content), older_is_constraint=each.id in constraints))
        for each in older.values()
        if each.worded_at <= memory.created_at and each.scope == scope
    ]
    return [(id_, relation) for id_, relation in found if relation in {"replaces", "uncertain"}]


def _undo(tx: WriteTx, decision: Decision) -> Refusal | None:
    item = decision.item
    same = rows.with_words(tx, item.scope, content_hash(item.content))
    if same and same[0].status == "open":
        return Refusal("The same words are in the inbox again", "Decide on the newer item.")
    memory = memories.get(tx, item.memory_id) if item.memory_id else None
    if memory is None or memory.is_deleted or item.changed_version is None:
        return None
    if memory.version != item.changed_version:
        return Refusal(
            "Its memory was changed since it was kept",
            "Forget the memory instead, if you don't want it.",
        )
    match operations.forget(tx, memory.id, decision.audit, decision.context):
        case Done():
            return None
        case PinnedConflict():
            return Refusal("The memory is pinned", "Unpin it first.")
        case _:
            return Refusal("The memory can't be forgotten any more", "Read the inbox again.")


SUGGESTION: Final = InboxKind(
    name="suggestion",
    label="Suggestion",
    plural="Suggestions",
    actions=(
        InboxAction(name="keep", label="Keep", report="Kept", outcome="kept"),
        InboxAction(name="drop", label="Drop", report="Dropped", outcome="dropped"),
    ),
    decide=_decide,
    undo=_undo,
    show=_show,
    prepare=_prepare,
    prepared_by="keep",
    expires=True,
    claimable=True,
    confidence_label="Confidence",
    memory_labels=("Replaces",) * MAX_REPLACED,
)
