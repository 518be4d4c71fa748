"""Checkpoints and summaries of sessions in the contract's shape, and what a session is about."""

import json
from typing import Any
from urllib.parse import quote

from fakes.api import Api

PROJECT = "/work/lantern"
TOKEN = "ghp_" + "Zq8Lw3Xc7Vb2Nm5Kj9Hg4Fd6Sa1Po0IuYtRe"
SHAPE = {
    *("id", "session_key", "harness", "project", "project_normalized", "trigger", "digest"),
    *("prompt_count", "memory_queries", "recent_remembers", "created_at", "focal_entity_ids"),
    *("focal_entity_names", "active_aspect_ids", "surfaced_constraint_count"),
    "traversal_memory_count",
}


async def hook(api: Api, name: str, key: str = "k1", **body: object) -> None:
    sent = {"harness": "opencode", "sessionKey": key, "project": PROJECT, **body}
    reply = await api.client.post(f"/api/hooks/{name}", json=sent)
    assert reply.status_code == 200, reply.text
    await api.kernel.settled()


async def session(api: Api, key: str = "k1", **body: object) -> None:
    """Play a session that is told something about PostgreSQL, is compacted, and ends."""
    await hook(api, "session-start", key, **body)
    # Known after the start only, so that a prompt is told it.
    await api.remember("PostgreSQL stores the invoices.", type="fact", project=PROJECT)
    prompt = f"Does PostgreSQL keep the invoices? {TOKEN}"
    await hook(api, "user-prompt-submit", key, userMessage=prompt, **body)
    await hook(api, "pre-compaction", key, **body)
    await hook(api, "compaction-complete", key, summary="We looked at the invoices.", **body)
    await hook(api, "session-end", key, **body)


async def got(api: Api, path: str, *, owner: bool = True, **params: str | int) -> dict[str, Any]:
    reply = await api.client.get(path, params=params, headers=api.owner if owner else {})
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def test_checkpoints_have_the_contracts_shape(api: Api) -> None:
    await session(api)
    found = await got(api, "/api/checkpoints", project=PROJECT)
    rows = found["checkpoints"]
    assert [each["trigger"] for each in rows] == ["session_end", "compaction", "pre_compaction"]
    assert found["count"] == 3
    assert all(each.keys() == SHAPE for each in rows)
    last = rows[0]
    assert (last["session_key"], last["project_normalized"]) == ("k1", PROJECT)
    assert "postgresql" in " ".join(json.loads(last["memory_queries"])).lower()
    assert json.loads(last["focal_entity_names"]) == ["PostgreSQL"]
    assert TOKEN not in json.dumps(rows)
    assert "We looked at the invoices." in rows[1]["digest"]
    assert await got(api, "/api/checkpoints/k1") == found
    assert (await got(api, "/api/checkpoints/k1", harness="codex"))["count"] == 0
    assert (await got(api, "/api/checkpoints", project=PROJECT, limit=1))["count"] == 1


async def test_a_sessions_key_may_contain_slashes(api: Api) -> None:
    await session(api, "agent:main:googlechat:group:spaces/AAAA")
    path = f"/api/checkpoints/{quote('agent:main:googlechat:group:spaces/AAAA', safe='')}"
    assert (await got(api, path, agentId="main"))["count"] == 3


async def test_a_project_is_required(api: Api) -> None:
    for params in ({}, {"project": " "}):
        reply = await api.client.get("/api/checkpoints", params=params)
        assert reply.status_code == 400
        assert "project is required" in reply.text


async def test_an_agent_sees_those_of_its_own_sessions(api: Api) -> None:
    await session(api, agentId="iris")
    for agent, count in (("iris", 3), ("rose", 0)):
        own = await got(api, "/api/checkpoints/k1", owner=False, agentId=agent)
        listed = await got(api, "/api/checkpoints", owner=False, agentId=agent, project=PROJECT)
        summaries = await got(api, "/api/sessions/summaries", owner=False, agentId=agent)
        assert (own["count"], listed["count"]) == (count, count)
        assert summaries["total"] == (2 if count else 0)


async def test_summaries_say_what_wrote_them(api: Api) -> None:
    await session(api)
    await session(api, "k2")
    found = await got(api, "/api/sessions/summaries")
    kinds = sorted((each["kind"], each["session_key"]) for each in found["summaries"])
    # The same words of the second session are known already.
    assert kinds == [("checkpoint", "k1"), ("checkpoint", "k2"), ("compaction", "k1")]
    assert found["total"] == 3
    written = next(each for each in found["summaries"] if each["kind"] == "compaction")
    assert (written["content"], written["depth"], written["childCount"]) == (
        "We looked at the invoices.",
        0,
        0,
    )
    assert written["harness"] == "opencode"
    assert written["token_count"] > 0
    assert TOKEN not in json.dumps(found)


async def test_summaries_are_listed_in_parts_of_a_project(api: Api) -> None:
    await session(api)
    every = (await got(api, "/api/sessions/summaries", project=PROJECT))["summaries"]
    parts = [
        await got(api, "/api/sessions/summaries", project=PROJECT, limit=1, offset=offset)
        for offset in range(3)
    ]
    assert [each for part in parts for each in part["summaries"]] == every
    assert [each["total"] for each in parts] == [2, 2, 2]
    other = await got(api, "/api/sessions/summaries", project="/work/site")
    deeper = await got(api, "/api/sessions/summaries", depth=1)
    assert (other["total"], deeper["total"]) == (0, 0)


async def test_a_sessions_page_says_what_it_is_about(api: Api) -> None:
    await session(api)
    about = (await got(api, "/api/sessions/k1"))["inPlay"]
    assert [(each["name"], each["entityType"]) for each in about["entities"]] == [
        ("PostgreSQL", "tool")
    ]
    assert {each["entityName"] for each in about["aspects"]} == {"PostgreSQL"}
