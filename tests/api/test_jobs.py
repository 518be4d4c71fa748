"""The job queue over HTTP: listing, retrying and discarding jobs."""

from typing import Any

import pytest

from fakes.api import Api
from intaglio.embedding.job_types import EMBED, REEMBED
from intaglio.jobs import rows
from intaglio.jobs.values import Exhausted
from intaglio.store.tx import WriteTx

pytestmark = pytest.mark.usefixtures("without_graph")

KEYS = {
    "id",
    "memory_id",
    "document_id",
    "job_type",
    "status",
    "attempt_count",
    "attempts",
    "max_attempts",
    "next_attempt_at",
    "last_error",
    "last_error_code",
    "error",
    "leased_at",
    "completed_at",
    "failed_at",
    "created_at",
    "updated_at",
}


WAITING = {"type": EMBED.name, "label": EMBED.label, "status": "pending", "count": 2}


async def listed(api: Api, **query: object) -> dict[str, Any]:
    reply = await api.client.get("/api/jobs", params=query)  # type: ignore[arg-type]  # plain values
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def fail_jobs(api: Api, count: int = 1, error: str = "it broke") -> None:
    """Fail that many of the ready jobs."""
    clock = api.kernel.clock

    def work(tx: WriteTx) -> None:
        for job in rows.lease(tx, [(EMBED, count)], "t", clock()):
            rows.fail(tx, job, Exhausted(), error, clock())

    await api.kernel.database.write(work)


async def dead_job(api: Api) -> str:
    await api.remember("The first fact")
    await fail_jobs(api)
    (job,) = (await listed(api))["jobs"]
    return str(job["id"])


async def test_a_job_has_the_keys_of_the_contract(api: Api) -> None:
    kept = await api.remember("The first fact")
    number = (await listed(api))["jobs"][0]["id"]
    job = (await api.client.get(f"/api/memory/jobs/{number}")).json()
    assert set(job) == KEYS
    assert (job["memory_id"], job["job_type"], job["status"]) == (kept, EMBED.name, "pending")
    assert (job["attempts"], job["attempt_count"], job["max_attempts"]) == (0, 0, 3)


@pytest.mark.parametrize("number", ["999", "0", "x", "-1", "9" * 30, "\uff11"])
async def test_an_unknown_job_is_not_found(api: Api, number: str) -> None:
    reply = await api.client.get(f"/api/memory/jobs/{number}")
    assert (reply.status_code, reply.json()["error"]) == (404, "Job not found")


async def test_the_list_counts_all_and_shows_how_the_memory_begins(api: Api) -> None:
    kept = await api.remember("The first fact")
    await api.remember("The second fact")
    found = await listed(api)
    assert found["counts"] == [WAITING]
    assert [(job["title"], job["status"]) for job in found["jobs"]] == [
        ("The second fact", "pending"),
        ("The first fact", "pending"),
    ]
    assert found["jobs"][1]["subject"] == kept
    assert found["jobs"][1]["label"] == EMBED.label
    assert found["oldest_age_s"] >= 0
    assert found["done_last_minute"] == 0


async def test_the_next_page_continues_the_list(api: Api) -> None:
    for number in range(3):
        await api.remember(f"Fact number {number}")
    first = await listed(api, limit=2)
    assert len(first["jobs"]) == 2
    second = await listed(api, limit=2, cursor=first["next_cursor"])
    assert [job["title"] for job in second["jobs"]] == ["Fact number 0"]
    assert second["next_cursor"] is None


async def test_the_list_can_be_of_one_state_or_type(api: Api) -> None:
    await api.remember("The first fact")
    await api.remember("The second fact")
    await fail_jobs(api)
    dead = await listed(api, status="dead")
    assert [(job["title"], job["error"]) for job in dead["jobs"]] == [
        ("The first fact", "it broke")
    ]
    assert len((await listed(api, type=EMBED.name))["jobs"]) == 2
    assert (await listed(api, type=REEMBED.name))["jobs"] == []


@pytest.mark.parametrize(
    "query", [{"type": "nonsense"}, {"status": "failed"}, {"limit": 0}, {"cursor": "x"}]
)
async def test_an_invalid_job_list_is_refused_with_a_hint(api: Api, query: dict[str, str]) -> None:
    reply = await api.client.get("/api/jobs", params=query)
    assert reply.status_code == 400
    assert reply.json()["hint"]


async def test_another_agents_private_memory_is_not_shown_by_its_job(api: Api) -> None:
    await api.remember("A secret of Ann", agentId="ann", visibility="private")
    assert (await listed(api))["jobs"][0]["title"] is None


async def test_a_failed_job_is_retried(api: Api) -> None:
    number = await dead_job(api)
    reply = await api.client.post(f"/api/jobs/{number}/retry")
    assert reply.json() == {"id": number, "status": "pending", "success": True}
    job = (await api.client.get(f"/api/memory/jobs/{number}")).json()
    assert (job["status"], job["attempts"], job["failed_at"]) == ("pending", 0, None)


async def test_a_discarded_job_has_ended(api: Api) -> None:
    number = await dead_job(api)
    reply = await api.client.post(f"/api/jobs/{number}/discard")
    assert reply.json()["status"] == "discarded"
    job = (await api.client.get(f"/api/memory/jobs/{number}")).json()
    assert (job["status"], job["error"]) == ("completed", "it broke")
    assert job["failed_at"] is not None


async def test_a_failed_job_gives_way_to_a_newer_one_of_its_memory(api: Api) -> None:
    number = await dead_job(api)
    memory = (await listed(api))["jobs"][0]["subject"]
    change = {"content": "The first fact, changed", "reason": "test"}
    await api.client.patch(f"/api/memory/{memory}", json=change)
    reply = (await api.client.post(f"/api/jobs/{number}/retry")).json()
    assert reply["status"] == "superseded"
    assert [job["id"] for job in (await listed(api))["jobs"]] == [reply["id"]]


@pytest.mark.parametrize("verb", ["retry", "discard"])
async def test_only_failed_jobs_can_be_changed(api: Api, verb: str) -> None:
    await api.remember("The first fact")
    number = (await listed(api))["jobs"][0]["id"]
    reply = await api.client.post(f"/api/jobs/{number}/{verb}")
    assert (reply.status_code, reply.json()["status"]) == (409, "pending")
    missing = await api.client.post(f"/api/jobs/999/{verb}")
    assert (missing.status_code, missing.json()["error"]) == (404, "Job not found")


@pytest.mark.parametrize(("body", "affected"), [(None, 2), ({"type": EMBED.name}, 2)])
async def test_all_failed_jobs_are_retried(
    api: Api, body: dict[str, str] | None, affected: int
) -> None:
    await api.remember("The first fact")
    await api.remember("The second fact")
    await fail_jobs(api, 2)
    reply = await api.client.post("/api/jobs/retry", json=body) if body else None
    reply = reply or await api.client.post("/api/jobs/retry")
    assert reply.json() == {"affected": affected, "success": True}
    assert (await listed(api))["counts"] == [WAITING]


async def test_an_unknown_type_cannot_be_retried(api: Api) -> None:
    reply = await api.client.post("/api/jobs/retry", json={"type": "nonsense"})
    assert reply.status_code == 400


async def test_the_status_counts_the_queue(api: Api) -> None:
    await dead_job(api)
    await api.remember("The second fact")
    status = (await api.client.get("/api/status")).json()
    assert status["queue"] == {"pending": 1, "leased": 0, "dead": 1}
