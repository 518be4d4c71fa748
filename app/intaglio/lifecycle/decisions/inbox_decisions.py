"""The user's decisions on inbox items, and their undoing; one transaction each."""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, TypeAlias

from intaglio.base.errors import ForbiddenError, IntaglioError, UnavailableError
from intaglio.base.inbox_kinds import ACTIONS, USER_ACTIONS, UserAction
from intaglio.base.text import content_hash
from intaglio.domain.reader import Reader
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows
from intaglio.inbox.values import InboxItem, ItemClosed, NoSuchItem, NotOpen
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import Wording, relation
from intaglio.lifecycle.decisions.agent_change_decisions import AgentChangeDecisions
from intaglio.lifecycle.decisions.entity_decisions import merge_entities, undo_merge
from intaglio.lifecycle.decisions.scope_decisions import narrow, widen
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import (
    KEEP,
    USER_AUTHOR,
    Done,
    Duplicate,
    ForgetOutcome,
    Forgotten,
    Inserted,
    Keep,
    NewMemory,
    NotDeleted,
    PinnedNeedsForce,
    RecoverOutcome,
    RetentionExpired,
    ScopeConflict,
)
from intaglio.pipeline.ingest import Remember, prepare
from intaglio.sessions.statements import rows as statements
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.fts_maintenance import merge_for
from intaglio.store.tx import ReadTx, WriteTx

_AUTONOMOUS: Final = frozenset({"agent", "pipeline"})
_LONG: Final = 2_000
_SCANNED: Final = 300
_COMPARED: Final = 12
_ACCEPTED: Final = "accepted in the inbox"
_NEWER_WON: Final = "a newer memory contradicts it (inbox)"
_NEWER_DROPPED: Final = "it contradicts an older memory (inbox)"
_UNDONE: Final = "the decision in the inbox was undone"


@dataclass(frozen=True, slots=True)
class Edit:
    """What the user changes of a suggestion on keeping it; None and ``KEEP`` leave it as it is."""

    content: str | None = None
    type: str | None = None
    project: str | Keep | None = KEEP


NO_EDIT: Final = Edit()


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision was carried out, or undone; the item as it is now."""

    item: InboxItem


@dataclass(frozen=True, slots=True)
class WrongAction:
    """This kind of item can't be decided so."""

    item: InboxItem
    actions: tuple[UserAction, ...]


@dataclass(frozen=True, slots=True)
class NotDecided:
    """There is nothing to undo: the item is open, or wasn't closed by the user."""

    item: InboxItem


@dataclass(frozen=True, slots=True)
class DecisionRefused:
    """A memory, or another item, doesn't allow it; ``reason`` is a sentence, ``hint`` too."""

    item: InboxItem
    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class InvalidDecision:
    """What would be kept isn't a valid memory."""

    item: InboxItem
    error: IntaglioError


DecisionOutcome: TypeAlias = (
    Decided | NotOpen | NoSuchItem | WrongAction | DecisionRefused | InvalidDecision
)
UndoOutcome: TypeAlias = Decided | NotDecided | NoSuchItem | DecisionRefused


@dataclass(frozen=True, slots=True)
class InboxDecisions:
    """Decides on inbox items, for the user.

    ``retention`` is how long a forgotten memory can be restored.
    """

    db: Database
    context: ChangeContext
    frozen: Callable[[], bool]
    retention: Callable[[], timedelta]

    def _check(self, audit: Audit) -> None:
        if audit.actor.type in _AUTONOMOUS:
            raise ForbiddenError(
                "Only the user decides on inbox items",
                hint="Ask the user to open the inbox, or to run `intaglio inbox`.",
            )
        if self.frozen():
            raise UnavailableError(
                "Mutations are frozen (kill switch active)",
                hint="Set memory.pipelineV2.mutationsFrozen to false in agent.yaml.",
            )

    async def decide(
        self, item_id: str, action: UserAction, audit: Audit, edit: Edit = NO_EDIT
    ) -> DecisionOutcome:
        """Carry out a decision on one item.

        Raises InvalidInputError and TooLargeError for an invalid edit, ForbiddenError for an actor
        that isn't a person, and UnavailableError while writes are frozen or impossible.
        """
        self._check(audit)
        item = await self.db.read(lambda tx: inbox.find_readable(tx, item_id, audit.reader))
        if item is None:
            return NoSuchItem()
        prepared: NewMemory | None = None
        if action == "keep" and item.kind == "suggestion" and item.status == "open":
            # Cleaned here, not on the writer's thread: an edited text may be long.
            prepared = _prepare(item, edit, audit, self.context)
            if len(prepared.content) > _LONG:
                self.db.as_stored(prepared.content)
        return await self.db.write(lambda tx: self._decide(tx, item_id, action, audit, prepared))

    async def decide_all(
        self, ids: Sequence[str], action: UserAction, audit: Audit
    ) -> list[DecisionOutcome]:
        """Carry out a decision on each item independently; return the outcomes in order."""
        self._check(audit)
        if action not in {"keep", "keep_both"}:
            # Memories may leave the full-text index.
            await merge_for(self.db, ids)
        return await in_batches(
            self.db, ids, lambda tx, each: self._decide(tx, each, action, audit, None)
        )

    async def undo_all(self, ids: Sequence[str], audit: Audit) -> list[UndoOutcome]:
        """Undo the decisions on these items independently; return the outcomes in order."""
        self._check(audit)
        return await in_batches(self.db, ids, lambda tx, each: self._undo(tx, each, audit))

    def _decide(
        self,
        tx: WriteTx,
        item_id: str,
        action: UserAction,
        audit: Audit,
        prepared: NewMemory | None,
    ) -> DecisionOutcome:
        item = inbox.find_readable(tx, item_id, audit.reader)
        if item is None:
            return NoSuchItem()
        if item.status == "done":
            return NotOpen(item)
        if action not in ACTIONS[item.kind]:
            return WrongAction(item, ACTIONS[item.kind])
        return self._carry_out(tx, item, action, audit, prepared)

    def _carry_out(
        self,
        tx: WriteTx,
        item: InboxItem,
        action: UserAction,
        audit: Audit,
        prepared: NewMemory | None,
    ) -> DecisionOutcome:
        match action:
            case "keep":
                return self._keep(tx, item, audit, prepared)
            case "drop" if item.kind != "suggestion":
                return self._forget(tx, item, action, audit, (item.memory_id, _NEWER_DROPPED))
            case "newer_wins":
                return self._forget(tx, item, action, audit, (item.older_id, _NEWER_WON))
            case "apply":
                return self._apply(tx, item, audit)
            case "merge" | "all_projects" | "undo_changes":
                return self._close_with_effect(tx, item, action, audit)
            case "keep_both" | "keep_apart" | "this_project" | "drop" | "reject" | "keep_changes":
                return self._close(tx, item, action, audit.reader)

    def _close_with_effect(
        self, tx: WriteTx, item: InboxItem, action: UserAction, audit: Audit
    ) -> DecisionOutcome:
        """Close the item and do what it asks about, unless that's impossible."""
        changed: int | tuple[str, str] | None
        if action == "merge":
            changed = merge_entities(tx, item, audit, self.context)
        elif action == "all_projects":
            changed = widen(tx, item, audit, self.context)
        else:
            changed = self._of_agent(item, audit).undo_session(tx)
        if isinstance(changed, tuple):
            return DecisionRefused(item, *changed)
        return self._close(tx, item, action, audit.reader, item.memory_id, changed)

    def _close(
        self,
        tx: WriteTx,
        item: InboxItem,
        action: UserAction,
        reader: Reader,
        memory_id: str | None = None,
        version: int | None = None,
    ) -> Decided | NotOpen | NoSuchItem:
        closed = inbox.close(
            tx,
            item.id,
            action,
            self.context,
            memory_id=memory_id,
            changed_version=version,
            reader=reader,
        )
        if not isinstance(closed, ItemClosed):
            return closed
        if memory_id is not None:
            statements.attach_item(tx, item.id, memory_id)
        return Decided(closed.item)

    def _keep(
        self, tx: WriteTx, item: InboxItem, audit: Audit, prepared: NewMemory | None
    ) -> DecisionOutcome:
        if prepared is None:
            try:
                prepared = _prepare(item, NO_EDIT, audit, self.context)
            except IntaglioError as error:
                return InvalidDecision(item, error)
        accepted = replace(audit, reason=audit.reason or _ACCEPTED)
        outcome = operations.insert(tx, prepared, accepted, self.context)
        match outcome:
            case Inserted(id=memory_id):
                made = memories.get(tx, memory_id)
                version = made.version if made else None
                decided = self._close(tx, item, "keep", audit.reader, memory_id, version)
                for older_id in _contradicted(tx, prepared):
                    inbox.contradiction(tx, memory_id, older_id, item.evidence[0], self.context)
                return decided
            case Duplicate(memory=known):
                return self._close(tx, item, "keep", audit.reader, known.id)
            case Forgotten():
                # Not reached: what is kept by the user is revived.
                return DecisionRefused(item, "It was forgotten before", "Restore it instead.")

    def _forget(
        self,
        tx: WriteTx,
        item: InboxItem,
        action: UserAction,
        audit: Audit,
        memory: tuple[str | None, str],
    ) -> DecisionOutcome:
        """Close the item and forget one of its memories, with a reason."""
        memory_id, reason = memory[0] or "", memory[1]
        # First the item: it would count as settled when its memory is gone.
        decided = self._close(tx, item, action, audit.reader)
        forgotten = operations.forget(
            tx, memory_id, replace(audit, reason=audit.reason or reason), self.context
        )
        if not isinstance(forgotten, Done):
            inbox.reopen(tx, item)
            return DecisionRefused(item, *_why_not_forgotten(forgotten))
        if isinstance(decided, Decided):
            done = replace(decided.item, changed_version=forgotten.new_version)
            rows.set_done(tx, done)
            return Decided(done)
        return decided

    def _of_agent(self, item: InboxItem, audit: Audit) -> AgentChangeDecisions:
        return AgentChangeDecisions(item, audit, self.context, self.retention())

    def _apply(self, tx: WriteTx, item: InboxItem, audit: Audit) -> DecisionOutcome:
        # First the item: it would count as settled when its memory changes.
        decided = self._close(tx, item, "apply", audit.reader)
        applied = self._of_agent(item, audit).apply(tx)
        if not isinstance(applied, int):
            inbox.reopen(tx, item)
            return DecisionRefused(item, *applied)
        if isinstance(decided, Decided):
            done = replace(decided.item, changed_version=applied)
            rows.set_done(tx, done)
            return Decided(done)
        return decided

    def _undo(self, tx: WriteTx, item_id: str, audit: Audit) -> UndoOutcome:
        item = inbox.find_readable(tx, item_id, audit.reader)
        if item is None:
            return NoSuchItem()
        if item.status == "open" or item.action not in USER_ACTIONS:
            return NotDecided(item)
        audit = replace(audit, reason=audit.reason or _UNDONE)
        refused = self._take_back(tx, item, audit)
        if refused is not None:
            return refused
        statements.detach_item(tx, item.id)
        return Decided(inbox.reopen(tx, item))

    def _take_back(self, tx: WriteTx, item: InboxItem, audit: Audit) -> DecisionRefused | None:
        """Undo what a decision did; return why that isn't possible, if so."""
        refused: tuple[str, str] | None = None
        match item.kind:
            case "suggestion":
                return self._undo_keep(tx, item, audit)
            case "contradiction":
                return self._undo_forgetting(tx, item, audit)
            case "possible_merge":
                refused = undo_merge(tx, item, audit, self.context)
            case "wider_scope":
                refused = narrow(tx, item, audit, self.context)
            case "proposed_change":
                refused = self._of_agent(item, audit).undo_applied(tx)
            case "agent_changes":
                if item.action == "undo_changes":
                    self._of_agent(item, audit).redo_session(tx)
        return None if refused is None else DecisionRefused(item, *refused)

    def _undo_keep(self, tx: WriteTx, item: InboxItem, audit: Audit) -> DecisionRefused | None:
        same = rows.with_words(tx, item.scope, content_hash(item.content))
        if same and same[0].status == "open":
            return DecisionRefused(
                item, "The same words are in the inbox again", "Decide on the newer item."
            )
        memory = memories.get(tx, item.memory_id) if item.memory_id else None
        if memory is None or memory.is_deleted or item.changed_version is None:
            return None
        if memory.version != item.changed_version:
            return DecisionRefused(
                item,
                "Its memory was changed since it was kept",
                "Forget the memory instead, if you don't want it.",
            )
        forgotten = operations.forget(tx, memory.id, audit, self.context)
        if isinstance(forgotten, Done):
            return None
        return DecisionRefused(item, *_why_not_forgotten(forgotten))

    def _undo_forgetting(
        self, tx: WriteTx, item: InboxItem, audit: Audit
    ) -> DecisionRefused | None:
        forgotten = item.memory_id if item.action == "drop" else item.older_id
        other = item.older_id if item.action == "drop" else item.memory_id
        kept = memories.get(tx, other) if other else None
        if kept is None or kept.is_deleted:
            return DecisionRefused(
                item, "The other memory is forgotten", "Restore it first, then undo."
            )
        if item.action == "keep_both":
            found = memories.get(tx, forgotten) if forgotten else None
            if found is None or found.is_deleted:
                return DecisionRefused(
                    item, "One of its memories is forgotten", "Restore it first, then undo."
                )
            return None
        restored = operations.recover(tx, forgotten or "", audit, self.context, self.retention())
        if isinstance(restored, Done | NotDeleted):
            return None
        return DecisionRefused(item, *_why_not_restored(restored))


def _prepare(item: InboxItem, edit: Edit, audit: Audit, context: ChangeContext) -> NewMemory:
    """Return the memory that a suggestion becomes, ready to be written."""
    said = item.evidence[0] if item.evidence else None
    is_as_said = edit.content is None or edit.content == item.content
    command = Remember(
        content=item.content if edit.content is None else edit.content,
        actor=audit.actor,
        who=USER_AUTHOR,
        why=_ACCEPTED,
        type=item.type if edit.type is None else edit.type,
        agent_id=item.agent_id,
        project=item.project if edit.project is KEEP else edit.project,
        visibility=item.visibility,
        source=item.source,
        session_id=said.session_id if said else None,
        created_at=((said.said_at if said else None) or item.created_at) if is_as_said else None,
    )
    return prepare(command, context)[0]


def _contradicted(tx: ReadTx, memory: NewMemory) -> list[str]:
    """Return the memories of the same scope that a kept suggestion contradicts, by their words."""
    if len(memory.content) > _LONG:
        return []
    new, scope = Wording(memory.content), memory.scope
    known = statements.latest_memories(tx, scope.agent_id, scope.project, _SCANNED)
    scored = [(topic_overlap(new.text, content).share, each, content) for each, content in known]
    nearest = heapq.nlargest(_COMPARED, (one for one in scored if one[0] > 0))
    return [
        memory_id
        for _, memory_id, content in nearest
        if relation(new, Wording(content)) == "contradicts"
    ]


def _why_not_forgotten(outcome: ForgetOutcome) -> tuple[str, str]:
    if isinstance(outcome, PinnedNeedsForce):
        return "The memory is pinned", "Unpin it first."
    return "The memory can't be forgotten any more", "Read the inbox again."


def _why_not_restored(outcome: RecoverOutcome) -> tuple[str, str]:
    match outcome:
        case RetentionExpired():
            return "The memory was forgotten too long ago to be restored", "Save it again."
        case ScopeConflict():
            return "Another memory has the same text", "Forget the other memory first."
        case _:
            return "The memory no longer exists", "It was erased."
