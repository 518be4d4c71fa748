"""An agent switches its own session off by a tool, and on again only what it switched off."""

import json
from typing import Any

from fakes.api import Api
from fakes.mcp import text_of, tool_call

WHERE = {"harness": "claude-code", "session": "s1"}


async def start(api: Api) -> None:
    await api.remember("Lantern uses SQLite.", project="/work/lantern")
    body = {"hook_event_name": "SessionStart", "session_id": "s1", "cwd": "/work/lantern"}
    await api.client.post("/api/hooks/native/claude-code", json={**body, "source": "startup"})
    await api.kernel.settled()


async def tool(api: Api, name: str, **arguments: object) -> dict[str, Any]:
    reply = await api.client.post("/mcp", params=WHERE, json=tool_call(name, arguments))
    found: dict[str, Any] = reply.json()["result"]
    return found


async def switch(api: Api, *, enabled: bool) -> dict[str, Any]:
    return await tool(api, "session_bypass", session_key="current", enabled=enabled)


async def test_every_other_tool_is_refused_in_a_session_that_is_off(api: Api) -> None:
    await start(api)
    off = await switch(api, enabled=True)
    assert json.loads(text_of(off)) == {"session": "s1", "bypassed": True}
    for name, arguments in (
        ("memory_search", {"query": "SQLite"}),
        ("memory_list", {}),
        ("memory_store", {"content": "Lantern has two databases."}),
    ):
        refused = await tool(api, name, **arguments)
        assert refused["isError"]
        assert "switched off" in text_of(refused)
    await switch(api, enabled=False)
    assert "SQLite" in text_of(await tool(api, "memory_list"))


async def test_what_the_user_switched_off_stays_off(api: Api) -> None:
    await start(api)
    address = "/api/sessions/s1/bypass"
    await api.client.post(address, json={"enabled": True}, headers=api.owner)
    refused = await switch(api, enabled=False)
    assert refused["isError"]
    assert "user" in text_of(refused)
    assert "isError" in await tool(api, "memory_list")


async def test_no_other_session_is_switched_off(api: Api) -> None:
    await start(api)
    refused = await tool(api, "session_bypass", session_key="s2", enabled=True)
    assert refused["isError"]


async def test_a_session_can_be_switched_off_while_capture_is_paused(api: Api) -> None:
    await start(api)
    await api.client.post("/api/capture/pause", json={}, headers=api.owner)
    assert "isError" not in await switch(api, enabled=True)
