"""Repairs over HTTP: each may be asked for twice, within limits that are told."""

from datetime import timedelta
from typing import Any

import pytest

from api.test_embeddings import ORPHAN, use
from api.test_jobs import dead_job, listed
from fakes.api import Api
from intaglio.base.clock import iso
from intaglio.daemon.live_settings import LiveSettings
from intaglio.embedding.job_types import REEMBED

pytestmark = pytest.mark.usefixtures("without_graph")

QUEUE = ("requeue-dead", "release-leases")
VECTORS = ("re-embed", "resync-vec", "clean-orphans")


async def repair(api: Api, action: str, **body: object) -> dict[str, Any]:
    reply = await api.client.post(f"/api/repair/{action}", json=body or None)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    assert found["action"] == action
    assert found["success"] is True
    assert found["message"]
    return found


async def execute(api: Api, statement: str) -> None:
    await api.kernel.database.write(lambda tx: tx.execute(statement))


@pytest.mark.parametrize("action", QUEUE + VECTORS)
async def test_repairing_a_healthy_database_changes_nothing(api: Api, action: str) -> None:
    assert (await repair(api, action))["affected"] == 0


@pytest.mark.parametrize("action", QUEUE + VECTORS)
async def test_a_second_repair_within_the_cooldown_is_refused_and_says_until_when(
    api: Api, action: str
) -> None:
    await repair(api, action)
    reply = await api.client.post(f"/api/repair/{action}")
    body = reply.json()
    assert reply.status_code == 429
    assert (body["action"], body["success"], body["affected"]) == (action, False, 0)
    assert body["message"].startswith("cooldown active, ")
    assert int(reply.headers["retry-after"]) > 30


async def test_given_up_jobs_are_requeued(api: Api) -> None:
    await dead_job(api)
    assert (await repair(api, "requeue-dead"))["affected"] == 1
    assert (await listed(api))["counts"][0]["status"] == "pending"


async def test_stale_leases_are_released(api: Api) -> None:
    await api.remember("The first fact")
    await execute(
        api, "UPDATE jobs SET status = 'leased', lease = 'x', leased_at = '2020-01-01T00:00:00Z'"
    )
    assert (await repair(api, "release-leases"))["affected"] == 1


async def test_a_lease_is_stale_after_the_time_that_the_settings_say(api: Api) -> None:
    path = api.kernel.running.paths.settings
    path.write_text(
        "memory: {pipelineV2: {graph: {enabled: false}, worker: {leaseTimeoutMs: 10000}}}"
    )
    api.kernel.get(LiveSettings).refresh()
    await api.remember("The first fact")
    minute_ago = iso(api.kernel.clock() - timedelta(minutes=1))
    leased = "UPDATE jobs SET status = 'leased', lease = 'x', leased_at = ?"
    await api.kernel.database.write(lambda tx: tx.execute(leased, (minute_ago,)))
    assert (await repair(api, "release-leases"))["affected"] == 1


async def test_a_dry_run_counts_and_is_never_refused(api: Api) -> None:
    await api.remember("The first fact")
    for _ in range(3):
        assert (await repair(api, "re-embed", dryRun=True))["affected"] == 1
        assert (await repair(api, "clean-orphans", dryRun=True))["affected"] == 0


@pytest.mark.parametrize(("body", "queued"), [({"batchSize": 2}, 2), ({"fullSweep": True}, 3)])
async def test_memories_without_a_vector_are_queued(
    api: Api, body: dict[str, object], queued: int
) -> None:
    for number in range(3):
        await api.remember(f"Fact number {number}")
    await use(api)
    await execute(api, "DELETE FROM embeddings")
    assert (await repair(api, "re-embed", **body))["affected"] == queued
    assert (await listed(api))["counts"] == [
        {
            "type": REEMBED.name,
            "label": REEMBED.label,
            "status": "pending",
            "count": queued,
        }
    ]


async def test_discarded_work_is_queued_by_a_repair(api: Api) -> None:
    number = await dead_job(api)
    await api.client.post(f"/api/jobs/{number}/discard")
    assert (await repair(api, "re-embed"))["affected"] == 1


async def test_status_columns_are_brought_in_line_with_the_table(api: Api) -> None:
    for number in range(3):
        await api.remember(f"Fact number {number}")
    await use(api)
    await execute(api, "UPDATE memories SET embedding_model = NULL WHERE seq = 1")
    await execute(api, "DELETE FROM embeddings WHERE id = 2")
    await execute(api, "UPDATE memories SET embedding_model = '1' WHERE seq = 2")
    assert (await repair(api, "resync-vec"))["affected"] == 2
    marks = await api.kernel.database.read(
        lambda tx: tx.all("SELECT embedding_model FROM memories ORDER BY seq")
    )
    assert marks == [("1",), (None,), ("1",)]


async def test_orphans_are_deleted_and_nothing_else(api: Api) -> None:
    await api.remember("The first fact")
    await use(api)
    await execute(api, ORPHAN)
    assert (await repair(api, "clean-orphans"))["affected"] == 1
    counted = await api.kernel.database.read(lambda tx: tx.count("SELECT count(*) FROM embeddings"))
    assert counted == 1


async def test_a_repair_is_logged_with_its_actor_and_reason(api: Api) -> None:
    headers = {"x-signet-actor": "Ann", "x-signet-reason": "after the crash"}
    await api.client.post("/api/repair/clean-orphans", headers=headers)
    traces = await api.kernel.database.read(
        lambda tx: tx.all(
            "SELECT memory_id, event, changed_by, reason FROM memory_history ORDER BY seq"
        )
    )
    assert traces == [("system", "none", "Ann", "after the crash")]


@pytest.mark.parametrize("size", [0, -1, 100_001])
async def test_an_invalid_batch_size_is_refused(api: Api, size: int) -> None:
    reply = await api.client.post("/api/repair/re-embed", json={"batchSize": size})
    assert reply.status_code == 400
