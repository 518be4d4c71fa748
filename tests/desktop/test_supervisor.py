"""The supervisor's rules, one by one, with a clock that the test turns."""

from dataclasses import dataclass, field, replace

import pytest

from intaglio.desktop.supervisor.state import Supervision, initial_state, is_fresh, wake_at
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
    Stopping,
    SupervisorEvent,
    SupervisorRules,
    TerminateDaemon,
    Tick,
    Unresponsive,
    VersionInstalled,
    ViewerActive,
)

RULES = SupervisorRules()
NOBODY = DaemonAbsent("left")
DIED = DaemonAbsent("died")
SILENT = DaemonAbsent("silent", pid=7)
OURS = DaemonAnswered(7, "1.0")


@dataclass
class Bench:
    """A supervisor whose time stands still until the test moves it."""

    known: Supervision = field(
        default_factory=lambda: initial_state("1.0", ClockReading(100.0, 5_000.0), RULES)
    )
    done: list[Effect] = field(default_factory=list[Effect])

    def __call__(self, event: SupervisorEvent) -> "Bench":
        self.known, effects = step(self.known, event, self.known.now)
        self.done = list(effects)
        return self

    def pass_s(self, seconds: float, *, asleep: float = 0.0) -> "Bench":
        """Let time pass; asleep, it passes on the wall alone."""
        now = self.known.now
        later = ClockReading(now.monotonic_s + seconds, now.wall_s + seconds + asleep)
        self.known, effects = step(self.known, Tick(), later)
        self.done = list(effects)
        return self

    def see(self, seen: ProbeResult) -> "Bench":
        """Answer the probe that is under way, letting it begin first."""
        if not self.known.probing:
            wait = max(0.0, self.known.next_probe_at - self.known.now.monotonic_s)
            self.pass_s(wait)
        assert self.known.probing
        return self(ProbeFinished(self.known.probe_number, seen))

    def spawned(self) -> "Bench":
        """Bring it to where its own daemon runs."""
        return self(Tick()).see(NOBODY)(DaemonSpawned(7)).see(OURS)

    def adopted(self, version: str = "1.0") -> "Bench":
        """Bring it to where somebody else's daemon runs."""
        return self(Tick()).see(DaemonAnswered(7, version))

    def die(self) -> "Bench":
        """Let its daemon be killed and, after the back-off, another one start."""
        self(ChildExited(-9))
        if isinstance(self.known.state, Restarting):
            self.pass_s(self.known.state.until - self.known.now.monotonic_s)
            self.see(DIED)
            self(DaemonSpawned(7)).see(OURS)
        return self


@pytest.fixture
def bench() -> Bench:
    return Bench()


def kinds(effects: list[Effect]) -> list[type[Effect]]:
    return [type(effect) for effect in effects]


def test_it_looks_before_it_spawns(bench: Bench) -> None:
    assert kinds(bench(Tick()).done) == [ProbeDaemon]
    assert kinds(bench.see(NOBODY).done)[0] is SpawnDaemon
    assert isinstance(bench.known.state, Starting)


def test_a_running_daemon_of_this_version_is_adopted(bench: Bench) -> None:
    assert bench.adopted().done == [AdoptDaemon(7, "1.0")]
    assert bench.known.state == Running("adopted", 7, "1.0")


def test_an_adopted_daemon_of_another_version_is_asked_to_leave_and_replaced(bench: Bench) -> None:
    bench.adopted("0.9")
    assert RequestShutdown("adopted", 7) in bench.done
    assert NotifyUser("updated", "1.0") in bench.done
    assert SpawnDaemon() in bench.see(NOBODY).done


def test_a_daemon_of_another_version_is_replaced_once_and_no_more(bench: Bench) -> None:
    bench.adopted("0.9").see(NOBODY)(DaemonSpawned(8)).see(DaemonAnswered(8, "0.9"))
    assert bench.known.state == Running("spawned", 8, "0.9")
    bench.see(DaemonAnswered(8, "0.9"))
    assert isinstance(bench.known.state, Running)


def test_an_update_on_the_disk_restarts_its_own_daemon(bench: Bench) -> None:
    bench.spawned()(VersionInstalled("1.1"))
    assert RequestShutdown("spawned", 7) in bench.done
    assert SpawnDaemon() in bench(ChildExited(0)).done
    assert bench(DaemonSpawned(9)).see(DaemonAnswered(9, "1.1")).known.state == Running(
        "spawned", 9, "1.1"
    )


def test_deaths_are_answered_after_1_2_4_and_8_seconds_and_the_fifth_not_at_all(
    bench: Bench,
) -> None:
    bench.spawned()
    waits: list[float] = []
    for _ in range(4):
        bench(ChildExited(-9))
        assert isinstance(bench.known.state, Restarting)
        waits.append(bench.known.state.until - bench.known.now.monotonic_s)
        bench.pass_s(waits[-1]).see(DIED)(DaemonSpawned(7)).see(OURS)
    assert waits == [1, 2, 4, 8]
    bench(ChildExited(-9))
    assert bench.known.state == Failed("signal 9 ended it")
    assert [effect for effect in bench.done if isinstance(effect, NotifyUser)] == [
        NotifyUser("daemon_failed", "signal 9 ended it")
    ]


def test_after_a_failure_nothing_is_spawned_until_the_user_asks(bench: Bench) -> None:
    bench.spawned()
    for _ in range(5):
        bench.die()
    for _ in range(50):
        bench.pass_s(20).see(DIED)
        assert not set(kinds(bench.done)) & {SpawnDaemon, NotifyUser}
    assert SpawnDaemon() in bench(RestartRequested()).see(DIED).done


def test_deaths_that_lie_far_apart_do_not_add_up(bench: Bench) -> None:
    bench.spawned()
    for _ in range(20):
        bench.die()
        for _ in range(6):
            bench.pass_s(30).see(OURS)
    assert isinstance(bench.known.state, Running)


def test_a_failed_supervisor_adopts_what_the_user_started_elsewhere(bench: Bench) -> None:
    bench.spawned()
    for _ in range(5):
        bench.die()
    assert bench.see(DaemonAnswered(99, "1.0")).known.state == Running("adopted", 99, "1.0")


def test_a_daemon_that_ended_on_purpose_stays_stopped(bench: Bench) -> None:
    bench.spawned()(ChildExited(0)).see(NOBODY)
    assert isinstance(bench.known.state, Stopped)
    assert SpawnDaemon() in bench(RestartRequested()).see(NOBODY).done


def test_a_daemon_that_was_stopped_while_it_started_stays_stopped_too(bench: Bench) -> None:
    bench(Tick()).see(NOBODY)(DaemonSpawned(7))(ChildExited(0)).see(NOBODY)
    assert isinstance(bench.known.state, Stopped)


def test_an_adopted_daemon_that_left_in_order_stays_stopped(bench: Bench) -> None:
    assert isinstance(bench.adopted().see(NOBODY).known.state, Stopped)


def test_an_adopted_daemon_that_died_is_replaced_after_the_back_off(bench: Bench) -> None:
    bench.adopted().see(DIED)
    assert isinstance(bench.known.state, Restarting)
    assert SpawnDaemon() in bench.pass_s(1).see(DIED).done


def test_the_loser_of_a_race_adopts_the_winner(bench: Bench) -> None:
    bench(Tick()).see(NOBODY)(DaemonSpawned(7))(ChildExited(6))
    assert bench.see(DaemonAnswered(8, "1.0")).known.state == Running("adopted", 8, "1.0")


def test_a_lock_that_stays_held_by_something_silent_ends_in_failure(bench: Bench) -> None:
    bench(Tick())
    for _ in range(400):
        bench.see(NOBODY)
        if bench.known.has_child:
            bench(DaemonSpawned(7))(ChildExited(6))
    assert bench.known.state == Failed("another daemon holds the lock but isn't responding")


def hang(bench: Bench) -> Bench:
    for _ in range(40):
        if not isinstance(bench.known.state, Running):
            break
        bench.see(SILENT)
    return bench


def test_a_hanging_daemon_of_its_own_is_terminated_then_killed_then_replaced(bench: Bench) -> None:
    hang(bench.spawned())
    assert TerminateDaemon("spawned", 7) in bench.done
    assert KillDaemon("spawned", 7) in bench.pass_s(RULES.terminate_timeout_s + 0.1).done
    bench(ChildExited(-9))
    assert isinstance(bench.known.state, Restarting)
    assert len(bench.known.crashes) == 1


def test_a_few_lost_answers_are_no_hang(bench: Bench) -> None:
    bench.spawned()
    for _ in range(RULES.hang_probes - 1):
        bench.see(SILENT)
    bench.see(OURS)
    assert isinstance(bench.known.state, Running)
    assert bench.known.unanswered == 0


def test_a_hanging_adopted_daemon_is_shown_and_left_alone(bench: Bench) -> None:
    hang(bench.adopted())
    assert bench.known.state == Unresponsive(7)
    for _ in range(20):
        assert not set(kinds(bench.see(SILENT).done)) & {
            RequestShutdown,
            TerminateDaemon,
            KillDaemon,
            SpawnDaemon,
        }
    assert isinstance(bench.see(OURS).known.state, Running)


def test_a_daemon_that_never_answers_is_ended_after_the_time_for_a_start(bench: Bench) -> None:
    bench(Tick()).see(NOBODY)(DaemonSpawned(7))
    bench.pass_s(RULES.start_timeout_s - 1)
    assert isinstance(bench.known.state, Starting)
    assert TerminateDaemon("spawned", 7) in bench.pass_s(2).done


def test_a_taken_port_is_told_once_and_taken_up_again_when_it_is_free(bench: Bench) -> None:
    bench(Tick()).see(NOBODY)(DaemonSpawned(7))(ChildExited(3))
    assert isinstance(bench.known.state, PortTaken)
    assert NotifyUser("port_taken") in bench.done
    assert SpawnDaemon() not in bench.see(DaemonAbsent("left", port_free=False)).done
    assert SpawnDaemon() in bench.see(DaemonAbsent("left", port_free=True)).done
    assert NotifyUser("port_taken") not in bench(DaemonSpawned(8))(ChildExited(3)).done


def test_another_port_is_taken_only_when_the_user_agrees(bench: Bench) -> None:
    assert SpawnDaemon(move_port=True) not in bench.spawned()(MovePortRequested()).done
    taken = Bench()(Tick()).see(NOBODY)(DaemonSpawned(7))(ChildExited(3))
    assert SpawnDaemon(move_port=True) in taken(MovePortRequested()).done


def test_a_refusal_is_told_in_the_daemons_own_words(bench: Bench) -> None:
    bench(Tick()).see(NOBODY)(DaemonSpawned(7))(ChildExited(4, "Another daemon works on it."))
    assert bench.known.state == StartRefused("Another daemon works on it.")
    assert NotifyUser("refused", "Another daemon works on it.") in bench.done


def test_a_process_that_cannot_be_started_counts_as_a_death(bench: Bench) -> None:
    bench(Tick()).see(NOBODY)(SpawnFailed("no memory"))
    assert isinstance(bench.known.state, Restarting)


def test_after_a_sleep_neither_silence_nor_death_counts(bench: Bench) -> None:
    bench.spawned()
    for _ in range(RULES.hang_probes - 1):
        bench.see(SILENT)
    bench.pass_s(1, asleep=3_600)
    assert kinds(bench.done) == [ProbeDaemon]
    for _ in range(RULES.hang_probes):
        bench.see(SILENT)
    before = bench.known.state
    assert isinstance(before, Running)
    after = bench(ChildExited(-9)).known.state
    assert isinstance(after, Restarting)
    assert bench.known.crashes == ()


def test_a_process_that_stood_still_itself_has_the_same_grace(bench: Bench) -> None:
    bench.spawned().pass_s(RULES.max_step_s + 1)
    assert bench.known.grace_until > bench.known.now.monotonic_s


def test_after_a_sleep_what_was_known_is_not_shown_until_it_is_confirmed(bench: Bench) -> None:
    bench.spawned()
    assert is_fresh(bench.known)
    bench.pass_s(1, asleep=3_600)
    assert not is_fresh(bench.known)
    assert is_fresh(bench.see(OURS).known)


def test_an_answer_ages(bench: Bench) -> None:
    bench.spawned().pass_s(RULES.fresh_s + 1)
    assert not is_fresh(bench.known)


def test_a_probe_that_never_comes_back_counts_as_silence(bench: Bench) -> None:
    bench.spawned().pass_s(RULES.probe_idle_s)
    assert bench.known.probing
    bench.pass_s(RULES.probe_timeout_s + 0.1)
    assert bench.known.unanswered == 1


def test_a_silent_daemon_whose_process_is_learnt_late_is_the_one_that_restart_ends(
    bench: Bench,
) -> None:
    for _ in range(4):
        bench.pass_s(RULES.probe_timeout_s + 1)
    assert bench.known.state == Unresponsive(0)
    bench.see(SILENT)
    assert RequestShutdown("adopted", 7) in bench(RestartRequested()).done


def test_an_answer_to_an_older_question_is_not_heard(bench: Bench) -> None:
    bench.spawned().pass_s(RULES.probe_idle_s)
    number = bench.known.probe_number
    bench(ChildExited(-9))(ProbeFinished(number, OURS))
    assert isinstance(bench.known.state, Restarting)


def test_the_menu_makes_it_look_at_once_and_more_often(bench: Bench) -> None:
    bench.spawned()
    assert bench(ViewerActive()).done == [ProbeDaemon(bench.known.probe_number, full_report=True)]
    bench.see(OURS)
    assert wake_at(bench.known) - bench.known.now.monotonic_s <= RULES.probe_active_s


def test_quit_lets_its_own_daemon_leave_first(bench: Bench) -> None:
    assert RequestShutdown("spawned", 7) in bench.spawned()(QuitRequested()).done
    assert bench(ChildExited(0)).done == [Exit()]


def test_while_its_own_daemon_leaves_it_sleeps_until_its_patience_ends(bench: Bench) -> None:
    bench.spawned()(QuitRequested())
    assert wake_at(bench.known) - bench.known.now.monotonic_s >= RULES.probe_idle_s


def test_quit_ends_even_a_daemon_that_does_not_want_to(bench: Bench) -> None:
    bench.spawned()(QuitRequested())
    assert TerminateDaemon("spawned", 7) in bench.pass_s(RULES.shutdown_timeout_s + 0.1).done
    assert KillDaemon("spawned", 7) in bench.pass_s(RULES.terminate_timeout_s + 0.1).done
    assert Exit() in bench.pass_s(RULES.kill_timeout_s + 0.1).done


def test_quit_leaves_an_adopted_daemon_running(bench: Bench) -> None:
    assert bench.adopted()(QuitRequested()).done == [Exit()]
    assert isinstance(bench.known.state, Exited)


def test_restart_ends_an_adopted_daemon_too(bench: Bench) -> None:
    assert RequestShutdown("adopted", 7) in bench.adopted()(RestartRequested()).done
    assert TerminateDaemon("adopted", 7) in bench.pass_s(RULES.shutdown_timeout_s + 0.1).done
    assert SpawnDaemon() in bench.see(DIED).done


def test_restart_twice_does_not_spawn_twice(bench: Bench) -> None:
    bench.spawned()(RestartRequested())(RestartRequested())
    assert kinds(bench(ChildExited(0)).done).count(SpawnDaemon) == 1
    assert not [
        effect for effect in bench(RestartRequested()).done if isinstance(effect, SpawnDaemon)
    ]


def test_where_the_system_starts_a_daemon_it_is_given_time(bench: Bench) -> None:
    bench.known = initial_state("1.0", ClockReading(100.0, 5_000.0), RULES, service=True)
    bench(Tick()).see(NOBODY)
    assert isinstance(bench.known.state, Probing)
    assert isinstance(bench.see(OURS).known.state, Running)
    bench.known = initial_state("1.0", ClockReading(100.0, 5_000.0), RULES, service=True)
    bench(Tick()).pass_s(RULES.service_timeout_s)
    assert SpawnDaemon() in bench.see(NOBODY).done


def test_the_state_says_why_a_daemon_is_being_ended(bench: Bench) -> None:
    state = bench.spawned()(QuitRequested()).known.state
    assert isinstance(state, Stopping)
    assert replace(state, since=0) == Stopping("spawned", 7, "quit", "exit", "requested", 0)
