"""A language model that answers by a function, and a gate that admits every call."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from fakes.waiting import PATIENCE_S
from intaglio.base.clock import monotonic_s
from intaglio.base.process.threads import assert_outside_tx
from intaglio.inference.completion.ports import (
    Completed,
    CompletionRequest,
    ModelName,
    NotCompleted,
    TokenCounts,
)
from intaglio.kernel import Kernel
from intaglio.models.calls import ModelCalls
from intaglio.models.day_usage import Reservation
from intaglio.models.live_models import LiveModels
from intaglio.models.prompt import ModelPrompt
from intaglio.models.values import CallContext, MustWait
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

T = TypeVar("T")

Reply: TypeAlias = str | NotCompleted
Answering: TypeAlias = Callable[[CompletionRequest], Reply | Awaitable[Reply]]


def _write(tx: WriteTx) -> None:
    tx.execute("UPDATE memories SET access_count = access_count WHERE seq = 0")


@dataclass(slots=True)
class ScriptedCompletion:
    """A model whose replies a function gives; it keeps what it was asked.

    Each reply costs ``tokens``, or as many as its length tells. It writes to ``database`` before
    each reply, which hangs if whoever asks it holds a transaction.
    """

    answer: Answering
    name: ModelName = ModelName("ollama", "scripted")  # noqa: RUF009 - a frozen value
    rest_s: float = 0.0
    tokens: TokenCounts | None = None
    asked: list[CompletionRequest] = field(default_factory=list[CompletionRequest])
    database: Database | None = None

    async def complete(
        self, request: CompletionRequest, *, timeout_s: float
    ) -> Completed | NotCompleted:
        assert_outside_tx()
        assert timeout_s > 0
        self.asked.append(request)
        if self.database is not None:
            async with asyncio.timeout(PATIENCE_S):
                await self.database.write(_write)
        found = self.answer(request)
        reply = await found if inspect.isawaitable(found) else found
        if isinstance(reply, NotCompleted):
            return reply
        read = (len(request.system) + len(request.user)) // 4
        counted = TokenCounts(read, len(reply) // 4, estimated=True)
        return Completed(reply, self.tokens or counted)

    async def models(self, *, timeout_s: float) -> tuple[str, ...] | NotCompleted:
        assert timeout_s > 0
        return (self.name.model,)

    async def close(self) -> None:
        pass


@dataclass(slots=True)
class OpenGate:
    """Admits every call unless ``refusal`` is set, and keeps what was recorded."""

    refusal: MustWait | None = None
    recorded: list[tuple[str, CallContext, Completed | NotCompleted, str]] = field(
        default_factory=list[tuple[str, CallContext, Completed | NotCompleted, str]]
    )

    def rest_s(self, stage: str) -> float:
        assert stage
        return self.refusal.wait_s if self.refusal else 0.0

    async def admit(
        self, prompt: ModelPrompt[T], context: CallContext, chars: int
    ) -> MustWait | Reservation:
        assert prompt.name
        assert context.stage
        assert chars > 0
        return self.refusal or Reservation(context.project, chars)

    def release(self, reserved: Reservation) -> None:
        assert reserved.tokens > 0

    async def record(
        self,
        prompt: ModelPrompt[T],
        context: CallContext,
        outcome: Completed | NotCompleted,
        *,
        ms: float,
        unreadable: str = "",
    ) -> None:
        assert ms >= 0
        self.recorded.append((prompt.name, context, outcome, unreadable))


def model_calls(completion: ScriptedCompletion | None, gate: OpenGate | None = None) -> ModelCalls:
    """Return a way to a model; None is a daemon without one."""
    return ModelCalls(
        completion=lambda _: completion,
        timeout_s=lambda _: 10.0,
        gate=gate or OpenGate(),
        monotonic_s=monotonic_s,
    )


def configure_model(kernel: Kernel, completion: ScriptedCompletion) -> None:
    """Make a composed daemon ask this model in all roles, as if the user had chosen it."""
    kernel.get(LiveModels).replace(completion)
