"""What the desk shows and what it is asked for, as plain values; no thread and no window here."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

DashboardPage: TypeAlias = Literal["home", "memories", "status", "connect", "help"]
PAGES: Final[tuple[DashboardPage, ...]] = ("home", "memories", "status", "connect", "help")

IconState: TypeAlias = Literal["idle", "working", "paused", "attention", "down"]
"""Which icon: all well; jobs run or the daemon starts; capture paused; the user has to do
something; no recent answer of the daemon."""

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

PauseFor: TypeAlias = Literal["15m", "1h", "tomorrow"]


@dataclass(frozen=True, slots=True)
class OpenPage:
    """Show a page of the dashboard; ``connect`` is a section of Status."""

    page: DashboardPage = "home"


@dataclass(frozen=True, slots=True)
class OpenMemory:
    """Show one memory in the dashboard."""

    id: str


@dataclass(frozen=True, slots=True)
class QuickRemember:
    """Show the small window in which a memory is written."""


@dataclass(frozen=True, slots=True)
class QuickSearch:
    """Show the small window in which memories are searched, with the question filled in."""

    query: str = ""


Destination: TypeAlias = OpenPage | OpenMemory | QuickRemember | QuickSearch
"""Something to look at: from the menu, a second launch, a deep link or a notification."""


@dataclass(frozen=True, slots=True)
class RecentMemory:
    """A memory in the menu; ``title`` is one line, already cut."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that the tray draws, made whole at each change.

    ``health`` is the daemon's own word from a recent answer, else None; what comes from the daemon
    (``paused``, ``recent``, counts) is empty without one; a pause without ``paused_until`` lasts
    until it is ended. ``line`` is the status line.
    ``attention`` says what the user has to do, or is empty. ``quit_says`` is the Quit item's text:
    it names what leaves. ``can_move_port`` is true while a stranger holds our port.
    ``autostart`` tells whether the desk starts at login, None where that cannot be.
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
    can_move_port: bool = False
    quit_says: str = "Quit Intaglio"
    autostart: bool | None = None


NotificationKind: TypeAlias = Literal[
    "daemon_failed", "port_taken", "refused", "degraded", "updated", "paused", "told"
]


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification; ``click`` is what a click on it shows."""

    kind: NotificationKind
    title: str
    text: str
    click: Destination | None = None
