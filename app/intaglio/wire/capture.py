"""Whether hooks capture what is said, and the pauses of it. Times are ISO-8601 UTC."""

from typing import Annotated

from msgspec import Meta, Struct

from intaglio.wire.memory import ShortText

Minutes = Annotated[int, Meta(ge=1, le=10_080)]


class PauseRequest(Struct, kw_only=True):
    """How long hooks are to keep nothing: one of the two, or neither, which is until resumed.

    ``until`` is a moment to come (ISO-8601, UTC where no offset is given) or ``tomorrow``, the
    next midnight of the daemon's own clock.
    """

    minutes: Minutes | None = None
    until: ShortText | None = None


class CaptureStatus(Struct, kw_only=True, rename="camel"):
    """Whether capture is paused, since when, and until when; no ``until`` is until resumed."""

    paused: bool
    since: str | None = None
    until: str | None = None


class PauseRow(Struct, kw_only=True):
    """One pause: it ended at ``ended_at`` or, without that, ends by itself at ``until``."""

    id: str
    started_at: str
    until: str | None
    ended_at: str | None
    asked_by: str


class CaptureReply(Struct, kw_only=True):
    """Whether capture is paused, and the latest pauses, newest first."""

    paused: bool
    since: str | None
    until: str | None
    pauses: list[PauseRow]
