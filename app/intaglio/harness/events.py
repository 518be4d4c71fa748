"""What harnesses tell, as values that no longer show which harness it was."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOrigin:
    """Where an event comes from: session, directory, transcript.

    ``agent_id`` is set inside a subagent only.
    """

    session: str
    cwd: str | None = None
    transcript: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True)
class SessionStart:
    """A session begins; ``source`` says how: startup, resume, clear, compact, fork."""

    origin: EventOrigin
    source: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt was sent; ``by_user`` is False for what a schedule or the harness itself sent."""

    origin: EventOrigin
    text: str
    by_user: bool = True
    prompt_id: str | None = None


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The agent finished its turn; the transcript may lag a little behind."""

    origin: EventOrigin


@dataclass(frozen=True, slots=True)
class SessionEnd:
    """A session ended; not told when the harness is killed."""

    origin: EventOrigin
    reason: str = ""


@dataclass(frozen=True, slots=True)
class IgnoredEvent:
    """An event that means nothing to us."""

    name: str


HarnessEvent: TypeAlias = SessionStart | Prompt | TurnEnd | SessionEnd | IgnoredEvent


@dataclass(frozen=True, slots=True)
class TranscriptMessage:
    """What the user or the agent said, without anything that was injected.

    ``message_id`` is the same at each reading and no other message of the harness has it: a
    sentence is remembered once for each.
    """

    session: str
    message_id: str
    role: Literal["user", "assistant"]
    text: str
    time: datetime | None
    cwd: str | None


@dataclass(frozen=True, slots=True)
class TranscriptReading:
    """The new part of a transcript: read on from ``offset``; ``more`` where the limit cut it.

    ``skipped`` counts lines that are too long or no records.
    """

    messages: tuple[TranscriptMessage, ...]
    offset: int
    more: bool = False
    skipped: int = 0
