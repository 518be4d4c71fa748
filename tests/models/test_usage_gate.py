"""Calls of language models: the day's limits, pauses, and what is recorded."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from fakes.completions import Answering, ScriptedCompletion
from fakes.store import MovableClock, bench
from fakes.waiting import until
from intaglio.base.settings.values import Settings
from intaglio.daemon.packages import PACKAGES
from intaglio.inference.completion.choice import ModelChoice
from intaglio.inference.completion.ports import (
    Completed,
    CompletionRequest,
    NotCompleted,
    TokenCounts,
)
from intaglio.models.calls import ModelCalls
from intaglio.models.prices import Prices
from intaglio.models.prompt import ModelPrompt, ReadReply
from intaglio.models.settings import ModelLimitSettings
from intaglio.models.stage_pauses import StagePauses
from intaglio.models.usage_gate import UsageGate
from intaglio.models.values import CallContext, CallFailed, ModelAnswer, MustWait
from intaglio.pauses.service import Pauses
from intaglio.projects import rows as project_rows
from intaglio.projects import settings_rows
from intaglio.projects.settings import CAPTURE
from intaglio.store.database import Database
from intaglio.store.values import DatabaseOptions

HAIKU = ModelChoice(provider="anthropic", model="claude-haiku-4-5", key="k")
PROMPT: ModelPrompt[object] = ModelPrompt(
    name="questions",
    version=3,
    role="extraction",
    system="s" * 30,
    schema={},
    read=ReadReply,
    max_input_chars=1_000,
    max_output_tokens=50,
)
# 30 + 120 characters are reserved as 50 tokens, and the reply as 50.
TEXT = "t" * 120
RESERVED = 100
WORK = CallContext(stage="extract", project="/work/shop", subject="memory-1")


def berlin(moment: datetime) -> datetime:
    """Move a time into a zone as the system does: with a fixed offset."""
    there = moment.astimezone(ZoneInfo("Europe/Berlin"))
    return there.astimezone(timezone(there.utcoffset() or timedelta()))


@dataclass
class Metered:
    """A way to a scripted model, through the daemon's gate."""

    db: Database
    clock: MovableClock
    folder: Path
    limits: ModelLimitSettings = field(default_factory=ModelLimitSettings)
    choice: ModelChoice = HAIKU
    model: ScriptedCompletion = field(default_factory=lambda: ScriptedCompletion(lambda _: "{}"))

    def __post_init__(self) -> None:
        self.settings = Settings().having(self.limits)
        self.restart()

    def restart(self) -> None:
        """Forget all that isn't in the database."""
        self.gate = UsageGate(
            db=self.db,
            clock=self.clock,
            local=berlin,
            settings=lambda: self.settings,
            choice=lambda _: self.choice,
            prices=Prices(self.folder / "model-prices.toml"),
        )
        self.calls = ModelCalls(
            completion=lambda _: self.model,
            timeout_s=lambda _: 10.0,
            gate=self.gate,
            monotonic_s=lambda: 0.0,
        )

    def limit(self, *, tokens: int = 0, usd: float = 0.0, project: int = 0) -> None:
        """Change the limits, as a change of the settings does."""
        self.settings = Settings().having(
            ModelLimitSettings(daily_tokens=tokens, daily_usd=usd, daily_project_tokens=project)
        )

    def replies(self, answer: Answering, tokens: TokenCounts | None = None) -> None:
        """Let the model answer so, at the cost of so many tokens."""
        self.model.answer = answer
        self.model.tokens = tokens

    async def ask(self, context: CallContext = WORK) -> object:
        """Ask, and return the outcome."""
        return await self.calls.ask(PROMPT, TEXT, context)

    async def wait_reason(self, context: CallContext = WORK) -> str:
        """Ask, and return why it must wait; empty if it was answered."""
        outcome = await self.ask(context)
        return f"{outcome.reason}: {outcome.detail}" if isinstance(outcome, MustWait) else ""

    async def rows(self, columns: str) -> list[tuple[object, ...]]:
        """Return columns of all calls."""
        sql = f"SELECT {columns} FROM model_calls ORDER BY id"  # noqa: S608 - of the tests
        return list(await self.db.read(lambda tx: tx.all(sql)))


@pytest.fixture
async def metered(tmp_path: Path) -> AsyncGenerator[Metered]:
    async with bench(tmp_path) as open_bench:
        yield Metered(open_bench.db, open_bench.clock, tmp_path)


async def test_a_call_is_recorded_without_its_text(metered: Metered) -> None:
    metered.replies(lambda _: "{}", TokenCounts(2_000, 1_000))
    assert isinstance(await metered.ask(), ModelAnswer)
    columns = (
        "day, provider, model, stage, prompt, prompt_version, tokens_read, tokens_written, usd, "
        "attempts, outcome, project, subject"
    )
    assert await metered.rows(columns) == [
        (
            *("2026-01-31", "anthropic", "claude-haiku-4-5", "extract", "questions", 3),
            *(2_000, 1_000, 0.007, 1, "answered", "/work/shop", "memory-1"),
        )
    ]
    stored = (metered.folder / "intaglio.db").read_bytes()
    assert TEXT.encode() not in stored


async def test_a_failure_that_makes_the_model_rest_is_no_fault_of_the_job(metered: Metered) -> None:
    def refuse(_: CompletionRequest) -> NotCompleted:
        metered.model.rest_s = 30.0
        return NotCompleted("unreachable", "can't reach the model server")

    metered.replies(refuse)
    outcome = await metered.ask()
    assert outcome == MustWait("resting", "can't reach the model server", 30.0)
    assert await metered.rows("outcome") == [("unreachable",)]


async def test_failures_and_unreadable_replies_are_recorded_too(metered: Metered) -> None:
    metered.replies(lambda _: NotCompleted("timeout", "the model took more than 10 s", attempts=3))
    assert isinstance(await metered.ask(), CallFailed)
    assert await metered.rows("outcome, detail, attempts, tokens_read") == [
        ("timeout", "the model took more than 10 s", 3, 0)
    ]


async def test_an_unknown_price_counts_tokens_only(metered: Metered) -> None:
    metered.choice = ModelChoice(provider="anthropic", model="claude-unheard-of", key="k")
    metered.limit(usd=0.000_001)
    assert await metered.wait_reason() == ""
    assert await metered.rows("usd, tokens_read > 0") == [(None, 1)]


async def test_calls_stop_at_the_limit_of_tokens_until_midnight(metered: Metered) -> None:
    metered.limit(tokens=990)
    metered.replies(lambda _: "{}", TokenCounts(400, 50))
    assert [await metered.wait_reason() for _ in range(2)] == ["", ""]
    reason = await metered.wait_reason()
    assert reason == "capped: today's limit of tokens is reached; it goes on at 2026-02-01 00:00"
    # The jobs of the stage aren't even leased before; nine in the morning is 15 hours earlier.
    assert metered.calls.rest_s("extraction", "extract") == 15 * 3_600
    assert len(metered.model.asked) == 2
    metered.clock.forward(hours=15)
    assert metered.calls.rest_s("extraction", "extract") == 0
    assert await metered.wait_reason() == ""


async def test_a_limit_below_a_single_call_says_so(metered: Metered) -> None:
    metered.limit(tokens=1)
    reason = await metered.wait_reason()
    assert reason == (
        "capped: today's limit of tokens is below what one call may use; raise it in Settings"
    )
    assert metered.model.asked == []


async def test_the_limit_holds_over_a_restart(metered: Metered) -> None:
    metered.limit(tokens=1_000)
    metered.replies(lambda _: "{}", TokenCounts(900, 50))
    assert await metered.wait_reason() == ""
    metered.restart()
    assert (await metered.wait_reason()).startswith("capped: ")


async def test_a_raised_limit_holds_at_once(metered: Metered) -> None:
    metered.limit(tokens=150)
    metered.replies(lambda _: "{}", TokenCounts(100, 20))
    await metered.ask()
    assert (await metered.wait_reason()).startswith("capped: ")
    metered.limit(tokens=1_000)
    assert metered.gate.rest_s("extract") == 0
    assert await metered.wait_reason() == ""


async def test_calls_in_flight_count_before_their_cost_is_known(metered: Metered) -> None:
    metered.limit(tokens=3 * RESERVED)
    may_answer = asyncio.Event()

    async def slowly(_: object) -> str:
        await may_answer.wait()
        return "{}"

    metered.replies(slowly, TokenCounts(50, 50))
    running = [asyncio.ensure_future(metered.wait_reason()) for _ in range(10)]
    await until(lambda: sum(each.done() for each in running) == 7, "the refused calls")
    refused = {each.result() for each in running if each.done()}
    assert refused == {"capped: other calls are using what is left of the day's limit"}
    # Another stage isn't kept from trying, nor is this one: the calls may use less.
    assert metered.gate.rest_s("extract") == 0
    may_answer.set()
    await asyncio.gather(*running)
    assert len(metered.model.asked) == 3
    assert await metered.rows("sum(tokens_read + tokens_written)") == [(300,)]


async def test_a_cancelled_call_gives_up_what_it_reserved(metered: Metered) -> None:
    metered.limit(tokens=RESERVED)

    async def never(_: object) -> str:
        await asyncio.Event().wait()
        return ""

    metered.replies(never)
    running = asyncio.ensure_future(metered.ask())
    await until(lambda: bool(metered.model.asked), "the call")
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    metered.replies(lambda _: "{}")
    assert await metered.wait_reason() == ""


async def test_money_is_limited_by_the_list_price(metered: Metered) -> None:
    metered.limit(usd=0.009_2)
    metered.replies(lambda _: "{}", TokenCounts(4_000, 1_000))
    assert await metered.wait_reason() == ""
    assert "today's limit of money is reached" in await metered.wait_reason()


async def test_a_projects_limit_stops_that_project_only(metered: Metered) -> None:
    metered.limit(project=150)
    metered.replies(lambda _: "{}", TokenCounts(100, 20))
    assert await metered.wait_reason() == ""
    assert "for this project" in await metered.wait_reason()
    assert metered.gate.rest_s("extract") == 0
    assert await metered.wait_reason(CallContext(stage="extract", project="/work/other")) == ""
    assert await metered.wait_reason(CallContext(stage="extract")) == ""


@pytest.mark.parametrize(
    ("now", "hours"),
    [
        # The nights in which the clocks change in Berlin have 23 and 25 hours.
        ("2026-03-28T23:30+00:00", 22.5),
        ("2026-10-24T22:30+00:00", 24.5),
        ("2026-01-31T22:59+00:00", 1 / 60),
    ],
)
async def test_the_day_ends_at_the_users_midnight(metered: Metered, now: str, hours: float) -> None:
    metered.clock.moment = datetime.fromisoformat(now).astimezone(UTC)
    metered.limit(tokens=150)
    metered.replies(lambda _: "{}", TokenCounts(100, 20))
    await metered.ask()
    assert (await metered.wait_reason()).startswith("capped: ")
    assert metered.gate.rest_s("extract") == pytest.approx(hours * 3_600)


async def test_a_clock_that_is_set_back_counts_the_day_it_shows(metered: Metered) -> None:
    metered.limit(tokens=150)
    metered.replies(lambda _: "{}", TokenCounts(100, 20))
    await metered.ask()
    assert (await metered.wait_reason()).startswith("capped: ")
    metered.clock.forward(days=-2)
    assert metered.gate.rest_s("extract") == 0
    assert await metered.wait_reason() == ""


async def test_nothing_is_asked_while_capture_is_paused(metered: Metered) -> None:
    pauses = Pauses(metered.db, metered.clock, lambda: "pause", berlin)
    await pauses.pause(None, "me")
    assert await metered.wait_reason() == "paused: capture is paused"
    assert metered.gate.rest_s("extract") > 0
    await pauses.resume()
    metered.clock.forward(minutes=1)
    assert metered.gate.rest_s("extract") == 0
    assert await metered.wait_reason() == ""
    assert len(metered.model.asked) == 1


async def test_nothing_is_asked_for_a_project_without_capture(metered: Metered) -> None:
    await metered.db.write(lambda tx: settings_rows.put(tx, "/work/shop", CAPTURE, value=False))
    assert await metered.wait_reason() == "paused: capture is off for this project"
    await metered.db.write(lambda tx: settings_rows.put(tx, "/work/shop", CAPTURE, value=None))
    assert await metered.wait_reason() == ""


async def test_nothing_is_asked_for_an_archived_project(metered: Metered) -> None:
    await metered.db.write(lambda tx: project_rows.set_archived(tx, "/work/shop", "2026-01-01"))
    assert await metered.wait_reason() == "paused: this project is archived"
    assert metered.gate.rest_s("extract") == 0


async def test_a_paused_stage_waits_until_it_is_resumed(metered: Metered) -> None:
    pauses = StagePauses(metered.db, metered.clock, metered.gate.forget_rests)
    await pauses.pause("extract", "me")
    await pauses.pause("extract", "another")
    assert await metered.wait_reason() == "paused: this stage is paused"
    assert await metered.wait_reason(CallContext(stage="notes")) == ""
    assert [each.asked_by for each in (await pauses.all()).values()] == ["me"]
    await pauses.resume("extract")
    assert metered.gate.rest_s("extract") == 0
    assert await metered.wait_reason() == ""
    await pauses.resume("extract")


async def test_a_test_is_made_in_a_pause_too(metered: Metered) -> None:
    await Pauses(metered.db, metered.clock, lambda: "pause", berlin).pause(None, "me")
    assert await metered.wait_reason(CallContext(stage="test")) == ""


async def test_what_could_not_be_recorded_counts_and_is_written_later(metered: Metered) -> None:
    metered.limit(tokens=250)
    metered.replies(lambda _: "{}", TokenCounts(100, 0))
    await metered.ask()
    options = DatabaseOptions(metered.folder / "other.db", metered.folder, PACKAGES.schema)
    closed = Database(options, metered.clock, lambda _: None)
    await closed.open()
    await closed.close()
    metered.gate.db = closed
    outcome = Completed("{}", TokenCounts(100, 0))
    await metered.gate.record(PROMPT, WORK, outcome, ms=1)
    metered.gate.db = metered.db
    assert await metered.rows("count(*)") == [(1,)]
    assert (await metered.wait_reason()).startswith("capped: ")
    await metered.gate.record(PROMPT, WORK, outcome, ms=1)
    assert await metered.rows("count(*)") == [(3,)]
