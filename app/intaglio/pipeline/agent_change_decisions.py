"""The user's decisions on what agents propose and have changed; in the caller's transaction.

Changes are undone by what the history says of each field: one that was changed later stays.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from intaglio.domain.reader import USER
from intaglio.inbox.kinds import Decision, Refusal
from intaglio.inbox.values import InboxItem, ProposedChange
from intaglio.memory import history_rows as history
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import (
    KEEP,
    USER_AUTHOR,
    Change,
    Done,
    HistoryEntry,
    Memory,
    NoChange,
    ScopeConflict,
)
from intaglio.store.tx import ReadTx, WriteTx

_NOTHING_TO_UNDO: Final = Refusal(
    "None of these changes can be undone any more",
    "The memories were changed or erased since.",
)
_MAX_CHANGES: Final = 1_000
_MAX_HISTORY: Final = 100_000
_APPLIED: Final = "an agent's proposal was applied in the inbox"
_SET_BACK: Final = "an agent's changes were undone in the inbox"
_MADE_AGAIN: Final = "the decision in the inbox was undone"
_GONE: Final = Refusal("The memory is forgotten", "Restore it first.")
_SAME: Final = Refusal("Another memory has the same text", "Forget one of them instead.")
_CHANGED: Final = Refusal(
    "Its memory was changed since",
    "Edit the memory instead, or restore it.",
)
_LIVE: Final = "live"


@dataclass(frozen=True, slots=True)
class _Step:
    """From which values to which others a memory's fields are to go."""

    memory_id: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    @property
    def back(self) -> "_Step":
        """The opposite step."""
        return _Step(self.memory_id, self.after, self.before)


@dataclass(frozen=True, slots=True)
class AgentChangeDecisions:
    """Carries out one decision."""

    decision: Decision

    @property
    def item(self) -> InboxItem:
        """The item that is decided on."""
        return self.decision.item

    @property
    def context(self) -> ChangeContext:
        """The clock, ids and settings of the changes."""
        return self.decision.context

    def apply(self, tx: WriteTx) -> int | Refusal:
        """Make the change that an agent proposed; return the memory's new version."""
        change = self.item.change or ProposedChange()
        memory = memories.get(tx, self.item.memory_id or "")
        if memory is None:
            return _GONE
        audit = self._audit(_APPLIED)
        if change.forget:
            gone = operations.forget(tx, memory.id, audit, self.context, pinned=True)
            return gone.new_version if isinstance(gone, Done) else _GONE
        made = operations.modify(tx, memory.id, _accepted(memory, change), audit, self.context)
        match made:
            case Done(new_version=version) | NoChange(version=version):
                return version
            case ScopeConflict():
                return _SAME
            case _:
                return _GONE

    def undo_applied(self, tx: WriteTx) -> Refusal | None:
        """Set the memory back to what it was before the proposed change was applied."""
        memory = memories.get(tx, self.item.memory_id or "")
        if memory is None:
            return _NOTHING_TO_UNDO
        if self.item.action == "reject":
            return _GONE if memory.is_deleted else None
        if memory.version != self.item.changed_version:
            return _CHANGED
        made = [each for each in _history(tx, memory.id) if each.request_id == self.item.id]
        step = _step(memory.id, made[-1:]).back
        if not step.after or self._go(tx, step, _MADE_AGAIN):
            return None
        return _NOTHING_TO_UNDO

    def undo_session(self, tx: WriteTx) -> Refusal | None:
        """Undo all that the session's agent changed; what somebody changed since stays."""
        undone = [self._go(tx, step.back, _SET_BACK) for step in session_steps(tx, self.item)]
        return None if any(undone) else _NOTHING_TO_UNDO

    def redo_session(self, tx: WriteTx) -> None:
        """Make the changes again that `undo_session` undid."""
        for step in session_steps(tx, self.item):
            self._go(tx, step, _MADE_AGAIN)

    def _audit(self, reason: str) -> Audit:
        # By the request, the history tells what this item's decision did.
        actor = replace(self.decision.audit.actor, request_id=self.item.id)
        return replace(
            self.decision.audit, actor=actor, reason=self.decision.audit.reason or reason
        )

    def _go(self, tx: WriteTx, step: _Step, reason: str) -> bool:
        """Go a step with each field that nobody changed since; return whether anything changed."""
        memory = memories.get(tx, step.memory_id)
        if memory is None:
            return False
        audit, lives = self._audit(reason), step.after.get(_LIVE)
        moves = lives is not None and step.before[_LIVE] is not lives and self._is_last(tx, memory)
        restored = False
        if moves and lives and memory.is_deleted:
            outcome = operations.recover(
                tx, memory.id, audit, self.context, self.decision.retention
            )
            restored = isinstance(outcome, Done)
        changed = self._set(tx, step, audit)
        if moves and not lives and not memory.is_deleted:
            gone = operations.forget(tx, memory.id, audit, self.context, pinned=True)
            changed = isinstance(gone, Done) or changed
        return restored or changed

    def _set(self, tx: WriteTx, step: _Step, audit: Audit) -> bool:
        memory = memories.get(tx, step.memory_id)
        if memory is None or memory.is_deleted:
            return False
        now = _fields(memory)
        wanted = {
            name: value
            for name, value in step.after.items()
            if name in now and now[name] == step.before[name]
        }
        if "tags" in wanted:
            wanted["tags"] = tuple(wanted["tags"])
        made = operations.modify(tx, memory.id, Change(**wanted), audit, self.context)
        return isinstance(made, Done)

    def _is_last(self, tx: ReadTx, memory: Memory) -> bool:
        """Tell whether nothing but the session and decisions on this item changed it last.

        A project that moved takes its forgotten memories along.
        """
        last = [each for each in _history(tx, memory.id) if _changes(each)][-1:]
        sessions = {said.session_id for said in self.item.evidence}
        return any(each.request_id == self.item.id or each.session_id in sessions for each in last)


def session_steps(tx: ReadTx, item: InboxItem) -> list[_Step]:
    """Return what the session of an item did to each memory that it changed or forgot."""
    session = item.evidence[0].session_id if item.evidence else None
    entries: dict[str, list[HistoryEntry]] = {}
    for change in history.by_agents(tx, session or "", _MAX_CHANGES):
        entries.setdefault(change.memory_id, []).append(change.entry)
    return [_step(memory_id, each) for memory_id, each in entries.items()]


def _history(tx: ReadTx, memory_id: str) -> Sequence[HistoryEntry]:
    return history.history(tx, memory_id, USER, _MAX_HISTORY) or ()


def _changes(entry: HistoryEntry) -> bool:
    """Tell whether an entry changes what a memory says; moves and notes don't."""
    if entry.event == "none":
        return False
    is_move = set(json.loads(entry.metadata or "{}")) == {"project"}
    return entry.new_content is not None or not is_move


def _step(memory_id: str, entries: Sequence[HistoryEntry]) -> _Step:
    """Return what entries of a memory's history, oldest first, did in all."""
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}

    def note(name: str, old: object, new: object) -> None:
        before.setdefault(name, old)
        after[name] = new

    for entry in entries:
        match entry.event:
            case "deleted":
                note(_LIVE, old=True, new=False)
            case "recovered":
                note(_LIVE, old=False, new=True)
            case _:
                if entry.new_content is not None:
                    note("content", entry.old_content, entry.new_content)
                differences: dict[str, list[Any]] = json.loads(entry.metadata or "{}")
                for name, (old, new) in differences.items():
                    note(name, old, new)
    return _Step(memory_id, before, after)


def _fields(memory: Memory) -> dict[str, Any]:
    """Return what the history says of a memory, as it says it."""
    return {
        "content": memory.content,
        "type": memory.type,
        "importance": memory.importance,
        "pinned": memory.pinned,
        "tags": list(memory.tags),
        "who": memory.who,
        "project": memory.scope.project,
        "visibility": memory.scope.visibility,
    }


def _accepted(memory: Memory, change: ProposedChange) -> Change:
    return Change(
        content=change.content if change.content is not None else KEEP,
        type=change.type if change.type is not None else KEEP,
        importance=change.importance if change.importance is not None else KEEP,
        tags=change.tags if change.tags is not None else KEEP,
        # What the user accepted of an agent's note is the user's from here on.
        who=USER_AUTHOR if memory.is_unvouched else KEEP,
    )
