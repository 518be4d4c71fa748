"""Tries a configured model when the user asks for it: is it there, and does it keep to JSON."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, cast

from intaglio.base.errors import ConflictError
from intaglio.inference.completion.choice import ModelChoice
from intaglio.inference.completion.factory import completion_of
from intaglio.inference.completion.ports import NotCompleted, TokenCounts
from intaglio.models.admission import TEST_STAGE
from intaglio.models.calls import ModelCalls
from intaglio.models.live_models import LiveModels
from intaglio.models.prices import ModelPrice, Prices
from intaglio.models.prompt import ModelPrompt, ModelRole, ReadReply
from intaglio.models.values import CallContext, ModelAnswer

TYPICAL_SESSION_CHARS: Final = 40_000
"""The length of a session of work with an agent, for users who have none yet."""

_LIST_TIMEOUT_S: Final = 5.0
_DETECT_TIMEOUT_S: Final = 1.0
_MOST_LISTED: Final = 100
_CHARS_PER_TOKEN: Final = 4
# A session is read turn by turn and once as a whole; instructions and replies come on top.
_READINGS: Final = 2
_INSTRUCTIONS: Final = 4_000
_REPLIES: Final = 2_500

_NO_TOKENS: Final = TokenCounts(0, 0)
_TEXT: Final = "We run the tests with: make test"


def _read(reply: object) -> ReadReply[bool]:
    if not isinstance(reply, dict):
        return ReadReply(value=False)
    found = cast("Mapping[str, object]", reply).get("command")
    return ReadReply(value=isinstance(found, str) and "make test" in found)


_PROMPT: Final[ModelPrompt[bool]] = ModelPrompt(
    name="test",
    version=1,
    role="extraction",
    system="Which command does the text name? Reply with JSON only, and nothing around it: "
    '{"command": "..."}',
    schema={
        "type": "object",
        "properties": {"command": {"type": "string"}},
        "required": ["command"],
        "additionalProperties": False,
    },
    read=_read,
    max_input_chars=1_000,
    max_output_tokens=400,
    # The dashboard waits for a minute.
    max_s=50.0,
)
_PROMPTS: Final[Mapping[ModelRole, ModelPrompt[bool]]] = {
    "extraction": _PROMPT,
    "synthesis": ModelPrompt(
        name="test",
        version=1,
        role="synthesis",
        system=_PROMPT.system,
        schema=_PROMPT.schema,
        read=_read,
        max_input_chars=1_000,
        max_output_tokens=400,
        max_s=50.0,
    ),
}


@dataclass(frozen=True, slots=True)
class SessionCost:
    """What reading one session costs; ``usd`` is None where no price is known."""

    tokens_read: int
    tokens_written: int
    usd: float | None


@dataclass(frozen=True, slots=True)
class TrialReport:
    """What was found.

    ``models`` are those that the server offers, and ``is_listed`` says whether the chosen one is
    among them; None if it can't tell. ``kept_json`` says whether the reply was what was asked for.
    """

    choice: ModelChoice
    models: tuple[str, ...] = ()
    is_listed: bool | None = None
    answered: bool = False
    kept_json: bool = False
    ms: float = 0.0
    tokens: TokenCounts = _NO_TOKENS
    problem: str = ""


@dataclass(frozen=True, slots=True)
class DetectedServer:
    """A model server on this machine and its models; ``suggestion`` is the one to begin with."""

    address: str
    models: tuple[str, ...]
    suggestion: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTrial:
    """Tries the configured models, and looks for a server on this machine."""

    calls: ModelCalls
    models: LiveModels
    prices: Prices
    monotonic_s: Callable[[], float]

    async def run(self, role: ModelRole) -> TrialReport:
        """Ask the model of a role one tiny question; it counts as any other call.

        Raises ConflictError if none is configured and confirmed.
        """
        # What the user has mended is tried at once, not after the rest.
        await self.models.renew_resting()
        choice, model = self.models.asked(role), self.models.completion(role)
        if choice is None:
            raise ConflictError(
                "No language model is configured", hint="Choose one in Settings, Models."
            )
        if model is None:
            problem = self.models.problem(role)
            if problem:
                return TrialReport(choice, problem=problem)
            raise ConflictError(
                "You haven't agreed to this language model yet",
                hint="Confirm it first: nothing is sent to it before.",
            )
        started = self.monotonic_s()
        outcome = await self.calls.ask(_PROMPTS[role], _TEXT, CallContext(stage=TEST_STAGE))
        ms = (self.monotonic_s() - started) * 1_000
        # An agent's program knows its models without a call; a server is asked for its list.
        listed = await model.models(timeout_s=_LIST_TIMEOUT_S)
        names = () if isinstance(listed, NotCompleted) else listed
        is_listed = _is_among(choice.model, names) if names else None
        if not isinstance(outcome, ModelAnswer):
            return TrialReport(choice, names[:_MOST_LISTED], is_listed, problem=outcome.detail)
        return TrialReport(
            choice,
            names[:_MOST_LISTED],
            is_listed,
            answered=True,
            kept_json=outcome.value,
            ms=ms,
            tokens=outcome.tokens,
        )

    def session_cost(self, choice: ModelChoice, chars: int) -> SessionCost:
        """Estimate what reading a session of so many characters costs."""
        read = chars * _READINGS // _CHARS_PER_TOKEN + _INSTRUCTIONS
        price: ModelPrice | None = self.prices.of(choice)
        return SessionCost(read, _REPLIES, price.usd(read, _REPLIES) if price else None)


async def detect_server() -> DetectedServer | None:
    """Ask Ollama on this machine for its models, if it runs; no model is asked anything."""
    choice = ModelChoice(provider="ollama", model="any")
    model = completion_of(choice)
    if model is None:
        return None
    try:
        listed = await model.models(timeout_s=_DETECT_TIMEOUT_S)
    finally:
        await model.close()
    if isinstance(listed, NotCompleted):
        return None
    return DetectedServer("http://127.0.0.1:11434", listed[:_MOST_LISTED], _suggested(listed))


_RECOMMENDED: Final = "qwen3:4b"
_EMBEDDING_WORDS: Final = ("-embed", "embedding", "minilm", "bge-", "e5-")


def _suggested(models: tuple[str, ...]) -> str:
    if _RECOMMENDED in models:
        return _RECOMMENDED
    answering = [
        each for each in models if not any(word in each.lower() for word in _EMBEDDING_WORDS)
    ]
    return next(
        (each for each in answering if each.startswith("qwen3")), answering[0] if answering else ""
    )


def _is_among(model: str, names: tuple[str, ...]) -> bool:
    return model in names or f"{model}:latest" in names or not model
