"""Builds the tray's snapshot from the supervision and the daemon's report; pure."""

from dataclasses import replace
from typing import Final

from intaglio.base.installation import command
from intaglio.desktop.daemon_cache import DaemonReport
from intaglio.desktop.notifications.issue_notices import is_about_database
from intaglio.desktop.supervisor.state import Supervision, is_fresh
from intaglio.desktop.supervisor.values import (
    Exited,
    Failed,
    PortTaken,
    Probing,
    Restarting,
    Running,
    Starting,
    StartRefused,
    Stopped,
    Stopping,
    Unresponsive,
)
from intaglio.desktop.values import DaemonStatus, HotkeyStatus, IconState, Snapshot
from intaglio.domain.issues import Issue


def _log_hint() -> str:
    return f"Run `{command('daemon logs')}` to see why, then choose Restart daemon."


def snapshot_of(
    supervision: Supervision,
    report: DaemonReport | None,
    port: int | None,
    *,
    autostart: bool | None = None,
    app_version: str | None = None,
    hotkeys: tuple[HotkeyStatus, ...] = (),
) -> Snapshot:
    """Build the snapshot; the report is ignored unless the daemon answered recently.

    ``app_version`` is that of the running app; None: the one that is on disk.
    """
    current = (
        _expire_pause(report, supervision)
        if isinstance(supervision.state, Running) and is_fresh(supervision)
        else None
    )
    line, attention = _status_line(supervision, current), _attention(supervision, current, port)
    icon = _icon_state(supervision, current, attention)
    status = _daemon_status(supervision)
    own, on_disk = supervision.has_child, supervision.installed_version
    leaving = "Quit (keep running in background)" if _adopted(supervision) else "Quit Intaglio"
    quit_says = "Quit and stop the daemon" if own else leaving
    base = Snapshot(
        icon,
        status,
        line,
        attention=attention,
        port=port,
        can_move_port=isinstance(supervision.state, PortTaken),
        quit_label=quit_says,
        autostart=autostart,
        update_to="" if app_version in {None, on_disk} else on_disk,
        hotkeys=hotkeys,
    )
    return base if current is None else _with_report(base, current)


def _expire_pause(report: DaemonReport | None, supervision: Supervision) -> DaemonReport | None:
    """Remove a pause that has expired: reports are less frequent than health checks."""
    until = report.paused_until if report is not None else None
    if report is None or until is None or supervision.now.wall_s < until.timestamp():
        return report
    return replace(report, paused=False, paused_until=None)


def _with_report(base: Snapshot, report: DaemonReport) -> Snapshot:
    captured = report.captured
    return Snapshot(
        base.icon,
        base.daemon,
        base.line,
        health=report.health,
        attention=base.attention,
        port=report.port,
        version=report.version,
        paused=report.paused,
        paused_until=report.paused_until,
        recent=report.recent,
        memories=report.memories,
        jobs_pending=report.jobs_pending,
        spool=report.spool,
        inbox=report.inbox,
        kept=captured.kept if captured else 0,
        suggested=captured.suggested if captured else 0,
        saved=report.saved,
        agents=report.agents,
        sessions=report.sessions,
        issues=_issues(report),
        model_use=report.model_use,
        can_move_port=base.can_move_port,
        quit_label=base.quit_label,
        autostart=base.autostart,
        update_to=base.update_to,
        hotkeys=base.hotkeys,
    )


def _adopted(supervision: Supervision) -> bool:
    match supervision.state:
        case Running(origin="adopted") | Unresponsive():
            return True
        case _:
            return False


def _daemon_status(supervision: Supervision) -> DaemonStatus:
    status: DaemonStatus
    match supervision.state:
        case Probing() | Starting():
            status = "starting"
        case Running():
            status = "running"
        case Unresponsive() | Stopping(reason="hang"):
            status = "unresponsive"
        case Stopping(then="exit") | Stopped() | Exited():
            status = "stopped"
        case Stopping() | Restarting():
            status = "restarting"
        case Failed():
            status = "failed"
        case PortTaken():
            status = "port_taken"
        case StartRefused():
            status = "refused"
    return status


def _status_line(supervision: Supervision, report: DaemonReport | None) -> str:
    match supervision.state:
        case Running():
            return _running_line(report)
        case Stopping(reason="update"):
            return f"Restarting to update to {supervision.installed_version}…"
        case Stopping(reason="hang"):
            return "Daemon isn't responding; restarting it…"
        case Stopping(then="exit"):
            return "Quitting…"
        case Restarting():
            return "Daemon exited unexpectedly; restarting it…"
        case _:
            return _STATUS_LINES[_daemon_status(supervision)]


_STATUS_LINES: Final[dict[DaemonStatus, str]] = {
    "starting": "Starting…",
    "restarting": "Restarting…",
    "unresponsive": "Daemon isn't responding",
    "failed": "Daemon keeps crashing",
    "port_taken": "Another program is using Intaglio's port",
    "refused": "Daemon can't start",
    "stopped": "Daemon stopped",
}


def _running_line(report: DaemonReport | None) -> str:
    if report is None:
        return "Waiting for the daemon…"
    if report.health == "checking":
        return "Checking the database (read-only until done)"
    if report.health == "degraded":
        return "Database is read-only"
    count = f"{report.memories:,} memories" if report.memories != 1 else "1 memory"
    work = f" · {report.jobs_pending:,} jobs" if report.jobs_pending > 1 else ""
    return f"{'Capture paused' if report.paused else 'Running'} · {count}{work}"


def _attention(supervision: Supervision, report: DaemonReport | None, port: int | None) -> str:
    text = ""
    match supervision.state:
        case Failed(reason=why):
            text = " ".join(part for part in (_first_line(why), _log_hint()) if part)
        case PortTaken():
            text = f"Quit the program on port {port}, or let Intaglio use another port."
        case StartRefused(reason=why):
            text = _first_line(why) or _log_hint()
        case Unresponsive():
            text = "It was started outside this app. Choose Restart daemon to replace it."
        case Running() if report is not None:
            degraded = (
                _first_sentence(report.reason) or f"Run `{command('doctor')}` to see what's wrong."
            )
            text = degraded if report.health == "degraded" else ""
        case _:
            pass
    return text


def _issues(report: DaemonReport) -> tuple[Issue, ...]:
    """Return the issues that the menu names; that of a read-only database has its own entry."""
    is_degraded = report.health == "degraded"
    return tuple(one for one in report.issues or () if not (is_degraded and is_about_database(one)))


def _first_sentence(text: str) -> str:
    """Shorten a reason for a line of a menu."""
    first, separator, _ = text.partition(". ")
    return first + separator.strip()


def _first_line(text: str) -> str:
    line = text.splitlines()[0] if text else ""
    return line if not line or line.endswith((".", "!", "?")) else f"{line}."


def _icon_state(supervision: Supervision, report: DaemonReport | None, attention: str) -> IconState:
    if attention or (report is not None and _issues(report)):
        return "attention"
    match supervision.state:
        case Running() if report is not None:
            if report.paused:
                return "paused"
            return "working" if report.jobs_pending or report.health == "checking" else "idle"
        case Probing() | Starting() | Stopping(then="restart"):
            return "working"
        case _:
            return "down"
