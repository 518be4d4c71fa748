"""What a session's messages led to before they are read: memories, and suggestions that wait."""

from collections.abc import Iterator

from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import InboxItem
from intaglio.memory import rows as memories
from intaglio.memory.values import Memory
from intaglio.session_notes import rows
from intaglio.session_notes.one_off_tasks import captured_sentences
from intaglio.session_notes.values import OPEN_END, AskedText, KnownTexts, SavedText, SessionPart
from intaglio.sessions.statements import rows as statements
from intaglio.store.tx import ReadTx


def known_texts(tx: ReadTx, part: SessionPart) -> KnownTexts:
    """Return what rules captured of a session, what was noted of it, and what waits, in order."""
    captured = [
        SavedText(message_id=message_id, text=sentence, memory_id=memory_id)
        for message_id, sentence, memory_id in captured_sentences(tx, part.key, part.project)
    ]
    of_rules = {each.memory_id for each in captured}
    noted = [each for each in _noted(tx, part) if each.memory_id not in of_rules]
    places = {item_id: message_id for message_id, item_id in rows.noted(tx, part.key, "inbox_id")}
    asked = [
        AskedText(message_id, item.content)
        for item in open_items(tx, part)
        if (message_id := _message_of(item) or places.get(item.id, ""))
    ]
    return KnownTexts((*captured, *noted), tuple(asked))


def _noted(tx: ReadTx, part: SessionPart) -> Iterator[SavedText]:
    for message_id, memory_id in rows.noted(tx, part.key, "memory_id"):
        memory = memories.get(tx, memory_id)
        if memory is None or not is_told_in(memory, part.project):
            continue
        yield SavedText(
            message_id=message_id,
            text=memory.content,
            memory_id=memory_id,
            by_rules=False,
            is_open=memory.type == OPEN_END,
        )


def is_told_in(memory: Memory, project: str | None) -> bool:
    """Whether a memory holds in a project, as its own or of all projects."""
    return (
        not memory.is_deleted
        and memory.status != "replaced"
        and memory.scope.project in {project, None}
    )


def open_items(tx: ReadTx, part: SessionPart) -> list[InboxItem]:
    """Return the session's suggestions that wait for the user, by rules or of notes."""
    ids = dict.fromkeys(statements.items_said_in(tx, [part.key]))
    ids |= dict.fromkeys(item_id for _, item_id in rows.noted(tx, part.key, "inbox_id"))
    found = inbox_rows.by_ids(tx, ids)
    return [
        item
        for each in ids
        if (item := found.get(each)) is not None
        and item.kind == "suggestion"
        and item.status == "open"
        and item.project in {part.project, None}
    ]


def _message_of(item: InboxItem) -> str:
    return next((each.message_id for each in item.evidence if each.message_id), "")
