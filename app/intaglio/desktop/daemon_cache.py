"""The daemon's latest report: health, counts and newest memories, requested over HTTP."""

import contextlib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from intaglio.base.clock import Clock, iso, parse_moment, system_clock
from intaglio.base.errors import IntaglioError
from intaglio.base.text import clip
from intaglio.client.daemon_client import DaemonClient
from intaglio.desktop.captured.captured_counts import CapturedCounts
from intaglio.desktop.values import CapturedLine, MenuAgent, MenuSession, RecentMemory
from intaglio.domain.issues import Issue

_RECENT_COUNT: Final = 5
_SESSION_COUNT: Final = 20
_SAVED_WITHIN: Final = timedelta(days=1)
_TITLE_CHARS: Final = 60
_SHOWN_USD: Final = 0.005


@dataclass(frozen=True, slots=True)
class DaemonReport:
    """What the desktop app shows of the daemon's responses.

    ``paused_until`` is None if capture isn't paused, or is paused until resumed. ``model_use``
    says what a language model used today, ``update_version`` which version was found by a check
    that nobody asked for; both may be empty. ``issues`` are those that need a person, worst first;
    None until they are known. ``saved`` are the latest lines that capture saved since the dashboard
    was last opened or within a day, newest first.
    """

    pid: int
    port: int
    version: str
    health: Literal["ready", "checking", "degraded"]
    reason: str = ""
    paused: bool = False
    paused_until: datetime | None = None
    memories: int = 0
    jobs_pending: int = 0
    spool: int = 0
    inbox: int = 0
    model_use: str = ""
    update_version: str = ""
    issues: tuple[Issue, ...] | None = None
    agents: tuple[MenuAgent, ...] = ()
    sessions: tuple[MenuSession, ...] = ()
    recent: tuple[RecentMemory, ...] = ()
    saved: tuple[CapturedLine, ...] = ()
    captured: CapturedCounts | None = None


def fetch_health(client: DaemonClient, previous: DaemonReport | None) -> DaemonReport:
    """Request the health only; keeps the rest of the previous report of the same process.

    Raises IntaglioError when no daemon of this installation answers.
    """
    health = client.health()
    known = previous if previous is not None and previous.pid == health.pid else None
    current = DaemonReport(health.pid, health.port, health.version, health.state, health.reason)
    if known is None:
        return current
    return replace(
        known,
        port=health.port,
        version=health.version,
        health=health.state,
        reason=health.reason,
    )


def fetch_report(
    client: DaemonClient, report: DaemonReport, since: str, clock: Clock = system_clock
) -> DaemonReport:
    """Request all that the menu shows; raises IntaglioError if it can't.

    What was captured is counted from ``since`` on.
    """
    status = client.status()
    capture, model = status.capture, status.language_model
    update = status.update if status.update and status.update.update_available else None
    current = replace(
        report,
        paused=capture is not None and capture.paused,
        paused_until=parse_moment(capture.until) if capture and capture.until else None,
        memories=status.store.memories,
        jobs_pending=status.store.jobs_pending,
        spool=status.store.spool,
        inbox=status.inbox,
        # What the user asked for is on the page already.
        update_version=(update.latest_version or "") if update and update.timer_active else "",
        model_use=model_use_text(model.tokens, model.usd) if model else "",
        issues=tuple(
            Issue(
                each.id,
                each.level,
                each.title,
                each.text,
                each.command,
                each.page,
                each.action,
                each.repair,
            )
            for each in status.issues
            if each.level != "info"
        ),
    )
    # A database that can't be read still has issues and agents.
    with contextlib.suppress(IntaglioError):
        current = replace(current, agents=_agents(client))
        current = _with_memories(client, current, since, iso(clock() - _SAVED_WITHIN))
    return current


def _agents(client: DaemonClient) -> tuple[MenuAgent, ...]:
    return tuple(
        MenuAgent(each.harness, each.label, each.line, each.state in {"connected", "partly"})
        for each in client.health_report().agents
    )


def _with_memories(
    client: DaemonClient, report: DaemonReport, since: str, yesterday: str
) -> DaemonReport:
    captured = client.captured(since)
    lately = captured if since <= yesterday else client.captured(yesterday)
    return replace(
        report,
        recent=tuple(
            RecentMemory(row.id, title_of(row.content)) for row in client.recent(_RECENT_COUNT)
        ),
        sessions=tuple(
            MenuSession(row.id, row.harness, title_of(row.title))
            for row in client.sessions(_SESSION_COUNT, None).sessions
            if row.open
        ),
        saved=tuple(CapturedLine(one.id, one.at, one.text) for one in lately.saved),
        captured=CapturedCounts(
            since, captured.kept, captured.suggested, captured.session_ended_at or ""
        ),
    )


def model_use_text(tokens: int, usd: float) -> str:
    """Say in a few words what a language model used today; empty if it used nothing."""
    if not tokens:
        return ""
    return f"{tokens:,} tokens today" + (f", ${usd:.2f}" if usd >= _SHOWN_USD else "")


def title_of(content: str) -> str:
    """Shorten a memory's text to one line of at most 60 characters."""
    return clip(" ".join(content.split()), _TITLE_CHARS)
