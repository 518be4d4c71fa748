"""/api/models: the state of language models, trying and confirming them, and what they cost."""

from collections.abc import Generator
from typing import Any

import pytest

from fakes.api import Api
from fakes.completions import ScriptedCompletion, configure_model
from fakes.model_server import ModelServerStub, Say, Status, model_server
from intaglio.base.clock import iso
from intaglio.daemon.live_settings import LiveSettings
from intaglio.health.diagnosis import Diagnosis
from intaglio.inference.completion.ports import Completed, NotCompleted, TokenCounts
from intaglio.models.calls import ModelCalls
from intaglio.models.prompt import ModelPrompt, ReadReply
from intaglio.models.usage_gate import UsageGate
from intaglio.models.values import CallContext, MustWait
from intaglio.package import Package, Packages

KEY = "sk-" + "not-shown-anywhere-1234567890"
PROVIDER = "memory.pipelineV2.extraction.provider"
ENDPOINT = "memory.pipelineV2.extraction.endpoint"
MODEL = "memory.pipelineV2.extraction.model"
PROMPT: ModelPrompt[object] = ModelPrompt(
    name="facts",
    version=1,
    role="extraction",
    system="Read.",
    schema={},
    read=ReadReply,
    max_input_chars=100,
    max_output_tokens=10,
)


@pytest.fixture
def server() -> Generator[ModelServerStub]:
    with model_server() as stub:
        yield stub


def write_settings(api: Api, text: str) -> None:
    """Write the file by hand, as an editor or an import does."""
    api.kernel.running.paths.settings.write_text(text, encoding="utf-8")
    api.kernel.get(LiveSettings).refresh()


def by_hand(api: Api, server: ModelServerStub, model: str = "big") -> None:
    write_settings(
        api,
        f"extraction:\n  provider: openai\n  model: {model}\n  endpoint: {server.url}/v1\n"
        f"  api_key: {KEY}\n",
    )


async def models(api: Api) -> dict[str, Any]:
    reply = await api.client.get("/api/models")
    assert reply.status_code == 200, reply.text
    assert KEY not in reply.text
    found: dict[str, Any] = reply.json()
    return found


async def confirm(api: Api, row: dict[str, Any]) -> Any:  # noqa: ANN401 - a reply
    body = {key: row[key] for key in ("provider", "model", "address")}
    return await api.client.post("/api/models/confirm", json=body, headers=api.owner)


async def change(api: Api, *changes: tuple[str, object], confirmed: bool = False) -> Any:  # noqa: ANN401 - a reply
    body = {
        "changes": [{"key": key, "value": value} for key, value in changes],
        "confirmed": confirmed,
    }
    return await api.client.post("/api/settings", json=body, headers=api.owner)


async def issues(api: Api) -> list[str]:
    diagnosis = api.kernel.get(Diagnosis)
    diagnosis.invalidate()
    found = (await diagnosis.read()).issues
    return [each.id for each in found if each.id.startswith("language_model_")]


async def ask(api: Api, project: str | None = None) -> object:
    context = CallContext(stage="extract", project=project)
    return await api.kernel.get(ModelCalls).ask(PROMPT, "text", context)


async def test_no_model_is_configured_by_default(api: Api) -> None:
    found = await models(api)
    assert [(row["role"], row["state"]) for row in found["models"]] == [
        ("extraction", "off"),
        ("synthesis", "off"),
    ]
    assert found["today"]["tokens"] == 0
    assert await issues(api) == []
    assert not api.kernel.get(ModelCalls).is_on("extraction")
    assert (await api.client.get("/api/status")).json()["languageModel"] is None


async def test_a_model_that_stands_in_the_file_by_hand_waits_for_the_user(
    api: Api, server: ModelServerStub
) -> None:
    by_hand(api, server)
    outcome = await ask(api)
    assert isinstance(outcome, MustWait)
    assert outcome.reason == "off"
    assert await issues(api) == ["language_model_confirm-extraction"]
    for path in ("test", "confirm"):
        body = {"provider": "openai", "model": "other", "address": server.url}
        sent = {} if path == "test" else body
        refused = await api.client.post(f"/api/models/{path}", json=sent, headers=api.owner)
        assert refused.status_code == 409, refused.text
    assert server.asked == []
    row, synthesis = (await models(api))["models"]
    assert (row["state"], row["title"]) == ("unconfirmed", "OpenAI or a compatible server, big")
    assert synthesis["state"] == "unconfirmed"
    # The same model is asked for both: it is confirmed once.
    confirmed = await confirm(api, row)
    assert [each["state"] for each in confirmed.json()["models"]] == ["ready", "ready"]
    assert await issues(api) == []
    await ask(api)
    assert len(server.asked) == 1
    # A restarted daemon knows, and another model of the same server isn't meant.
    by_hand(api, server, "huge")
    assert (await models(api))["models"][0]["state"] == "unconfirmed"
    by_hand(api, server)
    assert (await models(api))["models"][0]["state"] == "ready"


async def test_a_confirmed_change_in_settings_needs_no_second_one(
    api: Api, server: ModelServerStub
) -> None:
    wanted = ((PROVIDER, "ollama"), (MODEL, "big"), (ENDPOINT, server.url))
    refused = await change(api, *wanted)
    assert refused.status_code == 409
    assert refused.json()["code"] == "confirmation_needed"
    assert (await change(api, *wanted, confirmed=True)).status_code == 200
    assert (await models(api))["models"][0]["state"] == "ready"
    await change(api, (MODEL, "small"), confirmed=True)
    assert (await models(api))["models"][0]["state"] == "ready"


async def test_a_detail_of_a_model_that_was_never_agreed_to_confirms_nothing(
    api: Api, server: ModelServerStub
) -> None:
    by_hand(api, server)
    await change(api, (MODEL, "small"), confirmed=True)
    assert (await models(api))["models"][0]["state"] == "unconfirmed"


async def test_a_test_says_what_was_found(api: Api, server: ModelServerStub) -> None:
    by_hand(api, server)
    await confirm(api, (await models(api))["models"][0])
    server.plays(Say('{"command": "make test"}'))
    reply = await api.client.post("/api/models/test", json={}, headers=api.owner)
    assert reply.status_code == 200, reply.text
    found = reply.json()
    assert (found["answered"], found["keptJson"], found["isListed"]) == (True, True, True)
    assert found["models"] == ["big", "small"]
    assert (found["tokensRead"], found["tokensWritten"]) == (7, 5)
    # The server is on this machine, so it costs nothing; no session is known yet.
    assert found["session"] == {
        "tokensRead": 24_000,
        "tokensWritten": 2_500,
        "usd": 0.0,
        "sessions": 0,
        "characters": 40_000,
    }
    assert KEY not in reply.text
    today = (await models(api))["today"]
    assert (today["calls"], today["tokens"], today["usd"]) == (1, 12, 0.0)


@pytest.mark.parametrize(
    ("step", "answered", "kept", "problem"),
    [
        (Say("The command is make test."), True, False, ""),
        (Status(500), False, False, "500"),
        (Status(401), False, False, "refuses the key"),
    ],
)
async def test_a_test_says_what_is_wrong(
    api: Api, server: ModelServerStub, step: Say | Status, answered: bool, kept: bool, problem: str
) -> None:
    by_hand(api, server, "unknown")
    await confirm(api, (await models(api))["models"][0])
    server.plays(step)
    reply = await api.client.post("/api/models/test", json={}, headers=api.owner)
    found = reply.json()
    assert (found["answered"], found["keptJson"]) == (answered, kept)
    assert problem in found["problem"]
    assert "the server's own text" not in reply.text
    assert KEY not in reply.text


async def test_an_unusable_choice_says_why(api: Api) -> None:
    await change(api, (PROVIDER, "anthropic"), (MODEL, "haiku"), confirmed=True)
    row = (await models(api))["models"][0]
    assert (row["state"], row["reason"]) == (
        "unusable",
        "It can't be asked: Anthropic needs an API key",
    )
    assert "language_model_unusable-extraction" in await issues(api)
    reply = await api.client.post("/api/models/test", json={}, headers=api.owner)
    assert reply.json()["problem"] == "Anthropic needs an API key"


async def test_a_key_may_stand_in_the_environment(
    api: Api, server: ModelServerStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_MODEL_KEY", KEY)
    write_settings(
        api,
        f"extraction: {{provider: openai, model: big, endpoint: '{server.url}', "
        "api_key: $MY_MODEL_KEY}\n",
    )
    await confirm(api, (await models(api))["models"][0])
    await ask(api)
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_change_of_the_settings_replaces_the_model(
    api: Api, server: ModelServerStub
) -> None:
    by_hand(api, server)
    await confirm(api, (await models(api))["models"][0])
    await ask(api)
    write_settings(api, "")
    assert (await models(api))["models"][0]["state"] == "off"
    assert isinstance(await ask(api), MustWait)
    assert len(server.asked) == 1


async def test_a_limit_that_is_reached_is_told(api: Api) -> None:
    configure_model(api.kernel, ScriptedCompletion(lambda _: "{}", tokens=TokenCounts(90, 60)))
    write_settings(api, "models: {dailyTokens: 150}\n")
    await ask(api)
    assert isinstance(await ask(api), MustWait)
    row, _ = (await models(api))["models"]
    assert (row["state"], row["reason"]) == ("capped", "Today's limit of tokens is reached")
    assert row["until"] == (await models(api))["today"]["resetsAt"]
    assert await issues(api) == ["language_model_capped"]
    status = (await api.client.get("/api/status")).json()["languageModel"]
    assert status == {
        "title": "Ollama, scripted",
        "state": "capped",
        "tokens": 150,
        "maxTokens": 150,
        "usd": 0.0,
        "maxUsd": 1.0,
    }


async def test_a_rest_after_failures_and_a_pause_are_told(api: Api) -> None:
    configure_model(api.kernel, ScriptedCompletion(lambda _: "{}", rest_s=60.0))
    row, _ = (await models(api))["models"]
    assert (row["state"], row["reason"]) == ("resting", "It failed too often")
    assert row["until"] > iso(api.kernel.clock())
    assert "language_model_resting-extraction" in await issues(api)
    await api.client.post("/api/capture/pause", json={"minutes": 5}, headers=api.owner)
    row, _ = (await models(api))["models"]
    assert (row["state"], row["reason"]) == ("paused", "Capture is paused")
    assert await issues(api) == []


async def test_the_last_failure_is_told_without_any_text(api: Api) -> None:
    failure = NotCompleted("timeout", "the model took more than 90 s")
    configure_model(api.kernel, ScriptedCompletion(lambda _: failure))
    await ask(api)
    found = (await models(api))["lastFailure"]
    assert (found["stage"], found["outcome"], found["detail"]) == (
        "extract",
        "timeout",
        "the model took more than 90 s",
    )


async def test_usage_is_summed_by_day_stage_project_and_model(api: Api) -> None:
    configure_model(api.kernel, ScriptedCompletion(lambda _: "{}", tokens=TokenCounts(90, 60)))
    await ask(api, "/work/shop")
    await ask(api, "/work/shop")
    await ask(api)
    reply = await api.client.get("/api/models/usage?days=1")
    found = reply.json()
    one = {"failed": 0, "usd": 0.0, "unpriced": 0}
    assert found["days"] == [
        {"key": found["since"], "calls": 3, "tokensRead": 270, "tokensWritten": 180, **one}
    ]
    assert [(row["key"], row["calls"]) for row in found["projects"]] == [
        ("/work/shop", 2),
        (None, 1),
    ]
    assert [row["key"] for row in found["models"]] == ["ollama scripted"]
    assert [row["key"] for row in found["stages"]] == ["extract"]


async def test_old_calls_are_deleted_by_the_sweep(api: Api) -> None:
    gate = api.kernel.get(UsageGate)
    await gate.record(
        PROMPT, CallContext(stage="extract"), Completed("{}", TokenCounts(1, 1)), ms=1
    )
    package = next(each for each in _packages(api) if each.name == "models")
    (step,) = package.retention
    assert not callable(step)
    later = iso(api.kernel.clock())
    tomorrow = "9999-01-01T00:00:00.000Z"
    db = api.kernel.database
    keys = await db.read(lambda tx: step.find(tx, tomorrow, later, 10))
    assert await db.write(lambda tx: step.purge(tx, keys, tomorrow, later)) == 1
    assert (await api.client.get("/api/models/usage")).json()["days"] == []


def _packages(api: Api) -> tuple[Package, ...]:
    return api.kernel.get(Packages).all


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/models/test", {"role": "other"}),
        ("POST", "/api/models/test", {"role": 1}),
        ("POST", "/api/models/confirm", {}),
        ("POST", "/api/models/confirm", {"provider": "", "model": "", "address": ""}),
        ("POST", "/api/models/confirm", {"provider": "x" * 200, "model": "", "address": ""}),
        ("GET", "/api/models/usage?days=0", None),
        ("GET", "/api/models/usage?days=many", None),
        ("GET", "/api/pipeline/models?provider=" + "x" * 200, None),
        ("GET", "/api/pipeline/models?deprecated=perhaps", None),
    ],
)
async def test_bad_input_is_refused(api: Api, method: str, path: str, body: object) -> None:
    reply = await api.client.request(method, path, json=body, headers=api.owner)
    assert reply.status_code == 400, reply.text


@pytest.mark.parametrize("path", ["test", "confirm", "detect"])
async def test_programs_without_the_token_change_nothing(api: Api, path: str) -> None:
    body = {"provider": "ollama", "model": "", "address": ""}
    reply = await api.client.post(f"/api/models/{path}", json=body)
    assert reply.status_code in {401, 403}


async def test_the_registry_lists_what_is_configured_and_asks_only_that(
    api: Api, server: ModelServerStub
) -> None:
    found = (await api.client.get("/api/pipeline/models")).json()
    assert set(found["models"][0]) == {"id", "provider", "label", "tier", "deprecated"}
    assert found["registry"]["initialized"]
    assert found["registry"]["lastRefreshAt"] == 0
    by_hand(api, server)
    await confirm(api, (await models(api))["models"][0])
    refreshed = await api.client.post("/api/pipeline/models/refresh", headers=api.owner)
    assert refreshed.status_code == 200
    assert not refreshed.json()["throttled"]
    assert [each["id"] for each in refreshed.json()["models"]["openai"]] == ["big", "small"]
    again = await api.client.post("/api/pipeline/models/refresh", headers=api.owner)
    assert again.status_code == 429
    assert again.json()["throttled"]
    grouped = (await api.client.get("/api/pipeline/models/by-provider")).json()
    assert [each["id"] for each in grouped["openai"]] == ["big", "small"]
    listed = (await api.client.get("/api/pipeline/models?provider=openai")).json()
    assert [each["id"] for each in listed["models"]] == ["big", "small"]
    counts = listed["registry"]["modelCounts"]
    assert counts["openai"] == 2
