"""Entities that may be one, in the inbox: merged or kept apart by the user, with undo."""

import pytest

from fakes.api import Api
from intaglio.graph import entity_rows
from intaglio.graph.possible_merges import PossibleMerge, possible_merge
from intaglio.graph.values import Entity
from intaglio.store.tx import WriteTx


async def ask(api: Api, *names: str) -> str:
    """Remember something about two services and ask whether they are one; return the item's id."""
    for name in names:
        await api.remember(f"Deploys of `{name}` happen on Mondays", project="/work/shop")
    listed = await api.client.get("/api/knowledge/entities", params={"type": "service"})
    ids = {each["entity"]["name"]: each["entity"]["id"] for each in listed.json()["items"]}

    def work(tx: WriteTx) -> str:
        pair = [entity_rows.get(tx, ids[name]) for name in names]
        one, other = (entity for entity in pair if entity is not None)
        assert isinstance(one, Entity)
        question = PossibleMerge(
            entity_id=one.id,
            other_entity_id=other.id,
            entity_type=one.type,
            agent_id=one.agent_id,
            project=one.project,
            similarity=0.78,
        )
        return possible_merge(tx, question, api.kernel.change_context)

    return await api.kernel.database.write(work)


async def names(api: Api) -> set[str]:
    reply = await api.client.get("/api/knowledge/entities", params={"type": "service"})
    return {each["entity"]["name"] for each in reply.json()["items"]}


async def decide(api: Api, item: str, action: str) -> int:
    reply = await api.client.post(f"/api/inbox/{item}", json={"action": action}, headers=api.owner)
    return reply.status_code


async def undo(api: Api, item: str) -> str | None:
    reply = await api.client.post("/api/inbox/undo", json={"ids": [item]}, headers=api.owner)
    [result] = reply.json()["results"]
    error: str | None = result.get("error")
    return error


async def test_an_item_shows_both_with_what_memories_say(api: Api) -> None:
    await ask(api, "billing-api", "billing-service")
    [item] = (await api.client.get("/api/inbox")).json()["items"]
    assert item["kind"] == "possible_merge"
    assert item["content"] == "billing-api / billing-service"
    assert [each["samples"] for each in item["entities"]] == [
        ["Deploys of `billing-api` happen on Mondays"],
        ["Deploys of `billing-service` happen on Mondays"],
    ]
    counts = (await api.client.get("/api/inbox/counts")).json()
    assert (counts["open"], counts["possible_merge"]) == (1, 1)


async def test_a_possible_merge_is_accepted_and_undone(api: Api) -> None:
    item = await ask(api, "billing-api", "billing-service")
    assert await decide(api, item, "merge") == 200
    assert len(await names(api)) == 1
    assert await undo(api, item) is None
    assert await names(api) == {"billing-api", "billing-service"}
    shown = (await api.client.get(f"/api/inbox/{item}")).json()
    assert (shown["status"], shown["action"]) == ("open", None)


async def test_entities_are_kept_apart_and_that_is_undone(api: Api) -> None:
    item = await ask(api, "billing-api", "billing-service")
    assert await decide(api, item, "keep_apart") == 200
    assert await names(api) == {"billing-api", "billing-service"}
    assert await undo(api, item) is None


@pytest.mark.parametrize("action", ["keep", "drop", "keep_both", "newer_wins"])
async def test_other_decisions_are_refused(api: Api, action: str) -> None:
    item = await ask(api, "billing-api", "billing-service")
    assert await decide(api, item, action) == 400


async def test_a_merge_that_was_undone_elsewhere_needs_no_undo(api: Api) -> None:
    item = await ask(api, "billing-api", "billing-service")
    assert await decide(api, item, "merge") == 200
    [entity] = (await api.client.get("/api/knowledge/entities", params={"type": "service"})).json()[
        "items"
    ]
    changes = await api.client.get(f"/api/knowledge/entities/{entity['entity']['id']}/changes")
    [change] = changes.json()["items"]
    reply = await api.client.post(f"/api/knowledge/changes/{change['id']}/undo", headers=api.owner)
    assert reply.status_code == 200, reply.text
    assert await undo(api, item) is None


async def test_undoing_a_decision_leaves_a_merge_from_before_it(api: Api) -> None:
    item = await ask(api, "billing-api", "billing-service")
    [shown] = (await api.client.get("/api/inbox")).json()["items"]
    one, other = (each["id"] for each in shown["entities"])
    merge = f"/api/knowledge/entities/{one}/merge"
    reply = await api.client.post(merge, json={"into": other}, headers=api.owner)
    assert reply.status_code == 200, reply.text
    assert await decide(api, item, "merge") == 200
    assert await undo(api, item) is None
    assert len(await names(api)) == 1


async def test_an_item_goes_with_an_entity(api: Api) -> None:
    await ask(api, "billing-api", "billing-service")
    [memory] = await api.recall("billing-service deploys", limit=1)
    reply = await api.client.request(
        "DELETE", f"/api/memory/{memory['id']}", json={"reason": "never", "force": True}
    )
    assert reply.status_code == 200, reply.text
    assert (await api.client.get("/api/inbox")).json()["items"] == []


async def test_another_agent_does_not_read_it(api: Api) -> None:
    await ask(api, "billing-api", "billing-service")
    reply = await api.client.get("/api/inbox", params={"agent_id": "other"})
    assert [each for each in reply.json()["items"] if each["kind"] == "possible_merge"] == []
