"""Marks a memory as replaced by a newer one, or as outdated, and takes that back.

Each in a transaction. What is outdated is replaced by nothing.

A replaced memory is told to nobody, but stays: its history has both ids. It is replaced as long as
its successor is there: forgetting or erasing that makes it current again, and restoring that
replaces it again.
"""

import dataclasses
import json
from typing import Final

from intaglio.memory import history_rows as history
from intaglio.memory import rows
from intaglio.memory.operations import (
    Audit,
    ChangeContext,
    MemoryChange,
    find_visible,
    new_event,
    publish_change,
)
from intaglio.memory.values import (
    Actor,
    AlreadyDeleted,
    Done,
    Memory,
    Missing,
    NoChange,
    PinnedConflict,
    ReinstateOutcome,
    ReplaceOutcome,
    RetireOutcome,
    VersionConflict,
)
from intaglio.store.tx import WriteTx

_BY_ITSELF: Final = Actor("Intaglio", "daemon")
_FORGOTTEN: Final = "the memory that replaced it was forgotten"
_ERASED: Final = "the memory that replaced it was erased"
_RESTORED: Final = "the memory that replaces it was restored"
_SAID_AGAIN: Final = "said again"


def replace_memory(
    tx: WriteTx,
    older_id: str,
    newer_id: str,
    audit: Audit,
    context: ChangeContext,
    at: str | None = None,
) -> ReplaceOutcome:
    """Mark a live memory as replaced by another one; its version stays, as do its words.

    ``at`` is until when it held: by default, when the newer one was said. What is replaced already
    stays so, and of two memories one replaces the other.
    """
    older, newer = (find_visible(tx, each, audit.reader) for each in (older_id, newer_id))
    if older is None or newer is None:
        return Missing()
    if older.is_deleted or newer.is_deleted:
        return AlreadyDeleted(older.version)
    if older.status == "replaced" or rows.is_replaced_by(tx, newer.id, older.id):
        return NoChange(older.id, older.version)
    rows.set_replaced(tx, older.id, newer.id, max(at or newer.worded_at, older.created_at))
    _record(tx, older, "replaced", newer.id, audit, context)
    return Done(older.id, older.version, older.version)


def retire(tx: WriteTx, memory_id: str, audit: Audit, context: ChangeContext) -> RetireOutcome:
    """Mark a live memory as outdated: it held until now, and no other one takes its place.

    A pinned one has to be unpinned first, as for forgetting it.
    """
    memory = find_visible(tx, memory_id, audit.reader)
    if memory is None:
        return Missing()
    if memory.is_deleted:
        return AlreadyDeleted(memory.version)
    if audit.if_version not in (None, memory.version):
        return VersionConflict(memory.version)
    if memory.status == "replaced":
        return NoChange(memory.id, memory.version)
    if memory.pinned:
        return PinnedConflict(memory.version)
    rows.set_replaced(tx, memory.id, None, context.now)
    _record(tx, memory, "replaced", None, audit, context)
    return Done(memory.id, memory.version, memory.version)


def reinstate(
    tx: WriteTx, memory_id: str, audit: Audit, context: ChangeContext
) -> ReinstateOutcome:
    """Make a replaced or outdated memory current again; what replaced it stays as it is."""
    memory = find_visible(tx, memory_id, audit.reader)
    if memory is None:
        return Missing()
    if memory.is_deleted:
        return AlreadyDeleted(memory.version)
    if audit.if_version not in (None, memory.version):
        return VersionConflict(memory.version)
    if memory.valid_until is None:
        return NoChange(memory.id, memory.version)
    rows.set_replaced(tx, memory.id, None, None)
    _record(tx, memory, "reinstated", memory.superseded_by, audit, context)
    return Done(memory.id, memory.version, memory.version)


def say_again(tx: WriteTx, memory: Memory, actor: Actor, context: ChangeContext, at: str) -> None:
    """Make a replaced memory current again because it was said again; it replaces its successor."""
    audit = Audit(actor, _SAID_AGAIN)
    if isinstance(reinstate(tx, memory.id, audit, context), Done) and memory.superseded_by:
        replace_memory(tx, memory.superseded_by, memory.id, audit, context, at)


def hand_over(tx: WriteTx, memory_id: str, other_id: str) -> None:
    """Let what a memory replaced be replaced by another one, which takes its place."""
    for older in rows.replaced_by(tx, memory_id):
        if not rows.is_replaced_by(tx, other_id, older.id):
            rows.set_replaced(tx, older.id, other_id, older.valid_until)


def follow_forgotten(tx: WriteTx, memory_id: str, context: ChangeContext) -> None:
    """Make current again what a forgotten memory replaced, unless that was replaced itself."""
    memory = rows.get(tx, memory_id)
    if memory is not None and memory.valid_until is None:
        _release(tx, memory.id, _FORGOTTEN, context)


def follow_restored(tx: WriteTx, memory_id: str, context: ChangeContext) -> None:
    """Replace again what a restored memory had replaced."""
    memory = rows.get(tx, memory_id)
    if memory is not None and memory.valid_until is None:
        _hold(tx, memory.id, memory.worded_at, context)


def follow_erased(tx: WriteTx, memory_id: str, context: ChangeContext) -> None:
    """Make current again what an erased memory replaced; nothing refers to it any more."""
    _release(tx, memory_id, _ERASED, context, keep_link=False)


def _release(
    tx: WriteTx, memory_id: str, reason: str, context: ChangeContext, *, keep_link: bool = True
) -> None:
    for older in rows.replaced_by(tx, memory_id):
        rows.set_replaced(tx, older.id, memory_id if keep_link else None, None)
        _record(tx, older, "reinstated", memory_id, Audit(_BY_ITSELF, reason), context)
        if older.is_deleted:
            # What replaced others, and is gone itself, no longer stands for its successor.
            _release(tx, older.id, reason, context)


def _hold(tx: WriteTx, memory_id: str, at: str, context: ChangeContext) -> None:
    for older in rows.released_by(tx, memory_id):
        rows.set_replaced(tx, older.id, memory_id, max(at, older.created_at))
        _record(tx, older, "replaced", memory_id, Audit(_BY_ITSELF, _RESTORED), context)
        if older.is_deleted:
            _hold(tx, older.id, older.worded_at, context)


def _record(
    tx: WriteTx, memory: Memory, event: str, by: str | None, audit: Audit, context: ChangeContext
) -> None:
    entry = new_event(context, audit, event, None, None)
    if by is not None:
        entry = dataclasses.replace(entry, metadata=json.dumps({"superseded_by": by}))
    history.record(tx, memory.id, memory.scope, entry)
    publish_change(tx, context, MemoryChange(memory.id, "updated", context.now))
