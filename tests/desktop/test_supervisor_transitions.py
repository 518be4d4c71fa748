"""What holds for the supervisor in every world: random events, in any order, for any time."""

from collections.abc import Iterator
from typing import Literal

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from intaglio.desktop.snapshot import snapshot_of
from intaglio.desktop.supervisor.state import initial_state, wake_at
from intaglio.desktop.supervisor.transitions import step
from intaglio.desktop.supervisor.values import (
    AdoptDaemon,
    ChildExited,
    ClockReading,
    DaemonAbsent,
    DaemonAnswered,
    DaemonSpawned,
    Effect,
    Exit,
    Exited,
    Failed,
    KillDaemon,
    MovePortRequested,
    NotifyUser,
    PortTaken,
    ProbeDaemon,
    ProbeFinished,
    QuitRequested,
    RequestShutdown,
    Restarting,
    RestartRequested,
    Running,
    SpawnDaemon,
    SpawnFailed,
    Stopping,
    SupervisorEvent,
    SupervisorRules,
    TerminateDaemon,
    Tick,
    VersionInstalled,
    ViewerActive,
)

RULES = SupervisorRules()
HAIR = 1e-6  # sums of floats
VERSIONS = st.sampled_from(["1.0", "1.1"])
PIDS = st.integers(min_value=1, max_value=4)
ABSENT = st.builds(
    DaemonAbsent, st.sampled_from(["left", "died", "silent"]), st.booleans(), st.just(1)
)
SEEN = st.one_of(st.builds(DaemonAnswered, PIDS, VERSIONS), ABSENT)


class World(RuleBasedStateMachine):
    """A world in which anything may happen to the daemon; what is done about it is checked."""

    def __init__(self) -> None:
        super().__init__()
        self.known = initial_state("1.0", ClockReading(0.0, 0.0), RULES)
        self.children = 0
        self.unborn = False
        self.probes: list[int] = []
        self.failed = False
        self.asked_to_quit = False
        self.told: list[str] = []
        self.terminated_at: float | None = None

    # --- what happens -------------------------------------------------------------------------

    @rule(seconds=st.sampled_from([0.1, 1.0, 3.0, 8.0, 25.0, 50.0]))
    def time_passes(self, seconds: float) -> None:
        self.pass_s(seconds, 0.0)

    @rule(asleep=st.sampled_from([-4_000.0, 60.0, 30_000.0]))
    def it_sleeps_or_the_clock_is_set(self, asleep: float) -> None:
        self.pass_s(0.5, asleep)

    @precondition(lambda self: self.known.probing)
    @rule(seen=SEEN)
    def a_look_comes_back(self, seen: DaemonAnswered | DaemonAbsent) -> None:
        self.happens(ProbeFinished(self.known.probe_number, seen))

    @precondition(lambda self: len(self.probes) > 1)
    @rule(seen=SEEN)
    def an_old_look_comes_back(self, seen: DaemonAnswered | DaemonAbsent) -> None:
        before = self.known
        self.happens(ProbeFinished(self.probes[-2], seen))
        assert self.known.state == before.state or self.known.now != before.now

    @precondition(lambda self: self.unborn)
    @rule(pid=PIDS)
    def the_process_begins(self, pid: int) -> None:
        self.unborn = False
        self.happens(DaemonSpawned(pid))

    @precondition(lambda self: self.unborn)
    @rule()
    def the_process_does_not_begin(self) -> None:
        self.unborn, self.children = False, 0
        self.happens(SpawnFailed("no memory"))

    @precondition(lambda self: self.children and not self.unborn)
    @rule(code=st.sampled_from([0, 1, 3, 4, 5, 6, -9, -11]))
    def the_process_ends(self, code: int) -> None:
        self.children = 0
        self.happens(ChildExited(code))

    @rule(times=st.integers(2, 9), process=st.sampled_from(["silent", "silent", "left", "died"]))
    def nobody_answers_for_a_while(
        self, times: int, process: Literal["silent", "left", "died"]
    ) -> None:
        for _ in range(times):
            self.pass_s(6.0, 0.0)
            if self.known.probing:
                self.happens(ProbeFinished(self.known.probe_number, DaemonAbsent(process, pid=1)))

    @rule(times=st.integers(1, 6), code=st.sampled_from([1, 3, 6, -9]), answers=st.booleans())
    def it_keeps_dying(self, times: int, code: int, *, answers: bool) -> None:
        for _ in range(times):
            self.pass_s(1.0, 0.0)
            if self.known.probing and not self.children:
                self.happens(ProbeFinished(self.known.probe_number, DaemonAbsent("died")))
            if self.unborn:
                self.the_process_begins(2)
            if answers and self.known.probing and self.children:
                self.happens(
                    ProbeFinished(
                        self.known.probe_number, DaemonAnswered(2, self.known.installed_version)
                    )
                )
            if self.children and not self.unborn:
                self.the_process_ends(code)

    @rule(version=VERSIONS)
    def an_update_is_installed(self, version: str) -> None:
        self.happens(VersionInstalled(version))

    @rule(event=st.sampled_from([ViewerActive(), MovePortRequested(), Tick()]))
    def somebody_looks_or_agrees(self, event: SupervisorEvent) -> None:
        self.happens(event)

    @rule()
    def the_user_restarts_it(self) -> None:
        self.failed = False
        self.told = []
        self.happens(RestartRequested())

    @precondition(lambda self: not self.asked_to_quit)
    @rule(really=st.integers(0, 9))
    def the_user_quits(self, really: int) -> None:
        if really == 0:
            self.asked_to_quit = True
            self.happens(QuitRequested())

    # --- what is checked ----------------------------------------------------------------------

    def pass_s(self, seconds: float, asleep: float) -> None:
        now = self.known.now
        later = ClockReading(now.monotonic_s + seconds, now.wall_s + seconds + asleep)
        self.happens(Tick(), later)

    def happens(self, event: SupervisorEvent, now: ClockReading | None = None) -> None:
        before = self.known
        self.known, effects = step(before, event, now or before.now)
        if isinstance(before.state, Exited):
            assert effects == ()
            return
        if isinstance(self.known.state, Running):
            self.failed, self.told = False, []
        # What was found running, or agreed to, is a new beginning.
        agreed = isinstance(event, MovePortRequested) and isinstance(before.state, PortTaken)
        if agreed or any(isinstance(effect, AdoptDaemon) for effect in effects):
            self.failed, self.told = False, []
        for effect in self.checked(effects):
            if isinstance(effect, SpawnDaemon):
                self.children, self.unborn = self.children + 1, True
        if isinstance(self.known.state, Failed):
            self.failed = True
        self.check_wait(before.state)
        if self.known.now.monotonic_s < self.known.grace_until:
            assert len(self.known.crashes) <= len(before.crashes)

    def checked(self, effects: tuple[Effect, ...]) -> Iterator[Effect]:
        for effect in effects:
            match effect:
                case SpawnDaemon():
                    assert self.children == 0, "never two at once"
                    assert not self.failed, "not after a failure"
                    assert not self.asked_to_quit
                case RequestShutdown() | TerminateDaemon() | KillDaemon():
                    self.check_end(effect)
                case ProbeDaemon(number=number):
                    assert number > max(self.probes, default=-1)
                    self.probes.append(number)
                case NotifyUser(kind=kind):
                    assert kind not in self.told or kind == "updated", "told once"
                    self.told.append(kind)
                case Exit():
                    assert self.asked_to_quit
                    assert not self.children or self.terminated_at is not None
                case _:
                    pass
            yield effect

    def check_end(self, effect: RequestShutdown | TerminateDaemon | KillDaemon) -> None:
        state, now = self.known.state, self.known.now.monotonic_s
        if effect.origin == "adopted":
            assert isinstance(state, Stopping)
            assert state.reason in {"restart", "update"}, (
                "adopted: only when asked, or after an update"
            )
        if isinstance(effect, TerminateDaemon):
            self.terminated_at = now
        if isinstance(effect, KillDaemon):
            assert self.terminated_at is not None, "never a kill without the polite way first"
            assert now - self.terminated_at >= RULES.terminate_timeout_s - HAIR

    def check_wait(self, before: object) -> None:
        state = self.known.state
        if isinstance(state, Restarting) and state != before:
            wait = state.until - self.known.now.monotonic_s
            assert RULES.backoff_s[0] - HAIR <= wait <= RULES.backoff_s[-1] + HAIR

    @invariant()
    def it_always_wakes_again(self) -> None:
        wait = wake_at(self.known) - self.known.now.monotonic_s
        assert wait <= RULES.probe_idle_s + HAIR

    @invariant()
    def too_many_deaths_end_its_patience(self) -> None:
        now = self.known.now.monotonic_s
        recent = [at for at in self.known.crashes if now - at < RULES.crash_window_s]
        if len(recent) >= RULES.max_crashes:
            assert not isinstance(self.known.state, Restarting) or now < self.known.grace_until

    @invariant()
    def it_never_forgets_a_process(self) -> None:
        # Having left, it no longer listens.
        assert isinstance(self.known.state, Exited) or self.known.has_child == bool(self.children)

    @invariant()
    def its_state_can_always_be_shown(self) -> None:
        shown = snapshot_of(self.known, None, 3850)
        assert shown.line
        assert shown.health is None


World.TestCase.settings = settings(max_examples=80, stateful_step_count=50, deadline=None)
TestWorld = World.TestCase
