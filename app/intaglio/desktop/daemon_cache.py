"""What the daemon said last: its health, its counts, the newest memories; asked over HTTP."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from intaglio.base.clock import parse_moment
from intaglio.base.text import clip
from intaglio.client.daemon_client import DaemonClient
from intaglio.desktop.values import RecentMemory

_RECENT: Final = 5
_TITLE_CHARS: Final = 60


@dataclass(frozen=True, slots=True)
class DaemonReport:
    """The daemon's answers, as far as the desk shows them.

    ``paused_until`` is None without a pause and for one that lasts until it is ended.
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
    trouble: str = ""
    recent: tuple[RecentMemory, ...] = ()


def fetch_health(client: DaemonClient, before: DaemonReport | None) -> DaemonReport:
    """Ask for the health alone and keep the rest of what was known of the same process.

    Raises IntaglioError when no daemon of this installation answers.
    """
    health = client.health()
    known = before if before is not None and before.pid == health.pid else None
    fresh = DaemonReport(health.pid, health.port, health.version, health.state, health.reason)
    if known is None:
        return fresh
    return replace(
        known,
        port=health.port,
        version=health.version,
        health=health.state,
        reason=health.reason,
    )


def fetch_report(client: DaemonClient, report: DaemonReport) -> DaemonReport:
    """Ask for counts, pause and the newest memories; raises IntaglioError when that fails."""
    status = client.status()
    capture, embedding = status.capture, status.embedding
    unfit = status.setting_problems
    wrong_model = embedding.detail if embedding is not None and not embedding.available else ""
    return replace(
        report,
        paused=capture is not None and capture.paused,
        paused_until=parse_moment(capture.until) if capture and capture.until else None,
        memories=status.store.memories,
        jobs_pending=status.store.jobs_pending,
        spool=status.store.spool,
        trouble=wrong_model or (f"Setting {unfit[0].key}: {unfit[0].message}" if unfit else ""),
        recent=tuple(RecentMemory(row.id, title_of(row.content)) for row in client.recent(_RECENT)),
    )


def title_of(content: str) -> str:
    """Make one short line of a memory's text."""
    return clip(" ".join(content.split()), _TITLE_CHARS)
