"""Start at login on macOS: a launch agent. Links need an application bundle, which is not here."""

from pathlib import Path

from intaglio.desktop.autostart.launcher import LABEL, Launcher, launch_agent


class MacAutostart:
    """A launch agent's property list; the system reads it at the next login."""

    def __init__(self, home: Path, launcher: Launcher) -> None:
        self._launcher = launcher
        self._file = home / "Library" / "LaunchAgents" / f"{LABEL}.plist"

    def is_on(self) -> bool:
        """Tell whether the list is there."""
        return self._file.exists()

    def is_stale(self) -> bool:
        """Tell whether the list differs from what would be written now."""
        try:
            return self._file.read_bytes() != launch_agent(self._launcher)
        except OSError:
            return True

    def switch(self, *, on: bool) -> None:
        """Write the list, or remove it."""
        if on:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_bytes(launch_agent(self._launcher))
        else:
            self._file.unlink(missing_ok=True)
