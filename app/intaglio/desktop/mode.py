"""How the desk runs here: with an icon, without one, or not at all; pure."""

from dataclasses import dataclass
from typing import TypeAlias

from intaglio.desktop.ground import Ground


@dataclass(frozen=True, slots=True)
class Tray:
    """With an icon. ``line`` is what to say at the start, if anything."""

    window: bool
    line: str = ""


@dataclass(frozen=True, slots=True)
class NoIcon:
    """The daemon is looked after, and the dashboard opens; there is no icon."""

    window: bool
    line: str = ""


@dataclass(frozen=True, slots=True)
class Headless:
    """The daemon alone, in the foreground."""

    line: str = ""


Mode: TypeAlias = Tray | NoIcon | Headless


def choose_mode(ground: Ground, *, headless: bool = False, no_icon: bool = False) -> Mode:
    """Choose by what was asked for, then by what is there."""
    if headless:
        return Headless()
    if no_icon:
        return NoIcon(ground.window)
    match ground.lack:
        case "screen":
            return Headless(ground.line)
        case None:
            return Tray(ground.window, ground.line)
        case _:
            return NoIcon(ground.window, ground.line)
