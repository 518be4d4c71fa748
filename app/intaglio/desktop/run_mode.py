"""Chooses how the desktop app runs: with an icon, without one, or headless; pure."""

from dataclasses import dataclass
from typing import TypeAlias

from intaglio.desktop.capabilities import Capabilities


@dataclass(frozen=True, slots=True)
class TrayMode:
    """With a tray icon; ``line`` is printed at the start unless empty."""

    window: bool
    line: str = ""


@dataclass(frozen=True, slots=True)
class WindowOnlyMode:
    """Without a tray icon: supervises the daemon and opens the dashboard."""

    window: bool
    line: str = ""


@dataclass(frozen=True, slots=True)
class HeadlessMode:
    """Only the daemon, in the foreground."""

    line: str = ""


RunMode: TypeAlias = TrayMode | WindowOnlyMode | HeadlessMode


def choose_run_mode(
    capabilities: Capabilities, *, headless: bool = False, no_icon: bool = False
) -> RunMode:
    """Choose by the options first, then by what this desktop supports."""
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
