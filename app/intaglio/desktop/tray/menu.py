"""The tray's menu for every state, as plain values without a toolkit."""

from dataclasses import dataclass
from datetime import tzinfo
from typing import Final, TypeAlias
from urllib.parse import quote

from intaglio.base.text import clip
from intaglio.desktop.captured.captured_counts import captured_page, captured_text
from intaglio.desktop.deep_links import page_of
from intaglio.desktop.values import (
    Destination,
    HotkeyName,
    MenuAgent,
    OpenAddress,
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
class RestartApp:
    """Quit the app and start it again, as the version that is on disk."""


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
    | RestartApp
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
class Separator:
    """A line between groups of entries."""


@dataclass(frozen=True, slots=True)
class Submenu:
    """An item that opens more items."""

    text: str
    items: tuple[MenuItem | Separator, ...]


MenuEntry: TypeAlias = MenuLine | MenuItem | Submenu | Separator

_PAUSES: Final[tuple[tuple[PauseDuration, str], ...]] = (
    ("15m", "For 15 minutes"),
    ("1h", "For 1 hour"),
    ("tomorrow", "Until tomorrow"),
)


HOTKEY_PAGES: Final[dict[HotkeyName, str]] = {
    "remember": "/settings/desktop.hotkeyRemember",
    "search": "/settings/desktop.hotkeySearch",
}
_TITLE_CHARS: Final = 60
_LINE_CHARS: Final = 44
_SAVED_COUNT: Final = 3
_SESSION_COUNT: Final = 5


def _status_entries(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    lines: list[MenuEntry] = [
        MenuLine(text) for text in (snapshot.answer, snapshot.line, snapshot.attention) if text
    ]
    if snapshot.update_to:
        lines.append(MenuItem("Restart to finish the update", RestartApp()))
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


def _hotkey_entries(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    """Return the way to the settings of shortcuts that don't work."""
    return tuple(
        MenuItem(f"Shortcut {one.keys} doesn't work…", OpenAddress(HOTKEY_PAGES[one.name]))
        for one in snapshot.hotkeys
        if one.problem
    )


def _captured_entries(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    """Return the way to what was captured since the dashboard was last opened, if anything was."""
    text = captured_text(snapshot.kept, snapshot.suggested)
    return (MenuItem(text, captured_page(snapshot.suggested)),) if text else ()


def _saved_entries(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    """Return the lines that capture saved last, each with a way to undo it."""
    lines = tuple(
        Submenu(
            f"Saved: {clip(one.text, _LINE_CHARS)}",
            (MenuItem("Undo", UndoSaved((one.id,))), MenuItem("Open", OpenMemory(one.id))),
        )
        for one in snapshot.saved[:_SAVED_COUNT]
    )
    return (Separator(), *lines) if lines else ()


def _session_entries(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    """Return the sessions that are open now, if any is."""
    count = len(snapshot.sessions)
    if not count:
        return ()
    names = {agent.harness: agent.label for agent in snapshot.agents}
    items = tuple(
        MenuItem(
            f"{clip(one.title, _LINE_CHARS)} · {names.get(one.harness, one.harness)}",
            OpenAddress(f"/sessions/{quote(one.id, safe='')}"),
        )
        for one in snapshot.sessions[:_SESSION_COUNT]
    )
    every = (Separator(), MenuItem("All sessions…", OpenAddress("/sessions")))
    return (Submenu("1 session now" if count == 1 else f"{count} sessions now", (*items, *every)),)


def _agent_entry(snapshot: Snapshot) -> MenuEntry:
    """Return the agents with their states, and the way to connect another one."""
    connect = MenuItem("Connect an agent…", OpenPage("connect"))
    if not snapshot.agents:
        return connect
    lines = tuple(
        MenuItem(f"{agent.label}: {_agent_state(agent, snapshot)}", OpenPage("connect"))
        for agent in snapshot.agents
    )
    connected = sum(agent.connected for agent in snapshot.agents)
    text = f"Agents ({connected} connected)" if connected else "Agents"
    return Submenu(text, (*lines, Separator(), connect))


def _agent_state(agent: MenuAgent, snapshot: Snapshot) -> str:
    """Say how an agent is, and how many sessions of it are open."""
    state = agent.state[:1].lower() + agent.state[1:]
    count = sum(one.harness == agent.harness for one in snapshot.sessions)
    return state if not count else f"{state}, {count} session{'s' if count > 1 else ''}"


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


def _restart_entry(snapshot: Snapshot) -> MenuItem:
    is_possible = snapshot.daemon != "restarting"
    return MenuItem("Restart daemon", RestartDaemon(), enabled=is_possible)


def _more_entry(snapshot: Snapshot) -> Submenu:
    """Return what is seldom needed; restarting isn't among it when it's what helps."""
    on = snapshot.autostart
    autostart = MenuItem("Start at login", SwitchAutostart(not on), checked=on)
    return Submenu(
        "More",
        (
            *(() if on is None else (autostart,)),
            *((_restart_entry(snapshot),) if snapshot.daemon == "running" else ()),
            MenuItem("Help", OpenPage("help")),
        ),
    )


def _inbox_entries(snapshot: Snapshot) -> tuple[MenuEntry, ...]:
    """Return the way to what waits for a decision; nothing where nothing waits."""
    count = snapshot.inbox
    return (MenuItem(f"Inbox ({count:,})…", OpenPage("inbox")),) if count else ()


def menu_of(snapshot: Snapshot, *, zone: tzinfo | None = None) -> tuple[MenuEntry, ...]:
    """Return the menu for a snapshot; times are in ``zone``, None for the machine's own."""
    keys = {one.name: f" ({one.keys})" for one in snapshot.hotkeys if not one.problem}
    return (
        *_status_entries(snapshot),
        *_hotkey_entries(snapshot),
        *_session_entries(snapshot),
        *_captured_entries(snapshot),
        *_saved_entries(snapshot),
        Separator(),
        MenuItem("Open Intaglio", OpenPage(), default=True),
        MenuItem("Open constellation", OpenPage("constellation")),
        MenuItem(f"Quick remember…{keys.get('remember', '')}", QuickRemember()),
        MenuItem(f"Search…{keys.get('search', '')}", QuickSearch()),
        _recent_memories(snapshot),
        *_inbox_entries(snapshot),
        Separator(),
        _agent_entry(snapshot),
        _capture_entry(snapshot, zone),
        *(() if snapshot.daemon == "running" else (_restart_entry(snapshot),)),
        MenuItem("Settings…", OpenPage("settings")),
        _more_entry(snapshot),
        Separator(),
        MenuItem(snapshot.quit_label, Quit()),
    )
