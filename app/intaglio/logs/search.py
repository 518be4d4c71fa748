"""Finds lines of the log, from its end back."""

from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import Final

from intaglio.logs.files import LogFiles
from intaglio.logs.lines import line_of, shown
from intaglio.logs.values import LogFilter, LogLine, LogPage, LogPosition, RawLine

_LINES_AT_ONCE: Final = 5_000
PAGE_BYTES: Final = 4_000_000
"""How many bytes of lines fill a page before its limit does."""

_OLD_LINES: Final = 1_000


def admitted(line: LogLine, wanted: LogFilter) -> LogLine | None:
    """Return the line fit to be shown, or None if it isn't wanted."""
    if not wanted.admits(line):
        return None
    line = shown(line)
    # Words are looked for in what is shown, so that no search tells a secret.
    return line if not wanted.text or wanted.admits(line) else None


@dataclass(slots=True)
class LogSearch:
    """A search in slices of some ten milliseconds, for at most ``limit`` lines before a position.

    It is complete before, too, if the lines found have ``most_bytes``.
    """

    files: LogFiles
    wanted: LogFilter
    limit: int
    position: LogPosition
    most_bytes: float = inf
    is_complete: bool = False
    _found: list[LogLine] = field(default_factory=list[LogLine])
    _has_ended: bool = False
    _bytes: int = 0
    _old: int = 0

    @classmethod
    def at_once(
        cls, files: LogFiles, wanted: LogFilter, limit: int, before: LogPosition | None = None
    ) -> LogPage:
        """Search to the end."""
        end = files.end()
        if end is None:
            return LogPage((), None, None)
        search = cls(files, wanted, limit, before or end)
        while not search.is_complete:
            search.go_on()
        return search.page(end)

    def go_on(self) -> None:
        """Look at the next lines."""
        lines = self.files.before(self.position)
        looked = 0
        for raw in islice(lines, _LINES_AT_ONCE):
            looked += 1
            self._look_at(raw)
            if self.is_complete:
                return
        if looked < _LINES_AT_ONCE:
            self._has_ended = self.is_complete = True

    def page(self, end: LogPosition) -> LogPage:
        """Return what was found; ``end`` is that of the log."""
        return LogPage(
            tuple(reversed(self._found)), None if self._has_ended else self.position, end
        )

    def _look_at(self, raw: RawLine) -> None:
        self.position = raw.position
        line = line_of(raw)
        # A clock that was set back leaves some old lines among others.
        is_old = self.wanted.since is not None and line.at < self.wanted.since
        self._old = self._old + 1 if is_old else 0
        if (wanted := admitted(line, self.wanted)) is not None:
            self._found.append(wanted)
            self._bytes += len(raw.text)
        self._has_ended = self._old >= _OLD_LINES
        self.is_complete = (
            self._has_ended or len(self._found) >= self.limit or self._bytes >= self.most_bytes
        )
