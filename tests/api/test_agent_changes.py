"""What agents may change of memories: proposals, the limit of a session, and undoing all of it."""

import asyncio
import json
from typing import Any

import pytest

from fakes.api import Api
from intaglio.daemon.live_settings import LiveSettings

PROJECT = "/work/shop"
REASON = "It is outdated."


async def call(api: Api, name: str, /, **arguments: object) -> dict[str, Any]:
    """Call a tool; a refusal is returned as its text."""
    params = {"name": name, "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    where = {"workspace": PROJECT, "harness": "codex"}
    reply = await api.client.post("/mcp", params=where, json=body)
    result = reply.json()["result"]
    text = result["content"][0]["text"]
    found: dict[str, Any] = {"refused": text} if result.get("isError") else json.loads(text)
    return found


async def forget(api: Api, memory_id: str, reason: str = REASON) -> dict[str, Any]:
    return await call(api, "memory_forget", id=memory_id, reason=reason)


async def stored(api: Api, content: str) -> str:
    memory_id: str = (await call(api, "memory_store", content=content))["id"]
    return memory_id


async def said(api: Api, content: str, **more: object) -> str:
    return await api.remember(content, project=PROJECT, **more)


async def memory(api: Api, memory_id: str) -> dict[str, Any] | None:
    """Return a live memory, or None."""
    reply = await api.client.get(f"/api/memory/{memory_id}")
    found: dict[str, Any] | None = reply.json() if reply.status_code == 200 else None
    return found


async def items(api: Api, kind: str, status: str = "open") -> list[dict[str, Any]]:
    reply = await api.client.get("/api/inbox", params={"kind": kind, "status": status})
    found: list[dict[str, Any]] = reply.json()["items"]
    return found


async def decide(api: Api, item: str, action: str) -> dict[str, Any]:
    reply = await api.client.post(f"/api/inbox/{item}", json={"action": action}, headers=api.owner)
    found: dict[str, Any] = reply.json()
    return {**found, "code": reply.status_code}


async def undo(api: Api, item: str) -> str | None:
    reply = await api.client.post("/api/inbox/undo", json={"ids": [item]}, headers=api.owner)
    error: str | None = reply.json()["results"][0].get("error")
    return error


@pytest.fixture
def limit(api: Api) -> int:
    """An agent may change three memories in a session."""
    settings = api.kernel.running.paths.settings
    settings.write_text("memory: {agentChanges: 3}", encoding="utf-8")
    api.kernel.get(LiveSettings).refresh()
    return 3


@pytest.mark.parametrize(
    "more", [{"type": "fact"}, {"type": "rule"}, {"type": "fact", "pinned": True}], ids=repr
)
async def test_forgetting_what_the_user_said_is_proposed(api: Api, more: dict[str, Any]) -> None:
    lid = await said(api, "The lid is red.", **more)
    proposed = await forget(api, lid)
    assert (proposed["status"], proposed["unchanged"]) == ("suggested", lid)
    assert await memory(api, lid)
    [item] = await items(api, "proposed_change")
    assert (item["id"], item["content"], item["origin"]) == (
        proposed["id"],
        "The lid is red.",
        "agent",
    )
    assert item["change"] == {
        "forget": True, "content": None, "type": None, "importance": None, "tags": None,
    }  # fmt: skip
    assert [each["id"] for each in item["memories"]] == [lid]
    assert item["evidence"][0]["sentence"] == REASON
    # Asked again, it is the same item; applied, the memory is gone, and back by undoing it.
    assert (await forget(api, lid, "Really."))["id"] == item["id"]
    assert len(await items(api, "proposed_change")) == 1
    assert (await decide(api, item["id"], "apply"))["action"] == "apply"
    assert await memory(api, lid) is None
    assert await undo(api, item["id"]) is None
    found = await memory(api, lid)
    assert found
    assert bool(found["pinned"]) is bool(more.get("pinned"))
    assert [each["id"] for each in await items(api, "proposed_change")] == [item["id"]]


@pytest.mark.parametrize(
    "change",
    [{"content": "The lid is blue."}, {"type": "learning"}, {"importance": 0.1}, {"tags": "lid"}],
    ids=repr,
)
async def test_changing_what_the_user_said_is_proposed(api: Api, change: dict[str, Any]) -> None:
    lid = await said(api, "The lid is red.", type="fact")
    before = await memory(api, lid)
    proposed = await call(api, "memory_modify", id=lid, reason=REASON, **change)
    assert proposed["status"] == "suggested"
    assert await memory(api, lid) == before
    assert (await decide(api, proposed["id"], "apply"))["code"] == 200
    after = await memory(api, lid)
    assert after
    assert {name: after[name] for name in change} == change
    assert await undo(api, proposed["id"]) is None
    again = await memory(api, lid)
    assert before
    assert again
    assert all(again[name] == before[name] for name in change)


async def test_a_rejected_proposal_isnt_made_again(api: Api) -> None:
    lid = await said(api, "The lid is red.")
    item = (await forget(api, lid))["id"]
    assert (await decide(api, item, "reject"))["action"] == "reject"
    assert (await forget(api, lid))["status"] == "declined"
    assert await items(api, "proposed_change") == []
    assert await undo(api, item) is None
    assert (await forget(api, lid))["id"] == item


async def test_a_proposal_follows_its_memory(api: Api) -> None:
    lid = await said(api, "The lid is red.")
    first = (await forget(api, lid))["id"]
    body = {"reason": "x", "content": "The lid is green."}
    await api.client.patch(f"/api/memory/{lid}", json=body)
    [done] = await items(api, "proposed_change", "done")
    assert (done["id"], done["action"]) == (first, "memory_changed")
    second = (await forget(api, lid))["id"]
    await api.client.delete(f"/api/memory/{lid}", params={"reason": "x"})
    assert {each["action"] for each in await items(api, "proposed_change", "done")} == {
        "memory_changed", "memory_gone",
    }  # fmt: skip
    await api.client.post(f"/api/memory/{lid}/recover", json={"reason": "x"})
    assert [each["id"] for each in await items(api, "proposed_change")] == [second]
    await api.client.delete(f"/api/memory/{lid}", params={"reason": "x", "force": "true"})
    assert await items(api, "proposed_change") == []
    assert await items(api, "proposed_change", "done") == []


async def test_undoing_agent_changes_keeps_later_edits(api: Api) -> None:
    lid = await said(api, "The lid is red.")
    item = (await call(api, "memory_modify", id=lid, reason="x", content="The lid is blue."))["id"]
    await decide(api, item, "apply")
    body = {"reason": "x", "content": "The lid is green."}
    await api.client.patch(f"/api/memory/{lid}", json=body)
    assert "changed since" in str(await undo(api, item))


async def test_an_agents_open_proposals_are_limited(api: Api) -> None:
    ids = [await said(api, f"Stone {number} is laid.") for number in range(40)]
    replies = [await forget(api, each) for each in ids]
    assert sum("refused" in each for each in replies) == 30
    assert len(await items(api, "proposed_change")) == 10
    assert all([await memory(api, each) for each in ids])
    done = await api.client.post(
        "/api/inbox/bulk",
        json={"ids": [each["id"] for each in replies if "id" in each], "action": "reject"},
        headers=api.owner,
    )
    assert done.json()["changed"] == 10
    assert "refused" in await forget(api, ids[-1])


async def test_an_agent_may_change_its_own_memories(api: Api) -> None:
    lid = await stored(api, "The lid is red.")
    changed = await call(api, "memory_modify", id=lid, reason="x", content="The lid is blue.")
    assert changed["status"] == "updated"
    assert (await forget(api, lid))["status"] == "deleted"
    assert await items(api, "proposed_change") == []


async def test_changing_the_scope_of_a_note_does_not_confirm_it(api: Api) -> None:
    note = await stored(api, "The lid is red.")
    body = {"reason": "x", "project": "/work/store"}
    assert (await api.client.patch(f"/api/memory/{note}", json=body)).status_code == 200
    row = await memory(api, note)
    assert row
    assert (row["project"], row["who"]) == ("/work/store", "codex")


@pytest.mark.parametrize("way", ["edited", "pinned", "restored", "by another harness", "kept"])
async def test_a_memory_that_the_user_confirmed_is_no_longer_the_agents(api: Api, way: str) -> None:
    lid = await stored(api, "The lid is red.")
    url = f"/api/memory/{lid}"
    match way:
        case "edited":
            await api.client.patch(url, json={"reason": "x", "content": "The lid is dark red."})
        case "pinned":
            await api.client.patch(url, json={"reason": "x", "pinned": True})
        case "restored":
            await api.client.delete(url, params={"reason": "x"})
            await api.client.post(f"{url}/recover", json={"reason": "x"})
        case "kept":
            item = (await call(api, "memory_store", content="Never paint the lid.", type="rule"))[
                "id"
            ]
            lid = (await decide(api, item, "keep"))["memory_id"]
        case _:
            params = {"name": "memory_store", "arguments": {"content": "The door is red."}}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            where = {"workspace": PROJECT, "harness": "claude-code"}
            reply = await api.client.post("/mcp", params=where, json=body)
            lid = json.loads(reply.json()["result"]["content"][0]["text"])["id"]
    assert (await forget(api, lid))["status"] == "suggested"
    assert await memory(api, lid)


async def test_an_agent_keeps_its_memories_when_a_project_moves(api: Api) -> None:
    note = await stored(api, "The build takes four minutes.")
    body = {"kind": "move", "project": PROJECT, "target": "/work/store"}
    for step in (body, {**body, "project": "/work/store", "target": PROJECT}):
        reply = await api.client.post("/api/projects/changes", json=step, headers=api.owner)
        assert reply.status_code == 200, reply.text
    assert (await forget(api, note))["status"] == "deleted"


async def test_at_the_limit_the_user_is_notified_and_can_undo_all(api: Api, limit: int) -> None:
    ids = [await stored(api, f"Stone {number} is laid.") for number in range(limit + 2)]
    changed = {"content": "Stone 0 is gone.", "tags": "stone"}
    await call(api, "memory_modify", id=ids[0], reason="x", **changed)
    assert await items(api, "agent_changes") == []
    replies = await asyncio.gather(*(forget(api, each) for each in ids[1:]))
    assert ["refused" in each for each in replies].count(True) == 2
    [item] = await items(api, "agent_changes")
    assert item["content"] == "codex changed or forgot 3 memories in one session"
    assert len(item["memories"]) == limit
    assert (await decide(api, item["id"], "undo_changes"))["action"] == "undo_changes"
    done = (await api.client.get("/api/inbox", params={"status": "done"})).json()["items"]
    assert [each["content"] for each in done] == [item["content"]]
    rows = [await memory(api, each) for each in ids]
    assert [row and row["content"] for row in rows] == [
        f"Stone {number} is laid." for number in range(limit + 2)
    ]
    assert rows[0]
    assert not rows[0]["tags"]
    # Undone in turn, the changes are as they were; and undone once more.
    assert await undo(api, item["id"]) is None
    assert [bool(await memory(api, each)) for each in ids].count(False) == 2
    assert (await decide(api, item["id"], "undo_changes"))["code"] == 200
    assert all([await memory(api, each) for each in ids])
    assert "refused" in await call(
        api, "memory_modify", id=await stored(api, "A."), reason="x", tags="a"
    )


async def test_memories_an_agent_forgot_are_restored_although_their_project_moved(
    api: Api, limit: int
) -> None:
    ids = [await stored(api, f"Stone {number} is laid.") for number in range(limit)]
    for each in ids:
        await forget(api, each)
    [item] = await items(api, "agent_changes")
    body = {"kind": "move", "project": PROJECT, "target": "/work/store"}
    await api.client.post("/api/projects/changes", json=body, headers=api.owner)
    assert (await decide(api, item["id"], "undo_changes"))["code"] == 200
    assert all([await memory(api, each) for each in ids])


async def test_memories_changed_since_are_not_undone(api: Api, limit: int) -> None:
    ids = [await stored(api, f"Stone {number} is laid.") for number in range(limit)]
    await call(api, "memory_modify", id=ids[0], reason="x", content="Stone 0 is gone.", tags="a")
    for each in ids[1:]:
        await forget(api, each)
    body = {"reason": "x", "content": "Stone 0 is mine."}
    await api.client.patch(f"/api/memory/{ids[0]}", json=body)
    await api.client.delete(f"/api/memory/{ids[1]}", params={"reason": "x", "force": "true"})
    [item] = await items(api, "agent_changes")
    assert (await decide(api, item["id"], "undo_changes"))["code"] == 200
    row = await memory(api, ids[0])
    assert row
    assert (row["content"], row["tags"]) == ("Stone 0 is mine.", None)
    assert [bool(await memory(api, each)) for each in ids] == [True, False, True]


async def test_the_user_can_keep_an_agents_changes(api: Api, limit: int) -> None:
    ids = [await stored(api, f"Stone {number} is laid.") for number in range(limit)]
    for each in ids:
        await forget(api, each)
    [item] = await items(api, "agent_changes")
    assert (await decide(api, item["id"], "keep_changes"))["code"] == 200
    assert await undo(api, item["id"]) is None
    assert not any([await memory(api, each) for each in ids])
    assert (await decide(api, item["id"], "apply"))["code"] == 400


@pytest.mark.parametrize("kind", ["agent", "harness"])
async def test_requests_made_for_an_agent_have_the_same_limits(api: Api, kind: str) -> None:
    headers = {"x-signet-actor-type": kind, "x-signet-actor": "opencode-plugin"}
    lid = await said(api, "The lid is red.")
    url = f"/api/memory/{lid}"
    for reply in (
        await api.client.delete(url, params={"reason": "x"}, headers=headers),
        await api.client.patch(
            url, json={"reason": "x", "pinned": False, "tags": "a"}, headers=headers
        ),
    ):
        assert (reply.status_code, reply.json()["status"]) == (409, "suggested")
    for path, body in (
        ("/api/memory/forget", {"mode": "execute", "ids": [lid], "reason": "x"}),
        ("/api/memory/modify", {"patches": [{"id": lid, "pinned": True}], "reason": "x"}),
        ("/api/memory/recover", {"ids": [lid], "reason": "x"}),
    ):
        assert (await api.client.post(path, json=body, headers=headers)).status_code == 403
    reply = await api.client.delete(url, params={"reason": "x", "force": "true"}, headers=headers)
    assert reply.status_code == 403
    assert len(await items(api, "proposed_change")) == 2
    assert await memory(api, lid)


@pytest.mark.parametrize("kind", ["agent", "harness"])
async def test_a_memory_saved_for_an_agent_belongs_to_it(api: Api, kind: str) -> None:
    headers = {"x-signet-actor-type": kind, "x-signet-actor": "codex"}
    body = {"content": "Always paint the lid.", "type": "rule", "pinned": True, "project": PROJECT}
    reply = await api.client.post("/api/memory/remember", json=body, headers=headers)
    row = await memory(api, reply.json()["id"])
    assert row
    assert (row["source_type"], row["who"], row["pinned"]) == ("agent", "codex", 0)


async def test_no_agent_can_have_the_name_of_the_user(api: Api) -> None:
    headers = {"x-signet-actor-type": "agent"}
    body = {"content": "Always paint the lid.", "who": "user", "project": PROJECT}
    reply = await api.client.post("/api/memory/remember", json=body, headers=headers)
    row = await memory(api, reply.json()["id"])
    assert row
    assert (row["source_type"], row["who"]) == ("agent", "agent")


@pytest.mark.parametrize(("who", "source"), [(None, "agent"), ("codex", "agent"), ("user", "hook")])
async def test_a_plugin_says_whether_the_words_are_the_users(
    api: Api, who: str | None, source: str
) -> None:
    body = {"content": "critical: paint the lid first.", "harness": "opencode", "who": who}
    reply = await api.client.post("/api/hooks/remember", json=body)
    row = await memory(api, reply.json()["id"])
    assert row
    assert (row["source_type"], row["pinned"]) == (source, int(source == "hook"))
