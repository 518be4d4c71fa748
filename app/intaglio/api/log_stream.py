"""Streams the log's new lines to clients as server-sent events."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import msgspec

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.logs.daemon_log import DaemonLog
from intaglio.logs.values import LogFilter, LogLine, LogPosition

MAX_LOG_STREAMS: Final = 8
_LOOKS_UNTIL_KEEP_ALIVE: Final = 30
_CONNECTED: Final = b'data: {"type":"connected"}\n\n'


def _event(line: LogLine) -> bytes:
    data = msgspec.json.encode(line.as_entry())
    return f"id: {line.position}\ndata: ".encode() + data + b"\n\n"


class LogStreams:
    """Counts the open streams, and ends them when the daemon stops."""

    def __init__(self, log: DaemonLog, clock: Clock, stopping: asyncio.Event) -> None:
        self._log = log
        self._clock = clock
        self._stopping = stopping
        self._open = 0

    def open(self, wanted: LogFilter, after: LogPosition | None) -> AsyncGenerator[bytes]:
        """Open a stream of lines after a position; raises UnavailableError over the limit.

        A client that doesn't keep up loses lines and is told so by an entry of its own.
        """
        if self._open >= MAX_LOG_STREAMS:
            raise UnavailableError(
                f"Too many open log streams (limit {MAX_LOG_STREAMS})",
                hint="Close a window that follows the log.",
            )
        return self._run(wanted, after)

    async def _run(self, wanted: LogFilter, after: LogPosition | None) -> AsyncGenerator[bytes]:
        self._open += 1
        looks = 0
        try:
            yield _CONNECTED
            async with aclosing(self._log.follow(wanted, after, self._stopping)) as news:
                async for added in news:
                    looks += 1
                    if added.has_lost and added.end is not None:
                        yield _event(self._lost(added.end))
                    for line in added.lines:
                        yield _event(line)
                    if looks % _LOOKS_UNTIL_KEEP_ALIVE == 0:
                        # Lines that aren't wanted move the place to go on from, too.
                        yield f"id: {added.end or ''}\n\n".encode()
        finally:
            self._open -= 1

    def _lost(self, end: LogPosition) -> LogLine:
        return LogLine(
            position=end,
            at=iso(self._clock()),
            level="warn",
            part="logs",
            message="Lines were left out here: there were more than this client could read.",
            data={},
        )
