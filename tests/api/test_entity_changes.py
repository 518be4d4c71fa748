"""Changing entities over HTTP: pinning, names, merging, splitting, and undoing all of it."""

from typing import Any

import httpx

from fakes.api import Api

ENTITIES = "/api/knowledge/entities"


async def ids(api: Api) -> dict[str, str]:
    reply = await api.client.get(ENTITIES)
    return {item["entity"]["name"]: item["entity"]["id"] for item in reply.json()["items"]}


async def two(api: Api) -> tuple[str, str]:
    """Make `billing-api`, in two memories, and `ledger-api`; return their ids."""
    await api.remember("Deploys of the `billing-api` run on Fridays")
    await api.remember("Alerts of the `billing-api` go to Marco")
    await api.remember("Backups of the `ledger-api` are nightly")
    found = await ids(api)
    return found["billing-api"], found["ledger-api"]


async def entity(api: Api, entity_id: str) -> dict[str, Any]:
    reply = await api.client.get(f"{ENTITIES}/{entity_id}")
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()["entity"]
    return found


async def undo(api: Api, reply: httpx.Response) -> httpx.Response:
    assert reply.status_code == 200, reply.text
    return await api.client.post(f"/api/knowledge/changes/{reply.json()['changeId']}/undo")


async def test_pinning_and_unpinning(api: Api) -> None:
    billing, _ = await two(api)
    reply = await api.client.post(f"{ENTITIES}/{billing}/pin", json={"reason": "my service"})
    pinned = await entity(api, billing)
    assert reply.json() == {"pinned": True, "pinnedAt": pinned["pinnedAt"]}
    assert pinned["pinReason"] == "my service"
    reply = await api.client.delete(f"{ENTITIES}/{billing}/pin")
    assert reply.json() == {"pinned": False}
    assert (await entity(api, billing))["pinnedAt"] is None


async def test_pinning_needs_no_body(api: Api) -> None:
    billing, _ = await two(api)
    assert (await api.client.post(f"{ENTITIES}/{billing}/pin")).status_code == 200


async def test_an_entity_is_never_pinned_and_suppressed(api: Api) -> None:
    billing, _ = await two(api)
    await api.client.post(f"{ENTITIES}/{billing}/pin")
    reply = await api.client.post(f"{ENTITIES}/{billing}/suppress")
    assert reply.json() == {"suppressed": True}
    assert (await entity(api, billing))["pinned"] is False
    await api.client.post(f"{ENTITIES}/{billing}/pin")
    assert (await entity(api, billing))["suppressed"] is False


async def test_a_merged_entity_counts_as_the_other_until_undone(api: Api) -> None:
    billing, ledger = await two(api)
    reply = await api.client.post(f"{ENTITIES}/{ledger}/merge", json={"into": billing})
    assert (await entity(api, ledger))["id"] == billing
    assert (await entity(api, billing))["mentions"] == 3
    assert (await undo(api, reply)).status_code == 200
    assert (await entity(api, ledger))["mentions"] == 1
    assert (await entity(api, billing))["mentions"] == 2


async def test_memories_can_be_split_off(api: Api) -> None:
    billing, _ = await two(api)
    memories = (await api.client.get(f"{ENTITIES}/{billing}/memories")).json()["items"]
    reply = await api.client.post(
        f"{ENTITIES}/{billing}/split",
        json={"name": "Billing (new)", "memoryIds": [memories[0]["id"]]},
    )
    made = reply.json()["entity"]
    assert made["name"] == "Billing (new)"
    assert made["mentions"] == 1
    assert (await entity(api, billing))["mentions"] == 1
    assert (await undo(api, reply)).json()["entity"]["mentions"] == 2


async def test_a_renamed_entity_keeps_its_old_name_as_an_alias(api: Api) -> None:
    billing, _ = await two(api)
    reply = await api.client.patch(f"{ENTITIES}/{billing}", json={"name": "Billing"})
    assert reply.json()["entity"]["name"] == "Billing"
    names = (await api.client.get(f"{ENTITIES}/{billing}/aliases")).json()["items"]
    assert [each["alias"] for each in names] == ["billing-api", "Billing"]
    assert (await undo(api, reply)).json()["entity"]["name"] == "billing-api"


async def test_a_name_that_another_entity_has_is_a_conflict_that_names_it(api: Api) -> None:
    billing, ledger = await two(api)
    reply = await api.client.patch(f"{ENTITIES}/{billing}", json={"name": "Ledger-API"})
    assert reply.status_code == 409
    assert reply.json()["entityId"] == ledger
    assert "Merge" in reply.json()["hint"]


async def test_an_alias_is_added_and_removed(api: Api) -> None:
    billing, _ = await two(api)
    added = await api.client.post(f"{ENTITIES}/{billing}/aliases", json={"alias": "Payments"})
    names = (await api.client.get(f"{ENTITIES}/{billing}/aliases")).json()["items"]
    assert [each["alias"] for each in names] == ["billing-api", "Payments"]
    removed = await api.client.delete(f"{ENTITIES}/{billing}/aliases/{names[1]['id']}")
    assert (await undo(api, removed)).status_code == 200
    assert (await undo(api, added)).status_code == 200
    names = (await api.client.get(f"{ENTITIES}/{billing}/aliases")).json()["items"]
    assert [each["alias"] for each in names] == ["billing-api"]
