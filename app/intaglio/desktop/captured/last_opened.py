"""Remembers when the user last opened the dashboard, also across restarts."""

from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.clock import Clock, iso, parse_moment
from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import write_private

_MAX_BYTES: Final = 1_000


class _Saved(msgspec.Struct, frozen=True):
    at: str


class LastOpened:
    """The moment, saved in a file; at first, when the app started for the first time.

    It may be read from any thread. Errors on saving are ignored, since only counts depend on it.
    """

    def __init__(self, file: Path, clock: Clock) -> None:
        self._file = file
        self._clock = clock
        self._at = self._read()
        if not self._at:
            self.note()

    @property
    def at(self) -> str:
        """The moment, as ISO-8601 UTC."""
        return self._at

    def note(self) -> None:
        """Record that the user opens it now."""
        self._at = iso(self._clock())
        try:
            write_private(self._file, msgspec.json.encode(_Saved(self._at)))
        except OSError:
            return

    def _read(self) -> str:
        """Return the saved moment; empty without one, or if the clock was ahead when it was."""
        try:
            saved = msgspec.json.decode(read_regular(self._file, _MAX_BYTES), type=_Saved)
        except (OSError, msgspec.DecodeError):
            return ""
        moment = parse_moment(saved.at)
        return iso(moment) if moment is not None and moment <= self._clock() else ""
