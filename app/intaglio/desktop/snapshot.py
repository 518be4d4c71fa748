"""From what the supervisor knows and the daemon said to what the tray draws; pure."""

from dataclasses import replace
from typing import Final

from intaglio.base.install import command
from intaglio.desktop.facts import Facts
from intaglio.desktop.supervise.known import Supervisor, is_fresh
from intaglio.desktop.supervise.values import (
    Ending,
    Failed,
    Left,
    Looking,
    PortTaken,
    Refused,
    Restarting,
    Running,
    Starting,
    Stopped,
    Unresponsive,
)
from intaglio.desktop.values import DaemonWord, Look, Snapshot


def _see_log() -> str:
    return f"See `{command('daemon logs')}`, then choose Restart daemon."


def snapshot_of(
    known: Supervisor, facts: Facts | None, port: int | None, *, autostart: bool | None = None
) -> Snapshot:
    """Make the snapshot; what the daemon said counts only while its last answer is recent."""
    said = _of_now(facts, known) if isinstance(known.state, Running) and is_fresh(known) else None
    line, attention = _line(known, said), _attention(known, said, port)
    look = _look(known, said, attention)
    word = _word(known)
    own = known.child
    leaving = "Quit Intaglio (the daemon goes on)" if _adopted(known) else "Quit Intaglio"
    quit_says = "Quit Intaglio and stop its daemon" if own else leaving
    bare = Snapshot(
        look,
        word,
        line,
        attention=attention,
        port=port,
        can_move_port=isinstance(known.state, PortTaken),
        quit_says=quit_says,
        autostart=autostart,
    )
    return bare if said is None else _with(bare, said)


def _of_now(facts: Facts | None, known: Supervisor) -> Facts | None:
    """End a pause whose time is over: the daemon is asked for it less often than for its health."""
    until = facts.paused_until if facts is not None else None
    if facts is None or until is None or known.now.wall_s < until.timestamp():
        return facts
    return replace(facts, paused=False, paused_until=None)


def _with(bare: Snapshot, said: Facts) -> Snapshot:
    return Snapshot(
        bare.look,
        bare.daemon,
        bare.line,
        health=said.health,
        attention=bare.attention,
        port=said.port,
        version=said.version,
        paused=said.paused,
        paused_until=said.paused_until,
        recent=said.recent,
        memories=said.memories,
        jobs_pending=said.jobs_pending,
        spool=said.spool,
        can_move_port=bare.can_move_port,
        quit_says=bare.quit_says,
        autostart=bare.autostart,
    )


def _adopted(known: Supervisor) -> bool:
    match known.state:
        case Running(origin="adopted") | Unresponsive():
            return True
        case _:
            return False


def _word(known: Supervisor) -> DaemonWord:
    word: DaemonWord
    match known.state:
        case Looking() | Starting():
            word = "starting"
        case Running():
            word = "running"
        case Unresponsive() | Ending(why="hang"):
            word = "unresponsive"
        case Ending(then="leave") | Stopped() | Left():
            word = "stopped"
        case Ending() | Restarting():
            word = "restarting"
        case Failed():
            word = "failed"
        case PortTaken():
            word = "port_taken"
        case Refused():
            word = "refused"
    return word


def _line(known: Supervisor, said: Facts | None) -> str:
    match known.state:
        case Running():
            return _running_line(said)
        case Ending(why="update"):
            return f"Restarting: version {known.expected} is installed…"
        case Ending(why="hang"):
            return "The daemon hangs; it is ended and started again…"
        case Ending(then="leave"):
            return "Leaving…"
        case Restarting():
            return "The daemon ended unexpectedly; it is started again…"
        case _:
            return _PLAIN[_word(known)]


_PLAIN: Final[dict[DaemonWord, str]] = {
    "starting": "Starting…",
    "restarting": "Restarting…",
    "unresponsive": "The daemon does not answer",
    "failed": "The daemon fails again and again",
    "port_taken": "Another program has Intaglio's port",
    "refused": "The daemon cannot run",
    "stopped": "The daemon is stopped",
}


def _running_line(said: Facts | None) -> str:
    if said is None:
        return "Waiting for the daemon's answer…"
    if said.health == "checking":
        return "Checking the database; reading works, writing waits"
    if said.health == "degraded":
        return "The database is only read"
    count = f"{said.memories:,} memories" if said.memories != 1 else "1 memory"
    work = f" · {said.jobs_pending:,} jobs" if said.jobs_pending > 1 else ""
    return f"{'Capture paused' if said.paused else 'Running'} · {count}{work}"


def _attention(known: Supervisor, said: Facts | None, port: int | None) -> str:
    text = ""
    match known.state:
        case Failed(why=why):
            text = " ".join(part for part in (_first(why), _see_log()) if part)
        case PortTaken():
            text = f"Stop the program on port {port}, or let Intaglio take another one."
        case Refused(why=why):
            text = _first(why) or _see_log()
        case Unresponsive():
            text = "It was started elsewhere and is left alone; Restart daemon ends it."
        case Running() if said is not None:
            degraded = said.reason or f"Run `{command('doctor')}` to see what to do."
            text = degraded if said.health == "degraded" else said.trouble
        case _:
            pass
    return text


def _first(text: str) -> str:
    line = text.splitlines()[0] if text else ""
    return line if not line or line.endswith((".", "!", "?")) else f"{line}."


def _look(known: Supervisor, said: Facts | None, attention: str) -> Look:
    if attention:
        return "attention"
    match known.state:
        case Running() if said is not None:
            if said.paused:
                return "paused"
            return "working" if said.jobs_pending or said.health == "checking" else "idle"
        case Looking() | Starting() | Ending(then="restart"):
            return "working"
        case _:
            return "down"
