"""Asks the language model that the user chose, if it may be asked now."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from intaglio.base.process.threads import assert_outside_tx
from intaglio.inference.completion.json_reply import parse_json
from intaglio.inference.completion.ports import Completed, Completion, NotCompleted
from intaglio.models.day_usage import Reservation
from intaglio.models.prompt import ModelPrompt, ModelRole, UnreadableReply
from intaglio.models.values import CallContext, CallFailed, ModelAnswer, MustWait, NoAnswer

T = TypeVar("T")

_OFF_CHECK_S: Final = 60.0


class CallGate(Protocol):
    """Decides whether a call may be made, and records what it cost."""

    def rest_s(self, stage: str) -> float:
        """In how many seconds a stage may call again; 0 if it may now. Reads no database."""
        ...

    async def admit(
        self, prompt: ModelPrompt[T], context: CallContext, chars: int
    ) -> MustWait | Reservation:
        """Reserve what a call with so many characters may use, or say why it must wait."""
        ...

    def release(self, reserved: Reservation) -> None:
        """Give up what was reserved for a call that is over, however it ended."""
        ...

    async def record(
        self,
        prompt: ModelPrompt[T],
        context: CallContext,
        outcome: Completed | NotCompleted,
        *,
        ms: float,
        unreadable: str = "",
    ) -> None:
        """Record a call that was made, with its outcome."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCalls:
    """The one way to a language model.

    ``completion`` returns the model for a role, None if none is configured and confirmed;
    ``timeout_s`` is the deadline of a call.
    """

    completion: Callable[[ModelRole], Completion | None]
    timeout_s: Callable[[ModelRole], float]
    gate: CallGate
    monotonic_s: Callable[[], float]

    def is_on(self, role: ModelRole) -> bool:
        """Whether a model is configured and confirmed for this role."""
        return self.completion(role) is not None

    def rest_s(self, role: ModelRole, stage: str) -> float:
        """In how many seconds a stage may call again; 0 if it may now. Reads no database."""
        model = self.completion(role)
        return _OFF_CHECK_S if model is None else max(model.rest_s, self.gate.rest_s(stage))

    async def ask(
        self, prompt: ModelPrompt[T], text: str, context: CallContext
    ) -> ModelAnswer[T] | NoAnswer:
        """Ask the model; a text that is too long for the prompt is cut.

        Raises RuntimeError inside a write transaction.
        """
        assert_outside_tx()
        model = self.completion(prompt.role)
        if model is None:
            return MustWait("off", "no language model is configured", _OFF_CHECK_S)
        if model.rest_s > 0:
            return MustWait("resting", "the model failed too often", model.rest_s)
        asked = prompt.clip(text)
        admitted = await self.gate.admit(prompt, context, len(prompt.system) + len(asked))
        if isinstance(admitted, MustWait):
            return admitted
        try:
            return await self._ask(model, prompt, asked, context)
        finally:
            self.gate.release(admitted)

    async def _ask(
        self, model: Completion, prompt: ModelPrompt[T], text: str, context: CallContext
    ) -> ModelAnswer[T] | NoAnswer:
        started = self.monotonic_s()
        outcome = await model.complete(
            prompt.request(text),
            timeout_s=min(self.timeout_s(prompt.role), prompt.max_s or float("inf")),
        )
        ms = (self.monotonic_s() - started) * 1_000
        match outcome:
            case NotCompleted():
                await self.gate.record(prompt, context, outcome, ms=ms)
                # A model that rests from now on is at fault, not the job: a server that isn't
                # running, or a wrong key. Closed is one that the settings no longer name.
                waits = outcome.reason in {"rate_limited", "resting", "closed"}
                if not waits and model.rest_s <= 0:
                    return CallFailed(outcome.detail)
                wait_s = max(outcome.retry_after_s, model.rest_s, 1.0)
                return MustWait("resting", outcome.detail, wait_s)
            case Completed():
                # A reply of megabytes takes milliseconds to read.
                read = await asyncio.to_thread(lambda: prompt.read(parse_json(outcome.text)))
                unreadable = read.reason if isinstance(read, UnreadableReply) else read.unreadable
                await self.gate.record(prompt, context, outcome, ms=ms, unreadable=unreadable)
                if isinstance(read, UnreadableReply):
                    return CallFailed(f"the reply can't be used: {read.reason}")
                return ModelAnswer(read.value, read.warnings, model.name, outcome.tokens)
