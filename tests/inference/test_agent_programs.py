"""Agents on the command line: what they are started with, and that nothing of them remains."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final

import pytest

from fakes.agent_program import agent_program
from fakes.model_server import Hang, Say
from fakes.waiting import PATIENCE_S, until
from inference.completion_rig import AGENTS, REQUEST, Rig
from intaglio.base.errors import InvalidInputError
from intaglio.base.process.programs import find_program
from intaglio.inference.completion.choice import PROVIDERS, ModelChoice, ModelProvider
from intaglio.inference.completion.factory import completion_of
from intaglio.inference.completion.ports import Completed, CompletionRequest, NotCompleted

OPEN_SCHEMA: Final = {"type": "object"}

# What takes tools, hooks, settings, servers and stored sessions from each agent.
ISOLATION: Final[dict[ModelProvider, tuple[str, ...]]] = {
    "claude-code": (
        "--tools=",
        "--strict-mcp-config",
        "--setting-sources=",
        "--no-session-persistence",
        "--disable-slash-commands",
    ),
    "codex": (
        "--ephemeral",
        "--ignore-user-config",
        "--sandbox=read-only",
        "features.hooks=false",
        "features.shell_tool=false",
    ),
    "opencode": ("--pure", "--agent=one-reply"),
}


@pytest.fixture(params=[False, True], ids=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, bool]]:
    """Both event loops, as they run programs in ways of their own; the daemon's is uvloop."""
    return "asyncio", {"use_uvloop": request.param}


@pytest.fixture(params=AGENTS)
async def rig(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Rig]:
    provider: ModelProvider = request.param
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    made = Rig(provider, agent_program(PROVIDERS[provider].program, tmp_path))
    yield made
    await made.close()


async def run(rig: Rig, request: CompletionRequest = REQUEST) -> dict[str, Any]:
    rig.plays(Say('{"facts": []}'))
    outcome = await rig.completion().complete(request, timeout_s=PATIENCE_S)
    assert isinstance(outcome, Completed), outcome
    return rig.program.asked[-1]


async def refusal(rig: Rig, **step: object) -> NotCompleted:
    rig.program.plays_raw(step)
    outcome = await rig.completion().complete(REQUEST, timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotCompleted), outcome
    return outcome


def _exists(path: Path) -> bool:
    return path.exists()


async def test_it_is_started_without_tools_settings_and_a_stored_session(rig: Rig) -> None:
    asked = await run(rig)
    for argument in ISOLATION[rig.provider]:
        assert argument in asked["arguments"]


async def test_our_own_hooks_do_nothing_in_it(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("INTAGLIO_HOME", "/somewhere")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://models.example")
    environment = (await run(rig))["environment"]
    assert environment["INTAGLIO_NO_HOOKS"] == environment["SIGNET_NO_HOOKS"] == "1"
    assert not {"CLAUDECODE", "INTAGLIO_HOME"} & set(environment)
    assert environment["ANTHROPIC_BASE_URL"] == "https://models.example"


async def test_it_runs_in_an_empty_folder_that_is_gone_afterwards(rig: Rig) -> None:
    asked = await run(rig)
    assert asked["files"] == []
    assert not _exists(Path(asked["folder"]).parent)


async def test_the_text_comes_on_standard_input_and_never_as_a_command(rig: Rig) -> None:
    asked = await run(rig)
    assert asked["stdin"] == f"The text:\n\n{REQUEST.user}"
    assert not any("5433" in argument for argument in asked["arguments"])
    assert "5433" not in str(asked["environment"])


async def test_the_schema_is_in_the_prompt_unless_it_is_enforced(rig: Rig) -> None:
    asked = await run(rig)
    enforced = rig.provider == "codex"
    assert ("JSON Schema" in str(asked)) is not enforced
    assert ("schema.json" in asked["given"]) is enforced
    loose = CompletionRequest(system="s", user="u", schema=OPEN_SCHEMA)
    assert "JSON Schema" in str(await run(rig, loose))


async def test_a_cost_that_it_states_is_kept(rig: Rig) -> None:
    rig.plays(Say('{"facts": []}'))
    outcome = await rig.completion().complete(REQUEST, timeout_s=PATIENCE_S)
    assert outcome.tokens.cost_usd == (None if rig.provider == "codex" else 0.01)


async def test_an_agent_without_a_model_uses_its_default(rig: Rig) -> None:
    rig.plays(Say('{"facts": []}'))
    outcome = await rig.completion("").complete(REQUEST, timeout_s=PATIENCE_S)
    assert isinstance(outcome, Completed)
    assert not any(each.startswith("--model") for each in rig.program.asked[-1]["arguments"])


@pytest.mark.parametrize("model", ["-p", "--help", "a b", "a;b", "a\nb", "$(x)", "a" * 300])
def test_a_model_that_could_be_an_option_is_refused(model: str) -> None:
    with pytest.raises(InvalidInputError):
        completion_of(ModelChoice(provider="codex", model=model))


@pytest.mark.parametrize("provider", AGENTS)
async def test_a_program_that_is_not_installed_is_unusable(
    provider: ModelProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("intaglio.base.process.programs._USUAL_FOLDERS", (str(tmp_path),))
    completion = completion_of(ModelChoice(provider=provider))
    assert completion is not None
    outcome = await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    listed = await completion.models(timeout_s=PATIENCE_S)
    for each in (outcome, listed):
        assert isinstance(each, NotCompleted)
        assert each.reason == "unusable"
        assert "isn't installed" in each.detail
    assert completion.rest_s > 0
    await completion.close()


async def test_a_program_that_cannot_be_started_is_unusable(rig: Rig, tmp_path: Path) -> None:
    program = tmp_path / PROVIDERS[rig.provider].program
    program.write_text("#!/nowhere/at/all\n")
    outcome = await rig.completion().complete(REQUEST, timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotCompleted)
    assert outcome.reason == "unusable"


async def test_a_version_without_a_needed_option_is_unusable(rig: Rig) -> None:
    outcome = await refusal(rig, code=2, errors="error: unknown option '--tools='\n")
    assert outcome.reason == "unusable"
    assert "update it" in outcome.detail


@pytest.mark.parametrize(
    ("provider", "output"),
    [
        ("claude-code", '{"type": "result", "is_error": true, "result": "Please run /login"}'),
        ("codex", '{"type": "error", "message": "unexpected status 401 Unauthorized"}'),
        ("opencode", '{"type": "error", "error": {"data": {"statusCode": 401}}}'),
    ],
)
async def test_an_agent_that_is_not_signed_in_is_unusable(
    provider: ModelProvider, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    rig = Rig(provider, agent_program(PROVIDERS[provider].program, tmp_path))
    outcome = await refusal(rig, code=1, output=output)
    assert outcome.reason == "unusable"
    assert "signed in" in outcome.detail
    await rig.close()


async def test_errors_without_end_hold_up_nothing(rig: Rig) -> None:
    outcome = await refusal(rig, code=1, errors="x" * 3_000_000, hang=True)
    assert outcome.reason == "refused"
    assert "without a reply" in outcome.detail


async def test_what_it_started_ends_with_it(rig: Rig) -> None:
    await refusal(rig, output="", child=True)
    await until(rig.program.is_gone, "the child has ended, too")


async def test_what_left_its_session_holds_up_nothing(rig: Rig) -> None:
    outcome = await refusal(rig, output="", child="apart")
    assert outcome.reason == "refused"
    assert not rig.program.is_gone()
    rig.program.kill_child()


async def test_only_one_runs_at_a_time(rig: Rig) -> None:
    rig.plays(Hang(), Say('{"facts": []}'))
    completion = rig.completion()
    first = asyncio.ensure_future(completion.complete(REQUEST, timeout_s=PATIENCE_S))
    await until(rig.requests, "the first runs")
    second = asyncio.ensure_future(completion.complete(REQUEST, timeout_s=PATIENCE_S))
    late = await completion.complete(REQUEST, timeout_s=0.02)
    assert isinstance(late, NotCompleted)
    assert rig.requests() == 1
    first.cancel()
    assert isinstance(await second, Completed)


def test_a_program_of_a_relative_folder_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent_program("codex", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", ".:")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_program("codex") is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_program("codex") == str(tmp_path / "codex")
