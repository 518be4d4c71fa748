"""The supervisor's decisions: from what it knows, an event and the time to knowledge and effects.

Pure; who looks, waits and acts is `hands.py`, who turns the crank is the desk.
"""

from dataclasses import replace
from typing import Final, Literal

from intaglio.desktop.supervisor.state import Supervision, needs_probing, step_timeout_s
from intaglio.desktop.supervisor.values import (
    EXIT_ANOTHER_RUNS,
    EXIT_PORT_TAKEN,
    EXIT_REFUSED,
    AdoptDaemon,
    ChildExited,
    ClockReading,
    DaemonAbsent,
    DaemonAnswered,
    DaemonOrigin,
    DaemonSpawned,
    Effect,
    Ending,
    EndReason,
    Exit,
    Exited,
    Failed,
    KillDaemon,
    MovePortRequested,
    NotifyUser,
    PortTaken,
    ProbeDaemon,
    ProbeFinished,
    ProbeResult,
    Probing,
    QuitRequested,
    RequestShutdown,
    Restarting,
    RestartRequested,
    Running,
    SpawnDaemon,
    SpawnFailed,
    Starting,
    StartRefused,
    Stopped,
    SupervisorEvent,
    SupervisorState,
    TerminateDaemon,
    Tick,
    Unresponsive,
    VersionInstalled,
    ViewerActive,
)
from intaglio.desktop.values import NotificationKind

_LOCK_HELD: Final = "another daemon holds the lock and does not answer"
_NOTHING_TOLD: Final[frozenset[NotificationKind]] = frozenset()


def step(
    supervision: Supervision, event: SupervisorEvent, now: ClockReading
) -> tuple[Supervision, tuple[Effect, ...]]:
    """Take one event in and return what is known then and what has to be done, in order."""
    turn = _Transition(supervision)
    turn.pass_time(now)
    if not isinstance(turn.known.state, Exited):
        turn.take(event)
        turn.time_out()
        turn.look()
    return turn.known, tuple(turn.effects)


class _Transition:
    """One step in the making."""

    def __init__(self, supervision: Supervision) -> None:
        self.known = supervision
        self.effects: list[Effect] = []

    @property
    def _now(self) -> float:
        return self.known.now.monotonic_s

    @property
    def _in_grace(self) -> bool:
        return self._now < self.known.grace_until

    def _set(self, **changes: object) -> None:
        self.known = replace(self.known, **changes)  # type: ignore[arg-type] # names of its fields

    def _enter(self, state: SupervisorState) -> None:
        """Change the state; what a probe saw before no longer counts, and one is due at once."""
        self._set(
            state=state, silent=0, probing=False, probe=self.known.probe + 1, probe_at=self._now
        )

    # --- time -------------------------------------------------------------------------------------

    def pass_time(self, now: ClockReading) -> None:
        """Move on to now; a jump of either clock (sleep, a set clock) gives everything new time."""
        before, rules = self.known.now, self.known.rules
        passed = now.monotonic_s - before.monotonic_s
        apart = (now.wall_s - before.wall_s) - passed
        self._set(now=now)
        if abs(apart) <= rules.jump_s and passed <= rules.gap_s:
            return
        self._set(
            grace_until=self._now + rules.grace_s,
            silent=0,
            answered_at=None,
            probe_at=min(self.known.probe_at, self._now),
        )
        match self.known.state:
            case Starting() as state:
                self._set(state=replace(state, since=self._now))
            case Probing() as state:
                self._set(state=replace(state, since=self._now))
            case Ending() as state:
                self._set(state=replace(state, since=self._now))
            case _:
                pass

    def time_out(self) -> None:
        """Do what the time itself brings."""
        rules = self.known.rules
        if self.known.probing and self._now - self.known.probe_began > rules.probe_within_s:
            # Whoever looked is stuck; nobody answered, and whether one lives is not known.
            self._probed(self.known.probe, DaemonAbsent("silent"))
        match self.known.state:
            case Restarting(until=until) if self._now >= until:
                self._enter(Probing(self._now))
            case Starting(since=since) if self._now - since > rules.start_within_s:
                self._hang()
            case Ending(step=now_at, since=since) as ending:
                if self._now - since > step_timeout_s(rules, now_at):
                    self._press(ending)
            case _:
                pass

    def look(self) -> None:
        """Probe when it is time, one probe after the other."""
        known = self.known
        if needs_probing(known.state) and not known.probing and self._now >= known.probe_at:
            self._set(probing=True, probe=known.probe + 1, probe_began=self._now)
            whole = self._now < known.close_until
            port = isinstance(known.state, PortTaken)
            self.effects.append(ProbeDaemon(self.known.probe, whole, port))

    def _interval(self) -> float:
        rules = self.known.rules
        match self.known.state:
            case Starting() | Ending() | Probing():
                return rules.probe_starting_s
            case Running() if not self.known.silent and self._now >= self.known.close_until:
                return rules.probe_idle_s
            case Running() | Unresponsive() | Restarting():
                return rules.probe_close_s
            case Failed() | PortTaken() | StartRefused() | Stopped():
                return rules.probe_idle_s
            case Exited():
                return rules.probe_idle_s

    # --- events -----------------------------------------------------------------------------------

    def take(self, event: SupervisorEvent) -> None:
        """Take the event in."""
        match event:
            case Tick():
                pass
            case ProbeFinished(number=number, seen=seen):
                self._probed(number, seen)
            case DaemonSpawned() | SpawnFailed() | ChildExited():
                self._heard_of_child(event)
            case _:
                self._asked(event)

    def _heard_of_child(self, event: DaemonSpawned | SpawnFailed | ChildExited) -> None:
        match event:
            case DaemonSpawned(pid=pid):
                self._set(child_pid=pid)
            case SpawnFailed(why=why):
                self._set(child=False, child_pid=0)
                self._not_spawned(why)
            case ChildExited():
                self._set(child=False, child_pid=0)
                self._exited(event)

    def _asked(
        self,
        event: ViewerActive
        | RestartRequested
        | MovePortRequested
        | QuitRequested
        | VersionInstalled,
    ) -> None:
        match event:
            case ViewerActive():
                close = self._now + self.known.rules.close_for_s
                self._set(close_until=close, probe_at=min(self.known.probe_at, self._now))
            case RestartRequested():
                self._restart()
            case MovePortRequested():
                if isinstance(self.known.state, PortTaken):
                    self._set(told=_NOTHING_TOLD)
                    self._spawn(move_port=True)
            case QuitRequested():
                self._quit()
            case VersionInstalled(version=version):
                self._set(expected=version)
                self._update()

    def _probed(self, number: int, seen: ProbeResult) -> None:
        if number != self.known.probe or not self.known.probing:
            return
        self._set(probing=False)
        self._saw(seen)
        # A new state wants its first look at once.
        if self.known.probe == number:
            self._set(probe_at=self._now + self._interval())

    def _saw(self, seen: DaemonAnswered | DaemonAbsent) -> None:
        match seen:
            case DaemonAnswered():
                self._set(answered_at=self._now, silent=0)
                self._answered(seen)
            case DaemonAbsent():
                self._absent(seen)

    def _answered(self, seen: DaemonAnswered) -> None:
        match self.known.state:
            case Starting():
                # What was spawned is what lies on the disk, whatever this program was told.
                if seen.version != self.known.expected:
                    self._set(updated_for=self.known.expected)
                self._set(told=_NOTHING_TOLD)
                self._run(Running("spawned", seen.pid, seen.version))
            case Running(origin=origin) as state:
                found = Running(origin, seen.pid, seen.version)
                if found != state:
                    self._set(state=found)
                self._update()
            case Ending(origin="adopted", pid=pid) if seen.pid != pid:
                # It is gone, and another one came before ours.
                self._adopt(seen)
            case Ending() | Exited():
                pass
            case _:
                self._adopt(seen)

    def _adopt(self, seen: DaemonAnswered) -> None:
        self._set(told=_NOTHING_TOLD)
        self.effects.append(AdoptDaemon(seen.pid, seen.version))
        self._run(Running("adopted", seen.pid, seen.version))
        self._update()

    def _run(self, state: Running) -> None:
        self._set(state=state, silent=0, patient_until=self._now)

    def _absent(self, seen: DaemonAbsent) -> None:
        match self.known.state:
            case Probing() as looking:
                self._nobody(looking, seen)
            case Running(origin="spawned"):
                if self._is_hanging():
                    self._hang()
            case Running() | Unresponsive() as state:
                self._adopted_silent(state, seen)
            case PortTaken():
                if seen.port_free:
                    self._spawn()
            case Ending(origin="adopted") as ending:
                if seen.process != "silent":
                    self._over(ending)
            case _:
                pass

    def _adopted_silent(self, state: Running | Unresponsive, seen: DaemonAbsent) -> None:
        if seen.process == "left":
            self._enter(Stopped())
        elif seen.process == "died":
            self._died("it ended unexpectedly")
        elif isinstance(state, Running) and self._is_hanging():
            self._enter(Unresponsive(state.pid))
        elif isinstance(state, Unresponsive) and seen.pid:
            # Who lives there may not have been known yet, or be another one by now.
            self._set(state=Unresponsive(seen.pid))

    def _nobody(self, looking: Probing, seen: DaemonAbsent) -> None:
        if seen.process == "silent":
            # It may be starting, or hang; it is not ours to end.
            if self._now - looking.since > self.known.rules.start_within_s and not self._in_grace:
                self._enter(Unresponsive(seen.pid))
        elif looking.then == "stop":
            self._enter(Stopped())
        elif self._now >= self.known.patient_until:
            self._spawn()

    def _is_hanging(self) -> bool:
        """Count a probe that nobody answered; tell whether that is enough."""
        if self._in_grace:
            return False
        known, rules = self.known, self.known.rules
        since = known.silent_since if known.silent else self._now
        self._set(silent=known.silent + 1, silent_since=since)
        return known.silent + 1 >= rules.hang_after and self._now - since >= rules.hang_s

    # --- ends -------------------------------------------------------------------------------------

    def _exited(self, event: ChildExited) -> None:
        match self.known.state:
            case Ending(origin="spawned") as ending:
                self._over(ending)
            case Starting() if event.code == EXIT_ANOTHER_RUNS:
                self._came_second()
            case Starting() if event.code == EXIT_PORT_TAKEN:
                self._enter(PortTaken())
                self._tell("port_taken")
            case Starting() if event.code == EXIT_REFUSED:
                self._enter(StartRefused(event.said))
                self._tell("refused", event.said)
            case Starting() | Running(origin="spawned") if event.code == 0:
                self._enter(Probing(self._now, then="stop"))
            case Starting() | Running(origin="spawned"):
                self._died(event.said or _how_it_ended(event.code))
            case _:
                pass

    def _came_second(self) -> None:
        """Look for the daemon that was there first; if none is found, this counts as a death."""
        self._died(_LOCK_HELD)
        match self.known.state:
            case Restarting(until=until):
                self._set(patient_until=until)
                self._enter(Probing(self._now))
            case _:
                pass

    def _not_spawned(self, why: str) -> None:
        match self.known.state:
            case Ending() as ending:
                self._over(ending)
            case Starting():
                self._died(why)
            case _:
                pass

    def _died(self, why: str) -> None:
        """Count a death, unless the machine has just woken, and wait before the next try."""
        rules = self.known.rules
        if self._in_grace:
            self._enter(Restarting(self._now + rules.backoff_s[0]))
            return
        recent = [at for at in self.known.deaths if self._now - at < rules.deaths_within_s]
        deaths = (*recent, self._now)[-rules.most_deaths :]
        self._set(deaths=deaths)
        if len(deaths) >= rules.most_deaths:
            self._enter(Failed(why))
            self._tell("daemon_failed", why)
        else:
            wait = rules.backoff_s[min(len(deaths), len(rules.backoff_s)) - 1]
            self._enter(Restarting(self._now + wait))

    def _hang(self) -> None:
        if not self._in_grace:
            self._end("spawned", self.known.child_pid, "hang")

    def _end(
        self,
        origin: DaemonOrigin,
        pid: int,
        why: EndReason,
        then: Literal["restart", "leave"] = "restart",
    ) -> None:
        """Begin to end a daemon; one that hangs is not asked."""
        ending = Ending(origin, pid, why, then, "asked", self._now)
        self._enter(ending)
        if why == "hang":
            self._press(ending)
        else:
            self.effects.append(RequestShutdown(origin, pid))

    def _press(self, ending: Ending) -> None:
        """Go on to the next, harder step."""
        match ending.step:
            case "asked":
                self._set(state=replace(ending, step="terminated", since=self._now))
                self.effects.append(TerminateDaemon(ending.origin, ending.pid))
            case "terminated":
                self._set(state=replace(ending, step="killed", since=self._now))
                self.effects.append(KillDaemon(ending.origin, ending.pid))
            case "killed":
                if ending.then == "leave":
                    self._leave()
                elif self.known.child:
                    # It cannot even be killed (its disk hangs); when it ends, that is heard.
                    self._set(state=replace(ending, since=self._now))
                else:
                    self._enter(Failed(f"process {ending.pid} does not end"))
                    self._tell("daemon_failed", f"process {ending.pid} does not end")

    def _over(self, ending: Ending) -> None:
        """The daemon that was being ended is gone."""
        if ending.then == "leave":
            self._leave()
        elif ending.reason == "hang":
            self._died("it did not answer")
        else:
            self._spawn()

    def _leave(self) -> None:
        self._set(state=Exited(), answered_at=None)
        self.effects.append(Exit())

    # --- what is asked ----------------------------------------------------------------------------

    def _spawn(self, *, move_port: bool = False) -> None:
        # Never a second one beside the first: what is asked for comes when that has ended.
        if self.known.child:
            return
        self._enter(Starting(self._now))
        self._set(child=True, child_pid=0, answered_at=None)
        self.effects.append(SpawnDaemon(move_port=move_port))

    def _restart(self) -> None:
        self._set(deaths=(), told=_NOTHING_TOLD, patient_until=self._now)
        match self.known.state:
            case Ending() | Exited():
                pass
            case Running(origin="adopted", pid=pid):
                self._end("adopted", pid, "asked")
            case Unresponsive(pid=pid):
                self._end("adopted", pid, "asked")
            case _ if self.known.child:
                self._end("spawned", self.known.child_pid, "asked")
            case _:
                self._enter(Probing(self._now))

    def _update(self) -> None:
        """Restart a daemon of another version than the installed one, once for each version."""
        known = self.known
        match known.state:
            case Running(origin=origin, pid=pid, version=version):
                if known.expected in {version, known.updated_for}:
                    return
                self._set(updated_for=known.expected, told=_NOTHING_TOLD)
                self._tell("updated", known.expected)
                self._end(
                    origin,
                    known.child_pid if origin == "spawned" else pid,
                    "update",
                )
            case _:
                pass

    def _quit(self) -> None:
        match self.known.state:
            case Ending(origin="spawned") as ending:
                self._set(state=replace(ending, then="leave"))
            case _ if self.known.child:
                self._end("spawned", self.known.child_pid, "quit", "leave")
            case _:
                self._leave()

    def _tell(self, kind: NotificationKind, text: str = "") -> None:
        """Notify once until things are well again or the user has acted."""
        if kind not in self.known.told:
            self._set(told=self.known.told | {kind})
            self.effects.append(NotifyUser(kind, text))


def _how_it_ended(code: int) -> str:
    return f"it was ended by signal {-code}" if code < 0 else f"it ended with {code}"
