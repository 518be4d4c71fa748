"""The tray's menu for every state, as plain values without a toolkit."""

from dataclasses import dataclass
from datetime import tzinfo
from typing import Final, TypeAlias

from intaglio.base.text import clip
from intaglio.desktop.captured.captured_counts import captured_page, captured_text
from intaglio.desktop.deep_links import page_of
from intaglio.desktop.values import (
    Destination,
    OpenMemory,
    OpenPage,
    PauseDuration,
    QuickRemember,
    QuickSearch,
    Snapshot,
    UndoSaved,
)


@dataclass(frozen=True, slots=True)
class PauseCapture:
    """Pause capture."""

    duration: PauseDuration


@dataclass(frozen=True, slots=True)
class ResumeCapture:
    """Resume capture."""


@dataclass(frozen=True, slots=True)
class RestartDaemon:
    """Restart the daemon."""


@dataclass(frozen=True, slots=True)
class MovePort:
    """Move the daemon to another port."""


@dataclass(frozen=True, slots=True)
class SwitchAutostart:
    """Turn start at login on or off."""

    on: bool


@dataclass(frozen=True, slots=True)
class Quit:
    """Quit the app."""


MenuAction: TypeAlias = (
    Destination
    | UndoSaved
    | PauseCapture
    | ResumeCapture
    | RestartDaemon
    | MovePort
    | SwitchAutostart
    | Quit
)


@dataclass(frozen=True, slots=True)
class MenuLine:
    """Text that can't be chosen."""

    text: str


@dataclass(frozen=True, slots=True)
class MenuItem:
    """An item to choose; ``checked`` is None without a check mark."""

    text: str
    action: MenuAction
    checked: bool | None = None
    default: bool = False
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Submenu:
    """An item that opens more items."""

    text: str
    items: tuple[MenuItem, ...]


@dataclass(frozen=True, slots=True)
class Separator:
    """A line between groups of entries."""


MenuEntry: TypeAlias = MenuLine | MenuItem | Submenu | Separator

_PAUSES: Final[tuple[tuple[PauseDuration, str], ...]] = (
    ("15m", "For 15 minutes"),
    ("1h", "For 1 hour"),
    ("tomorrow", "Until tomorrow"),
)


_TITLE_CHARS: Final = 60
_UNDO_COUNT: Final = 5


def _status_entries(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    lines = [MenuLine(text) for text in (snapshot.line, snapshot.attention) if text]
    if snapshot.can_move_port:
        text = "Use another port (updates connected agents)"
        return (*lines, MenuItem(text, MovePort()))
    if snapshot.health == "degraded":
        return (*lines, MenuItem("Fix or restore the database…", OpenPage("status")))
    return (*lines, *_issue_entries(snapshot))


def _issue_entries(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    """Return the way to the worst issue, and to Health if there are others."""
    if not snapshot.issues:
        return ()
    worst, *others = snapshot.issues
    entry = MenuItem(f"{clip(worst.title.rstrip('.'), _TITLE_CHARS)}…", page_of(worst))
    count = "1 more issue" if len(others) == 1 else f"{len(others)} more issues"
    return (entry, MenuItem(f"{count}…", OpenPage("status"))) if others else (entry,)


def _captured_entries(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    """Return the way to what was captured since the dashboard was last opened, if anything was."""
    text = captured_text(snapshot.kept, snapshot.suggested)
    entries = (MenuItem(text, captured_page(snapshot.suggested)),) if text else ()
    return (*entries, *_undo_entries(snapshot))


def _undo_entries(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    """Return the lines that were saved since then, to be undone one by one."""
    items = tuple(
        MenuItem(clip(one.text, _TITLE_CHARS), UndoSaved((one.id,)))
        for one in snapshot.saved[:_UNDO_COUNT]
    )
    return (Submenu("Undo a saved line", items),) if items else ()


def _recent_memories(snapshot: Snapshot) -> MenuEntry:
    if not snapshot.recent:
        return MenuLine("No recent memories")
    items = tuple(MenuItem(one.title, OpenMemory(one.id)) for one in snapshot.recent)
    return Submenu("Recent memories", items)


def _capture_entry(snapshot: Snapshot, zone: tzinfo | None) -> MenuEntry:
    if snapshot.paused:
        until = snapshot.paused_until
        ends = f" (paused until {until.astimezone(zone):%a %H:%M})" if until else ""
        return MenuItem(f"Resume capture{ends}", ResumeCapture())
    if snapshot.health is None:
        return MenuLine("Pause capture")
    return Submenu(
        "Pause capture", tuple(MenuItem(text, PauseCapture(span)) for span, text in _PAUSES)
    )


def _autostart_entries(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    on = snapshot.autostart
    return () if on is None else (MenuItem("Start at login", SwitchAutostart(not on), checked=on),)


def _inbox_entries(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    """Return the way to what waits for a decision; nothing where nothing waits."""
    count = snapshot.inbox
    return (MenuItem(f"Inbox ({count:,})…", OpenPage("inbox")),) if count else ()


def menu_of(snapshot: Snapshot, *, zone: tzinfo | None = None) -> tuple[MenuEntry, ...]:
    """Return the menu for a snapshot; times are in ``zone``, None for the machine's own."""
    return (
        *_status_entries(snapshot),
        *_captured_entries(snapshot),
        Separator(),
        MenuItem("Open Intaglio", OpenPage(), default=True),
        MenuItem("Open constellation", OpenPage("constellation")),
        MenuItem("Quick remember…", QuickRemember()),
        MenuItem("Search…", QuickSearch()),
        _recent_memories(snapshot),
        *_inbox_entries(snapshot),
        Separator(),
        _capture_entry(snapshot, zone),
        MenuItem("Restart daemon", RestartDaemon(), enabled=snapshot.daemon != "restarting"),
        *_autostart_entries(snapshot),
        MenuItem("Connect an agent…", OpenPage("connect")),
        MenuItem("Settings…", OpenPage("settings")),
        MenuItem("Help", OpenPage("help")),
        Separator(),
        MenuItem(snapshot.quit_label, Quit()),
    )
