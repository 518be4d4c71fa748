"""The operations on one memory: insert, modify, forget, recover, erase; one transaction each.

Nothing else changes a memory, and each operation ends in `publish_change`, which runs the steps
that other packages declare, in the same transaction.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Literal, TypeAlias

from intaglio.base.clock import Clock, iso, parse_moment
from intaglio.base.events import Changed
from intaglio.base.ids import NewId
from intaglio.base.settings.values import Settings
from intaglio.base.text import content_hash
from intaglio.domain.reader import PRIVATE, USER, Reader, may_read
from intaglio.memory import history_rows as history
from intaglio.memory import retention_rows as retention
from intaglio.memory import rows
from intaglio.memory.values import (
    KEEP,
    Actor,
    AlreadyDeleted,
    Change,
    Done,
    Duplicate,
    EraseOutcome,
    ForgetOutcome,
    Forgotten,
    HistoryEntry,
    Inserted,
    InsertOutcome,
    Memory,
    Missing,
    ModifyOutcome,
    NewMemory,
    NoChange,
    NotDeleted,
    PinnedConflict,
    RecoverOutcome,
    RetentionExpired,
    Scope,
    ScopeConflict,
    Source,
    UniqueField,
    VersionConflict,
)
from intaglio.store.tx import ReadTx, WriteTx

MEMORY_TOPIC: Final = "memory"
"""The topic of memories' changes on the bus."""

# What capture and the daemon forget by themselves was taken back or said again.
_TAKES_BACK: Final = frozenset({"harness", "daemon", "pipeline"})
_RECORDED_FIELDS: Final = ("type", "importance", "pinned", "tags", "who")


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """A change of a memory; ``content_changed`` says whether an update changed its text.

    ``place_changed`` says whether it changed the scope or the type. A forgotten memory still exists
    as a tombstone; an erased one (``deleted`` too) doesn't. ``gone_text`` is the text of a memory
    that was erased, or that a person or an agent forgot: what capture takes back isn't unwanted.
    """

    id: str
    what: Literal["added", "updated", "deleted", "recovered"]
    at: str
    content_changed: bool = False
    place_changed: bool = False
    gone_text: str = ""
    is_erased: bool = False


Listener: TypeAlias = Callable[[WriteTx, MemoryChange, "ChangeContext"], None]
"""Runs in the transaction of a change; if it fails, the change is rolled back."""

MemoryStep: TypeAlias = Callable[[WriteTx, str, "ChangeContext"], None]
"""A package's step for the id of a memory, in the transaction that forgets or erases it."""


@dataclass(frozen=True, slots=True)
class MemorySteps:
    """What packages do in the transaction of a change, in order.

    ``listeners`` are called for every change; then, by what happened to the memory, the other
    steps. The memory's own row is written first.
    """

    listeners: tuple[Listener, ...] = ()
    on_forget: tuple[MemoryStep, ...] = ()
    on_restore: tuple[MemoryStep, ...] = ()
    on_erase: tuple[MemoryStep, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeContext:
    """The clock and id source of changes, the settings, and what packages do at each change."""

    clock: Clock
    new_id: NewId
    steps: MemorySteps = MemorySteps()
    settings: Callable[[], Settings] = Settings

    @property
    def now(self) -> str:
        """The current time as a stored timestamp."""
        return iso(self.clock())


@dataclass(frozen=True, slots=True)
class Audit:
    """Who changes a memory, for what reason, and which version they expect.

    If ``reader`` may not read the memory, it counts as missing.
    """

    actor: Actor
    reason: str | None = None
    if_version: int | None = None
    reader: Reader = USER


def new_event(
    context: ChangeContext, audit: Audit, event: str, old: str | None, new: str | None
) -> HistoryEntry:
    """Return a change as the history records it."""
    return HistoryEntry(
        id=context.new_id(),
        event=event,
        old_content=old,
        new_content=new,
        changed_by=audit.actor.name,
        actor_type=audit.actor.type,
        reason=audit.reason,
        metadata=None,
        created_at=context.now,
        session_id=audit.actor.session_id,
        request_id=audit.actor.request_id,
    )


def _forgotten(tx: WriteTx, memory: NewMemory, digest: bytes) -> str | None:
    return retention.find_forgotten(tx, memory.scope, memory.source, digest, memory.created_at)


def insert(
    tx: WriteTx, memory: NewMemory, audit: Audit, context: ChangeContext, *, revive: bool = True
) -> InsertOutcome:
    """Write a memory unless it exists already: by key, then by source, then by content.

    Unless ``revive``, a forgotten source stays forgotten, and so does content that was forgotten in
    this scope after it was said.
    """
    digest = content_hash(memory.content)
    scope, source = _scope_as_stored(tx, memory.scope), _source_as_stored(tx, memory.source)
    memory = replace(memory, scope=scope, source=source)
    known = (
        (memory.idempotency_key and rows.live_by_key(tx, scope.agent_id, memory.idempotency_key))
        or (source.id is not None and rows.live_by_source(tx, scope, source))
        or rows.live_by_hash(tx, scope, digest)
    )
    if known:
        return Duplicate(known)
    if revive:
        retention.allow_again(tx, scope, source, digest)
    elif (forgotten := _forgotten(tx, memory, digest)) is not None:
        return Forgotten(forgotten)
    memory_id = context.new_id()
    rows.insert(tx, memory, memory_id, digest)
    history.record(tx, memory_id, scope, new_event(context, audit, "created", None, None))
    publish_change(tx, context, MemoryChange(memory_id, "added", context.now, content_changed=True))
    return Inserted(memory_id)


def _scope_as_stored(tx: WriteTx, scope: Scope) -> Scope:
    # Hashes of what was forgotten are made of stored scopes and sources.
    project = None if scope.project is None else tx.as_stored(scope.project)
    return replace(scope, agent_id=tx.as_stored(scope.agent_id), project=project)


def _source_as_stored(tx: WriteTx, source: Source) -> Source:
    return source if source.id is None else replace(source, id=tx.as_stored(source.id))


def publish_change(
    tx: WriteTx,
    context: ChangeContext,
    change: MemoryChange,
    steps: tuple[MemoryStep, ...] = (),
) -> None:
    """Report a change: to other packages in this transaction, to the bus after the commit."""
    for listener in context.steps.listeners:
        listener(tx, change, context)
    for step in steps:
        step(tx, change.id, context)
    tx.publish(Changed(MEMORY_TOPIC, change.what, (change.id,)))


def find_visible(tx: ReadTx, memory_id: str, reader: Reader) -> Memory | None:
    """Return the memory, forgotten or not, if the reader may read it."""
    memory = rows.get(tx, memory_id)
    if memory is None or not may_read(reader, memory.scope.agent_id, memory.scope.visibility):
        return None
    return memory


def _changed(memory: Memory, change: Change) -> Memory:
    given = {
        name: value
        for name in ("content", *_RECORDED_FIELDS)
        if (value := getattr(change, name)) is not KEEP
    }
    scope = memory.scope
    if change.project is not KEEP:
        scope = replace(scope, project=change.project)
    if change.visibility is not KEEP:
        scope = replace(scope, visibility=change.visibility)
    return replace(memory, scope=scope, **given)


def _differences(old: Memory, new: Memory) -> str | None:
    pairs = [(name, getattr(old, name), getattr(new, name)) for name in _RECORDED_FIELDS]
    pairs += [
        ("project", old.scope.project, new.scope.project),
        ("visibility", old.scope.visibility, new.scope.visibility),
    ]
    differing = {name: [before, after] for name, before, after in pairs if before != after}
    return json.dumps(differing, ensure_ascii=False) if differing else None


def _same(tx: WriteTx, memory: Memory, digest: bytes, reader: Reader) -> ScopeConflict | None:
    """Find another live memory that would conflict with this one."""
    source = memory.source
    by_source = None if source.id is None else rows.live_by_source(tx, memory.scope, source)
    found: tuple[tuple[Memory | None, UniqueField], ...] = (
        (rows.live_by_hash(tx, memory.scope, digest), "content"),
        (by_source, "source"),
        (rows.live_with_key_of(tx, memory), "key"),
    )
    for other, same in found:
        if other is not None and other.id != memory.id:
            # A reader without access isn't is_visible which memory it is.
            is_visible = may_read(reader, other.scope.agent_id, other.scope.visibility)
            return ScopeConflict(memory.version, other.id if is_visible else None, same)
    return None


def _narrower(old: Scope, new: Scope) -> Scope:
    # Text that was written in private stays private when the memory is shared later.
    return old if old.visibility == PRIVATE else new


def modify(
    tx: WriteTx, memory_id: str, change: Change, audit: Audit, context: ChangeContext
) -> ModifyOutcome:
    """Replace fields of a live memory."""
    old = find_visible(tx, memory_id, audit.reader)
    if old is None:
        return Missing()
    if old.is_deleted:
        return AlreadyDeleted(old.version)
    if audit.if_version not in (None, old.version):
        return VersionConflict(old.version)
    new = _changed(old, change)
    if new == old:
        return NoChange(old.id, old.version)
    digest = content_hash(new.content)
    clash = _same(tx, new, digest, audit.reader)
    if clash is not None:
        return clash
    rewritten = new.content != old.content
    rows.update(tx, new, digest, by=audit.actor.name, at=context.now)
    event = new_event(
        context,
        audit,
        "updated",
        old.content if rewritten else None,
        new.content if rewritten else None,
    )
    event = replace(event, metadata=_differences(old, new))
    history.record(tx, old.id, _narrower(old.scope, new.scope), event)
    moved = (new.scope, new.type) != (old.scope, old.type)
    publish_change(
        tx,
        context,
        MemoryChange(
            old.id, "updated", context.now, content_changed=rewritten, place_changed=moved
        ),
    )
    return Done(old.id, old.version, old.version + 1, content_changed=rewritten)


def forget(
    tx: WriteTx,
    memory_id: str,
    audit: Audit,
    context: ChangeContext,
    *,
    pinned: bool = False,
    same_as: str | None = None,
) -> ForgetOutcome:
    """Forget a live memory so that it can be recovered; pinned ones only if ``pinned`` says so.

    The history links it to the memory that it is the ``same_as``.
    """
    memory = find_visible(tx, memory_id, audit.reader)
    if memory is None:
        return Missing()
    if memory.is_deleted:
        return AlreadyDeleted(memory.version)
    if audit.if_version not in (None, memory.version):
        return VersionConflict(memory.version)
    if memory.pinned and not pinned:
        return PinnedConflict(memory.version)
    now = context.now
    rows.set_deleted(tx, memory.id, now, by=audit.actor.name, at=now)
    event = new_event(context, audit, "deleted", memory.content, None)
    if same_as is not None:
        event = replace(event, metadata=json.dumps({"same_as": same_as}))
    history.record(tx, memory.id, memory.scope, event)
    gone = "" if audit.actor.type in _TAKES_BACK else memory.content
    change = MemoryChange(memory.id, "deleted", context.now, gone_text=gone)
    publish_change(tx, context, change, context.steps.on_forget)
    return Done(memory.id, memory.version, memory.version + 1)


def raise_confidence(tx: WriteTx, memory_id: str, confidence: float) -> None:
    """Raise the confidence of a live memory that was said once more.

    It is no change of the memory: its version and its history stay.
    """
    if rows.raise_confidence(tx, memory_id, confidence):
        tx.publish(Changed(MEMORY_TOPIC, "updated", (memory_id,)))


def _expired(memory: Memory, context: ChangeContext, within: timedelta) -> bool:
    deleted = parse_moment(memory.deleted_at or "")
    return deleted is not None and context.clock() - deleted > within


def recover(
    tx: WriteTx, memory_id: str, audit: Audit, context: ChangeContext, within: timedelta
) -> RecoverOutcome:
    """Recover a memory that was forgotten less than ``within`` ago."""
    memory = find_visible(tx, memory_id, audit.reader)
    if memory is None:
        return Missing()
    if not memory.is_deleted:
        return NotDeleted(memory.version)
    if audit.if_version not in (None, memory.version):
        return VersionConflict(memory.version)
    if _expired(memory, context, within):
        return RetentionExpired(memory.version)
    clash = _same(tx, memory, content_hash(memory.content), audit.reader)
    if clash is not None:
        return clash
    rows.set_deleted(tx, memory.id, None, by=audit.actor.name, at=context.now)
    event = new_event(context, audit, "recovered", None, memory.content)
    history.record(tx, memory.id, memory.scope, event)
    change = MemoryChange(memory.id, "recovered", context.now)
    publish_change(tx, context, change, context.steps.on_restore)
    return Done(memory.id, memory.version, memory.version + 1)


def erase(tx: WriteTx, memory_id: str, audit: Audit, context: ChangeContext) -> EraseOutcome:
    """Delete a memory, live, pinned or forgotten, with every text that packages store about it.

    The history keeps the record that it was erased, when, by whom and why.
    """
    memory = find_visible(tx, memory_id, audit.reader)
    if memory is None:
        return Missing()
    if audit.if_version not in (None, memory.version):
        return VersionConflict(memory.version)
    retention.store_forgotten_hashes(tx, memory.id, context.now)
    rows.delete(tx, memory.id)
    history.erase(tx, memory.id)
    event = replace(new_event(context, audit, "deleted", None, None), metadata='{"erased": true}')
    history.record(tx, memory.id, memory.scope, event)
    tx.empty_log_after_commit()
    change = MemoryChange(
        memory.id, "deleted", context.now, gone_text=memory.content, is_erased=True
    )
    publish_change(tx, context, change, context.steps.on_erase)
    return Done(memory.id, memory.version, memory.version + 1)
