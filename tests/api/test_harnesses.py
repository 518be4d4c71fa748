"""Which agents are connected, over HTTP."""

from typing import Any

from fakes.api import Api
from intaglio.base.events import Changed
from intaglio.harness.registry import connectors

KEYS = {
    "name", "id", "path", "exists", "lastSeen", "connection", "reason", "hint", "command",
}  # fmt: skip


async def listed(api: Api) -> dict[str, dict[str, Any]]:
    reply = await api.client.get("/api/harnesses")
    assert reply.status_code == 200, reply.text
    return {row["id"]: row for row in reply.json()["harnesses"]}


async def test_every_harness_is_listed_with_the_command_that_connects_it(api: Api) -> None:
    rows = await listed(api)
    assert {name: row["name"] for name, row in rows.items()} == {
        name: connector.label for name, connector in connectors().items()
    }
    assert all(row.keys() == KEYS for row in rows.values())
    assert all(row["command"].endswith(f"connect {name}") for name, row in rows.items())


async def test_the_first_hook_is_announced_and_shown(api: Api) -> None:
    assert (await listed(api))["claude-code"]["lastSeen"] is None
    with api.kernel.bus.listen() as events:
        body = {"hook_event_name": "SessionStart", "session_id": "s"}
        reply = await api.client.post("/api/hooks/native/claude-code", json=body)
        assert reply.status_code == 200, reply.text
        told = [events.get_nowait() for _ in range(events.qsize())]
    assert Changed("harnesses", "updated", ("claude-code",)) in told
    assert (await listed(api))["claude-code"]["lastSeen"] is not None


async def test_a_client_of_the_contract_is_heard_by_its_name(api: Api) -> None:
    for event, more in [
        ("session-start", {}),
        ("user-prompt-submit", {"userMessage": "hello there"}),
        ("session-end", {}),
    ]:
        with api.kernel.bus.listen() as events:
            body = {"harness": "claude-code", "sessionKey": "k", **more}
            await api.client.post(f"/api/hooks/{event}", json=body)
            told = [events.get_nowait() for _ in range(events.qsize())]
        assert Changed("harnesses", "updated", ("claude-code",)) in told, event


async def test_a_client_without_hooks_is_not_heard(api: Api) -> None:
    body = {"hook_event_name": "SessionStart", "session_id": "s"}
    headers = {"x-signet-no-hooks": "1"}
    await api.client.post("/api/hooks/native/claude-code", json=body, headers=headers)
    assert (await listed(api))["claude-code"]["lastSeen"] is None
