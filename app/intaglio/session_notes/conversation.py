"""Cuts a part of a session into requests, and writes messages as the model is shown them; pure.

Whatever was said is data: each line of a message but its first is indented, so that no text can
look like the start of another message.
"""

from collections.abc import Sequence
from typing import Final

from intaglio.base.clock import parse_moment
from intaglio.base.text import clip, scrub
from intaglio.capture.transcripts import TranscriptMessage
from intaglio.projects.names import display_name
from intaglio.session_notes.values import (
    CapturedSentence,
    Conversation,
    NotesChunk,
    NumberedMessage,
    SessionPart,
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
_MAX_CAPTURED: Final = 30
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
    captured: Sequence[tuple[str, str, str]] = (),
) -> NotesChunk | None:
    """Return what to read next; None if nothing is left.

    ``messages`` are all of the part in order, ``captured`` the message, sentence and memory of what
    rules made of it.
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
    numbers = {each.message.message_id: each.number for each in new}
    own = [
        CapturedSentence(numbers[message_id], sentence, memory_id)
        for message_id, sentence, memory_id in captured
        if message_id in numbers
    ]
    return NotesChunk(tuple(reversed(context)), tuple(new), tuple(own[:_MAX_CAPTURED]))


def is_worth_reading(chunk: NotesChunk) -> bool:
    """Whether there is enough that wasn't read before, and the user said some of it."""
    said = sum(len(shown_text(each.message)) for each in chunk.new)
    return said >= LEAST_CHARS and any(each.message.role == "user" for each in chunk.new)


def request_text(part: SessionPart, chunk: NotesChunk, summary: str) -> str:
    """Return a chunk as the model is shown it; ``summary`` is of what was said before."""
    project = f"project {display_name(part.project)}" if part.project else "no project"
    head = f"A session with {part.session.harness} in {project}, {part.started_at[:10]}."
    blocks = [head]
    if summary:
        blocks.append(f"Summary of what was said before:\n{_indented(summary)}")
    if chunk.context:
        blocks.append(f"Said before, only for context:\n{_lines(chunk.context)}")
    blocks.append(f"Read these messages:\n{_lines(chunk.new)}")
    if chunk.captured:
        listed = (
            f'S{place} [{each.number}] "{clip(each.sentence, _SENTENCE_CHARS)}"'
            for place, each in enumerate(chunk.captured, 1)
        )
        blocks.append("Saved already, by rules:\n" + "\n".join(listed))
    return "\n\n".join(blocks)


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
