"""The supervisor's state machine: a supervision, an event and the time give the next supervision.

Pure. `lifecycle` and `probing` hold the transitions; `effects.ProcessEffects` carries out the
effects, and the controller's thread calls `step`.
"""

from dataclasses import replace

from intaglio.desktop.supervisor.lifecycle import (
    escalate,
    handle_exit,
    handle_spawn_failure,
    quit_supervision,
    restart,
    restart_if_outdated,
    spawn,
    stop_hanging,
)
from intaglio.desktop.supervisor.probing import handle_probe, probe_when_due
from intaglio.desktop.supervisor.state import Supervision, step_timeout_s
from intaglio.desktop.supervisor.step_context import StepContext
from intaglio.desktop.supervisor.values import (
    ChildExited,
    ClockReading,
    DaemonAbsent,
    DaemonSpawned,
    Effect,
    Exited,
    MovePortRequested,
    PortTaken,
    ProbeFinished,
    Probing,
    QuitRequested,
    Restarting,
    RestartRequested,
    SpawnFailed,
    Starting,
    Stopping,
    SupervisorEvent,
    Tick,
    VersionInstalled,
    ViewerActive,
)


def step(
    supervision: Supervision, event: SupervisorEvent, now: ClockReading
) -> tuple[Supervision, tuple[Effect, ...]]:
    """Process one event; returns the new supervision and the effects to carry out, in order."""
    context = StepContext(supervision)
    _advance_clock(context, now)
    if not isinstance(context.supervision.state, Exited):
        _handle_event(context, event)
        _handle_timeouts(context)
        probe_when_due(context)
    return context.supervision, tuple(context.effects)


def _advance_clock(context: StepContext, now: ClockReading) -> None:
    """Set the time; after a jump of either clock (sleep, a set clock) every timeout restarts."""
    previous, rules = context.supervision.now, context.supervision.rules
    elapsed_s = now.monotonic_s - previous.monotonic_s
    drift_s = (now.wall_s - previous.wall_s) - elapsed_s
    context.update(now=now)
    if abs(drift_s) <= rules.clock_jump_s and elapsed_s <= rules.max_step_s:
        return
    context.update(
        grace_until=context.now_s + rules.grace_s,
        unanswered=0,
        answered_at=None,
        next_probe_at=min(context.supervision.next_probe_at, context.now_s),
    )
    match context.supervision.state:
        case Starting() | Probing() | Stopping() as state:
            context.update(state=replace(state, since=context.now_s))
        case _:
            pass


def _handle_timeouts(context: StepContext) -> None:
    supervision, rules = context.supervision, context.supervision.rules
    if supervision.probing and context.now_s - supervision.probe_started_at > rules.probe_timeout_s:
        # The probe is stuck. Nothing answered, and whether a process runs is unknown.
        handle_probe(context, supervision.probe_number, DaemonAbsent("silent"))
    match context.supervision.state:
        case Restarting(until=until) if context.now_s >= until:
            context.enter(Probing(context.now_s))
        case Starting(since=since) if context.now_s - since > rules.start_timeout_s:
            stop_hanging(context)
        case Stopping(step=current, since=since) as stopping:
            if context.now_s - since > step_timeout_s(rules, current):
                escalate(context, stopping)
        case _:
            pass


def _handle_event(context: StepContext, event: SupervisorEvent) -> None:
    match event:
        case Tick():
            pass
        case ProbeFinished(number=number, result=result):
            handle_probe(context, number, result)
        case DaemonSpawned() | SpawnFailed() | ChildExited():
            _handle_child_event(context, event)
        case _:
            _handle_request(context, event)


def _handle_child_event(
    context: StepContext, event: DaemonSpawned | SpawnFailed | ChildExited
) -> None:
    match event:
        case DaemonSpawned(pid=pid):
            context.update(child_pid=pid)
        case SpawnFailed(reason=reason):
            context.update(has_child=False, child_pid=0)
            handle_spawn_failure(context, reason)
        case ChildExited():
            context.update(has_child=False, child_pid=0)
            handle_exit(context, event)


def _handle_request(
    context: StepContext,
    event: ViewerActive | RestartRequested | MovePortRequested | QuitRequested | VersionInstalled,
) -> None:
    match event:
        case ViewerActive():
            supervision = context.supervision
            context.update(
                viewer_active_until=context.now_s + supervision.rules.viewer_active_s,
                next_probe_at=min(supervision.next_probe_at, context.now_s),
            )
        case RestartRequested():
            restart(context)
        case MovePortRequested():
            if isinstance(context.supervision.state, PortTaken):
                context.reset_notifications()
                spawn(context, move_port=True)
        case QuitRequested():
            quit_supervision(context)
        case VersionInstalled(version=version):
            context.update(installed_version=version)
            restart_if_outdated(context)
