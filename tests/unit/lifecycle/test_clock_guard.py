"""Jumps of the clock: what counts as one, and when the new time is trusted."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intaglio.lifecycle.clock_guard import SUSPENDED, ClockGuard, ClockMark, judge_clock, observe

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@dataclass
class Machine:
    """A machine whose clock and timer tests move, and the guard of a daemon on it."""

    file: Path
    now: datetime = NOW
    timer_s: float = 0.0

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.guard = ClockGuard(self.file, lambda: self.now, lambda: self.timer_s)

    def restart(self, off: timedelta = timedelta()) -> None:
        """Turn the machine off for a while; its timer begins anew."""
        self.now += off
        self.timer_s = 0.0
        self.start()

    def run(self, duration: timedelta, step: timedelta = HOUR) -> None:
        for _ in range(int(duration / step)):
            self.now += step
            self.timer_s += step.total_seconds()
            self.guard.check()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    found = Machine(tmp_path / "state" / "clock.json")
    assert found.guard.check() is None
    found.run(2 * HOUR)
    return found


@pytest.mark.parametrize("days", [-4000, -2, 2, 4000])
def test_a_jump_suspends_until_it_has_lasted_a_day(machine: Machine, days: int) -> None:
    machine.now += timedelta(days=days)
    assert machine.guard.reason == SUSPENDED
    machine.run(23 * HOUR)
    jump = machine.guard.check()
    assert jump is not None
    assert (jump.ahead, jump.left) == (timedelta(days=days), HOUR)
    machine.run(HOUR)
    assert machine.guard.reason == ""


@pytest.mark.parametrize("hours", [-24, -1, 1, 24])
def test_a_correction_by_a_day_at_most_is_no_jump(machine: Machine, hours: int) -> None:
    machine.now += timedelta(hours=hours)
    assert machine.guard.check() is None


def test_time_that_passes_between_rare_checks_is_no_jump(machine: Machine) -> None:
    machine.run(timedelta(days=300), step=timedelta(days=100))
    assert machine.guard.check() is None


def test_a_clock_that_returns_is_trusted_at_once(machine: Machine) -> None:
    machine.now += timedelta(days=400)
    machine.run(5 * HOUR)
    machine.now -= timedelta(days=400)
    assert machine.guard.check() is None


def test_a_second_jump_restarts_the_waiting_day(machine: Machine) -> None:
    machine.now += timedelta(days=10)
    machine.run(20 * HOUR)
    machine.now += timedelta(days=10)
    machine.run(20 * HOUR)
    assert machine.guard.check() is not None


def test_a_confirmed_clock_stays_trusted(machine: Machine) -> None:
    machine.now += timedelta(days=400)
    machine.guard.check()
    machine.guard.confirm()
    assert machine.guard.check() is None
    machine.start()
    assert machine.guard.check() is None


@pytest.mark.parametrize("days", [-400, 400])
def test_a_jump_while_the_daemon_is_stopped_is_seen_at_its_start(
    machine: Machine, days: int
) -> None:
    machine.restart(off=timedelta(days=days))
    assert machine.guard.check() is not None


@pytest.mark.parametrize("days", [2, 21, 59])
def test_days_or_weeks_without_the_machine_are_no_jump(machine: Machine, days: int) -> None:
    machine.restart(off=timedelta(days=days))
    assert machine.guard.check() is None


@pytest.mark.parametrize("suspended", [True, False], ids=["suspended", "turned off"])
def test_a_laptop_used_from_monday_to_friday_is_never_suspected(
    machine: Machine, *, suspended: bool
) -> None:
    for day in range(365):
        works = day % 7 < 5 and not 200 <= day < 221
        for _ in range(8 if works else 0):
            machine.run(HOUR)
            assert machine.guard.check() is None
        away = 16 * HOUR if works else 24 * HOUR
        if suspended:
            machine.now += away
            machine.timer_s += away.total_seconds()
        else:
            machine.restart(off=away)
    assert machine.guard.check() is None


def test_a_start_with_a_dead_battery_is_forgiven_when_the_network_tells_the_time(
    machine: Machine,
) -> None:
    right = machine.now + timedelta(days=3)
    machine.now = datetime(2020, 1, 1, tzinfo=UTC)
    machine.restart()
    assert machine.guard.check() is not None
    machine.now = right
    assert machine.guard.check() is None
    # From here on, what passes is known.
    machine.now += timedelta(days=3)
    assert machine.guard.check() is not None


def test_a_laptop_turned_off_each_night_gets_through_a_suspension(machine: Machine) -> None:
    machine.now += timedelta(days=400)
    for off in (16 * HOUR, 3 * DAY, 16 * HOUR):
        assert machine.guard.check() is not None
        machine.run(8 * HOUR)
        machine.restart(off=off)
    assert machine.guard.check() is None


def test_a_restart_neither_ends_nor_prolongs_the_suspension(machine: Machine) -> None:
    machine.now += timedelta(days=400)
    for _ in range(4):
        assert machine.guard.check() is not None
        machine.run(6 * HOUR)
        machine.restart()
    assert machine.guard.check() is None


def test_time_without_the_daemon_does_not_count(machine: Machine) -> None:
    machine.now += timedelta(days=400)
    machine.guard.check()
    machine.restart(off=23 * HOUR)
    machine.run(23 * HOUR)
    assert machine.guard.check() is not None


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"trusted": "never"}', "\xff"])
def test_a_damaged_record_starts_anew(tmp_path: Path, content: str) -> None:
    file = tmp_path / "clock.json"
    file.write_text(content)
    assert Machine(file).guard.check() is None


def test_trusted_time_advances_while_the_clock_is_wrong() -> None:
    mark = ClockMark(NOW)
    for _ in range(10):
        mark = observe(mark, NOW + timedelta(days=400), timedelta(seconds=1))
    assert mark.trusted == NOW + timedelta(seconds=10)


def test_a_machine_that_slept_for_weeks_has_a_right_clock(machine: Machine) -> None:
    machine.guard.check()
    machine.now += timedelta(days=21)
    machine.timer_s += timedelta(days=21).total_seconds()
    checked = judge_clock(machine.guard.check())
    assert (checked.issues, checked.penalty) == ((), 0.0)


def test_a_clock_that_jumps_while_the_machine_runs_is_named(machine: Machine) -> None:
    machine.guard.check()
    machine.now += timedelta(days=21)
    (issue,) = judge_clock(machine.guard.check()).issues
    assert (issue.id, issue.action) == ("clock", "confirm-clock")
