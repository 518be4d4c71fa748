"""What the tray's menu says in every state, as plain values; no toolkit here."""

from dataclasses import dataclass
from datetime import tzinfo
from typing import Final, TypeAlias

from intaglio.desktop.values import (
    OpenMemory,
    OpenPage,
    PauseFor,
    QuickRemember,
    QuickSearch,
    Show,
    Snapshot,
)


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop capturing for a while."""

    how_long: PauseFor


@dataclass(frozen=True, slots=True)
class Resume:
    """Capture again."""


@dataclass(frozen=True, slots=True)
class Restart:
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


Action: TypeAlias = Show | Pause | Resume | Restart | MovePort | SwitchAutostart | Quit


@dataclass(frozen=True, slots=True)
class Line:
    """Text that nothing happens on."""

    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """Something to choose; ``checked`` is None where there is nothing to tick."""

    text: str
    action: Action
    checked: bool | None = None
    default: bool = False
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """A menu in the menu."""

    text: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line between groups of entries."""


Entry: TypeAlias = Line | Item | Group | Rule

_PAUSES: Final[tuple[tuple[PauseFor, str], ...]] = (
    ("15m", "For 15 minutes"),
    ("1h", "For 1 hour"),
    ("tomorrow", "Until tomorrow"),
)


def _state(snapshot: Snapshot) -> tuple[Entry, ...]:
    lines = [Line(text) for text in (snapshot.line, snapshot.attention) if text]
    if snapshot.can_move_port:
        text = "Use another port, and tell the connected harnesses"
        return (*lines, Item(text, MovePort()))
    return tuple(lines)


def _recent(snapshot: Snapshot) -> Entry:
    if not snapshot.recent:
        return Line("No recent memories")
    items = tuple(Item(one.title, OpenMemory(one.id)) for one in snapshot.recent)
    return Group("Recent memories", items)


def _capture(snapshot: Snapshot, zone: tzinfo | None) -> Entry:
    if snapshot.paused:
        until = snapshot.paused_until
        ends = f" (paused until {until.astimezone(zone):%a %H:%M})" if until else ""
        return Item(f"Resume capture{ends}", Resume())
    if snapshot.health is None:
        return Line("Pause capture")
    return Group("Pause capture", tuple(Item(text, Pause(span)) for span, text in _PAUSES))


def _login(snapshot: Snapshot) -> tuple[Entry, ...]:
    on = snapshot.autostart
    return () if on is None else (Item("Start at login", SwitchAutostart(not on), checked=on),)


def menu_of(snapshot: Snapshot, *, zone: tzinfo | None = None) -> tuple[Entry, ...]:
    """Write the menu for a state; times are told in ``zone``, the machine's own when it is None."""
    return (
        *_state(snapshot),
        Rule(),
        Item("Open Intaglio", OpenPage(), default=True),
        Item("Quick remember…", QuickRemember()),
        Item("Search…", QuickSearch()),
        _recent(snapshot),
        Rule(),
        _capture(snapshot, zone),
        Item("Restart daemon", Restart(), enabled=snapshot.daemon != "restarting"),
        *_login(snapshot),
        Item("Connect an agent…", OpenPage("connect")),
        Item("Help", OpenPage("help")),
        Rule(),
        Item(snapshot.quit_says, Quit()),
    )
