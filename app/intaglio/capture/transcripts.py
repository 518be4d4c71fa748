"""Messages of a session's transcript, from the harness that reads them to capture."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class TranscriptMessage:
    """A message of the user or the agent, without injected text.

    ``message_id`` is stable and unique within the harness, so that each sentence is remembered
    once. ``from_program`` is set if an interface for programs sent it; a person may use one, too.
    ``question`` is the agent's that the text answers; ``is_choice`` is set if the text is one of
    the options that the agent offered. ``session`` is that of the message: a continued session's
    transcript can begin with the messages of the former one.
    """

    message_id: str
    role: Literal["user", "assistant"]
    text: str
    time: datetime | None = None
    cwd: str | None = None
    from_program: bool = False
    question: str = ""
    is_choice: bool = False
    session: str = ""


@dataclass(frozen=True, slots=True)
class HarnessTitle:
    """The title that a harness gave a session, or its user; ``session`` is empty if it isn't said.

    It is text from outside: shortened and cleaned before it is stored, and shown only to people.
    """

    text: str
    by_user: bool = False
    session: str = ""


@dataclass(frozen=True, slots=True)
class TranscriptReading:
    """The new messages of a transcript; continue at ``position``, ``more`` if a limit was reached.

    The position is the harness's own: only the harness that returned it can read it. It's empty at
    the transcript's start. ``preceding`` are some messages before the new ones, which were read
    already. ``skipped`` counts records that couldn't be read. ``title`` is the session's, if the
    part that was read gives it one.
    """

    messages: tuple[TranscriptMessage, ...]
    position: str
    more: bool = False
    skipped: int = 0
    preceding: tuple[TranscriptMessage, ...] = ()
    title: HarnessTitle | None = None

    @property
    def last_time(self) -> datetime | None:
        """The time of the last message that has one."""
        return next((each.time for each in reversed(self.messages) if each.time), None)


@dataclass(frozen=True, slots=True)
class CaptureLimits:
    """What may become of what is captured.

    With ``asks_first`` all of it is only suggested. Without ``asks`` nothing reaches the inbox:
    what would be suggested is recorded as considered.
    """

    asks_first: bool = False
    asks: bool = True


_NO_LIMITS: Final = CaptureLimits()


@dataclass(frozen=True, slots=True)
class TurnReport:
    """How a turn's messages were reported.

    ``since`` is a time before all of them were written, if known; ``reported_at`` is when the
    harness reported them (None: now). ``read_at`` is when their reading started. ``harness`` is the
    transcript's harness if the client sent a different name. ``limits`` are those of an import.
    """

    since: datetime | None = None
    reported_at: datetime | None = None
    read_at: datetime | None = None
    harness: str | None = None
    limits: CaptureLimits = _NO_LIMITS
