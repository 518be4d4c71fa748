"""What the tray's menu says in every state, as plain values; no toolkit here."""

from dataclasses import dataclass
from datetime import tzinfo
from typing import Final, TypeAlias

from intaglio.desktop.values import (
    Destination,
    OpenMemory,
    OpenPage,
    PauseFor,
    QuickRemember,
    QuickSearch,
    Snapshot,
)


@dataclass(frozen=True, slots=True)
class PauseCapture:
    """Stop capturing for a while."""

    how_long: PauseFor


@dataclass(frozen=True, slots=True)
class ResumeCapture:
    """Capture again."""


@dataclass(frozen=True, slots=True)
class RestartDaemon:
    """End the daemon and start a new one."""


@dataclass(frozen=True, slots=True)
class MovePort:
    """Take another port; the user agrees by choosing it."""


@dataclass(frozen=True, slots=True)
class SwitchAutostart:
    """Start at login, or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave."""


MenuAction: TypeAlias = (
    Destination | PauseCapture | ResumeCapture | RestartDaemon | MovePort | SwitchAutostart | Quit
)


@dataclass(frozen=True, slots=True)
class MenuLine:
    """Text that nothing happens on."""

    text: str


@dataclass(frozen=True, slots=True)
class MenuItem:
    """Something to choose; ``checked`` is None where there is nothing to tick."""

    text: str
    action: MenuAction
    checked: bool | None = None
    default: bool = False
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Submenu:
    """A menu in the menu."""

    text: str
    items: tuple[MenuItem, ...]


@dataclass(frozen=True, slots=True)
class Separator:
    """A line between groups of entries."""


MenuEntry: TypeAlias = MenuLine | MenuItem | Submenu | Separator

_PAUSES: Final[tuple[tuple[PauseFor, str], ...]] = (
    ("15m", "For 15 minutes"),
    ("1h", "For 1 hour"),
    ("tomorrow", "Until tomorrow"),
)


def _state(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    lines = [MenuLine(text) for text in (snapshot.line, snapshot.attention) if text]
    if snapshot.can_move_port:
        text = "Use another port, and tell the connected harnesses"
        return (*lines, MenuItem(text, MovePort()))
    return tuple(lines)


def _recent(snapshot: Snapshot) -> MenuEntry:
    if not snapshot.recent:
        return MenuLine("No recent memories")
    items = tuple(MenuItem(one.title, OpenMemory(one.id)) for one in snapshot.recent)
    return Submenu("Recent memories", items)


def _capture(snapshot: Snapshot, zone: tzinfo | None) -> MenuEntry:
    if snapshot.paused:
        until = snapshot.paused_until
        ends = f" (paused until {until.astimezone(zone):%a %H:%M})" if until else ""
        return MenuItem(f"Resume capture{ends}", ResumeCapture())
    if snapshot.health is None:
        return MenuLine("Pause capture")
    return Submenu(
        "Pause capture", tuple(MenuItem(text, PauseCapture(span)) for span, text in _PAUSES)
    )


def _login(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    on = snapshot.autostart
    return () if on is None else (MenuItem("Start at login", SwitchAutostart(not on), checked=on),)


def menu_of(snapshot: Snapshot, *, zone: tzinfo | None = None) -> tuple[MenuEntry, ...]:
    """Write the menu for a state; times are told in ``zone``, the machine's own when it is None."""
    return (
        *_state(snapshot),
        Separator(),
        MenuItem("Open Intaglio", OpenPage(), default=True),
        MenuItem("Quick remember…", QuickRemember()),
        MenuItem("Search…", QuickSearch()),
        _recent(snapshot),
        Separator(),
        _capture(snapshot, zone),
        MenuItem("Restart daemon", RestartDaemon(), enabled=snapshot.daemon != "restarting"),
        *_login(snapshot),
        MenuItem("Connect an agent…", OpenPage("connect")),
        MenuItem("Help", OpenPage("help")),
        Separator(),
        MenuItem(snapshot.quit_says, Quit()),
    )
