"""The current settings: read at startup and again whenever the file changes."""

import asyncio
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from intaglio.base.events import Changed, Publish, SettingsChanged
from intaglio.base.settings.declaration import SettingsSection
from intaglio.base.settings.loader import read_settings
from intaglio.base.settings.reading import SettingProblem, SettingsReading
from intaglio.base.settings.values import Settings

_CHECK_INTERVAL_S: Final = 2.0


class LiveSettings:
    """Holds the current settings; a change replaces them as a whole and publishes an event.

    ``locate`` returns where the file is now. ``sections`` are those that are read. ``harnesses``
    are the harness names that may have settings (None: any).
    """

    def __init__(
        self,
        locate: Callable[[], Path],
        sections: Sequence[SettingsSection],
        publish: Publish,
        harnesses: Collection[str] | None = None,
    ) -> None:
        self._locate = locate
        self._sections = sections
        self._harnesses = harnesses
        self._publish = publish
        self._reads = threading.Lock()
        self._fingerprint = self._read_fingerprint()
        self._reading = self._read()

    def current(self) -> Settings:
        """Return the current settings."""
        return self._reading.settings

    def problems(self) -> tuple[SettingProblem, ...]:
        """Return the invalid settings."""
        return self._reading.problems

    def reading(self) -> SettingsReading:
        """Return what was read last, with the settings in use."""
        return self._reading

    def _read(self) -> SettingsReading:
        return read_settings(self._locate(), self._sections, self._harnesses)

    def _read_fingerprint(self) -> tuple[int, ...] | None:
        try:
            status = self._locate().stat()
        except OSError:
            return None
        # Two saves within a tick of the clock may have the same time and size.
        return status.st_ino, status.st_ctime_ns, status.st_mtime_ns, status.st_size

    def refresh(self) -> bool:
        """Read the file again if it has changed; return whether the settings changed.

        Whoever calls it while another thread reads the file waits for that.
        """
        with self._reads:
            return self._refresh()

    def _refresh(self) -> bool:
        fingerprint = self._read_fingerprint()
        if fingerprint == self._fingerprint:
            return False
        self._fingerprint = fingerprint
        reading = self._read()
        # An unreadable file, perhaps half-saved, must not reset the settings read before.
        if reading.file_problem is not None:
            reading = replace(reading, settings=self._reading.settings)
        if reading == self._reading:
            return False
        self._reading = reading
        return True

    async def watch(self) -> None:
        """Check every two seconds, until cancelled."""
        while True:
            await asyncio.sleep(_CHECK_INTERVAL_S)
            before = self._fingerprint
            if await asyncio.to_thread(self.refresh):
                self._publish(SettingsChanged())
            if self._fingerprint != before:
                # What pages show of the file may differ even if no setting does.
                self._publish(Changed("settings", "updated", ()))
