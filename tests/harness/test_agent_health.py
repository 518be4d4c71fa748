"""How the agents are: removed hooks, failing ones and missing tools are named, and nothing else."""

import os
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from fakes.connect_home import Home, connections_of
from fakes.store import Bench, bench
from intaglio.base.clock import iso
from intaglio.base.errors import InvalidInputError, UnavailableError
from intaglio.connect.values import ConnectionApplied
from intaglio.domain.health import Checked
from intaglio.harness.activity import HookActivity
from intaglio.harness.agent_health import AgentHealth, AgentsHealth, judge_agents
from intaglio.harness.hook_outcomes import HookCounts, HookOutcomes
from intaglio.sessions.open_sessions import OpenSessions

NO_EVENTS = HookCounts()


@dataclass
class Timer:
    """Seconds that pass when told."""

    now_s: float = 1_000.0

    def __call__(self) -> float:
        return self.now_s


@dataclass
class Computer:
    """A user's home with one agent, and what is known of it."""

    home: Home
    store: Bench
    timer: Timer = field(default_factory=Timer)

    def __post_init__(self) -> None:
        clock = self.store.clock
        self.outcomes = HookOutcomes(
            clock=clock, seconds=self.timer, file=self.home.folder / "hook-outcomes.json"
        )
        self.sessions = OpenSessions(self.store.db, seconds=self.timer)
        self.harness = self.home.connector.name
        activity = HookActivity(clock, lambda _: None, frozenset({self.harness}))
        self.agents = AgentsHealth(
            connections=connections_of(self.home, self.store.db, activity),
            outcomes=self.outcomes,
            open_sessions=self.sessions,
        )

    async def issues(self) -> list[str]:
        return [issue.id for issue in (await self.agents.check()).issues]

    def event(self, *, took_s: float = 0.0, error: Exception | None = None) -> None:
        with self.outcomes.counting(self.harness):
            self.timer.now_s += took_s
            if error is not None:
                raise error

    def fail(self, error: Exception) -> None:
        with pytest.raises(type(error)):
            self.event(error=error)


@pytest.fixture
async def computer(home: Home, tmp_path: Path) -> AsyncGenerator[Computer]:
    async with bench(tmp_path / "store") as opened:
        home.write(b"{}\n")
        assert isinstance(home.connect(), ConnectionApplied)
        yield Computer(home, opened)


async def test_hooks_that_another_program_removed_are_named_and_connecting_mends_it(
    computer: Computer,
) -> None:
    assert await computer.issues() == []
    computer.home.write(b'{"model": "opus"}\n')
    (issue,) = (await computer.agents.check()).issues
    assert (issue.level, issue.title) == ("warn", "Claude Code's hooks were removed")
    assert issue.command == f"/opt/intaglio connect {computer.harness}"
    (agent,) = await computer.agents.read()
    assert (agent.state, agent.line) == ("removed", "Its hooks were removed")
    computer.home.connect()
    assert await computer.issues() == []


async def test_an_agent_that_the_user_disconnected_was_not_removed(computer: Computer) -> None:
    computer.home.disconnect()
    (agent,) = await computer.agents.read()
    assert agent.state == "not"
    assert await computer.issues() == ["agents"]


async def test_an_agent_that_is_not_used_for_weeks_is_well(computer: Computer) -> None:
    computer.event()
    computer.store.clock.forward(days=40)
    checked = await computer.agents.check()
    assert (checked.issues, checked.penalty) == ((), 0.0)


async def test_hooks_that_fail_are_named_until_they_work(computer: Computer) -> None:
    for _ in range(3):
        computer.fail(InvalidInputError("not JSON"))
    assert await computer.issues() == [f"hooks_failed-{computer.harness}"]
    computer.store.clock.forward(hours=2)
    assert await computer.issues() == []
    (agent,) = await computer.agents.read()
    assert (agent.day.events, agent.day.failed) == (3, 3)


async def test_single_failures_and_events_that_hooks_keep_are_no_alarm(computer: Computer) -> None:
    for _ in range(20):
        computer.event()
    for _ in range(3):
        computer.fail(InvalidInputError("not JSON"))
    for _ in range(30):
        computer.fail(UnavailableError("The database is being checked."))
    assert await computer.issues() == []
    assert computer.outcomes.day(computer.harness).failed == 3


async def test_answers_that_no_hook_waits_for_are_named_if_most_are(computer: Computer) -> None:
    for _ in range(9):
        computer.event(took_s=2.5)
    assert await computer.issues() == []
    computer.event(took_s=2.5)
    assert await computer.issues() == [f"hooks_slow-{computer.harness}"]
    for _ in range(11):
        computer.event(took_s=0.1)
    assert await computer.issues() == []


async def test_a_restart_keeps_the_counts_of_a_day(computer: Computer) -> None:
    computer.event()
    computer.fail(InvalidInputError("not JSON"))
    computer.outcomes.save()
    later = replace(computer.outcomes, _hours={})
    later.load()
    assert later.day(computer.harness) == HookCounts(2, 1, 0)
    computer.store.clock.forward(hours=25)
    assert later.day(computer.harness) == NO_EVENTS


def test_counts_that_cannot_be_read_begin_anew(tmp_path: Path) -> None:
    file = tmp_path / "hook-outcomes.json"
    file.write_text('{"claude-code": {"soon": []}}')
    outcomes = HookOutcomes(file=file)
    outcomes.load()
    assert outcomes.day("claude-code") == NO_EVENTS


def _prompt(computer: Computer, *, starts: bool = False) -> None:
    # This process stands for the harness's: it runs.
    computer.sessions.note(computer.harness, "s1", os.getpid(), starts=starts)


async def test_registered_tools_that_a_session_never_started_are_named(computer: Computer) -> None:
    _prompt(computer, starts=True)
    _prompt(computer)
    computer.timer.now_s += 90
    assert await computer.issues() == []
    _prompt(computer)
    assert await computer.issues() == [f"tools-{computer.harness}"]
    computer.sessions.note_tools(os.getpid(), computer.harness)
    assert await computer.issues() == []


async def test_tools_that_another_process_of_the_agent_started_are_no_alarm(
    computer: Computer,
) -> None:
    computer.sessions.note_tools(1, computer.harness)
    computer.timer.now_s += 10
    _prompt(computer, starts=True)
    for _ in range(3):
        _prompt(computer)
    computer.timer.now_s += 3_600
    assert await computer.issues() == []


async def test_tools_that_the_user_declined_are_not_missed(computer: Computer) -> None:
    computer.home.connect(tools=False)
    _prompt(computer, starts=True)
    for _ in range(3):
        _prompt(computer)
    computer.timer.now_s += 90
    assert await computer.issues() == []


async def test_a_session_that_is_over_misses_no_tools(computer: Computer) -> None:
    _prompt(computer, starts=True)
    for _ in range(3):
        _prompt(computer)
    computer.timer.now_s += 90
    computer.sessions.end(computer.harness, "s1")
    assert await computer.issues() == []


async def test_an_event_is_told_at_once(computer: Computer) -> None:
    await computer.agents.read()
    computer.store.clock.forward(seconds=1)
    computer.agents.connections.activity.note(computer.harness, "prompt")
    (agent,) = await computer.agents.read()
    heard = agent.connection
    assert (heard.last_hook_at, heard.last_kind) == (iso(computer.store.clock()), "prompt")


async def test_figures_say_what_is_connected_and_what_arrived(computer: Computer) -> None:
    computer.event()
    figures = {figure.name: figure.value for figure in (await computer.agents.check()).figures}
    assert figures == {
        "connectedAgents": 1,
        "lastEventAt": None,
        "hookEvents": 1,
        "failedHookEvents": 0,
        "slowHookEvents": 0,
    }


def test_without_any_agent_the_one_issue_is_that_none_is_connected() -> None:
    agents: tuple[AgentHealth, ...] = ()
    checked: Checked = judge_agents(agents)
    assert ([issue.id for issue in checked.issues], checked.penalty) == (["agents"], 1.0)
