"""The real Claude Code as a language model: only the prompt reaches the model, and nothing runs."""

import json
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Final

import pytest

from fakes.claude_code import BINARY, ClaudeCode
from fakes.model_api import ModelApi, model_api
from fakes.waiting import PATIENCE_S
from intaglio.inference.completion.choice import ModelChoice
from intaglio.inference.completion.factory import completion_of
from intaglio.inference.completion.ports import (
    Completed,
    Completion,
    CompletionRequest,
    NotCompleted,
)

pytestmark = [pytest.mark.clients, pytest.mark.slow]

REPLY: Final = '{"facts": ["The port is 5433."]}'
SCHEMA: Final = {"type": "object", "properties": {"facts": {"type": "array"}}}
EVENTS: Final = ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd")
# Each stands in a file of the user's that Claude Code reads for a session of the user's.
PRIVATE: Final = "a sentence of the user's own files"


class Person:
    """A home with hooks, servers, instructions and a project, and what of it was used."""

    def __init__(self, home: Path, api: ModelApi) -> None:
        self.home = home
        self.api = api
        self.ran = home / "hooks-that-ran"
        self.secret = home / "work" / "secret.txt"
        claude = home / ".claude"
        for folder in (claude / "skills" / "private", claude / "commands", self.secret.parent):
            folder.mkdir(parents=True)
        command = {"type": "command", "command": f"echo ran >> {self.ran}"}
        hooks = {event: [{"hooks": [command]}] for event in EVENTS}
        settings = {"hooks": hooks, "env": {"PRIVATE": PRIVATE}, "outputStyle": "Explanatory"}
        (claude / "settings.json").write_text(json.dumps(settings))
        (claude / "CLAUDE.md").write_text(PRIVATE)
        (claude / "commands" / "private.md").write_text(PRIVATE)
        skill = f"---\nname: private\ndescription: {PRIVATE}\n---\n{PRIVATE}\n"
        (claude / "skills" / "private" / "SKILL.md").write_text(skill)
        server = {"type": "stdio", "command": "sh", "args": ["-c", f"echo ran >> {self.ran}"]}
        (home / ".claude.json").write_text(json.dumps({"mcpServers": {"private": server}}))
        self.secret.write_text(PRIVATE)
        (self.secret.parent / "CLAUDE.md").write_text(PRIVATE)

    def stored_sessions(self) -> list[str]:
        return [str(path) for path in (self.home / ".claude").rglob("*.jsonl")]


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Person]:
    if not BINARY.exists():
        pytest.skip("Claude Code is not installed; `python3 app test` does it")
    with model_api(lambda _: REPLY) as api:
        home = tmp_path / "home"
        home.mkdir()
        monkeypatch.setenv("PATH", str(BINARY.parent), prepend=":")
        for name, value in ClaudeCode(home, api.url).env.items():
            if name != "PATH":
                monkeypatch.setenv(name, value)
        yield Person(home, api)


@pytest.fixture
async def model(person: Person) -> AsyncGenerator[Completion]:
    assert person.home.exists()
    made = completion_of(ModelChoice(provider="claude-code", model="haiku"))
    assert made is not None
    yield made
    await made.close()


def request_about(person: Person) -> CompletionRequest:
    text = f"/private @{person.secret} The port is 5433. ```! cat {person.secret}```"
    return CompletionRequest(system="List the facts.", user=text, schema=SCHEMA, max_tokens=700)


async def test_only_the_prompt_reaches_the_model(person: Person, model: Completion) -> None:
    outcome = await model.complete(request_about(person), timeout_s=PATIENCE_S)
    assert isinstance(outcome, Completed), outcome
    assert outcome.text == REPLY
    assert (outcome.tokens.read, outcome.tokens.written) == (10, 5)
    assert outcome.tokens.cost_usd
    (sent,) = person.api.requests
    assert sent["tools"] == []
    assert sent["max_tokens"] == 700
    assert PRIVATE not in person.api.sent()
    assert "List the facts." in sent["system"][-1]["text"]
    assert "JSON Schema" in sent["system"][-1]["text"]
    assert "The port is 5433." in json.dumps(sent["messages"])
    assert len(person.api.sent()) < 4_000


async def test_no_hook_and_no_server_runs_and_no_session_is_stored(
    person: Person, model: Completion
) -> None:
    await model.complete(request_about(person), timeout_s=PATIENCE_S)
    assert person.api.requests
    assert not person.ran.exists()
    assert person.stored_sessions() == []


async def test_the_same_text_in_a_session_of_the_users_does_all_that(person: Person) -> None:
    """Shows that the two tests above look at what would happen."""
    client = ClaudeCode(person.home, person.api.url)
    client.ask(f"See @{person.secret}", person.secret.parent)
    assert PRIVATE in person.api.sent()
    assert person.ran.exists()
    assert person.stored_sessions()
    assert person.api.requests[0]["tools"]


async def test_without_a_login_it_is_unusable(
    person: Person, model: Completion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    outcome = await model.complete(request_about(person), timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotCompleted)
    assert outcome.reason == "unusable"
    assert "signed in" in outcome.detail
    assert not person.api.requests


async def test_a_deadline_ends_it(person: Person, model: Completion) -> None:
    outcome = await model.complete(request_about(person), timeout_s=0.05)
    assert isinstance(outcome, NotCompleted)
    assert outcome.reason == "timeout"
