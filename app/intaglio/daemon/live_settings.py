"""The settings of this moment: read at the start, read anew when the file changes."""

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import Final

from intaglio.base.events import Publish, SettingsChanged
from intaglio.base.settings.loader import read_settings
from intaglio.base.settings.schema import SettingProblem, Settings

_EVERY_S: Final = 2.0


class LiveSettings:
    """Holds the settings; a change replaces them as a whole and is announced.

    ``harnesses`` names those that may have settings (None: any).
    """

    def __init__(
        self, file: Path, publish: Publish, harnesses: Collection[str] | None = None
    ) -> None:
        self._file = file
        self._harnesses = harnesses
        self._publish = publish
        self._mark = self._look()
        self._settings: Settings
        self._problems: tuple[SettingProblem, ...]
        self._settings, self._problems = read_settings(file, harnesses)

    def current(self) -> Settings:
        """Return the settings of this moment."""
        return self._settings

    def problems(self) -> tuple[SettingProblem, ...]:
        """Return what could not be taken as written."""
        return self._problems

    def _look(self) -> tuple[int, int] | None:
        try:
            status = self._file.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def refresh(self) -> bool:
        """Read the file when it looks different; tell whether the settings are other ones."""
        mark = self._look()
        if mark == self._mark:
            return False
        self._mark = mark
        settings, problems = read_settings(self._file, self._harnesses)
        # A file that cannot be read at all, half saved perhaps, must not undo what it said before.
        if any(problem.key == str(self._file) for problem in problems):
            settings = self._settings
        if (settings, problems) == (self._settings, self._problems):
            return False
        self._settings, self._problems = settings, problems
        return True

    async def watch(self) -> None:
        """Look every two seconds, until cancelled."""
        while True:
            await asyncio.sleep(_EVERY_S)
            if await asyncio.to_thread(self.refresh):
                self._publish(SettingsChanged())
