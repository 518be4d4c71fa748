"""Harness-independent session events and transcript messages."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOrigin:
    """The session, directory and transcript of an event.

    ``cwd`` is where the agent stands, which its ``cd`` changes; ``started_in`` is the directory of
    the session as the harness says it. ``agent_id`` is set inside a subagent only.
    """

    session: str
    cwd: str | None = None
    started_in: str | None = None
    transcript: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True)
class SessionStart:
    """A session starts; ``source`` is startup, resume, clear, compact or fork."""

    origin: EventOrigin
    source: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt was sent; ``by_user`` is False if a schedule or the harness itself sent it."""

    origin: EventOrigin
    text: str
    by_user: bool = True
    prompt_id: str | None = None


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The agent finished its turn; the transcript may lag slightly behind."""

    origin: EventOrigin


@dataclass(frozen=True, slots=True)
class SessionEnd:
    """A session ended; not reported when the harness is killed."""

    origin: EventOrigin
    reason: str = ""


@dataclass(frozen=True, slots=True)
class IgnoredEvent:
    """An event that Intaglio doesn't use."""

    name: str


HarnessEvent: TypeAlias = SessionStart | Prompt | TurnEnd | SessionEnd | IgnoredEvent


@dataclass(frozen=True, slots=True)
class TranscriptMessage:
    """A message of the user or the agent, without injected text.

    ``message_id`` is stable and unique within the harness, so that each sentence is remembered
    once. ``from_program`` is set if an interface for programs sent it; a person may use one, too.
    ``question`` is the agent's that the text answers; ``is_choice`` is set if the text is one of
    the options that the agent offered.
    """

    session: str
    message_id: str
    role: Literal["user", "assistant"]
    text: str
    time: datetime | None
    cwd: str | None
    from_program: bool = False
    question: str = ""
    is_choice: bool = False


@dataclass(frozen=True, slots=True)
class TranscriptReading:
    """The new part of a transcript; continue at ``offset``, ``more`` if the limit was reached.

    ``skipped`` counts lines that aren't records.
    """

    messages: tuple[TranscriptMessage, ...]
    offset: int
    more: bool = False
    skipped: int = 0
