"""Replies of the log's endpoints."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct


class LogErrorRow(Struct, kw_only=True):
    """An exception: its type, message and traceback."""

    name: str
    message: str
    stack: str


class LogRow(Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """A line of the log.

    ``id`` names the line for as long as it is kept. ``category`` is the part of the program that
    wrote it, ``unreadable`` for a line that is no record; such a line has no ``timestamp``.
    ``duration`` is in milliseconds.
    """

    id: str
    timestamp: str
    level: Literal["debug", "info", "warn", "error"]
    category: str
    message: str
    request_id: str | None = None
    data: Mapping[str, object] | None = None
    duration: float | None = None
    error: LogErrorRow | None = None


class LogList(Struct, kw_only=True, rename="camel"):
    """Lines of the log, newest last.

    ``nextCursor`` leads to older lines, null if there are none; ``end`` is where a stream goes on,
    null without a log.
    """

    logs: list[LogRow]
    count: int
    next_cursor: str | None
    end: str | None
