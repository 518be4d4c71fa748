"""A backend with all that calls of a model need: deadline, retries, rest after failures, close."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Final, TypeVar

from intaglio.base.clock import monotonic_s
from intaglio.base.process.threads import assert_outside_tx
from intaglio.inference.completion.backend import (
    NO_TOKENS,
    BackendFailure,
    BackendReply,
    ModelBackend,
    asked_tokens,
)
from intaglio.inference.completion.breaker import CallPermit, CircuitBreaker
from intaglio.inference.completion.ports import (
    Completed,
    CompletionRequest,
    ModelName,
    NotCompleted,
    TokenCounts,
)

T = TypeVar("T")

_CLOSED: Final = NotCompleted("closed", "this model isn't asked any more", attempts=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often a request is sent, and how long is waited in between, in seconds.

    The wait doubles; up to half of it is left to chance. A server that asks for more than
    ``longest_s`` isn't asked again in the same call.
    """

    attempts: int = 3
    first_s: float = 1.0
    longest_s: float = 20.0

    def wait_s(self, attempt: int, asked_for_s: float, chance: float) -> float | None:
        """Return the wait after an attempt, counted from 1; None if it was the last one."""
        if attempt >= self.attempts or asked_for_s > self.longest_s:
            return None
        grown = min(self.first_s * 2.0 ** (attempt - 1), self.longest_s)
        wait_s: float = max(grown * (0.5 + chance / 2), asked_for_s)
        return wait_s


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTiming:
    """Time and chance, which tests replace."""

    monotonic_s: Callable[[], float] = monotonic_s
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


@dataclass(slots=True)
class _Progress:
    """How far a call has come, for when its time is over."""

    attempts: int = 0
    tokens: TokenCounts = NO_TOKENS
    permanent: bool = False

    def add(self, tokens: TokenCounts) -> None:
        costs = [each.cost_usd for each in (self.tokens, tokens) if each.cost_usd is not None]
        self.tokens = TokenCounts(
            self.tokens.read + tokens.read,
            self.tokens.written + tokens.written,
            self.tokens.estimated or tokens.estimated,
            sum(costs) if costs else None,
        )


class GuardedCompletion:
    """Asks a backend within a deadline. Belongs to one event loop.

    At most ``concurrency`` requests run at a time; others wait, within their own deadlines.
    """

    def __init__(
        self,
        backend: ModelBackend,
        *,
        concurrency: int,
        retries: RetryPolicy | None = None,
        breaker: CircuitBreaker | None = None,
        timing: CallTiming | None = None,
    ) -> None:
        self._backend = backend
        self._slots = asyncio.Semaphore(concurrency)
        self._retries = retries or RetryPolicy()
        self._breaker = breaker or CircuitBreaker()
        self._timing = timing or CallTiming()
        self._running = set[asyncio.Task[object]]()
        self._closed = False

    @property
    def name(self) -> ModelName:
        """The model; known without calling it."""
        return self._backend.name

    @property
    def rest_s(self) -> float:
        """In how many seconds it may be called again; 0 if it may now."""
        return self._breaker.rest_s(self._timing.monotonic_s())

    async def complete(
        self, request: CompletionRequest, *, timeout_s: float
    ) -> Completed | NotCompleted:
        """Ask once, retries included; a reply that takes longer than ``timeout_s`` fails.

        Raises RuntimeError inside a write transaction.
        """
        assert_outside_tx()
        if self._closed:
            return _CLOSED
        permit = self._breaker.permit(self._timing.monotonic_s())
        if permit is None:
            rest = self.rest_s
            detail = f"the model failed too often and rests for {rest:.0f} s"
            return NotCompleted("resting", detail, attempts=0, retry_after_s=rest)
        progress = _Progress()
        outcome: Completed | NotCompleted = _CLOSED
        try:
            outcome = await self._cancellable(self._within(request, progress, timeout_s))
        finally:
            self._settle(permit, outcome, progress)
        return outcome

    async def models(self, *, timeout_s: float) -> tuple[str, ...] | NotCompleted:
        """List the models that the server or program offers; empty if it can't tell."""
        assert_outside_tx()
        return _CLOSED if self._closed else await self._cancellable(self._listed(timeout_s))

    async def close(self) -> None:
        """Cancel what is running and release everything; later calls return ``closed``."""
        self._closed = True
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._backend.close()

    async def _cancellable(self, work: Coroutine[object, object, T]) -> T | NotCompleted:
        """Await work that `close` cancels; its caller then gets an outcome, not a cancellation."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            return await task
        except asyncio.CancelledError:
            waiting = asyncio.current_task()
            if self._closed and waiting is not None and not waiting.cancelling():
                return _CLOSED
            raise

    async def _within(
        self, request: CompletionRequest, progress: _Progress, timeout_s: float
    ) -> Completed | NotCompleted:
        deadline_s = self._timing.monotonic_s() + timeout_s
        try:
            async with asyncio.timeout(timeout_s), self._slots:
                return await self._ask(request, progress, deadline_s)
        except TimeoutError:
            if progress.attempts:
                # What was read is paid for, though nobody says how much that is.
                progress.add(TokenCounts(asked_tokens(request), 0, estimated=True))
            return _took_too_long(progress, timeout_s)

    async def _ask(
        self, request: CompletionRequest, progress: _Progress, deadline_s: float
    ) -> Completed | NotCompleted:
        while True:
            progress.attempts += 1
            outcome = await self._backend.ask(request)
            progress.add(outcome.tokens)
            if isinstance(outcome, BackendReply):
                return Completed(outcome.text, progress.tokens, progress.attempts)
            wait_s = self._wait_s(outcome, progress.attempts)
            if wait_s is None or self._timing.monotonic_s() + wait_s >= deadline_s:
                progress.permanent = outcome.permanent
                return NotCompleted(
                    outcome.reason,
                    outcome.detail,
                    progress.tokens,
                    progress.attempts,
                    outcome.retry_after_s,
                )
            await self._timing.sleep(wait_s)

    def _wait_s(self, outcome: BackendFailure, attempt: int) -> float | None:
        if not outcome.passing:
            return None
        return self._retries.wait_s(attempt, outcome.retry_after_s, self._timing.chance())

    async def _listed(self, timeout_s: float) -> tuple[str, ...] | NotCompleted:
        try:
            async with asyncio.timeout(timeout_s):
                found = await self._backend.models()
        except TimeoutError:
            return _took_too_long(_Progress(attempts=1), timeout_s)
        if isinstance(found, BackendFailure):
            return NotCompleted(found.reason, found.detail, retry_after_s=found.retry_after_s)
        return found

    def _settle(
        self, permit: CallPermit, outcome: Completed | NotCompleted, progress: _Progress
    ) -> None:
        """Tell the breaker how a call ended."""
        if isinstance(outcome, Completed) or outcome.reason == "too_long":
            # A reply beyond the limit is the request's fault, not the model's.
            self._breaker.succeeded()
        elif outcome.reason == "closed" or progress.attempts == 0:
            # Cancelled, or never sent.
            self._breaker.abandoned(permit)
        else:
            self._breaker.failed(
                permit,
                self._timing.monotonic_s(),
                at_once=progress.permanent or outcome.reason == "rate_limited",
                at_least_s=outcome.retry_after_s,
            )


def _took_too_long(progress: _Progress, timeout_s: float) -> NotCompleted:
    who = "the model" if progress.attempts else "other calls of the model"
    detail = f"{who} took more than {timeout_s:g} s"
    return NotCompleted("timeout", detail, progress.tokens, progress.attempts)
