"""Every adapter of a language model beside what it talks to: a scripted server or program."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from fakes.agent_program import AgentProgram
from fakes.model_server import ModelServerStub, Step
from fakes.waiting import until
from intaglio.inference.completion.choice import PROVIDERS, ModelChoice, ModelProvider
from intaglio.inference.completion.factory import completion_of
from intaglio.inference.completion.guarded import CallTiming
from intaglio.inference.completion.ports import Completion, CompletionRequest

SERVERS: Final[Sequence[ModelProvider]] = ("ollama", "openai", "openrouter", "anthropic")
AGENTS: Final[Sequence[ModelProvider]] = ("claude-code", "codex", "opencode")
KEY: Final = "sk-not-a-real-key"

SCHEMA: Final = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
    "required": ["facts"],
    "additionalProperties": False,
}
REQUEST: Final = CompletionRequest(
    system="List the facts.", user="/cost The port is 5433.", schema=SCHEMA, schema_name="facts"
)


@dataclass(slots=True)
class SteppedTime:
    """A clock that only sleeping moves; it keeps how long was slept."""

    now_s: float = 1_000.0
    slept: list[float] = field(default_factory=list[float])

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now_s += seconds

    @property
    def timing(self) -> CallTiming:
        return CallTiming(monotonic_s=lambda: self.now_s, sleep=self._sleep, chance=lambda: 0.5)


@dataclass(slots=True)
class Rig:
    """One adapter, and the server or program at its other end."""

    provider: ModelProvider
    end: ModelServerStub | AgentProgram
    time: SteppedTime = field(default_factory=SteppedTime)
    made: list[Completion] = field(default_factory=list[Completion])

    @property
    def server(self) -> ModelServerStub:
        return cast("ModelServerStub", self.end)

    @property
    def program(self) -> AgentProgram:
        return cast("AgentProgram", self.end)

    def plays(self, *steps: Step) -> None:
        self.end.plays(*steps)

    def completion(self, model: str = "some-model") -> Completion:
        address = self.end.url if isinstance(self.end, ModelServerStub) else ""
        key = KEY if PROVIDERS[self.provider].address else ""
        choice = ModelChoice(provider=self.provider, model=model, address=address, key=key)
        made = completion_of(choice, timing=self.time.timing)
        assert made is not None
        self.made.append(made)
        return made

    def requests(self) -> int:
        return len(self.end.asked)

    def last_request(self) -> str:
        """All of the last request as text."""
        return str(self.end.asked[-1])

    async def until_gone(self) -> None:
        """Wait until the other end has noticed that nobody waits for its reply."""
        end = self.end
        if isinstance(end, ModelServerStub):
            await until(end.gone.is_set, "the connection is closed")
        else:
            await until(end.is_gone, "the program is gone")

    async def close(self) -> None:
        for each in self.made:
            await each.close()
