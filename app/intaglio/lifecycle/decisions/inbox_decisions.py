"""The user's decisions on inbox items, and their undoing; one transaction each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from intaglio.base.errors import ForbiddenError, IntaglioError, writes_frozen
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows
from intaglio.inbox.kinds import UNDECLARED, Decision, InboxKind, InboxKinds, Refusal
from intaglio.inbox.values import NO_EDIT, Edit, InboxItem, ItemClosed, NoSuchItem, NotOpen
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import NewMemory
from intaglio.sessions.statements import rows as statements
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.fts_maintenance import merge_for
from intaglio.store.tx import WriteTx

_AUTONOMOUS: Final = frozenset({"agent", "pipeline"})
_LONG: Final = 2_000
_UNDONE: Final = "the decision in the inbox was undone"


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision was carried out, or undone; the item as it is now."""

    item: InboxItem


@dataclass(frozen=True, slots=True)
class WrongAction:
    """This kind of item can't be decided so."""

    item: InboxItem
    actions: tuple[str, ...]


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
    """Decides on inbox items, for the user."""

    db: Database
    context: ChangeContext
    frozen: Callable[[], bool]
    kinds: InboxKinds

    def _check(self, audit: Audit) -> None:
        if audit.actor.type in _AUTONOMOUS:
            raise ForbiddenError(
                "Only the user decides on inbox items",
                hint="Ask the user to open the inbox, or to run `intaglio inbox`.",
            )
        if self.frozen():
            raise writes_frozen()

    async def decide(
        self, item_id: str, action: str, audit: Audit, edit: Edit = NO_EDIT
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
        if item.status == "open":
            # Cleaned here, not on the writer's thread: an edited text may be long.
            kind = self.kinds.of(item)
            prepared = kind.prepared(item, action, audit, self.context, edit)
            if prepared is not None and len(prepared.content) > _LONG:
                self.db.as_stored(prepared.content)
        return await self.db.write(lambda tx: self._decide(tx, item_id, action, audit, prepared))

    async def decide_all(
        self, ids: Sequence[str], action: str, audit: Audit
    ) -> list[DecisionOutcome]:
        """Carry out a decision on each item independently; return the outcomes in order."""
        self._check(audit)
        if self.kinds.forgets(action):
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
        action: str,
        audit: Audit,
        prepared: NewMemory | None,
    ) -> DecisionOutcome:
        item = inbox.find_readable(tx, item_id, audit.reader)
        if item is None:
            return NoSuchItem()
        if item.status == "done":
            return NotOpen(item)
        kind = self.kinds.of(item)
        if not kind.actions:
            return DecisionRefused(item, UNDECLARED.reason, UNDECLARED.hint)
        if kind.action(action) is None:
            return WrongAction(item, tuple(each.name for each in kind.actions))
        if prepared is None:
            try:
                prepared = kind.prepared(item, action, audit, self.context)
            except IntaglioError as error:
                return InvalidDecision(item, error)
        decision = Decision(
            item=item, action=action, audit=audit, context=self.context, prepared=prepared
        )
        return self._carry_out(tx, kind, decision)

    def _carry_out(self, tx: WriteTx, kind: InboxKind, decision: Decision) -> DecisionOutcome:
        item, audit = decision.item, decision.audit
        # First the item: it would count as settled when a memory of it changes or is gone.
        closed = inbox.close(tx, item.id, decision.action, self.context, reader=audit.reader)
        if not isinstance(closed, ItemClosed):
            return closed
        effect = kind.decide(tx, decision)
        if isinstance(effect, Refusal):
            inbox.reopen(tx, item)
            return DecisionRefused(item, effect.reason, effect.hint)
        done = replace(
            closed.item,
            memory_id=effect.memory_id or item.memory_id,
            changed_version=effect.version,
        )
        rows.set_done(tx, done)
        if effect.memory_id is not None:
            statements.attach_item(tx, item.id, effect.memory_id)
        return Decided(done)

    def _undo(self, tx: WriteTx, item_id: str, audit: Audit) -> UndoOutcome:
        item = inbox.find_readable(tx, item_id, audit.reader)
        if item is None:
            return NoSuchItem()
        kind = self.kinds.of(item)
        if not kind.actions:
            return DecisionRefused(item, UNDECLARED.reason, UNDECLARED.hint)
        if item.status == "open" or item.action is None or kind.action(item.action) is None:
            return NotDecided(item)
        audit = replace(audit, reason=audit.reason or _UNDONE)
        decision = Decision(item=item, action=item.action, audit=audit, context=self.context)
        refused = kind.undo(tx, decision)
        if refused is not None:
            return DecisionRefused(item, refused.reason, refused.hint)
        statements.detach_item(tx, item.id)
        return Decided(inbox.reopen(tx, item))
