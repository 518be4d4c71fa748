"""What can be done with one memory: insert, modify, forget, recover; each inside a transaction."""

import json
from dataclasses import dataclass, replace
from datetime import timedelta

from intaglio.base.clock import Clock, iso, parse_moment
from intaglio.base.events import Changed
from intaglio.base.ids import NewId
from intaglio.base.text import content_hash
from intaglio.memory import rows
from intaglio.memory.values import (
    KEEP,
    Actor,
    AlreadyDeleted,
    Change,
    Clash,
    Done,
    Duplicate,
    ForgetOutcome,
    Forgotten,
    HistoryEvent,
    Inserted,
    InsertOutcome,
    Memory,
    Missing,
    ModifyOutcome,
    NewMemory,
    NoChange,
    NotDeleted,
    PinnedNeedsForce,
    RecoverOutcome,
    RetentionExpired,
    VersionConflict,
)
from intaglio.store.tx import WriteTx


@dataclass(frozen=True, slots=True)
class Stamp:
    """When and by which ids a change is recorded."""

    clock: Clock
    new_id: NewId

    @property
    def now(self) -> str:
        """The current moment as it is written."""
        return iso(self.clock())


@dataclass(frozen=True, slots=True)
class Why:
    """Who changes a memory, for what reason, and which version they saw."""

    actor: Actor
    reason: str | None = None
    if_version: int | None = None


def _event(stamp: Stamp, why: Why, event: str, old: str | None, new: str | None) -> HistoryEvent:
    return HistoryEvent(
        id=stamp.new_id(),
        event=event,
        old_content=old,
        new_content=new,
        changed_by=why.actor.name,
        actor_type=why.actor.type,
        reason=why.reason,
        metadata=None,
        created_at=stamp.now,
        session_id=why.actor.session_id,
        request_id=why.actor.request_id,
    )


def insert(
    tx: WriteTx, memory: NewMemory, why: Why, stamp: Stamp, *, revive: bool = True
) -> InsertOutcome:
    """Write a memory unless it is there already: by key, then by source, then by content.

    With ``revive`` false, a source that was forgotten stays forgotten.
    """
    digest = content_hash(memory.content)
    scope, source = memory.scope, memory.source
    known = (
        (memory.idempotency_key and rows.live_by_key(tx, scope.agent_id, memory.idempotency_key))
        or (source.id is not None and rows.live_by_source(tx, scope, source))
        or rows.live_by_hash(tx, scope, digest)
    )
    if known:
        return Duplicate(known)
    if not revive and source.id is not None:
        forgotten = rows.forgotten_source(tx, source)
        if forgotten is not None:
            return Forgotten(forgotten)
    memory_id = stamp.new_id()
    rows.insert(tx, memory, memory_id, digest)
    rows.record(tx, memory_id, _event(stamp, why, "created", None, None))
    tx.publish(Changed("memory", "added", (memory_id,)))
    return Inserted(memory_id)


def _changed(memory: Memory, change: Change) -> Memory:
    given = {
        name: value
        for name in ("content", "type", "importance", "pinned", "tags")
        if (value := getattr(change, name)) is not KEEP
    }
    return replace(memory, **given)


def _differences(old: Memory, new: Memory) -> str | None:
    names = ("type", "importance", "pinned", "tags")
    differing = {
        name: [getattr(old, name), getattr(new, name)]
        for name in names
        if getattr(old, name) != getattr(new, name)
    }
    return json.dumps(differing, ensure_ascii=False) if differing else None


def modify(tx: WriteTx, memory_id: str, change: Change, why: Why, stamp: Stamp) -> ModifyOutcome:
    """Replace fields of a live memory."""
    old = rows.get(tx, memory_id)
    if old is None:
        return Missing()
    if old.is_deleted:
        return AlreadyDeleted(old.version)
    if why.if_version not in (None, old.version):
        return VersionConflict(old.version)
    new = _changed(old, change)
    if new == old:
        return NoChange(old.id, old.version)
    digest = content_hash(new.content)
    other = rows.live_by_hash(tx, old.scope, digest)
    if other is not None and other.id != old.id:
        return Clash(old.version, other.id)
    changed = new.content != old.content
    rows.update(tx, new, digest, by=why.actor.name, at=stamp.now)
    event = _event(
        stamp, why, "updated", old.content if changed else None, new.content if changed else None
    )
    rows.record(tx, old.id, replace(event, metadata=_differences(old, new)))
    tx.publish(Changed("memory", "updated", (old.id,)))
    return Done(old.id, old.version, old.version + 1, content_changed=changed)


def forget(
    tx: WriteTx, memory_id: str, why: Why, stamp: Stamp, *, force: bool = False
) -> ForgetOutcome:
    """Forget a live memory so that it can be recovered; a pinned one needs ``force``."""
    memory = rows.get(tx, memory_id)
    if memory is None:
        return Missing()
    if memory.is_deleted:
        return AlreadyDeleted(memory.version)
    if why.if_version not in (None, memory.version):
        return VersionConflict(memory.version)
    if memory.pinned and not force:
        return PinnedNeedsForce(memory.version)
    now = stamp.now
    rows.set_deleted(tx, memory.id, now, by=why.actor.name, at=now)
    rows.record(tx, memory.id, _event(stamp, why, "deleted", memory.content, None))
    tx.publish(Changed("memory", "deleted", (memory.id,)))
    return Done(memory.id, memory.version, memory.version + 1)


def _expired(memory: Memory, stamp: Stamp, retention: timedelta) -> bool:
    deleted = parse_moment(memory.deleted_at or "")
    return deleted is not None and stamp.clock() - deleted > retention


def recover(
    tx: WriteTx, memory_id: str, why: Why, stamp: Stamp, retention: timedelta
) -> RecoverOutcome:
    """Bring a forgotten memory back within ``retention`` of its deletion."""
    memory = rows.get(tx, memory_id)
    if memory is None:
        return Missing()
    if not memory.is_deleted:
        return NotDeleted(memory.version)
    if why.if_version not in (None, memory.version):
        return VersionConflict(memory.version)
    if _expired(memory, stamp, retention):
        return RetentionExpired(memory.version)
    other = (
        rows.live_by_hash(tx, memory.scope, content_hash(memory.content))
        or (rows.live_by_source(tx, memory.scope, memory.source) if memory.source.id else None)
        or rows.live_with_key_of(tx, memory)
    )
    if other is not None:
        return Clash(memory.version, other.id)
    rows.set_deleted(tx, memory.id, None, by=why.actor.name, at=stamp.now)
    rows.record(tx, memory.id, _event(stamp, why, "recovered", None, memory.content))
    tx.publish(Changed("memory", "recovered", (memory.id,)))
    return Done(memory.id, memory.version, memory.version + 1)
