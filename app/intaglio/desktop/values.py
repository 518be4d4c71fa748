"""Plain values of the desktop app: destinations, the tray's snapshot, notifications."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from intaglio.domain.issues import Issue

DashboardPage: TypeAlias = Literal[
    "home", "memories", "constellation", "inbox", "status", "connect", "welcome", "settings", "help"
]
PAGES: Final[tuple[DashboardPage, ...]] = (
    "home",
    "memories",
    "constellation",
    "inbox",
    "status",
    "connect",
    "welcome",
    "settings",
    "help",
)

IconState: TypeAlias = Literal["idle", "working", "paused", "attention", "down"]
"""The icon: healthy; jobs running or daemon starting; capture paused; user action needed; no recent
answer from the daemon."""

DaemonStatus: TypeAlias = Literal[
    "starting",
    "running",
    "unresponsive",
    "restarting",
    "failed",
    "port_taken",
    "refused",
    "stopped",
]
"""The supervisor's state."""

HotkeyName: TypeAlias = Literal["remember", "search"]

PauseDuration: TypeAlias = Literal["15m", "1h", "tomorrow"]


@dataclass(frozen=True, slots=True)
class OpenPage:
    """Show a page of the dashboard; ``connect`` is Connections.

    An open window only comes to the front for ``home``, unless ``navigates`` is set.
    """

    page: DashboardPage = "home"
    navigates: bool = False


@dataclass(frozen=True, slots=True)
class OpenMemory:
    """Show one memory in the dashboard."""

    id: str


@dataclass(frozen=True, slots=True)
class QuickRemember:
    """Show the quick window that writes a memory."""


@dataclass(frozen=True, slots=True)
class QuickSearch:
    """Show the quick window that searches memories, with ``query`` filled in."""

    query: str = ""


@dataclass(frozen=True, slots=True)
class OpenAddress:
    """Show an address of the dashboard that the daemon named, such as that of an issue."""

    path: str


Destination: TypeAlias = OpenPage | OpenMemory | QuickRemember | QuickSearch | OpenAddress
"""What to open: from the menu, a second launch, a deep link or a notification."""


@dataclass(frozen=True, slots=True)
class UndoSaved:
    """Forget memories that capture saved."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecentMemory:
    """A memory in the menu; ``title`` is one shortened line."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class CapturedLine:
    """A memory that capture saved, and when; ``text`` is one line."""

    id: str
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class MenuAgent:
    """An agent in the menu: its id and name, how it is in a few words, and whether it has hooks."""

    harness: str
    label: str
    state: str
    connected: bool


@dataclass(frozen=True, slots=True)
class MenuSession:
    """A session that is open now; ``title`` is one shortened line."""

    id: str
    harness: str
    title: str


@dataclass(frozen=True, slots=True)
class HotkeyStatus:
    """A shortcut that the settings name: its keys, and why it doesn't work, empty if it does."""

    name: HotkeyName
    keys: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that the tray shows, rebuilt at each change.

    ``health`` is from a recent answer of the daemon, else None; then everything that comes from the
    daemon (``paused``, ``recent``, counts) is empty too. A pause without ``paused_until`` lasts
    until resumed. ``inbox`` counts what waits for the user's decision; ``kept`` and ``suggested``
    count what was captured since the user last opened the dashboard; ``saved`` are the latest lines
    that capture saved, newest first, from then or from the last day. ``agents`` are those on this
    computer, ``sessions`` those that are open now, latest active first. ``issues`` are those that
    need a person, worst first. ``model_use`` says what a language model
    used today, or is empty. ``line`` is the status line.
    ``attention`` says what the user has to do, or is empty. ``quit_label`` is the Quit item's text.
    ``can_move_port`` is true while another program uses our port. ``autostart`` is None where start
    at login isn't supported. ``update_to`` is the version that a restart of the app would run,
    empty if that is the running one. ``hotkeys`` are the shortcuts
    that the settings name. ``answer`` is the result of the last action, where the desktop shows no
    notifications.
    """

    icon: IconState
    daemon: DaemonStatus
    line: str
    health: Literal["ready", "checking", "degraded"] | None = None
    attention: str = ""
    port: int | None = None
    version: str = ""
    paused: bool = False
    paused_until: datetime | None = None
    recent: tuple[RecentMemory, ...] = ()
    memories: int = 0
    jobs_pending: int = 0
    spool: int = 0
    inbox: int = 0
    kept: int = 0
    suggested: int = 0
    saved: tuple[CapturedLine, ...] = ()
    agents: tuple[MenuAgent, ...] = ()
    sessions: tuple[MenuSession, ...] = ()
    issues: tuple[Issue, ...] = ()
    model_use: str = ""
    can_move_port: bool = False
    quit_label: str = "Quit Intaglio"
    autostart: bool | None = None
    update_to: str = ""
    hotkeys: tuple[HotkeyStatus, ...] = ()
    answer: str = ""


NotificationKind: TypeAlias = Literal[
    "daemon_failed",
    "port_taken",
    "refused",
    "degraded",
    "danger",
    "issue",
    "updated",
    "paused",
    "captured",
    "saved",
    "message",
]
"""``danger`` and ``issue`` are issues of that level and of level warn; ``captured`` are suggestions
of a session, and a ``message`` answers what the user did."""


@dataclass(frozen=True, slots=True)
class NotificationButton:
    """A button of a notification."""

    label: str
    action: UndoSaved


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification; ``click`` is what a click on it opens.

    It goes away once all issues that it is about (their ids) are gone; ``saved`` are the memories
    that one of kind "saved" is about. One that combines others has the titles of those that answer
    what the user did in ``answers``.
    """

    kind: NotificationKind
    title: str
    text: str
    click: Destination | None = None
    button: NotificationButton | None = None
    issues: tuple[str, ...] = ()
    saved: tuple[CapturedLine, ...] = ()
    answers: tuple[str, ...] = ()
