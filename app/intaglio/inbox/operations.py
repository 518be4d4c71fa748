"""The operations on inbox items: suggest, add evidence, close, reopen; in a transaction each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from intaglio.base.events import Changed
from intaglio.base.text import clip, content_hash, scrub
from intaglio.domain.reader import GLOBAL, PRIVATE, USER, Reader, Visibility, may_read
from intaglio.inbox import rows
from intaglio.inbox.values import (
    MAX_EVIDENCE,
    MAX_SENTENCE_CHARS,
    AlreadyOpen,
    CloseOutcome,
    ClosingAction,
    DroppedBefore,
    Evidence,
    InboxItem,
    ItemClosed,
    NewSuggestion,
    NoSuchItem,
    NotOpen,
    Suggested,
    SuggestOutcome,
)
from intaglio.memory import retention_rows as forgotten
from intaglio.memory import rows as memory_rows
from intaglio.memory.operations import ChangeContext, MemoryChange
from intaglio.memory.project_rows import former_keys
from intaglio.memory.retention import scoped_hash
from intaglio.memory.values import Duplicate, Memory, Scope, Source
from intaglio.redaction.redact import clean
from intaglio.store.tx import ReadTx, WriteTx

TOPIC: Final = "inbox"
MAX_REPLACED: Final = 10
"""The most memories that an accepted suggestion replaces."""


def suggest(tx: WriteTx, new: NewSuggestion, context: ChangeContext) -> SuggestOutcome:
    """Add a suggestion, unless it is open, a memory, or not wanted."""
    scope = replace(
        new.scope,
        agent_id=tx.as_stored(new.agent_id),
        project=None if new.project is None else tx.as_stored(new.project),
    )
    source = new.source
    if source.id is not None:
        source = replace(source, id=tx.as_stored(source.id))
    content = tx.as_stored(clean(scrub(new.content)).strip())
    digest = content_hash(content)
    evidence = cleaned_evidence(new.evidence)
    known = _known(tx, scope, source, digest, evidence.said_at or context.now)
    if isinstance(known, AlreadyOpen) and new.replaces:
        add_replaced(tx, known.id, new.replaces)
    if known is not None:
        return known
    item = InboxItem(
        id=context.new_id(),
        kind="suggestion",
        content=content,
        type=new.type,
        confidence=new.confidence,
        agent_id=scope.agent_id,
        project=scope.project,
        visibility=scope.visibility,
        source=source,
        created_at=context.now,
        evidence=(evidence,),
        replaces=new.replaces,
    )
    rows.insert(tx, item, digest)
    tx.publish(Changed(TOPIC, "added", (item.id,)))
    return Suggested(item.id)


def add_replaced(tx: WriteTx, item_id: str, ids: Sequence[str]) -> None:
    """Add to the memories that an open suggestion replaces once it is accepted."""
    item = rows.get(tx, item_id)
    if item is None or item.status == "done":
        return
    listed = dict.fromkeys((*item.replaces, *ids))
    rows.set_replaces(tx, item, list(listed)[:MAX_REPLACED])
    tx.publish(Changed(TOPIC, "updated", (item_id,)))


def reword(tx: WriteTx, item_id: str, content: str) -> bool:
    """Word an open suggestion better; False if it can't be, or if these words are known already.

    What it is from and its evidence stay, so the same statement is never suggested again.
    """
    item = rows.get(tx, item_id)
    wording = tx.as_stored(clean(scrub(content)).strip())
    if item is None or item.kind != "suggestion" or item.status == "done" or not wording:
        return False
    digest = content_hash(wording)
    if rows.with_words(tx, item.scope, digest) or rows.are_dropped(
        tx, scoped_hash(item.scope, digest)
    ):
        return False
    rows.set_wording(tx, item, wording, digest)
    tx.publish(Changed(TOPIC, "updated", (item_id,)))
    return True


def cleaned_evidence(evidence: Evidence) -> Evidence:
    """Return evidence without secrets, its sentence as long as may be stored."""
    sentence = clip(clean(scrub(evidence.sentence)).strip(), MAX_SENTENCE_CHARS)
    return replace(evidence, sentence=sentence)


def _known(
    tx: ReadTx, scope: Scope, source: Source, digest: bytes, said_at: str
) -> SuggestOutcome | None:
    """Return why these words or this statement aren't suggested; None if they are."""
    same_words = rows.with_words(tx, scope, digest)
    same_source = rows.with_source(tx, scope, source) if source.id is not None else []
    for item in (*same_words[:1], *same_source[:1]):
        if item.status == "open":
            return AlreadyOpen(item.id)
    keys = (scope.project, *former_keys(tx, scope.project))
    if any(rows.are_dropped(tx, scoped_hash(replace(scope, project=key), digest)) for key in keys):
        return DroppedBefore(same_words[0].id if same_words else "")
    live = _live_memory(tx, scope, source, digest, (*same_words, *same_source))
    if live is not None:
        return Duplicate(live)
    if same_source:
        return DroppedBefore(same_source[0].id)
    if forgotten.find_forgotten(tx, scope, source, digest, said_at) is not None:
        return DroppedBefore("")
    return None


def _live_memory(
    tx: ReadTx, scope: Scope, source: Source, digest: bytes, decided: Sequence[InboxItem]
) -> Memory | None:
    """Return the live memory of these words in this scope or of all projects, or of an item."""
    for kept in (scope, replace(scope, project=None)):
        found = memory_rows.live_by_hash(tx, kept, digest)
        if found is None and source.id is not None:
            found = memory_rows.live_by_source(tx, kept, source)
        if found is not None:
            return found
    for item in decided:
        memory = memory_rows.get(tx, item.memory_id) if item.memory_id else None
        if item.action == "keep" and memory is not None and not memory.is_deleted:
            return memory
    return None


def item_about(
    memory: Memory, kind: str, context: ChangeContext, evidence: tuple[Evidence, ...] = ()
) -> InboxItem:
    """Return an item that asks about one memory, to be added."""
    return InboxItem(
        id=context.new_id(),
        kind=kind,
        type=memory.type,
        confidence=memory.confidence,
        agent_id=memory.scope.agent_id,
        project=memory.scope.project,
        visibility=memory.scope.visibility,
        source=memory.source,
        memory_id=memory.id,
        created_at=context.now,
        evidence=evidence,
    )


def add(tx: WriteTx, item: InboxItem) -> str:
    """Add an item that asks about something that exists; return its id."""
    rows.insert(tx, item, None)
    tx.publish(Changed(TOPIC, "added", (item.id,)))
    return item.id


def add_evidence(tx: WriteTx, item_id: str, evidence: Evidence) -> bool:
    """Add where the same was said; False if it is known, if there are enough, or no such item."""
    item = rows.get(tx, item_id)
    if item is None or item.status == "done" or len(item.evidence) >= MAX_EVIDENCE:
        return False
    said = cleaned_evidence(evidence)
    place = (said.harness, said.session_id, said.message_id, said.start)
    if any((e.harness, e.session_id, e.message_id, e.start) == place for e in item.evidence):
        return False
    rows.add_evidence(tx, item, said)
    tx.publish(Changed(TOPIC, "updated", (item_id,)))
    return True


def open_suggestions(tx: ReadTx, project: str | None, agent_id: str) -> list[InboxItem]:
    """Return an agent's open suggestions of a project, and the global ones; oldest first."""
    stored = None if project is None else tx.as_stored(project)
    return rows.open_suggestions(tx, stored, tx.as_stored(agent_id))


def find_readable(tx: ReadTx, item_id: str, reader: Reader) -> InboxItem | None:
    """Return the item if the reader may read it."""
    item = rows.get(tx, item_id)
    if item is None or not may_read(reader, item.agent_id, item.visibility):
        return None
    return item


def close(  # noqa: PLR0913 - what is recorded of a decision
    tx: WriteTx,
    item_id: str,
    action: str,
    context: ChangeContext,
    *,
    memory_id: str | None = None,
    changed_version: int | None = None,
    reader: Reader = USER,
) -> CloseOutcome:
    """Close an open item; dropped words of a suggestion are never suggested again.

    ``memory_id`` is the memory that a suggestion became; ``changed_version`` is the version of the
    memory that the decision made or forgot.
    """
    item = find_readable(tx, item_id, reader)
    if item is None:
        return NoSuchItem()
    if item.status == "done":
        return NotOpen(item)
    done = replace(
        item,
        status="done",
        decided_at=context.now,
        action=action,
        memory_id=memory_id or item.memory_id,
        changed_version=changed_version,
    )
    rows.set_done(tx, done)
    if action == "drop" and item.content:
        rows.drop_words(tx, scoped_hash(item.scope, content_hash(item.content)), context.now)
    tx.publish(Changed(TOPIC, "updated", (item_id,)))
    return ItemClosed(done)


def reopen(tx: WriteTx, item: InboxItem) -> InboxItem:
    """Open a done item again; its words may be suggested again."""
    if item.content:
        rows.allow_words(tx, scoped_hash(item.scope, content_hash(item.content)))
    opened = replace(item, status="open", decided_at=None, action=None, changed_version=None)
    rows.set_done(tx, opened)
    tx.publish(Changed(TOPIC, "updated", (item.id,)))
    return opened


def follow_memory(tx: WriteTx, change: MemoryChange, _: ChangeContext) -> None:
    """Keep the items about a memory in step with it; a listener of memories' changes.

    Items about memories close when one of them is gone, and reopen when it is back; proposed
    changes also close when their memory changes. Whoever may not read a memory doesn't read what an
    item says about it.
    """
    match change.what:
        case "added":
            return
        case "updated":
            _follow_visibility(tx, change.id)
            if change.content_changed or change.place_changed:
                _close_all(tx, rows.proposals_of(tx, change.id), "memory_changed", change.at)
        case "deleted":
            _close_all(tx, _following(tx, change.id), "memory_gone", change.at)
        case "recovered":
            for item in _following(tx, change.id):
                if item.action == "memory_gone" and _are_live(tx, item):
                    reopen(tx, item)


def _following(tx: ReadTx, memory_id: str) -> list[InboxItem]:
    # A suggestion, which has a text of its own, stays as it was decided.
    return [item for item in rows.about(tx, memory_id) if not item.content]


def _close_all(tx: WriteTx, items: Sequence[InboxItem], action: ClosingAction, at: str) -> None:
    for item in items:
        if item.status == "open":
            rows.set_done(tx, replace(item, status="done", decided_at=at, action=action))
            tx.publish(Changed(TOPIC, "updated", (item.id,)))


def _follow_visibility(tx: WriteTx, memory_id: str) -> None:
    for item in rows.about(tx, memory_id):
        ids = filter(None, (item.memory_id, item.older_id))
        found = [memory for each in ids if (memory := memory_rows.get(tx, each))]
        visibility = joint_visibility(found)
        if visibility != item.visibility:
            rows.set_visibility(tx, item, visibility)
            tx.publish(Changed(TOPIC, "updated", (item.id,)))


def joint_visibility(memories: Sequence[Memory]) -> Visibility:
    """Return who may read an item about several memories."""
    return PRIVATE if any(each.scope.visibility == PRIVATE for each in memories) else GLOBAL


def _are_live(tx: ReadTx, item: InboxItem) -> bool:
    both = [memory_rows.get(tx, each) for each in (item.memory_id, item.older_id) if each]
    return all(memory is not None and not memory.is_deleted for memory in both)


def delete(tx: WriteTx, item_id: str) -> None:
    """Delete an item that is no longer offered, as if it had never been."""
    item = rows.get(tx, item_id)
    if item is not None:
        rows.delete(tx, [item.seq])
        tx.publish(Changed(TOPIC, "deleted", (item_id,)))


def erase(tx: WriteTx, memory_id: str) -> None:
    """Delete the items about an erased memory, with their texts and evidence."""
    gone = rows.about(tx, memory_id)
    if gone:
        rows.delete(tx, [item.seq for item in gone])
        tx.publish(Changed(TOPIC, "deleted", tuple(item.id for item in gone)))
