"""Start at login as a switch: the same interface on every operating system."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from intaglio.desktop.autostart.launcher import Launcher
from intaglio.desktop.autostart.linux import LinuxAutostart
from intaglio.desktop.autostart.macos import MacAutostart
from intaglio.desktop.autostart.windows import WindowsAutostart, user_registry


class Autostart(Protocol):
    """Whether the desk starts at login; where the system can, links to Intaglio go along."""

    def is_on(self) -> bool:
        """Tell whether it does; not where the user switched it off in the system's own settings."""
        ...

    def is_stale(self) -> bool:
        """Tell whether what is written names another launcher than this one."""
        ...

    def switch(self, *, on: bool) -> None:
        """Write or remove what the system reads; raises OSError where that cannot be."""
        ...


def autostart_for(
    platform: str, home: Path, env: Mapping[str, str], launcher: Launcher
) -> Autostart:
    """Return the switch of a platform (`sys.platform`)."""
    match platform:
        case "darwin":
            return MacAutostart(home, launcher)
        case "win32":
            return WindowsAutostart(user_registry(), launcher)
        case _:
            return LinuxAutostart(home, env, launcher)


def renew(autostart: Autostart) -> bool:
    """Write it anew when it is on but starts something that moved; tell whether that was so."""
    stale = autostart.is_on() and autostart.is_stale()
    if stale:
        autostart.switch(on=True)
    return stale
