"""How the desk runs here: with an icon, without one, or not at all; pure."""

from dataclasses import dataclass
from typing import TypeAlias

from intaglio.desktop.capabilities import Capabilities


@dataclass(frozen=True, slots=True)
class TrayMode:
    """With an icon. ``line`` is what to say at the start, if anything."""

    window: bool
    line: str = ""


@dataclass(frozen=True, slots=True)
class WindowOnlyMode:
    """The daemon is looked after, and the dashboard opens; there is no icon."""

    window: bool
    line: str = ""


@dataclass(frozen=True, slots=True)
class HeadlessMode:
    """The daemon alone, in the foreground."""

    line: str = ""


RunMode: TypeAlias = TrayMode | WindowOnlyMode | HeadlessMode


def choose_run_mode(
    capabilities: Capabilities, *, headless: bool = False, no_icon: bool = False
) -> RunMode:
    """Choose by what was asked for, then by what is there."""
    if headless:
        return HeadlessMode()
    if no_icon:
        return WindowOnlyMode(capabilities.window)
    match capabilities.missing:
        case "screen":
            return HeadlessMode(capabilities.message)
        case None:
            return TrayMode(capabilities.window, capabilities.message)
        case _:
            return WindowOnlyMode(capabilities.window, capabilities.message)
