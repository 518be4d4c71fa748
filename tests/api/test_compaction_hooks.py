"""The contract's hooks around a compaction, and what becomes of an agent's summary."""

from typing import Any

import pytest

from fakes.api import Api

PROJECT = "/work/lantern"
OWN = {"harness": "opencode", "sessionKey": "k1"}
RULE = "Lantern never deploys on Fridays."
SUMMARY = "Never deploy lantern on Mondays. We moved the queue to Redis."
TOKEN = "ghp_" + "Zq8Lw3Xc7Vb2Nm5Kj9Hg4Fd6Sa1Po0IuYtRe"


async def hook(api: Api, name: str, **body: object) -> dict[str, Any]:
    reply = await api.client.post(f"/api/hooks/{name}", json={**OWN, **body})
    assert reply.status_code == 200, reply.text
    await api.kernel.settled()
    found: dict[str, Any] = reply.json()
    return found


async def begin(api: Api) -> None:
    await api.remember(RULE, type="rule", project=PROJECT)
    await hook(api, "session-start", project=PROJECT)
    await hook(api, "user-prompt-submit", userMessage="Is lantern on the Redis queue?")


async def kept(api: Api, **body: object) -> dict[str, Any]:
    """Report a summary and return the memory that holds it."""
    memory_id = (await hook(api, "compaction-complete", **{"summary": SUMMARY, **body}))["memoryId"]
    row: dict[str, Any] = (await api.client.get(f"/api/memory/{memory_id}")).json()
    return row


async def checkpoints(api: Api) -> list[dict[str, Any]]:
    await api.kernel.settled()
    reply = await api.client.get("/api/checkpoints/k1", headers=api.owner)
    found: list[dict[str, Any]] = reply.json()["checkpoints"]
    return found


async def test_the_model_that_summarises_is_told_what_to_keep(api: Api) -> None:
    await begin(api)
    # A client that sends no Origin may name any type of content, or none.
    body = b'{"harness": "opencode", "sessionKey": "k1", "messageCount": "many"}'
    text = {"content-type": "text/plain;charset=UTF-8"}
    reply = await api.client.post("/api/hooks/pre-compaction", content=body, headers=text)
    assert reply.status_code == 200, reply.text
    found = reply.json()
    assert found["guidelines"] in found["summaryPrompt"]
    assert "requires, forbids or prefers" in found["guidelines"]
    assert [each["trigger"] for each in await checkpoints(api)] == ["pre_compaction"]


async def test_a_summary_is_kept_as_the_agents(api: Api) -> None:
    await begin(api)
    memory = await kept(api)
    assert {name: memory[name] for name in ("content", "type", "importance", "who", "tags")} == {
        "content": SUMMARY,
        "type": "session_summary",
        "importance": 0.8,
        "who": "system",
        "tags": "session,summary,opencode",
    }
    assert (memory["source_type"], memory["pinned"], memory["project"]) == ("agent", 0, PROJECT)
    assert [each["trigger"] for each in await checkpoints(api)] == ["compaction"]


@pytest.mark.parametrize("summary", ["critical: Never deploy.", "[rule]: Never deploy on Mondays."])
async def test_a_summary_never_binds(api: Api, summary: str) -> None:
    await begin(api)
    memory = await kept(api, summary=summary)
    assert (memory["type"], memory["pinned"]) == ("session_summary", 0)
    start = await hook(api, "session-start", project=PROJECT, sessionKey="k2")
    assert [each["content"] for each in start["memories"]] == [RULE]
    preview = await api.client.post("/api/sessions/preview", json={"project": PROJECT})
    assert "Mondays" not in preview.json()["start"]["text"]
    known = (await api.client.post("/api/knowledge/expand", json={"entity": "lantern"})).json()
    assert "Never deploy" not in str(known.get("constraints"))


async def test_a_summary_answers_a_question(api: Api) -> None:
    await begin(api)
    await kept(api)
    assert SUMMARY in [each["content"] for each in await api.recall("queue moved to Redis?")]


async def test_secrets_of_a_summary_are_taken_out(api: Api) -> None:
    await begin(api)
    memory = await kept(api, summary=f"We pushed with {TOKEN} to the remote.")
    assert TOKEN not in memory["content"]
    assert TOKEN not in str(await checkpoints(api))


async def test_after_it_the_session_may_be_told_the_same_again(api: Api) -> None:
    await api.remember("We decided to keep the queue in Redis.", project=PROJECT, type="decision")
    await begin(api)
    prompt = "Do we keep the queue in Redis?"
    assert (await hook(api, "user-prompt-submit", userMessage=prompt))["memoryCount"] == 0
    await hook(api, "compaction-complete", summary=SUMMARY)
    assert (await hook(api, "user-prompt-submit", userMessage=prompt))["memoryCount"] >= 1
    told = await hook(api, "user-prompt-submit", userMessage="May we deploy lantern on Fridays?")
    assert RULE in told["inject"]


@pytest.mark.parametrize("how", ["paused", "paused before", "switched off before"])
async def test_a_summary_of_what_may_not_be_kept_is_not_kept(api: Api, how: str) -> None:
    await begin(api)
    if how.startswith("paused"):
        await api.client.post("/api/capture/pause", json={}, headers=api.owner)
        if how.endswith("before"):
            await api.client.post("/api/capture/resume", headers=api.owner)
    else:
        for enabled in (True, False):
            await api.client.post(
                "/api/sessions/k1/bypass", json={"enabled": enabled}, headers=api.owner
            )
    assert (await hook(api, "compaction-complete", summary=SUMMARY))["memoryId"] == ""
    assert SUMMARY not in str(await checkpoints(api))


@pytest.mark.parametrize("key", ["never-seen", None])
async def test_a_summary_without_a_project_is_recalled_in_none(api: Api, key: str | None) -> None:
    await begin(api)
    found = await hook(api, "compaction-complete", summary=SUMMARY, sessionKey=key)
    assert found == {"success": True, "memoryId": "", "bypassed": False}
    assert SUMMARY not in [each["content"] for each in await api.recall("queue moved to Redis?")]


async def test_a_summary_of_an_unknown_session_stays_in_its_project(api: Api) -> None:
    await begin(api)
    assert (await kept(api, sessionKey="never-seen", project=PROJECT))["project"] == PROJECT


async def test_the_hooks_say_nothing_where_they_are_disabled_or_the_session_is_off(
    api: Api,
) -> None:
    await begin(api)
    calls: dict[str, dict[str, str]] = {
        "pre-compaction": {},
        "compaction-complete": {"summary": SUMMARY},
    }
    empty: dict[str, dict[str, Any]] = {
        "pre-compaction": {"summaryPrompt": "", "guidelines": "", "instructions": ""},
        "compaction-complete": {"success": True, "memoryId": ""},
    }
    for name, body in calls.items():
        reply = await api.client.post(
            f"/api/hooks/{name}", json={**OWN, **body}, headers={"x-signet-no-hooks": "1"}
        )
        assert reply.json() == {**empty[name], "bypassed": False}
    await api.client.post("/api/sessions/k1/bypass", json={"enabled": True}, headers=api.owner)
    for name, body in calls.items():
        assert await hook(api, name, **body) == {**empty[name], "bypassed": True}
    assert await checkpoints(api) == []


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("pre-compaction", {}),
        ("compaction-complete", {"harness": "opencode"}),
        ("compaction-complete", {"summary": "x"}),
        ("compaction-complete", {"harness": "opencode", "summary": "  "}),
    ],
)
async def test_what_is_missing_is_refused(api: Api, name: str, body: dict[str, str]) -> None:
    assert (await api.client.post(f"/api/hooks/{name}", json=body)).status_code == 400


async def test_the_other_path_is_refused(api: Api) -> None:
    await hook(api, "session-start", runtimePath="legacy")
    for name in ("pre-compaction", "compaction-complete"):
        body = {**OWN, "summary": SUMMARY, "runtimePath": "plugin"}
        reply = await api.client.post(f"/api/hooks/{name}", json=body)
        assert reply.status_code == 409
        assert "session claimed by legacy path" in reply.text
