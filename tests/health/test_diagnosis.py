"""The diagnosis: what all checks found, scored, judged and said in one sentence."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from intaglio.base.errors import UnavailableError
from intaglio.domain.health import Checked, Figure, HealthCheck, HealthDomain
from intaglio.domain.issues import Issue, IssueLevel
from intaglio.health.diagnosis import Diagnosis
from intaglio.package import while_changing

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)


@dataclass(slots=True)
class Probe:
    """A check whose result a test sets; counts its runs, and hangs while it is held."""

    found: Checked | Exception = field(default_factory=Checked)
    runs: int = 0
    held: asyncio.Event | None = None

    async def run(self) -> Checked:
        self.runs += 1
        if self.held is not None:
            await self.held.wait()
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


@dataclass(slots=True)
class Bench:
    """A diagnosis of probes with a clock and a state that a test sets."""

    checks: list[HealthCheck] = field(default_factory=list[HealthCheck])
    seconds: float = 0.0
    state: object = "ready"

    @property
    def diagnosis(self) -> Diagnosis:
        return Diagnosis(
            checks=lambda: tuple(self.checks),
            clock=lambda: NOW,
            monotonic_s=lambda: self.seconds,
            state=lambda: self.state,
        )

    def add(
        self,
        found: Checked | Exception,
        domain: HealthDomain = "queue",
        *,
        fresh_s: float = 2.0,
        deadline_s: float = 60.0,
    ) -> Probe:
        probe = Probe(found)
        name = f"probe_{len(self.checks)}"
        run: Callable[[], Awaitable[Checked]] = probe.run
        self.checks.append(
            HealthCheck(
                name=name,
                domain=domain,
                title=name,
                reads="",
                run=run,
                fresh_s=fresh_s,
                deadline_s=deadline_s,
            )
        )
        return probe


def issue(level: IssueLevel, title: str = "Ink") -> Checked:
    return Checked(issues=(Issue(level, level, title, ""),))


@pytest.fixture
def bench() -> Bench:
    return Bench()


async def test_issues_of_all_checks_come_worst_first(bench: Bench) -> None:
    for level in ("info", "danger", "warn"):
        bench.add(issue(level))
    found = await bench.diagnosis.read()
    assert [each.level for each in found.issues] == ["danger", "warn", "info"]


async def test_a_check_that_fails_is_an_issue_beside_those_of_the_others(bench: Bench) -> None:
    bench.add(OSError("no such file"))
    bench.add(issue("danger"))
    found = await bench.diagnosis.read()
    assert [each.id for each in found.issues] == ["danger", "check_failed"]
    assert "probe_0 (OSError)" in found.issues[1].text


async def test_what_cannot_be_read_is_unknown_and_never_well(bench: Bench) -> None:
    bench.add(UnavailableError("the database is closed"))
    found = await bench.diagnosis.read()
    assert found.issues == []
    assert not found.is_well
    assert found.sentence == "Not everything could be checked yet."


async def test_penalties_lower_the_score_of_a_domain_and_the_composite(bench: Bench) -> None:
    bench.add(Checked(penalty=0.3))
    bench.add(Checked(penalty=0.3))
    bench.add(Checked(penalty=2.0), "duplicate")
    found = await bench.diagnosis.read()
    queue = found.domains["queue"]
    assert (queue.score, queue.status) == (0.4, "unhealthy")
    assert found.domains["duplicate"].score == 0.0
    assert found.composite == pytest.approx(0.832)
    assert found.status == "healthy"


async def test_a_diagnosis_is_used_for_two_seconds(bench: Bench) -> None:
    probe = bench.add(Checked())
    diagnosis = bench.diagnosis
    first = await diagnosis.read()
    bench.seconds = 1.9
    assert await diagnosis.read() is first
    bench.seconds = 2.0
    assert await diagnosis.read() is not first
    assert probe.runs == 2


async def test_the_last_result_is_given_without_waiting_while_it_is_recent(bench: Bench) -> None:
    diagnosis = bench.diagnosis
    assert diagnosis.recent(900) is None
    found = await diagnosis.read()
    bench.seconds += 900
    assert diagnosis.recent(900) is found
    bench.seconds += 1
    assert diagnosis.recent(900) is None
    await diagnosis.read()
    bench.state = "degraded"
    assert diagnosis.recent(900) is None


async def test_a_change_of_the_databases_state_is_seen_at_once(bench: Bench) -> None:
    probe = bench.add(Checked(), fresh_s=60.0)
    diagnosis = bench.diagnosis
    await diagnosis.read()
    probe.found, bench.state = issue("danger"), "degraded"
    assert [each.id for each in (await diagnosis.read()).issues] == ["danger"]


async def test_a_check_that_reads_much_is_not_waited_for_again(bench: Bench) -> None:
    probe = bench.add(Checked(), fresh_s=30.0)
    diagnosis = bench.diagnosis
    await diagnosis.read()
    probe.found, probe.held, bench.seconds = issue("warn"), asyncio.Event(), 31.0
    assert (await diagnosis.read()).is_well
    probe.held.set()
    await asyncio.sleep(0)
    bench.seconds = 34.0
    assert not (await diagnosis.read()).is_well
    assert probe.runs == 2


async def test_a_result_of_long_ago_is_not_shown(bench: Bench) -> None:
    probe = bench.add(Checked(), fresh_s=30.0)
    diagnosis = bench.diagnosis
    await diagnosis.read()
    probe.found, bench.seconds = issue("warn"), 600.0
    assert not (await diagnosis.read()).is_well


async def test_what_needs_nobody_is_said_and_is_no_alarm(bench: Bench) -> None:
    bench.add(issue("info", "1 job stands still"))
    found = await bench.diagnosis.read()
    assert found.is_well
    assert found.sentence == "Nothing needs attention. Meanwhile: 1 job stands still."


async def test_a_check_that_never_ends_is_an_issue_after_a_minute(bench: Bench) -> None:
    probe = bench.add(Checked(), deadline_s=0.01)
    probe.held = asyncio.Event()
    diagnosis = bench.diagnosis
    assert not (await diagnosis.read()).is_well
    bench.seconds = 61.0
    found = await diagnosis.read()
    assert [each.id for each in found.issues] == ["check_failed"]
    assert "it has been running for 61 s" in found.issues[0].text
    assert probe.runs == 1
    await diagnosis.close()


@pytest.mark.parametrize(
    ("connected", "last", "sentence"),
    [
        (1, None, "All is well: one agent is connected; it hasn't spoken yet."),
        (
            1,
            "2026-07-01T11:59:30.000Z",
            "All is well: one agent is connected; it last spoke just now.",
        ),
        (
            2,
            "2026-07-01T11:57:00.000Z",
            "All is well: two agents are connected; the last one spoke 3 minutes ago.",
        ),
        (
            3,
            "2026-06-30T11:00:00.000Z",
            "All is well: three agents are connected; the last one spoke 1 day ago.",
        ),
        (2, None, "All is well: two agents are connected; none has spoken yet."),
    ],
)
async def test_the_sentence_says_which_agents_are_there(
    bench: Bench, connected: int, last: str | None, sentence: str
) -> None:
    figures = (
        Figure("connectedAgents", "Connected agents", connected),
        Figure("lastEventAt", "Last event", last, "moment"),
    )
    bench.add(Checked(figures=figures), "agents")
    found = await bench.diagnosis.read()
    assert found.is_well
    assert found.sentence == sentence


async def test_the_sentence_names_what_needs_attention_first(bench: Bench) -> None:
    bench.add(issue("warn", "No agent is connected"))
    diagnosis = bench.diagnosis
    assert (await diagnosis.read()).sentence == (
        "One thing needs attention: No agent is connected."
    )
    bench.add(issue("danger", "Nothing can be saved"))
    found = await bench.diagnosis.read()
    assert found.sentence == "Two things need attention, first: Nothing can be saved."


async def test_a_check_of_the_whole_file_runs_again_only_if_it_was_written(tmp_path: Path) -> None:
    file, probe = tmp_path / "a.db", Probe()
    file.write_bytes(b"")
    run = while_changing(file, probe.run)
    os.utime(file, (1_000, 1_000))
    assert await run() is await run()
    assert probe.runs == 1
    os.utime(file, (2_000, 2_000))
    await run()
    (tmp_path / "a.db-wal").write_bytes(b"log")
    # What was written a moment ago may be written again within the same tick of its clock.
    await run()
    await run()
    assert probe.runs == 4
