"""Cuts a part of a session into requests, and writes messages as the model is shown them; pure.

Whatever was said is data: each line of a message but its first is indented, so that no text can
look like the start of another message.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from intaglio.base.clock import parse_moment
from intaglio.base.text import clip, scrub
from intaglio.capture.transcripts import TranscriptMessage
from intaglio.projects.names import display_name
from intaglio.session_notes.values import (
    NOTHING_KNOWN,
    Conversation,
    KnownTexts,
    NotesChunk,
    NumberedMessage,
    SavedText,
    SessionPart,
    SessionSummary,
)
from intaglio.sessions.statements.values import UserMessage
from intaglio.transcripts.values import StoredMessage

CHUNK_CHARS: Final = 24_000
"""Of the messages to be read, so much is in one request."""
CONTEXT_CHARS: Final = 4_000
"""Of what was said before them, so much is shown again."""
LEAST_CHARS: Final = 200
"""Less than this isn't worth a request; it is context of the next one."""
MAX_USER_CHARS: Final = 4_000
MAX_AGENT_CHARS: Final = 2_000
_AGENTS_END: Final = 1_400
_MAX_SAVED: Final = 30
_MAX_SAVED_BEFORE: Final = 20
_MAX_ASKED: Final = 10
# Of a long session, the latest are kept and shown.
_MAX_TOPICS: Final = 20
_MAX_DECISIONS: Final = 20
_SENTENCE_CHARS: Final = 300
# Appended to a message's id, for the agent's question that it answers; see `sessions.session_end`.
_QUESTION: Final = "?"


def shown_text(message: StoredMessage) -> str:
    """Return as much of a message as is shown; what an agent says last matters most."""
    text = scrub(message.text).strip()
    if message.role == "user":
        return clip(text, MAX_USER_CHARS)
    if len(text) <= MAX_AGENT_CHARS:
        return text
    return f"{text[: MAX_AGENT_CHARS - _AGENTS_END]} […] {text[-_AGENTS_END:]}"


def next_chunk(
    messages: Sequence[StoredMessage],
    read_up_to: int,
    known: KnownTexts = NOTHING_KNOWN,
) -> NotesChunk | None:
    """Return what to read next; None if nothing is left.

    ``messages`` are all of the part in order, ``known`` is what they led to before.
    """
    numbered = [NumberedMessage(number, each) for number, each in enumerate(messages, 1)]
    unread = [each for each in numbered if each.message.number > read_up_to]
    if not unread:
        return None
    new, length = list[NumberedMessage](), 0
    for each in unread:
        length += len(shown_text(each.message))
        if new and length > CHUNK_CHARS:
            break
        new.append(each)
    first = new[0].number
    context, length = list[NumberedMessage](), 0
    for each in reversed(numbered[: first - 1]):
        length += len(shown_text(each.message))
        if length > CONTEXT_CHARS:
            break
        context.append(each)
    return NotesChunk(tuple(reversed(context)), tuple(new), _known_up_to(known, numbered, new))


def _known_up_to(
    known: KnownTexts, numbered: Sequence[NumberedMessage], new: Sequence[NumberedMessage]
) -> KnownTexts:
    """Return what the messages up to the last new one led to, as much as is shown."""
    last = new[-1].number
    numbers = {each.message.message_id: each.number for each in numbered if each.number <= last}

    def placed(each: SavedText) -> SavedText:
        return replace(each, number=numbers[each.message_id])

    saved = [placed(each) for each in known.saved if each.message_id in numbers]
    before = [each for each in saved if each.number < new[0].number]
    own = [each for each in saved if each.number >= new[0].number]
    asked = [
        replace(each, number=numbers[each.message_id])
        for each in known.asked
        if each.message_id in numbers
    ]
    shown = (*own[:_MAX_SAVED], *before[-_MAX_SAVED_BEFORE:])
    return KnownTexts(shown, tuple(asked[-_MAX_ASKED:]))


def is_worth_reading(chunk: NotesChunk) -> bool:
    """Whether there is enough that wasn't read before, and the user said some of it."""
    said = sum(len(shown_text(each.message)) for each in chunk.new)
    return said >= LEAST_CHARS and any(each.message.role == "user" for each in chunk.new)


def request_text(part: SessionPart, chunk: NotesChunk, so_far: SessionSummary) -> str:
    """Return a chunk as the model is shown it; ``so_far`` is of what was said before."""
    project = f"project {display_name(part.project)}" if part.project else "no project"
    head = f"A session with {part.session.harness} in {project}, {part.started_at[:10]}."
    blocks = [head]
    if so_far.text:
        blocks.append(f"Summary of what was said before:\n{_indented(so_far.text)}")
    if so_far.topics:
        blocks.append(f"Topics so far: {_indented('; '.join(so_far.topics))}")
    if so_far.decisions:
        blocks.append("Decisions so far:\n" + _listed(so_far.decisions))
    if chunk.context:
        blocks.append(f"Said before, only for context:\n{_lines(chunk.context)}")
    blocks.append(f"Read these messages:\n{_lines(chunk.new)}")
    if chunk.known.saved:
        listed = (
            f"S{place} [{each.number}] {_quoted(each)}"
            for place, each in enumerate(chunk.known.saved, 1)
        )
        blocks.append("Saved already:\n" + "\n".join(listed))
    if chunk.known.asked:
        asked = (f"[{each.number}] {_shortened(each.text)}" for each in chunk.known.asked)
        blocks.append("Asked already, the user hasn't answered yet:\n" + _listed(asked))
    return "\n\n".join(blocks)


def _quoted(saved: SavedText) -> str:
    text = _shortened(saved.text)
    if saved.by_rules:
        return f'"{text}"'
    return f"{'open: ' if saved.is_open else 'note: '}{text}"


def _shortened(text: str) -> str:
    return clip(_indented(text), _SENTENCE_CHARS)


def _listed(texts: Iterable[str]) -> str:
    return "\n".join(f"- {_indented(each)}" for each in texts)


def joined_summary(so_far: SessionSummary, read: SessionSummary) -> SessionSummary:
    """Return the summary of a session after more of it was read: topics and decisions add up."""
    return SessionSummary(
        read.text or so_far.text,
        _joined(so_far.topics, read.topics)[-_MAX_TOPICS:],
        _joined(so_far.decisions, read.decisions)[-_MAX_DECISIONS:],
    )


def _joined(earlier: Sequence[str], later: Sequence[str]) -> tuple[str, ...]:
    known = {each.casefold() for each in earlier}
    return (*earlier, *(each for each in later if each.casefold() not in known))


def _lines(messages: Sequence[NumberedMessage]) -> str:
    return "\n".join(
        f"[{each.number}] {each.message.role}: {_indented(shown_text(each.message))}"
        for each in messages
    )


def _indented(text: str) -> str:
    return "\n  ".join(text.splitlines())


def conversation(part: SessionPart, messages: Sequence[StoredMessage]) -> Conversation:
    """Return a part as notes are checked against it.

    What the agent said since the user's last message counts as said before the next one.
    """
    said, run, earlier = list[UserMessage](), list[str](), list[str]()
    for place, message in enumerate(messages):
        if message.role == "agent":
            run.append(message.text)
            continue
        asked = messages[place - 1] if place else None
        is_answer = asked is not None and asked.message_id == f"{message.message_id}{_QUESTION}"
        line = TranscriptMessage(
            message.message_id,
            "user",
            message.text,
            parse_moment(message.said_at),
            question=asked.text if asked is not None and is_answer else "",
        )
        said.append(
            UserMessage(part.session, part.project, line, "\n\n".join(run), tuple(earlier[-20:]))
        )
        earlier.append(message.message_id)
        run = []
    return Conversation(tuple(messages), tuple(said))
