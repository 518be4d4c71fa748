"""Lines of the log, where they stand, and what is looked for among them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import msgspec

LogLevel: TypeAlias = Literal["debug", "info", "warn", "error"]
LEVELS: Final[tuple[LogLevel, ...]] = ("debug", "info", "warn", "error")
"""From the least to the most severe."""

_POSITION: Final = re.compile(r"([0-9a-f]{1,32}\.[0-9a-f]{8})-([0-9a-f]{1,12})")
_NAMES: Final[Mapping[str, LogLevel]] = {
    "debug": "debug",
    "info": "info",
    "warning": "warn",
    "warn": "warn",
    "error": "error",
    "critical": "error",
}


def level_named(name: str) -> LogLevel:
    """Return the level that Python's logging, or a client, calls so; info for any other name."""
    return _NAMES.get(name, "info")


@dataclass(frozen=True, slots=True)
class LogPosition:
    """Where a line begins: its file, by its inode and first bytes, and the offset in bytes.

    It stays the same while files are rotated.
    """

    file: str
    offset: int

    def __str__(self) -> str:
        """Return the position as text, which `parse` reads."""
        return f"{self.file}-{self.offset:x}"

    @classmethod
    def parse(cls, text: str) -> "LogPosition | None":
        """Read a position; None if the text isn't one."""
        found = _POSITION.fullmatch(text)
        return cls(found[1], int(found[2], 16)) if found else None


@dataclass(frozen=True, slots=True)
class RawLine:
    """A line as it is stored, at most its first 256 KiB, without the line feed."""

    position: LogPosition
    text: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedError:
    """An exception: its type, message and traceback."""

    name: str
    message: str
    stack: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """A line of the log; ``at`` is empty and ``part`` "unreadable" for one that isn't a record."""

    position: LogPosition
    at: str
    level: LogLevel
    part: str
    message: str
    request_id: str | None = None
    duration_ms: float | None = None
    data: Mapping[str, object]
    error: LoggedError | None = None

    def as_entry(self) -> dict[str, object]:
        """Return the line as the API gives it (`wire/logs.py`), without what it lacks."""
        error = self.error
        fields = {
            "id": str(self.position),
            "timestamp": self.at,
            "level": self.level,
            "category": self.part,
            "message": self.message,
            "requestId": self.request_id,
            "data": self.data or None,
            "duration": self.duration_ms,
            "error": error and {"name": error.name, "message": error.message, "stack": error.stack},
        }
        return {name: value for name, value in fields.items() if value is not None}

    @property
    def words(self) -> str:
        """All that is searched for words."""
        fields = (
            self.part,
            self.message,
            self.request_id or "",
            msgspec.json.encode(self.data).decode(),
        )
        return "\n".join((*fields, self.error.stack if self.error else ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFilter:
    """Which lines are wanted: of this level or above, with times between two ISO times."""

    level: LogLevel = "debug"
    part: str | None = None
    since: str | None = None
    until: str | None = None
    request_id: str | None = None
    text: str = ""

    def admits(self, line: LogLine) -> bool:
        """Whether a line is wanted."""
        return (
            LEVELS.index(line.level) >= LEVELS.index(self.level)
            and self.part in (None, line.part)
            and self.request_id in (None, line.request_id)
            and (self.since is None or line.at >= self.since)
            and (self.until is None or (line.at != "" and line.at <= self.until))
            and (not self.text or self.text.casefold() in line.words.casefold())
        )


@dataclass(frozen=True, slots=True)
class LogPage:
    """Lines, newest last. ``older`` is where to go on, None at the log's beginning.

    ``end`` is where the log ended when it was read, None if there is none.
    """

    lines: tuple[LogLine, ...]
    older: LogPosition | None
    end: LogPosition | None


@dataclass(frozen=True, slots=True)
class NewLines:
    """Raw lines that follow a position, oldest first, and where they end.

    ``has_lost`` tells that lines in between were left out, as there were too many, or are gone.
    """

    lines: tuple[RawLine, ...]
    end: LogPosition | None
    has_lost: bool = False
