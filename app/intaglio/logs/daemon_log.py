"""The daemon's log for its clients: pages, and a stream of what is added."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.logs.files import LogFiles
from intaglio.logs.lines import line_of
from intaglio.logs.search import PAGE_BYTES, LogSearch, admitted
from intaglio.logs.values import LogFilter, LogLine, LogPage, LogPosition

LOOK_EVERY_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class Added:
    """Lines that were added, oldest first; ``end`` is where the log ends after them.

    ``has_lost`` tells that lines before them were left out.
    """

    lines: Sequence[LogLine]
    end: LogPosition | None
    has_lost: bool


@dataclass(frozen=True, slots=True)
class DaemonLog:
    """Reads in threads; one search at a time, so that many can't occupy all of them."""

    files: LogFiles
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def page(self, wanted: LogFilter, limit: int, before: LogPosition | None) -> LogPage:
        """Return the newest lines that are wanted, or those before a position."""
        end = await asyncio.to_thread(self.files.end)
        if end is None:
            return LogPage((), None, None)
        search = LogSearch(self.files, wanted, limit, before or end, PAGE_BYTES)
        while not search.is_complete:
            async with self._turn:
                await asyncio.to_thread(search.go_on)
        return search.page(end)

    async def follow(
        self, wanted: LogFilter, after: LogPosition | None, stopping: asyncio.Event
    ) -> AsyncGenerator[Added]:
        """Yield what is added after a position (default: from now on), until ``stopping``.

        Yields at each look, whether or not there is something. What a slow reader hasn't taken
        stays in the files; if that is more than a megabyte, it is left out.
        """
        end = after or await asyncio.to_thread(self.files.end)
        while not stopping.is_set():
            added, is_more = await asyncio.to_thread(self._added, wanted, end)
            yield added
            end = added.end
            if not is_more:
                try:
                    async with asyncio.timeout(LOOK_EVERY_S):
                        await stopping.wait()
                except TimeoutError:
                    continue

    def _added(self, wanted: LogFilter, after: LogPosition | None) -> tuple[Added, bool]:
        new = self.files.after(after)
        lines = [line for raw in new.lines if (line := admitted(line_of(raw), wanted)) is not None]
        return Added(lines, new.end, new.has_lost), new.end != after
