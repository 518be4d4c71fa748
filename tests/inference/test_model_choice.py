"""The model that the user chose is made without being called."""

import pytest

from fakes.model_server import Say, Status, model_server
from fakes.waiting import PATIENCE_S
from intaglio.base.errors import InvalidInputError
from intaglio.inference.completion.choice import ModelChoice
from intaglio.inference.completion.factory import completion_of
from intaglio.inference.completion.ports import Completed, CompletionRequest

REQUEST = CompletionRequest(system="List facts.", user="The port is 1.", schema={"type": "object"})


def test_no_provider_is_no_model() -> None:
    assert completion_of(ModelChoice(provider="none")) is None


def test_a_provider_without_a_model_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="named"):
        completion_of(ModelChoice(provider="ollama"))


def test_a_cloud_without_a_key_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="API key"):
        completion_of(ModelChoice(provider="anthropic", model="m"))


def test_a_key_is_never_shown() -> None:
    assert "sk-1" not in repr(ModelChoice(provider="openai", model="m", key="sk-1"))


@pytest.mark.parametrize(
    ("choice", "away"),
    [
        (ModelChoice(provider="none"), False),
        (ModelChoice(provider="ollama"), False),
        (ModelChoice(provider="ollama", address="http://192.0.2.7:11434"), True),
        (ModelChoice(provider="openai"), True),
        (ModelChoice(provider="openai", address="http://localhost:8080/v1"), False),
        (ModelChoice(provider="codex"), True),
    ],
)
def test_a_choice_tells_whether_text_leaves_this_machine(
    choice: ModelChoice, *, away: bool
) -> None:
    assert choice.sends_text_away is away


async def test_nothing_is_called_before_the_first_question() -> None:
    with model_server() as server:
        server.plays(Status(503), Say('{"facts": []}'))
        made = completion_of(ModelChoice(provider="ollama", model="m", address=server.url))
        assert made is not None
        assert not server.asked
        outcome = await made.complete(REQUEST, timeout_s=PATIENCE_S)
        assert isinstance(outcome, Completed)
        assert outcome.attempts == 2
        assert server.bodies[0]["format"] == {"type": "object"}
        await made.close()
