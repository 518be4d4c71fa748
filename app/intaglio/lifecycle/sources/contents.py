"""Finds out what came from a source, and what of it stays."""

from collections.abc import Collection, Sequence
from typing import Final

from intaglio.base.clock import local_day
from intaglio.domain.reader import USER, Reader, may_read
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import InboxItem
from intaglio.lifecycle.sources import origin_rows
from intaglio.lifecycle.sources.origin_rows import LiveMemory, NamedKind
from intaglio.lifecycle.sources.rows import is_taken_back
from intaglio.lifecycle.sources.values import (
    MemoryOrigin,
    OriginContents,
    OriginCount,
    OriginMemory,
    OriginPreview,
    StayReason,
    session_item_id,
)
from intaglio.memory import history_rows as history
from intaglio.sessions.overview import rows as sessions
from intaglio.sessions.rows import started_at
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.values import ACCEPTED
from intaglio.sessions.values import SessionKey
from intaglio.store.tx import ReadTx
from intaglio.transcripts import rows as transcripts

_NAMED: Final[tuple[NamedKind, ...]] = ("file", "agent", "tool")
_MOST_CLAIMS: Final = 10_000
_LONGEST_NUMBER: Final = 18


def look_at(tx: ReadTx, origin: MemoryOrigin) -> OriginPreview | None:
    """Return what taking a source back would remove; None if nothing is left that came from it."""
    match origin.kind:
        case "session":
            key = _session(tx, origin.id)
            if key is None:
                return None
            found = OriginPreview(origin, session_label(tx, key), of_sessions(tx, (key,), USER))
            is_done = is_taken_back(tx, "session", session_item_id(key))
        case "import":
            keys = sessions.keys_of_import(tx, origin.id)
            if not keys:
                return None
            label = import_label(len(keys), origin_rows.imported_at(tx, origin.id))
            found = OriginPreview(origin, label, of_sessions(tx, keys, USER))
            is_done = is_taken_back(tx, "import", origin.id)
        case _:
            found = OriginPreview(origin, origin.id, _of_source(tx, origin.kind, origin.id))
            is_done = True
    return None if is_done and found.contents.is_empty else found


def all_sources(tx: ReadTx) -> list[OriginCount]:
    """Return the sources other than sessions, those with most memories first."""
    found = [
        OriginCount(MemoryOrigin(kind, name), name, count)
        for kind in _NAMED
        for name, count in origin_rows.counts(tx, kind).items()
    ]
    found += [
        OriginCount(MemoryOrigin("import", import_id), import_label(size, at), count)
        for import_id, size, count, at in origin_rows.imports(tx)
        if count
    ]
    return sorted(found, key=lambda each: (-each.memories, each.label))


def _session(tx: ReadTx, number: str) -> SessionKey | None:
    if not number.isascii() or not number.isdigit() or len(number) > _LONGEST_NUMBER:
        return None
    return sessions.key_of(tx, int(number))


def import_label(sessions: int, at: str | None) -> str:
    """Return how an import is called: when it was, and how many sessions it brought in."""
    day = f" of {local_day(at)}" if at else ""
    return f"Import{day}, {sessions:,} {'session' if sessions == 1 else 'sessions'}"


def session_label(tx: ReadTx, session: SessionKey) -> str:
    """Return how a session is called once it is taken back: its title is the user's words."""
    at = started_at(tx, *session)
    return f"{session[0]}, session of {local_day(at)}" if at else session[0]


def of_sessions(tx: ReadTx, keys: Collection[SessionKey], reader: Reader) -> OriginContents:
    """Return what came from sessions: said or saved in them, and suggested in them alone."""
    said = statements.memories_said_in(tx, keys)
    stored_ids = {tx.as_stored(session) for _, session in keys}
    found = origin_rows.with_ids(tx, said, reader)
    elsewhere = {each.id for each in found if said[each.id] or each.session_id not in stored_ids}
    for each in origin_rows.of_sessions(tx, stored_ids, reader):
        if each.id in said:
            continue
        evidence = statements.of_memory(tx, each.id)
        # It was captured from another harness's session with the same id.
        if any(one.session_id == each.session_id for one in evidence):
            continue
        found.append(each)
        if evidence:
            elsewhere.add(each.id)
    return OriginContents(
        _memories(tx, found, elsewhere),
        _suggestions(tx, keys, reader),
        tuple(keys),
        sum(transcripts.size(tx, *key).messages for key in keys),
    )


def _of_source(tx: ReadTx, kind: NamedKind, name: str) -> OriginContents:
    found = origin_rows.of_source(tx, kind, name)
    elsewhere = {each.id for each in found if each.said}
    return OriginContents(
        _memories(tx, found, elsewhere), tuple(origin_rows.suggestions_of_source(tx, kind, name))
    )


def _memories(
    tx: ReadTx, found: Sequence[LiveMemory], elsewhere: Collection[str]
) -> tuple[OriginMemory, ...]:
    confirmed = history.confirmed_among(tx, [each.seq for each in found])

    def stays(memory: LiveMemory) -> StayReason | None:
        if memory.pinned:
            return "pinned"
        if memory.id in elsewhere:
            return "elsewhere"
        return "confirmed" if memory.why == ACCEPTED or memory.seq in confirmed else None

    return tuple(OriginMemory(each.id, stays(each)) for each in found)


def _suggestions(tx: ReadTx, keys: Collection[SessionKey], reader: Reader) -> tuple[str, ...]:
    """Return the sessions' open suggestions, the agent's too, that no other session made too."""
    said = statements.items_said_in(tx, keys)
    items = inbox_rows.by_ids(tx, said)
    for key in keys:
        items |= {each.id: each for each in inbox_rows.claimed_in(tx, *key, _MOST_CLAIMS)}
    own = {(harness, tx.as_stored(session)) for harness, session in keys}
    return tuple(
        each.id
        for each in items.values()
        # Only a suggestion has a text of its own.
        if each.content
        and each.status == "open"
        and not said.get(each.id)
        and not _has_others(each, own, is_said=each.id in said)
        and may_read(reader, each.agent_id, each.visibility)
    )


def _has_others(item: InboxItem, own: Collection[SessionKey], *, is_said: bool) -> bool:
    """Whether another session is evidence of a suggestion.

    Of one that the user's statements made, ``is_said``, what they said is known otherwise.
    """
    return any(
        (each.harness, each.session_id) not in own and (not is_said or each.by == "agent")
        for each in item.evidence
    )
