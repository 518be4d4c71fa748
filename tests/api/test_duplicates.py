"""The repair that forgets duplicates: counted first, undone, and never at the user's expense."""

from typing import Any

import pytest

from api.test_embeddings import use
from api.test_entity_repairs import repair, undo
from fakes.api import Api

pytestmark = pytest.mark.usefixtures("without_graph")

LOOSE = {"semanticThreshold": 0.8}


async def live(api: Api) -> set[str]:
    reply = await api.client.get("/api/memories", params={"limit": 100}, headers=api.owner)
    return {each["id"] for each in reply.json()["memories"]}


async def two(api: Api) -> tuple[str, str]:
    """Remember the same in nearly the same words; the ids of both."""
    one = await api.remember("Run the tests with pytest on Linux")
    other = await api.remember("Run tests with pytest on Linux")
    await use(api)
    return one, other


async def history(api: Api, memory: str) -> list[dict[str, Any]]:
    reply = await api.client.get(f"/api/memory/{memory}/history", headers=api.owner)
    found: list[dict[str, Any]] = reply.json()["history"]
    return found


async def test_the_newer_one_is_forgotten_with_a_link_and_restored_by_undo(api: Api) -> None:
    older, newer = await two(api)
    counted = await repair(api, "deduplicate", dryRun=True, **LOOSE)
    assert (counted["affected"], counted["clusters"]) == (1, 1)
    assert await live(api) == {older, newer}
    run = await repair(api, "deduplicate", **LOOSE)
    assert (run["affected"], run["clusters"], run["canUndo"]) == (1, 1, True)
    assert await live(api) == {older}
    assert (await history(api, newer))[-1]["metadata"] == {"same_as": older}
    assert (await undo(api, run))["affected"] == 1
    assert await live(api) == {older, newer}


async def test_a_run_is_undone_only_once(api: Api) -> None:
    await two(api)
    run = await repair(api, "deduplicate", **LOOSE)
    await undo(api, run)
    reply = await api.client.post(f"/api/repair/runs/{run['runId']}/undo", headers=api.owner)
    assert reply.status_code == 409


async def test_a_pinned_one_stays(api: Api) -> None:
    _, newer = await two(api)
    body = {"pinned": True, "reason": "mine"}
    await api.client.patch(f"/api/memory/{newer}", json=body, headers=api.owner)
    await repair(api, "deduplicate", **LOOSE)
    assert await live(api) == {newer}


async def test_memories_of_two_projects_are_not_compared(api: Api) -> None:
    await api.remember("Run the tests with pytest on Linux", project="/srv/one")
    await api.remember("Run tests with pytest on Linux", project="/srv/two")
    await use(api)
    assert (await repair(api, "deduplicate", **LOOSE))["affected"] == 0


async def test_what_differs_in_a_number_stays(api: Api) -> None:
    await api.remember("The request timeout of the billing service is 30 seconds")
    await api.remember("The request timeout of the billing service is 60 seconds")
    await use(api)
    assert (await repair(api, "deduplicate", **LOOSE))["affected"] == 0


async def test_the_same_text_in_private_goes_for_the_one_that_all_may_read(api: Api) -> None:
    shared = await api.remember("Deploys run on Fridays")
    await api.remember("Deploys run on Fridays", visibility="private")
    stats = (await api.client.get("/api/repair/dedup-stats")).json()
    assert stats == {"exactClusters": 1, "exactExcess": 1, "totalActive": 2}
    assert (await repair(api, "deduplicate", semanticEnabled=False))["affected"] == 1
    assert await live(api) == {shared}
    cold = (await api.client.get("/api/repair/cold-stats")).json()
    assert (cold["count"], cold["byReason"]) == (1, {"forgotten": 1})
    assert cold["oldest"] == cold["newest"]
    assert cold["totalBytes"] == len("Deploys run on Fridays")


async def test_health_counts_the_duplicates_that_the_repair_would_forget(api: Api) -> None:
    for project in ("/srv/one", "/srv/two"):
        await api.remember("Deploys run on Fridays", project=project)
    await api.remember("Deploys run on Fridays", project="/srv/two", visibility="private")
    found = (await api.client.get("/api/diagnostics/duplicate", headers=api.owner)).json()
    assert (found["exactClusters"], found["exactDuplicates"], found["totalActive"]) == (1, 1, 3)


async def test_without_the_token_duplicates_are_only_counted(api: Api) -> None:
    await two(api)
    counted = await api.client.post("/api/repair/deduplicate", json={"dryRun": True, **LOOSE})
    assert counted.json()["affected"] == 1
    assert (await api.client.post("/api/repair/deduplicate", json=LOOSE)).status_code == 401


async def test_an_agent_may_not_forget_duplicates(api: Api) -> None:
    await two(api)
    headers = {**api.owner, "x-signet-actor-type": "agent"}
    reply = await api.client.post("/api/repair/deduplicate", json=LOOSE, headers=headers)
    assert reply.status_code == 429
    assert reply.json()["message"] == "only the user may run a repair that changes content"


async def test_an_agent_may_not_undo_a_repair(api: Api) -> None:
    await two(api)
    run = await repair(api, "deduplicate", **LOOSE)
    headers = {**api.owner, "x-signet-actor-type": "agent"}
    reply = await api.client.post(f"/api/repair/runs/{run['runId']}/undo", headers=headers)
    assert reply.status_code == 429
