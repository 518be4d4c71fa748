"""Retries, rest and deadline of a model: what is waited for, and when nothing is called."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from fakes.waiting import PATIENCE_S, until
from inference.completion_rig import REQUEST, SteppedTime
from intaglio.inference.completion.backend import (
    BackendFailure,
    BackendOutcome,
    BackendReply,
)
from intaglio.inference.completion.breaker import BreakerLimits, CircuitBreaker
from intaglio.inference.completion.guarded import GuardedCompletion, RetryPolicy
from intaglio.inference.completion.ports import (
    Completed,
    CompletionRequest,
    ModelName,
    NotCompleted,
    TokenCounts,
)

GOOD = BackendReply("{}", TokenCounts(7, 5, cost_usd=0.5))
DROPPED = BackendFailure(reason="unreachable", detail="dropped", passing=True)
BROKEN = BackendFailure(reason="refused", detail="answered 500", passing=True)
LIMITED = BackendFailure(reason="rate_limited", detail="answered 429", passing=True)
WRONG = BackendFailure(reason="refused", detail="answered 400")
UNPAID = BackendFailure(reason="refused", detail="answered 402", permanent=True)
LONG = BackendFailure(reason="too_long", detail="too long")


@dataclass
class ScriptedBackend:
    """Answers by a list, and by its last entry from then on; an event is waited for first."""

    outcomes: Sequence[BackendOutcome]
    name: ModelName = ModelName("ollama", "scripted")  # noqa: RUF009 - a frozen value
    asked: int = 0
    running: int = 0
    most: int = 0
    go: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, request: CompletionRequest) -> BackendOutcome:
        assert request is REQUEST
        self.asked += 1
        self.running += 1
        self.most = max(self.most, self.running)
        outcome = self.outcomes[min(self.asked, len(self.outcomes)) - 1]
        try:
            await self.go.wait()
        finally:
            self.running -= 1
        return outcome

    async def models(self) -> tuple[str, ...] | BackendFailure:
        await self.go.wait()
        return ("scripted",)

    async def close(self) -> None:
        assert not self.running


class Guarded:
    """A model, its backend and its clock."""

    def __init__(self, *outcomes: BackendOutcome, hangs: bool = False, at_a_time: int = 9) -> None:
        self.time = SteppedTime()
        self.backend = ScriptedBackend(outcomes)
        if not hangs:
            self.backend.go.set()
        self.model = GuardedCompletion(
            self.backend,
            concurrency=at_a_time,
            retries=RetryPolicy(),
            breaker=CircuitBreaker(BreakerLimits()),
            timing=self.time.timing,
        )

    async def ask(self, timeout_s: float = PATIENCE_S) -> Completed | NotCompleted:
        return await self.model.complete(REQUEST, timeout_s=timeout_s)

    async def fail(self, timeout_s: float = PATIENCE_S) -> NotCompleted:
        outcome = await self.ask(timeout_s)
        assert isinstance(outcome, NotCompleted)
        return outcome


async def test_what_passes_is_tried_again_after_growing_waits() -> None:
    one = Guarded(DROPPED, BROKEN, GOOD)
    outcome = await one.ask()
    assert outcome == Completed("{}", GOOD.tokens, attempts=3)
    assert one.time.slept == [0.75, 1.5]


async def test_after_three_attempts_it_has_failed() -> None:
    one = Guarded(BROKEN)
    outcome = await one.fail()
    assert (outcome.reason, outcome.attempts, one.backend.asked) == ("refused", 3, 3)


async def test_what_does_not_pass_is_not_tried_again() -> None:
    one = Guarded(WRONG, GOOD)
    assert (await one.fail()).attempts == 1
    assert not one.time.slept


async def test_a_server_is_given_the_time_that_it_asks_for() -> None:
    asks = BackendFailure(reason="rate_limited", detail="429", passing=True, retry_after_s=7)
    one = Guarded(asks, GOOD)
    assert isinstance(await one.ask(), Completed)
    assert one.time.slept == [7]


async def test_a_long_wait_is_left_to_the_caller() -> None:
    asks = BackendFailure(reason="rate_limited", detail="429", passing=True, retry_after_s=90)
    one = Guarded(asks, GOOD)
    outcome = await one.fail()
    assert (outcome.reason, outcome.retry_after_s, outcome.attempts) == ("rate_limited", 90, 1)
    assert one.model.rest_s == 90
    one.time.now_s += 90
    assert isinstance(await one.ask(), Completed)


async def test_no_retry_begins_that_the_deadline_would_end() -> None:
    one = Guarded(BROKEN)
    assert (await one.fail(timeout_s=2)).attempts == 2
    assert one.time.slept == [0.75]


async def test_tokens_of_all_attempts_are_counted() -> None:
    spent = BackendFailure(
        reason="refused", detail="500", passing=True, tokens=TokenCounts(1, 2, estimated=True)
    )
    outcome = await Guarded(spent, GOOD).ask()
    assert outcome.tokens == TokenCounts(8, 7, estimated=True, cost_usd=0.5)


async def test_after_five_failures_in_a_row_nothing_is_called() -> None:
    one = Guarded(WRONG)
    for _ in range(5):
        assert one.model.rest_s == 0
        await one.fail()
    assert one.model.rest_s == 30
    outcome = await one.fail()
    assert (outcome.reason, outcome.attempts, one.backend.asked) == ("resting", 0, 5)
    assert outcome.retry_after_s == 30


async def test_a_success_in_between_ends_the_row() -> None:
    one = Guarded(WRONG, WRONG, WRONG, WRONG, GOOD, WRONG)
    for _ in range(9):
        await one.ask()
    assert one.model.rest_s == 0


async def test_each_failed_probe_doubles_the_rest_up_to_a_quarter_of_an_hour() -> None:
    one = Guarded(WRONG)
    for _ in range(5):
        await one.fail()
    rests = list[float]()
    for _ in range(7):
        rests.append(one.model.rest_s)
        one.time.now_s += one.model.rest_s
        await one.fail()
    assert rests == [30, 60, 120, 240, 480, 900, 900]
    assert one.backend.asked == 12


async def test_a_probe_that_succeeds_ends_the_rest_for_good() -> None:
    one = Guarded(*[WRONG] * 5, GOOD, WRONG)
    for _ in range(5):
        await one.fail()
    one.time.now_s += 30
    assert isinstance(await one.ask(), Completed)
    await one.fail()
    assert one.model.rest_s == 0


async def test_while_one_call_probes_others_wait() -> None:
    one = Guarded(UNPAID)
    await one.fail()
    one.time.now_s += one.model.rest_s
    one.backend.go.clear()
    probe = asyncio.ensure_future(one.ask())
    await until(lambda: one.backend.running, "the probe runs")
    assert one.model.rest_s == 1
    assert (await one.fail()).reason == "resting"
    one.backend.go.set()
    await probe


async def test_a_cancelled_probe_lets_the_next_call_try() -> None:
    one = Guarded(UNPAID, GOOD)
    await one.fail()
    one.time.now_s += one.model.rest_s
    one.backend.go.clear()
    probe = asyncio.ensure_future(one.ask())
    await until(lambda: one.backend.running, "the probe runs")
    probe.cancel()
    await asyncio.gather(probe, return_exceptions=True)
    assert one.model.rest_s == 0
    one.backend.go.set()
    assert isinstance(await one.ask(), Completed)


async def test_calls_that_fail_together_lead_to_one_rest() -> None:
    one = Guarded(WRONG, hangs=True)
    calls = [asyncio.ensure_future(one.ask()) for _ in range(8)]
    await until(lambda: one.backend.running == 8, "all calls run")
    one.backend.go.set()
    await asyncio.gather(*calls)
    assert one.model.rest_s == 30


async def test_a_call_from_before_the_rest_is_not_taken_for_the_probe() -> None:
    one = Guarded(UNPAID, hangs=True)
    old = asyncio.ensure_future(one.ask())
    await until(lambda: one.backend.running, "an old call runs")
    held, one.backend.go = one.backend.go, asyncio.Event()
    one.backend.go.set()
    await one.fail()
    one.time.now_s += 30
    one.backend.go = asyncio.Event()
    probe = asyncio.ensure_future(one.ask())
    await until(lambda: one.backend.running == 2, "the probe runs")
    held.set()
    await old
    assert one.model.rest_s == 1
    one.backend.go.set()
    await probe
    assert one.model.rest_s == 60


async def test_what_a_call_has_read_until_its_deadline_is_counted() -> None:
    outcome = await Guarded(GOOD, hangs=True).fail(timeout_s=0.001)
    assert outcome.tokens == TokenCounts(10, 0, estimated=True)


@pytest.mark.parametrize("failure", [UNPAID, LIMITED])
async def test_a_model_that_cannot_answer_rests_at_once(failure: BackendFailure) -> None:
    one = Guarded(failure)
    await one.fail()
    assert one.model.rest_s == 30


async def test_a_reply_that_is_too_long_is_no_failure_of_the_model() -> None:
    one = Guarded(WRONG, WRONG, WRONG, WRONG, LONG, WRONG)
    for _ in range(9):
        await one.fail()
    assert one.model.rest_s == 0


async def test_calls_beyond_the_limit_wait_within_their_own_deadline() -> None:
    one = Guarded(GOOD, hangs=True, at_a_time=2)
    calls = [asyncio.ensure_future(one.ask()) for _ in range(3)]
    await until(lambda: one.backend.running == 2, "two calls run")
    late = await one.fail(timeout_s=0.01)
    assert (late.reason, late.attempts) == ("timeout", 0)
    assert "other calls" in late.detail
    one.backend.go.set()
    assert all(isinstance(each, Completed) for each in await asyncio.gather(*calls))
    assert one.backend.most == 2


async def test_calls_that_time_out_lead_to_a_rest() -> None:
    one = Guarded(GOOD, hangs=True)
    for _ in range(5):
        assert (await one.fail(timeout_s=0.001)).reason == "timeout"
    assert one.model.rest_s > 0


async def test_the_list_of_models_has_a_deadline_too() -> None:
    one = Guarded(GOOD, hangs=True)
    outcome = await one.model.models(timeout_s=0.001)
    assert isinstance(outcome, NotCompleted)
    assert outcome.reason == "timeout"
