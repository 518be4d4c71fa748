"""Transitions that follow from probing: when to probe, and what an answer or silence means."""

from intaglio.desktop.supervisor.lifecycle import (
    finish_stop,
    record_crash,
    restart_if_outdated,
    spawn,
    stop_hanging,
)
from intaglio.desktop.supervisor.state import needs_probing
from intaglio.desktop.supervisor.step_context import StepContext
from intaglio.desktop.supervisor.values import (
    AdoptDaemon,
    DaemonAbsent,
    DaemonAnswered,
    Exited,
    Failed,
    PortTaken,
    ProbeDaemon,
    ProbeResult,
    Probing,
    Restarting,
    Running,
    Starting,
    StartRefused,
    Stopped,
    Stopping,
    Unresponsive,
)


def probe_when_due(context: StepContext) -> None:
    """Start a probe when it is due and none is in progress."""
    supervision = context.supervision
    if (
        needs_probing(supervision.state)
        and not supervision.probing
        and context.now_s >= supervision.next_probe_at
    ):
        context.update(
            probing=True,
            probe_number=supervision.probe_number + 1,
            probe_started_at=context.now_s,
        )
        full_report = context.now_s < supervision.viewer_active_until
        check_port = isinstance(supervision.state, PortTaken)
        number = context.supervision.probe_number
        context.effects.append(ProbeDaemon(number, full_report, check_port))


def handle_probe(context: StepContext, number: int, result: ProbeResult) -> None:
    """React to the result of a probe; the result of an outdated one is ignored."""
    if number != context.supervision.probe_number or not context.supervision.probing:
        return
    context.update(probing=False)
    match result:
        case DaemonAnswered():
            context.update(answered_at=context.now_s, unanswered=0)
            _handle_answer(context, result)
        case DaemonAbsent():
            _handle_absence(context, result)
    # Entering a new state already scheduled a probe, to run immediately.
    if context.supervision.probe_number == number:
        context.update(next_probe_at=context.now_s + _interval_s(context))


def _interval_s(context: StepContext) -> float:
    supervision = context.supervision
    rules = supervision.rules
    match supervision.state:
        case Starting() | Stopping() | Probing():
            return rules.probe_starting_s
        case Running() if (
            not supervision.unanswered and context.now_s >= supervision.viewer_active_until
        ):
            return rules.probe_idle_s
        case Running() | Unresponsive() | Restarting():
            return rules.probe_active_s
        case Failed() | PortTaken() | StartRefused() | Stopped():
            return rules.probe_idle_s
        case Exited():
            return rules.probe_idle_s


# --- a daemon answered ----------------------------------------------------------------------------


def _handle_answer(context: StepContext, answer: DaemonAnswered) -> None:
    match context.supervision.state:
        case Starting():
            # The spawned daemon runs the version on disk, even if we expected another one.
            if answer.version != context.supervision.installed_version:
                context.update(restarted_for_version=context.supervision.installed_version)
            context.reset_notifications()
            _set_running(context, Running("spawned", answer.pid, answer.version))
        case Running(origin=origin) as state:
            found = Running(origin, answer.pid, answer.version)
            if found != state:
                context.update(state=found)
            restart_if_outdated(context)
        case Stopping(origin="adopted", pid=pid) if answer.pid != pid:
            # It is gone, and somebody started another daemon before we did.
            _adopt(context, answer)
        case Stopping() | Exited():
            pass
        case _:
            _adopt(context, answer)


def _adopt(context: StepContext, answer: DaemonAnswered) -> None:
    context.reset_notifications()
    context.effects.append(AdoptDaemon(answer.pid, answer.version))
    _set_running(context, Running("adopted", answer.pid, answer.version))
    restart_if_outdated(context)


def _set_running(context: StepContext, state: Running) -> None:
    context.update(state=state, unanswered=0, spawn_after=context.now_s)


# --- no daemon answered ---------------------------------------------------------------------------


def _handle_absence(context: StepContext, result: DaemonAbsent) -> None:
    match context.supervision.state:
        case Probing() as probing:
            _handle_no_daemon(context, probing, result)
        case Running(origin="spawned"):
            if _is_hanging(context):
                stop_hanging(context)
        case Running() | Unresponsive() as state:
            _handle_adopted_absence(context, state, result)
        case PortTaken():
            if result.port_free:
                spawn(context)
        case Stopping(origin="adopted") as stopping:
            if result.process != "silent":
                finish_stop(context, stopping)
        case _:
            pass


def _handle_adopted_absence(
    context: StepContext, state: Running | Unresponsive, result: DaemonAbsent
) -> None:
    if result.process == "left":
        context.enter(Stopped())
    elif result.process == "died":
        record_crash(context, "it exited unexpectedly")
    elif isinstance(state, Running) and _is_hanging(context):
        context.enter(Unresponsive(state.pid))
    elif isinstance(state, Unresponsive) and result.pid:
        # The process may not have been known before, or be a different one by now.
        context.update(state=Unresponsive(result.pid))


def _handle_no_daemon(context: StepContext, probing: Probing, result: DaemonAbsent) -> None:
    supervision = context.supervision
    if result.process == "silent":
        # It may be starting, or hang; it isn't ours to stop.
        waited_s = context.now_s - probing.since
        if waited_s > supervision.rules.start_timeout_s and not context.in_grace:
            context.enter(Unresponsive(result.pid))
    elif probing.then == "stop":
        context.enter(Stopped())
    elif context.now_s >= supervision.spawn_after:
        spawn(context)


def _is_hanging(context: StepContext) -> bool:
    """Count an unanswered probe and return whether the daemon now counts as hanging."""
    if context.in_grace:
        return False
    supervision, rules = context.supervision, context.supervision.rules
    since = supervision.unanswered_since if supervision.unanswered else context.now_s
    unanswered = supervision.unanswered + 1
    context.update(unanswered=unanswered, unanswered_since=since)
    return unanswered >= rules.hang_probes and context.now_s - since >= rules.hang_s
