"""Repairs of entities: what they hide or name comes back by undo, and by another mention."""

from typing import Any

from api.test_entity_changes import entity, ids
from api.test_repair import execute
from fakes.api import Api


async def repair(api: Api, action: str, **body: object) -> dict[str, Any]:
    reply = await api.client.post(f"/api/repair/{action}", json=body, headers=api.owner)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def undo(api: Api, run: dict[str, Any]) -> dict[str, Any]:
    reply = await api.client.post(f"/api/repair/runs/{run['runId']}/undo", headers=api.owner)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def make_named_once(api: Api) -> str:
    """Remember a text about one thing that names another, unknown one in passing; its id."""
    await api.remember("The `billing-api` is deployed on Fridays after Zorblax has its rest")
    return (await ids(api))["Zorblax"]


async def test_a_name_that_one_memory_mentions_is_hidden_and_shown_by_undo(api: Api) -> None:
    zorblax = await make_named_once(api)
    assert (await repair(api, "prune-singleton-entities", dryRun=True))["affected"] == 1
    assert not (await entity(api, zorblax))["suppressed"]
    run = await repair(api, "prune-singleton-entities")
    assert (run["affected"], run["canUndo"]) == (1, True)
    assert (await entity(api, zorblax))["suppressed"]
    assert (await undo(api, run))["affected"] == 1
    assert not (await entity(api, zorblax))["suppressed"]


async def test_a_hidden_entity_is_shown_when_another_memory_names_it(api: Api) -> None:
    zorblax = await make_named_once(api)
    await repair(api, "prune-singleton-entities")
    await api.remember("Zorblax needs its rest")
    assert not (await entity(api, zorblax))["suppressed"]


async def test_what_the_user_suppressed_stays_so(api: Api) -> None:
    zorblax = await make_named_once(api)
    await api.client.post(f"/api/knowledge/entities/{zorblax}/suppress")
    await api.remember("Zorblax needs its rest")
    assert (await entity(api, zorblax))["suppressed"]


async def test_a_pinned_entity_and_one_with_facts_are_not_hidden(api: Api) -> None:
    zorblax = await make_named_once(api)
    await api.client.post(f"/api/knowledge/entities/{zorblax}/pin")
    assert (await repair(api, "prune-singleton-entities"))["affected"] == 0


async def test_an_entity_gets_the_type_that_its_memories_tell_and_loses_it_by_undo(
    api: Api,
) -> None:
    await api.remember("We run the tests with pytest")
    pytest_id = (await ids(api))["pytest"]
    await api.kernel.database.write(
        lambda tx: tx.execute(
            "UPDATE entities SET entity_type = 'unknown' WHERE id = ?", (pytest_id,)
        )
    )
    assert (await repair(api, "reclassify-entities", dryRun=True))["affected"] == 1
    run = await repair(api, "reclassify-entities")
    assert (await entity(api, pytest_id))["entityType"] == "tool"
    assert (await undo(api, run))["affected"] == 1
    assert (await entity(api, pytest_id))["entityType"] == "unknown"


async def test_memories_that_were_never_linked_are_linked(api: Api) -> None:
    await api.remember("We run the tests with pytest")
    for unlinked in ("DELETE FROM entity_attributes", "DELETE FROM memory_entity_mentions"):
        await execute(api, unlinked)
    assert (await repair(api, "structural-backfill", dryRun=True))["affected"] == 1
    assert (await repair(api, "structural-backfill"))["affected"] == 1
    assert (await repair(api, "structural-backfill", dryRun=True))["affected"] == 0
