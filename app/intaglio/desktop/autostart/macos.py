"""Start at login on macOS, as a launch agent; links are declared by the application bundle."""

from pathlib import Path

from intaglio.base.files.regular_file import read_regular
from intaglio.desktop.autostart.launcher import LAUNCH_AGENT_LABEL, Launcher, launch_agent


class MacAutostart:
    """A launch agent's property list, which the system reads at the next login."""

    def __init__(self, home: Path, launcher: Launcher) -> None:
        self._launcher = launcher
        self._file = home / "Library" / "LaunchAgents" / f"{LAUNCH_AGENT_LABEL}.plist"

    def is_on(self) -> bool:
        """Return whether the property list exists."""
        return self._file.exists()

    def is_stale(self) -> bool:
        """Return whether the property list differs from what would be written now."""
        try:
            return read_regular(self._file) != launch_agent(self._launcher)
        except OSError:
            return True

    def entries(self) -> tuple[str, ...]:
        """Return the property list."""
        return (str(self._file),) if self._file.exists() else ()

    def switch(self, *, on: bool) -> None:
        """Write or remove the property list."""
        if on:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_bytes(launch_agent(self._launcher))
        else:
            self._file.unlink(missing_ok=True)
