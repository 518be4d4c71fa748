"""From what the supervisor knows and the daemon said to what the tray draws; pure."""

from dataclasses import replace
from typing import Final

from intaglio.base.installation import command
from intaglio.desktop.daemon_cache import DaemonReport
from intaglio.desktop.supervisor.state import Supervision, is_fresh
from intaglio.desktop.supervisor.values import (
    Ending,
    Exited,
    Failed,
    PortTaken,
    Probing,
    Restarting,
    Running,
    Starting,
    StartRefused,
    Stopped,
    Unresponsive,
)
from intaglio.desktop.values import DaemonStatus, IconState, Snapshot


def _see_log() -> str:
    return f"See `{command('daemon logs')}`, then choose Restart daemon."


def snapshot_of(
    supervision: Supervision,
    report: DaemonReport | None,
    port: int | None,
    *,
    autostart: bool | None = None,
) -> Snapshot:
    """Make the snapshot; what the daemon said counts only while its last answer is recent."""
    said = (
        _of_now(report, supervision)
        if isinstance(supervision.state, Running) and is_fresh(supervision)
        else None
    )
    line, attention = _line(supervision, said), _attention(supervision, said, port)
    look = _look(supervision, said, attention)
    word = _word(supervision)
    own = supervision.child
    leaving = "Quit Intaglio (the daemon goes on)" if _adopted(supervision) else "Quit Intaglio"
    quit_says = "Quit Intaglio and stop its daemon" if own else leaving
    bare = Snapshot(
        look,
        word,
        line,
        attention=attention,
        port=port,
        can_move_port=isinstance(supervision.state, PortTaken),
        quit_says=quit_says,
        autostart=autostart,
    )
    return bare if said is None else _with(bare, said)


def _of_now(report: DaemonReport | None, supervision: Supervision) -> DaemonReport | None:
    """End a pause whose time is over: the daemon is asked for it less often than for its health."""
    until = report.paused_until if report is not None else None
    if report is None or until is None or supervision.now.wall_s < until.timestamp():
        return report
    return replace(report, paused=False, paused_until=None)


def _with(bare: Snapshot, report: DaemonReport) -> Snapshot:
    return Snapshot(
        bare.icon,
        bare.daemon,
        bare.line,
        health=report.health,
        attention=bare.attention,
        port=report.port,
        version=report.version,
        paused=report.paused,
        paused_until=report.paused_until,
        recent=report.recent,
        memories=report.memories,
        jobs_pending=report.jobs_pending,
        spool=report.spool,
        can_move_port=bare.can_move_port,
        quit_says=bare.quit_says,
        autostart=bare.autostart,
    )


def _adopted(supervision: Supervision) -> bool:
    match supervision.state:
        case Running(origin="adopted") | Unresponsive():
            return True
        case _:
            return False


def _word(supervision: Supervision) -> DaemonStatus:
    word: DaemonStatus
    match supervision.state:
        case Probing() | Starting():
            word = "starting"
        case Running():
            word = "running"
        case Unresponsive() | Ending(reason="hang"):
            word = "unresponsive"
        case Ending(then="leave") | Stopped() | Exited():
            word = "stopped"
        case Ending() | Restarting():
            word = "restarting"
        case Failed():
            word = "failed"
        case PortTaken():
            word = "port_taken"
        case StartRefused():
            word = "refused"
    return word


def _line(supervision: Supervision, report: DaemonReport | None) -> str:
    match supervision.state:
        case Running():
            return _running_line(report)
        case Ending(reason="update"):
            return f"Restarting: version {supervision.expected} is installed…"
        case Ending(reason="hang"):
            return "The daemon hangs; it is ended and started again…"
        case Ending(then="leave"):
            return "Leaving…"
        case Restarting():
            return "The daemon ended unexpectedly; it is started again…"
        case _:
            return _PLAIN[_word(supervision)]


_PLAIN: Final[dict[DaemonStatus, str]] = {
    "starting": "Starting…",
    "restarting": "Restarting…",
    "unresponsive": "The daemon does not answer",
    "failed": "The daemon fails again and again",
    "port_taken": "Another program has Intaglio's port",
    "refused": "The daemon cannot run",
    "stopped": "The daemon is stopped",
}


def _running_line(report: DaemonReport | None) -> str:
    if report is None:
        return "Waiting for the daemon's answer…"
    if report.health == "checking":
        return "Checking the database; reading works, writing waits"
    if report.health == "degraded":
        return "The database is only read"
    count = f"{report.memories:,} memories" if report.memories != 1 else "1 memory"
    work = f" · {report.jobs_pending:,} jobs" if report.jobs_pending > 1 else ""
    return f"{'Capture paused' if report.paused else 'Running'} · {count}{work}"


def _attention(supervision: Supervision, report: DaemonReport | None, port: int | None) -> str:
    text = ""
    match supervision.state:
        case Failed(why=why):
            text = " ".join(part for part in (_first(why), _see_log()) if part)
        case PortTaken():
            text = f"Stop the program on port {port}, or let Intaglio take another one."
        case StartRefused(why=why):
            text = _first(why) or _see_log()
        case Unresponsive():
            text = "It was started elsewhere and is left alone; Restart daemon ends it."
        case Running() if report is not None:
            degraded = report.reason or f"Run `{command('doctor')}` to see what to do."
            text = degraded if report.health == "degraded" else report.trouble
        case _:
            pass
    return text


def _first(text: str) -> str:
    line = text.splitlines()[0] if text else ""
    return line if not line or line.endswith((".", "!", "?")) else f"{line}."


def _look(supervision: Supervision, report: DaemonReport | None, attention: str) -> IconState:
    if attention:
        return "attention"
    match supervision.state:
        case Running() if report is not None:
            if report.paused:
                return "paused"
            return "working" if report.jobs_pending or report.health == "checking" else "idle"
        case Probing() | Starting() | Ending(then="restart"):
            return "working"
        case _:
            return "down"
