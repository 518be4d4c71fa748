"""Erasing many by force: what was forgotten before goes too, and only what a preview showed."""

from typing import Any

from fakes.api import Api


async def delete(api: Api, memory: str) -> None:
    reply = await api.client.delete(f"/api/memory/{memory}", params={"reason": "why"})
    assert reply.status_code == 200, reply.text


async def recovered(api: Api, memory: str) -> bool:
    path = f"/api/memory/{memory}/recover"
    return (await api.client.post(path, json={"reason": "why"})).status_code == 200


async def forget(api: Api, **body: object) -> dict[str, Any]:
    reply = await api.client.post("/api/memory/forget", json=body)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def test_force_also_erases_forgotten_memories(api: Api) -> None:
    gone = await api.remember("Use tabs", type="issue")
    live = await api.remember("Use vi", type="issue")
    kept = await api.remember("Use spaces", type="rule")
    for memory in (gone, kept):
        await delete(api, memory)
    assert [row["id"] for row in (await forget(api, type="issue"))["candidates"]] == [live]
    shown = await forget(api, type="issue", force=True)
    assert [row["id"] for row in shown["candidates"]] == [live, gone]
    token = shown["confirmToken"]
    body = await forget(
        api, mode="execute", type="issue", reason="done", force=True, confirm_token=token
    )
    assert {row["id"]: row["status"] for row in body["results"]} == {
        live: "deleted",
        gone: "deleted",
    }
    assert not await recovered(api, gone)
    assert await recovered(api, kept)


async def test_force_erases_forgotten_memories_that_are_named(api: Api) -> None:
    gone, other = await api.remember("Use tabs"), await api.remember("Use vi")
    for memory in (gone, other):
        await delete(api, memory)
    plain = await forget(api, mode="execute", ids=[gone], reason="done")
    assert plain["requested"] == 0
    body = await forget(api, mode="execute", ids=[gone], reason="done", force=True)
    assert (body["requested"], body["deleted"]) == (1, 1)
    assert not await recovered(api, gone)
    assert await recovered(api, other)


async def test_force_erases_only_what_its_preview_showed(api: Api) -> None:
    gone = await api.remember("Use tabs", type="issue")
    await api.remember("Use vi", type="issue")
    await delete(api, gone)
    token = (await forget(api, type="issue"))["confirmToken"]
    reply = await api.client.post(
        "/api/memory/forget",
        json={
            "mode": "execute", "type": "issue", "reason": "x", "force": True,
            "confirm_token": token,
        },
    )  # fmt: skip
    assert (reply.status_code, reply.json()["count"]) == (400, 2)
    assert await recovered(api, gone)


async def test_the_limit_counts_live_memories_first(api: Api) -> None:
    gone = await api.remember("Use tabs", type="issue")
    live = await api.remember("Use vi", type="issue")
    await delete(api, gone)
    body = await forget(api, mode="execute", type="issue", limit=1, reason="x", force=True)
    assert [row["id"] for row in body["results"]] == [live]
