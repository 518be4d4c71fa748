"""Start at login as a switch, with the same interface on every operating system."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from intaglio.desktop.autostart.launcher import Launcher
from intaglio.desktop.autostart.linux import LinuxAutostart
from intaglio.desktop.autostart.macos import MacAutostart
from intaglio.desktop.autostart.windows import WindowsAutostart, user_registry


class Autostart(Protocol):
    """Start at login and, where the system supports it, handling of Intaglio links."""

    def is_on(self) -> bool:
        """Return whether it is on; false too if the user disabled it in the system's settings."""
        ...

    def is_stale(self) -> bool:
        """Return whether the entries name another launcher than this one."""
        ...

    def entries(self) -> tuple[str, ...]:
        """Return the files and registry keys that `switch` would remove, also disabled ones."""
        ...

    def switch(self, *, on: bool) -> None:
        """Write or remove the entries; raises OSError if that fails."""
        ...


def autostart_for(
    platform: str, home: Path, env: Mapping[str, str], launcher: Launcher
) -> Autostart:
    """Return the switch for a platform (`sys.platform`)."""
    match platform:
        case "darwin":
            return MacAutostart(home, launcher)
        case "win32":
            return WindowsAutostart(user_registry(), launcher)
        case _:
            return LinuxAutostart(home, env, launcher)


def update_if_stale(autostart: Autostart) -> bool:
    """Rewrite the entries if they are on but outdated; returns whether they were."""
    stale = autostart.is_on() and autostart.is_stale()
    if stale:
        autostart.switch(on=True)
    return stale
