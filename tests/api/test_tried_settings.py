"""The preview with other settings than those in use."""

from typing import Any

import pytest

from fakes.api import Api

PROJECT = "/srv/quarry"
START = "harness.claudeCode.startMaxTokens"


async def previewed(api: Api, **body: object) -> dict[str, Any]:
    asked = {"project": PROJECT, "harness": "claude-code", **body}
    reply = await api.client.post("/api/sessions/preview", json=asked)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def remember_decisions(api: Api) -> None:
    for day in range(12):
        await api.remember(
            f"We chose tool number {day} for the pipeline of team {day}, because it has support.",
            project=PROJECT,
            type="decision",
        )


async def test_a_smaller_budget_tells_fewer_lines_and_nothing_is_changed(api: Api) -> None:
    await remember_decisions(api)
    now = await previewed(api)
    tried = await previewed(api, settings={START: 200})
    assert (now["start"]["budget"], tried["start"]["budget"]) == (600, 200)
    told = [line["memoryId"] for line in tried["start"]["lines"]]
    assert 0 < len(told) < len(now["start"]["lines"])
    assert tried["start"]["tokens"] <= 200
    assert tried["withoutEffect"] == []
    assert await previewed(api) == now
    assert await previewed(api, settings={START: None}) == now


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, True),
        ({"hooks.userPromptSubmit.minCoverage": 1, "hooks.userPromptSubmit.minCosine": 1}, False),
        ({"harness.claudeCode.promptMaxTokens": 50}, False),
    ],
)
async def test_a_prompt_is_told_by_the_given_values(
    api: Api, settings: dict[str, object], *, told: bool
) -> None:
    await api.remember("The billing database runs on port 8081 of the quarry host", project=PROJECT)
    await api.remember("Customers are invoiced by month", project=PROJECT)
    tried = {"harness.claudeCode.startMaxTokens": 100, "hooks.sessionStart.recallLimit": 1}
    for _ in range(4):
        await api.remember(
            "critical: " + "Never deploy on a Friday afternoon. " * 8, project=PROJECT
        )
    found = await previewed(
        api,
        prompt="Move the billing database of customers",
        settings=tried | settings,
    )
    assert ("8081" in found["prompt"]["text"]) is told


async def test_what_cannot_change_what_is_told_is_named_with_the_reason(api: Api) -> None:
    settings = {
        START: 300,
        "capture.keepAt": 0.9,
        "harness.claudeCode.capture": False,
        "embedding.provider": "none",
    }
    found = await previewed(api, settings=settings)
    assert {each["key"]: each["reason"] for each in found["withoutEffect"]} == {
        "capture.keepAt": "It doesn't change what a session is told.",
        "harness.claudeCode.capture": "It doesn't change what a session is told.",
        "embedding.provider": "All memories would be embedded again first.",
    }


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({START: 0}, START),
        ({START: "many"}, START),
        ({START: True}, START),
        ({START: 300.5}, START),
        ({"harness.nobody.startMaxTokens": 300}, "harness.nobody.startMaxTokens"),
        ({"harness": 1}, "harness"),
        ({"": 1}, ""),
        ({"hooks.unknown": 1}, "hooks.unknown"),
        ({"embedding.api_key": "secret"}, "embedding.api_key"),
        ({"embedding.provider": "magic"}, "embedding.provider"),
        ({START: {"a": 1}}, "settings"),
    ],
)
async def test_a_bad_value_is_refused_by_name(
    api: Api, settings: dict[str, object], named: str
) -> None:
    body = {"project": PROJECT, "settings": settings}
    reply = await api.client.post("/api/sessions/preview", json=body)
    assert reply.status_code == 400, reply.text
    assert named in reply.text
    assert reply.json()["hint"]
    assert "secret" not in reply.json()["title"].replace("is a secret", "")


async def test_a_preview_counts_no_use(api: Api) -> None:
    await remember_decisions(api)
    before = await api.kernel.database.read(lambda tx: tx.all("SELECT * FROM memories"))
    await previewed(api, prompt="Which tool did we choose for team 3?", settings={START: 300})
    await api.kernel.settled()
    after = await api.kernel.database.read(lambda tx: tx.all("SELECT * FROM memories"))
    assert after == before
    assert (await api.client.get("/api/sessions")).json()["sessions"] == []
