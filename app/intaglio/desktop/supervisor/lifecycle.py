"""Transitions that start, restart and stop the daemon, and that react to the end of its process."""

from dataclasses import replace
from typing import Literal

from intaglio.desktop.supervisor.step_context import StepContext
from intaglio.desktop.supervisor.values import (
    EXIT_ANOTHER_RUNS,
    EXIT_PORT_TAKEN,
    EXIT_REFUSED,
    ChildExited,
    DaemonOrigin,
    Exit,
    Exited,
    Failed,
    KillDaemon,
    PortTaken,
    Probing,
    RequestShutdown,
    Restarting,
    Running,
    SpawnDaemon,
    Starting,
    StartRefused,
    Stopping,
    StopReason,
    TerminateDaemon,
    Unresponsive,
)

# --- start ----------------------------------------------------------------------------------------


def spawn(context: StepContext, *, move_port: bool = False) -> None:
    """Start a daemon unless our last process still runs; its end then leads to a new start."""
    if context.supervision.has_child:
        return
    context.enter(Starting(context.now_s))
    context.update(has_child=True, child_pid=0, answered_at=None)
    context.effects.append(SpawnDaemon(move_port=move_port))


def handle_spawn_failure(context: StepContext, reason: str) -> None:
    """React to a process that couldn't be started."""
    match context.supervision.state:
        case Stopping() as stopping:
            finish_stop(context, stopping)
        case Starting():
            record_crash(context, reason)
        case _:
            pass


# --- the process exits ----------------------------------------------------------------------------


def handle_exit(context: StepContext, event: ChildExited) -> None:
    """React to the end of the process that we started."""
    match context.supervision.state:
        case Stopping(origin="spawned") as stopping:
            finish_stop(context, stopping)
        case Starting() if event.code == EXIT_ANOTHER_RUNS:
            _probe_for_other_daemon(context)
        case Starting() if event.code == EXIT_PORT_TAKEN:
            context.enter(PortTaken())
            context.notify("port_taken")
        case Starting() if event.code == EXIT_REFUSED:
            context.enter(StartRefused(event.output))
            context.notify("refused", event.output)
        case Starting() | Running(origin="spawned") if event.code == 0:
            context.enter(Probing(context.now_s, then="stop"))
        case Starting() | Running(origin="spawned"):
            record_crash(context, event.output or _describe_exit(event.code))
        case _:
            pass


def _probe_for_other_daemon(context: StepContext) -> None:
    """Probe for the daemon that started first; this counts as a crash in case none is found."""
    record_crash(context, "another daemon holds the lock but isn't responding")
    match context.supervision.state:
        case Restarting(until=until):
            context.update(spawn_after=until)
            context.enter(Probing(context.now_s))
        case _:
            pass


def record_crash(context: StepContext, reason: str) -> None:
    """Count a crash, unless the machine has just woken, and wait before the next start."""
    rules = context.supervision.rules
    if context.in_grace:
        context.enter(Restarting(context.now_s + rules.backoff_s[0]))
        return
    recent = [at for at in context.supervision.crashes if context.now_s - at < rules.crash_window_s]
    crashes = (*recent, context.now_s)[-rules.max_crashes :]
    context.update(crashes=crashes)
    if len(crashes) >= rules.max_crashes:
        context.enter(Failed(reason))
        context.notify("daemon_failed", reason)
    else:
        delay = rules.backoff_s[min(len(crashes), len(rules.backoff_s)) - 1]
        context.enter(Restarting(context.now_s + delay))


def _describe_exit(code: int) -> str:
    return f"signal {-code} ended it" if code < 0 else f"it exited with status {code}"


# --- stop -----------------------------------------------------------------------------------------


def stop_hanging(context: StepContext) -> None:
    """Stop our own daemon because it doesn't respond, unless the machine has just woken."""
    if not context.in_grace:
        stop(context, "spawned", context.supervision.child_pid, "hang")


def stop(
    context: StepContext,
    origin: DaemonOrigin,
    pid: int,
    reason: StopReason,
    then: Literal["restart", "exit"] = "restart",
) -> None:
    """Begin to stop a daemon; one that hangs is terminated without a request."""
    stopping = Stopping(origin, pid, reason, then, "requested", context.now_s)
    context.enter(stopping)
    if reason == "hang":
        escalate(context, stopping)
    else:
        context.effects.append(RequestShutdown(origin, pid))


def escalate(context: StepContext, stopping: Stopping) -> None:
    """Go on to the next, more forceful step of stopping a daemon."""
    match stopping.step:
        case "requested":
            context.update(state=replace(stopping, step="terminated", since=context.now_s))
            context.effects.append(TerminateDaemon(stopping.origin, stopping.pid))
        case "terminated":
            context.update(state=replace(stopping, step="killed", since=context.now_s))
            context.effects.append(KillDaemon(stopping.origin, stopping.pid))
        case "killed":
            if stopping.then == "exit":
                _exit(context)
            elif context.supervision.has_child:
                # Even killing it failed, for example because its disk hangs. Its exit is reported.
                context.update(state=replace(stopping, since=context.now_s))
            else:
                reason = f"process {stopping.pid} can't be stopped"
                context.enter(Failed(reason))
                context.notify("daemon_failed", reason)


def finish_stop(context: StepContext, stopping: Stopping) -> None:
    """Do what comes after the end of a daemon that was being stopped."""
    if stopping.then == "exit":
        _exit(context)
    elif stopping.reason == "hang":
        record_crash(context, "it stopped responding")
    else:
        spawn(context)


def _exit(context: StepContext) -> None:
    context.update(state=Exited(), answered_at=None)
    context.effects.append(Exit())


# --- requests -------------------------------------------------------------------------------------


def restart(context: StepContext) -> None:
    """Stop the daemon, whoever started it, and start a new one."""
    context.reset_notifications()
    context.update(crashes=(), spawn_after=context.now_s)
    match context.supervision.state:
        case Stopping() | Exited():
            pass
        case Running(origin="adopted", pid=pid):
            stop(context, "adopted", pid, "restart")
        case Unresponsive(pid=pid):
            stop(context, "adopted", pid, "restart")
        case _ if context.supervision.has_child:
            stop(context, "spawned", context.supervision.child_pid, "restart")
        case _:
            context.enter(Probing(context.now_s))


def restart_if_outdated(context: StepContext) -> None:
    """Restart a daemon of another version than the installed one, once for each version."""
    supervision = context.supervision
    match supervision.state:
        case Running(origin=origin, pid=pid, version=version):
            installed = supervision.installed_version
            if installed in {version, supervision.restarted_for_version}:
                return
            context.update(restarted_for_version=installed)
            context.reset_notifications()
            context.notify("updated", installed)
            own = supervision.child_pid if origin == "spawned" else pid
            stop(context, origin, own, "update")
        case _:
            pass


def quit_supervision(context: StepContext) -> None:
    """Stop the daemon if it is ours, then exit."""
    match context.supervision.state:
        case Stopping(origin="spawned") as stopping:
            context.update(state=replace(stopping, then="exit"))
        case _ if context.supervision.has_child:
            stop(context, "spawned", context.supervision.child_pid, "quit", "exit")
        case _:
            _exit(context)
