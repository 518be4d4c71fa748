"""Requests and replies about pausing capture. Times are ISO-8601 UTC."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from intaglio.wire.memory import PathText, ShortText

Minutes = Annotated[int, Meta(ge=1, le=10_080)]


class PauseRequest(Struct, kw_only=True):
    """How long to pause capture: one of the two fields, or neither to pause until resumed.

    ``until`` is a future time (ISO-8601, UTC without an offset) or ``tomorrow``, the next
    midnight in the daemon's time zone.
    """

    minutes: Minutes | None = None
    until: ShortText | None = None


class CaptureStatus(Struct, kw_only=True, rename="camel"):
    """Whether capture is paused, since when and until when; without ``until``, until resumed."""

    paused: bool
    since: str | None = None
    until: str | None = None


class PauseRow(Struct, kw_only=True):
    """A pause: it was ended at ``ended_at`` or else ends by itself at ``until``."""

    id: str
    started_at: str
    until: str | None
    ended_at: str | None
    asked_by: str


class SavedLineRow(Struct, kw_only=True, frozen=True):
    """A memory that capture saved, and when; ``text`` is one line, shortened."""

    id: str
    at: str
    text: str


class CapturedSince(Struct, kw_only=True, rename="camel"):
    """What capture did at or after a time, or ever if it is null.

    ``saved`` are the latest memories, newest first, at most 20; imported history isn't among them.
    ``kept`` counts the memories that it saved, ``suggested`` the suggestions that are still open,
    ``considered`` the statements that were judged, and neither saved nor suggested.
    ``session_ended_at`` is when the latest session ended; null if none has since.
    """

    since: str | None
    kept: int
    suggested: int
    considered: int
    session_ended_at: str | None
    saved: list[SavedLineRow] = []


class CapturePrecisionReply(Struct, kw_only=True):
    """What became of the latest memories, at most 30, that were saved without asking.

    Those of the last 30 days that capture would still save count. ``precision`` is the share that
    the user neither forgot nor rewrote; null without any.
    """

    lines: int
    forgotten: int
    edited: int
    precision: float | None


class CaptureReply(Struct, kw_only=True):
    """Whether capture is paused, and the latest pauses, newest first."""

    paused: bool
    since: str | None
    until: str | None
    pauses: list[PauseRow]


class CaptureTrialRequest(Struct, kw_only=True):
    """A text to judge as if a user had written it to an agent.

    ``project`` is that of the session, a directory or a name; null is one that isn't known.
    """

    text: Annotated[str, Meta(min_length=1, max_length=2_000)]
    project: PathText | None = None


class TriedStatementRow(Struct, kw_only=True):
    """A statement in the text: it would be kept, wait in the inbox, or only be considered.

    ``everywhere`` is set if it would be kept for all projects.
    """

    content: str
    type: Literal["decision", "preference", "rule", "fact", "procedural", "learning"]
    outcome: Literal["kept", "suggested", "considered"]
    everywhere: bool


class CaptureTrialReply(Struct, kw_only=True):
    """What capture would make of a text; without statements, it says nothing that lasts.

    ``told`` is exactly what the next session would be sent of what is kept, if nothing else were
    known; empty if nothing is.
    """

    statements: list[TriedStatementRow]
    told: str
