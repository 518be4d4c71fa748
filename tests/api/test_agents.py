"""The agents over HTTP: the roster, who reads what, and how an agent is told from another."""

from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api, running_api
from intaglio.agents.agent_directory import AgentDirectory
from intaglio.daemon.live_settings import LiveSettings


async def add(api: Api, agent_id: str, **more: object) -> dict[str, Any]:
    reply = await api.client.post("/api/agents", json={"id": agent_id, **more}, headers=api.owner)
    assert reply.status_code == 201, reply.text
    row: dict[str, Any] = reply.json()
    return row


async def agents(api: Api) -> dict[str, dict[str, Any]]:
    reply = (await api.client.get("/api/agents")).json()
    assert reply["count"] == len(reply["agents"])
    return {row["id"]: row for row in reply["agents"]}


async def contents(api: Api, headers: dict[str, str] | None = None, **query: object) -> set[str]:
    reply = await api.client.get("/api/memories", params=query, headers=headers)  # type: ignore[arg-type]  # plain values
    assert reply.status_code == 200, reply.text
    return {row["content"] for row in reply.json()["memories"]}


async def test_the_default_agent_is_always_there(api: Api) -> None:
    row = (await agents(api))["default"]
    assert (row["is_default"], row["read_policy"], row["archived_at"]) == (True, "shared", None)
    reply = await api.client.delete("/api/agents/default", headers=api.owner)
    assert reply.status_code == 409
    assert "can't be archived" in reply.json()["error"]


async def test_an_agent_is_added_changed_archived_and_brought_back(api: Api) -> None:
    row = await add(api, "ann", name="Ann", read_policy="group", policy_group="red")
    assert (row["name"], row["source"], row["policy_group"]) == ("Ann", "api", "red")
    reply = await api.client.patch(
        "/api/agents/ann", json={"read_policy": "isolated"}, headers=api.owner
    )
    assert (reply.status_code, reply.json()["read_policy"]) == (200, "isolated")
    reply = await api.client.delete("/api/agents/ann", headers=api.owner)
    assert reply.json()["archived_at"] is not None
    assert (await add(api, "ann"))["archived_at"] is None
    assert (await agents(api))["ann"]["read_policy"] == "isolated"


async def test_memories_are_counted_for_each_agent(api: Api) -> None:
    await api.remember("one", agentId="ann")
    await api.remember("two", agentId="ann", visibility="private")
    await api.remember("three", agentId="ann", visibility="private")
    await add(api, "ann")
    reply = await api.client.get("/api/agents/ann")
    assert reply.json()["memories"] == {"global": 1, "private": 2}


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "said"),
    [
        ("POST", "/api/agents", {"id": "a b"}, 400, "agent id isn't valid"),
        ("POST", "/api/agents", {"id": "a/b"}, 400, "agent id isn't valid"),
        ("POST", "/api/agents", {"id": "x" * 129}, 400, "id"),
        ("POST", "/api/agents", {}, 400, "id is required"),
        ("POST", "/api/agents", {"id": "default"}, 409, "already exists"),
        ("POST", "/api/agents", {"id": "x", "read_policy": "open"}, 400, "read_policy"),
        ("POST", "/api/agents", {"id": "x", "read_policy": "group"}, 400, "policy_group"),
        ("POST", "/api/agents", {"id": "x", "name": "\x1b[31m"}, 400, "printable"),
        ("PATCH", "/api/agents/nobody", {"name": "x"}, 404, "Agent not found"),
        ("PATCH", "/api/agents/default", {}, 400, "at least one of"),
        ("PATCH", "/api/agents/default", {"read_policy": "group"}, 400, "policy_group"),
        ("DELETE", "/api/agents/nobody", None, 404, "Agent not found"),
        ("GET", "/api/agents/nobody", None, 404, "Agent not found"),
    ],
)
async def test_invalid_agents_are_refused_with_a_reason(
    api: Api, method: str, path: str, body: object, status: int, said: str
) -> None:
    reply = await api.client.request(method, path, json=body, headers=api.owner)
    assert reply.status_code == status, reply.text
    assert said in reply.json()["error"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/api/agents"), ("PATCH", "/api/agents/ann"), ("DELETE", "/api/agents/ann")],
)
async def test_a_program_without_the_token_changes_no_policy(
    api: Api, method: str, path: str
) -> None:
    reply = await api.client.request(method, path, json={"id": "ann", "name": "x"})
    assert reply.status_code == 401


async def test_a_signed_in_browser_may_change_agents(api: Api) -> None:
    headers = await api.signed_in()
    reply = await api.client.post("/api/agents", json={"id": "ann"}, headers=headers)
    assert reply.status_code == 201


async def test_a_changed_roster_applies_at_once(tmp_path: Path) -> None:
    async with running_api(tmp_path) as api:
        await api.remember("everyone's")
        await api.kernel.get(AgentDirectory).apply_roster()
        file = api.kernel.running.paths.settings
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("agents: {roster: [{name: ann, read_policy: isolated}]}\n")
        assert api.kernel.get(LiveSettings).refresh()
        # Not yet written, and it holds already.
        assert await contents(api, agentId="ann") == set()
        assert (await agents(api))["ann"]["source"] == "roster"
        await api.kernel.get(AgentDirectory).apply_roster()
        assert await contents(api, agentId="ann") == set()
        reply = await api.client.patch("/api/agents/ann", json={"name": "x"}, headers=api.owner)
        assert (reply.status_code, "agent.yaml" in reply.json()["error"]) == (409, True)
        reply = await api.client.delete("/api/agents/ann", headers=api.owner)
        assert reply.status_code == 409
        file.write_text("agents: {roster: []}\n# shorter, so it is seen\n")
        assert api.kernel.get(LiveSettings).refresh()
        await api.kernel.get(AgentDirectory).apply_roster()
        row = (await agents(api))["ann"]
        assert row["archived_at"] is not None
        assert await contents(api, agentId="ann") == set()


async def test_an_unreadable_settings_file_archives_no_agent(tmp_path: Path) -> None:
    async with running_api(tmp_path) as api:
        file = api.kernel.running.paths.settings
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("agents: {roster: [ann]}\n")
        assert api.kernel.get(LiveSettings).refresh()
        await api.kernel.get(AgentDirectory).apply_roster()
    file.write_text("agents: {roster: [ann\n")
    async with running_api(tmp_path) as api:
        await api.kernel.get(AgentDirectory).apply_roster()
        assert (await agents(api))["ann"]["archived_at"] is None


async def test_an_archived_agents_memories_stay_for_the_user_alone(api: Api) -> None:
    await add(api, "ann")
    memory_id = await api.remember("said by ann", agentId="ann")
    assert await contents(api) == {"said by ann"}
    await api.client.delete("/api/agents/ann", headers=api.owner)
    assert await contents(api) == set()
    assert (await api.client.get(f"/api/memory/{memory_id}")).status_code == 404
    user = await api.signed_in()
    assert await contents(api, user) == {"said by ann"}
    assert await contents(api, user, agent="ann") == {"said by ann"}
    await add(api, "ann")
    assert await contents(api) == {"said by ann"}


async def test_the_user_sees_private_memories_of_all_and_filters_by_agent(api: Api) -> None:
    await api.remember("mine")
    await api.remember("of ann", agentId="ann")
    await api.remember("ann's own", agentId="ann", visibility="private")
    user = await api.signed_in()
    assert await contents(api, user) == {"mine", "of ann", "ann's own"}
    assert await contents(api, user, agent="ann") == {"of ann", "ann's own"}
    assert await contents(api, user, visibility="private") == {"ann's own"}
    assert await contents(api, user, agentId="bob") == {"mine", "of ann"}
    assert await contents(api, agent="ann") == {"of ann"}
    reply = await api.client.post(
        "/api/memory/recall", json={"query": "ann own", "visibility": "private"}, headers=user
    )
    assert [row["content"] for row in reply.json()["results"]] == ["ann's own"]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ({"agentId": "ann"}, {"x-signet-agent-id": "ann", "x-signet-session-id": "agent:cleo:1"}),
        ({}, {"x-signet-agent-id": "ann", "x-signet-session-id": "agent:cleo:1"}),
        ({}, {"x-signet-session-id": "agent:ann:main:7"}),
        ({"agentId": "  "}, {"x-signet-session-id": "agent:ann:7"}),
    ],
)
async def test_body_header_or_session_key_names_the_agent(
    api: Api, body: dict[str, str], headers: dict[str, str]
) -> None:
    await api.remember("ann's own", agentId="ann", visibility="private")
    await add(api, "ann", read_policy="isolated")
    reply = await api.client.post(
        "/api/memory/recall", json={"query": "own", **body}, headers=headers
    )
    assert [row["content"] for row in reply.json()["results"]] == ["ann's own"]


async def test_a_hooks_session_key_names_the_agent(api: Api) -> None:
    await api.remember("Always whisper.", type="rule", agentId="ann", visibility="private")
    for key, holds in (("agent:ann:1", True), ("agent:bob:1", False), ("plain", False)):
        reply = await api.client.post(
            "/api/hooks/session-start", json={"harness": "openclaw", "sessionKey": key}
        )
        assert ("Always whisper." in reply.json()["inject"]) is holds
    told = {"hook_event_name": "SessionStart", "session_id": "agent:ann:2", "source": "startup"}
    reply = await api.client.post("/api/hooks/claude-code", json=told)
    assert "Always whisper." in reply.text
    await api.kernel.get(AgentDirectory).write_seen()
    assert {"ann", "bob"} <= (await agents(api)).keys()


async def test_a_session_keeps_its_agent_when_later_hooks_do_not_name_it(api: Api) -> None:
    await add(api, "ann", read_policy="isolated")
    await api.remember("Granite comes from the quarry at Iragna", agentId="ann")
    await api.remember("Granite is sold by the harbour of Locarno")

    async def hook(name: str, **body: object) -> dict[str, Any]:
        told = {"harness": "opencode", "sessionKey": "k", **body}
        reply = await api.client.post(f"/api/hooks/{name}", json=told)
        assert reply.status_code == 200, reply.text
        await api.kernel.session_writes.finish(1)
        found: dict[str, Any] = reply.json()
        return found

    await hook("session-start", agentId="ann")
    kept = await hook("remember", content="The lorry leaves at six")
    row = (await api.client.get(f"/api/memory/{kept['id']}?agentId=ann")).json()
    assert row["agent_id"] == "ann"
    found = await hook("recall", query="where does granite come from")
    assert [each["content"] for each in found["results"]] == [
        "Granite comes from the quarry at Iragna"
    ]
    shown = await hook("user-prompt-submit", userMessage="who sells granite at the harbour?")
    assert "Locarno" not in shown["inject"]
    await hook("session-end")
    whose = "SELECT agent_id FROM sessions"
    assert await api.kernel.database.read(lambda tx: tx.all(whose)) == [("ann",)]


@pytest.mark.parametrize("name", ["a b", "x" * 129, "../default", "a:b"])
async def test_an_invalid_agent_name_is_refused(api: Api, name: str) -> None:
    reply = await api.client.post("/api/memory/recall", json={"query": "x", "agentId": name})
    assert reply.status_code == 400
    reply = await api.client.post(
        "/api/memory/remember", json={"content": "x"}, headers={"x-signet-agent-id": name}
    )
    assert reply.status_code == 400
    assert "agent id isn't valid" in reply.json()["error"]


async def test_an_agent_that_saves_a_memory_becomes_known(api: Api) -> None:
    await api.remember("x", agentId="ann")
    assert "ann" not in await agents(api)
    await api.kernel.get(AgentDirectory).write_seen()
    row = (await agents(api))["ann"]
    assert (row["source"], row["last_seen_at"] is not None) == ("seen", True)
