"""Harness-independent session events, and where transcripts are."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias


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
class Compaction:
    """The conversation is about to be summarized, and its details lost to the agent.

    What the session is told again afterwards is asked for by a `SessionStart` with ``compact``.
    """

    origin: EventOrigin


@dataclass(frozen=True, slots=True)
class CompactionEnd:
    """The conversation was summarized; ``summary`` is empty if the harness doesn't say it."""

    origin: EventOrigin
    summary: str = ""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The agent used a tool; ``tool`` is its name, empty if it isn't known.

    ``edited`` is the path of the file that it changed, empty if it changed none.
    """

    origin: EventOrigin
    tool: str = ""
    edited: str = ""


@dataclass(frozen=True, slots=True)
class SubagentStart:
    """A subagent starts; ``agent_id`` of the origin is the subagent's."""

    origin: EventOrigin


@dataclass(frozen=True, slots=True)
class SubagentStop:
    """A subagent has finished; ``agent_id`` of the origin is the subagent's."""

    origin: EventOrigin


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


SessionEvent: TypeAlias = (
    SessionStart
    | Prompt
    | Compaction
    | CompactionEnd
    | ToolUse
    | SubagentStart
    | SubagentStop
    | TurnEnd
    | SessionEnd
)

HarnessEvent: TypeAlias = SessionEvent | IgnoredEvent


@dataclass(frozen=True, slots=True)
class Transcript:
    """The file that a session's transcript is in; one file may hold those of several sessions."""

    path: Path
    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTranscript:
    """A session whose transcript is kept; its id is the one that hooks report.

    ``size`` is about how many bytes its transcript has, ``modified`` when it was last written.
    ``started`` and ``cwd`` are when and in which directory it began, None if that isn't known.
    ``expires_at`` is when the harness deletes the transcript, None for never. ``end`` is the
    position at its end, None if that isn't known without reading it.
    """

    transcript: Transcript
    size: int
    modified: datetime
    started: datetime | None = None
    cwd: str | None = None
    expires_at: datetime | None = None
    end: str | None = None

    @property
    def order(self) -> tuple[datetime, datetime, str]:
        """What sessions are sorted by: beginnings, and a continued one after what it continues."""
        return self.started or self.modified, self.modified, self.transcript.session
