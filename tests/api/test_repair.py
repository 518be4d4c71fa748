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
CONTENT = (
    "deduplicate",
    "reclassify-entities",
    "prune-chunk-groups",
    "prune-singleton-entities",
)
OTHERS = ("check-fts", "retention-sweep", "backfill-skipped", "structural-backfill")
EVERYTHING: dict[str, object] = {"fullSweep": True}
DEAD_JOBS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120) "
    "INSERT INTO jobs(type, subject, status, attempts, created_at, failed_at, error) "
    "SELECT 'embed', 's' || i, 'dead', 3, '2026-01-01', '2026-01-01', 'x' FROM n"
)
EMPTIED = "INSERT INTO memories_fts(memories_fts) VALUES ('delete-all')"


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


@pytest.mark.parametrize(("body", "requeued"), [({}, 50), ({"limit": 70}, 70), (EVERYTHING, 120)])
async def test_fifty_given_up_jobs_are_requeued_unless_more_are_asked_for(
    api: Api, body: dict[str, object], requeued: int
) -> None:
    await execute(api, DEAD_JOBS)
    assert (await repair(api, "requeue-dead", dryRun=True, **body))["affected"] == requeued
    assert (await repair(api, "requeue-dead", **body))["affected"] == requeued


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


async def test_every_action_of_the_contract_is_declared_and_counts(api: Api) -> None:
    listed = (await api.client.get("/api/repair")).json()["repairs"]
    changing = {each["action"] for each in listed if each["changesContent"]}
    assert {each["action"] for each in listed} == {*QUEUE, *VECTORS, *CONTENT, *OTHERS}
    assert changing == set(CONTENT)
    for each in listed:
        assert (await repair(api, each["action"], dryRun=True))["affected"] == 0


@pytest.mark.parametrize("action", CONTENT)
async def test_what_changes_content_needs_the_token_or_a_browser(api: Api, action: str) -> None:
    assert (await api.client.post(f"/api/repair/{action}")).status_code == 401
    for headers in (api.owner, await api.signed_in()):
        reply = await api.client.post(f"/api/repair/{action}", json={}, headers=headers)
        assert reply.status_code in {200, 429}


async def test_a_misspelled_option_is_refused(api: Api) -> None:
    reply = await api.client.post(
        "/api/repair/deduplicate", json={"dry_run": True}, headers=api.owner
    )
    assert reply.status_code == 400, reply.json()
    assert "dry_run" in reply.text


async def test_the_index_is_only_counted_unless_it_is_to_be_repaired(api: Api) -> None:
    await api.remember("The first fact")
    await execute(api, EMPTIED)
    assert (await repair(api, "check-fts"))["message"].startswith("1 memory isn't indexed")
    assert (await repair(api, "check-fts"))["affected"] == 1
    assert (await repair(api, "check-fts", repair=True))["affected"] == 1
    assert (await repair(api, "check-fts"))["message"] == "every memory is indexed"


async def test_a_run_is_listed_with_who_asked_and_why(api: Api) -> None:
    headers = {"x-signet-actor-type": "agent", "x-signet-reason": "after the crash"}
    await api.client.post("/api/repair/clean-orphans", headers=headers)
    unproved = (await api.client.get("/api/repair")).json()["runs"]
    assert [run["reason"] for run in unproved] == [""]
    found = (await api.client.get("/api/repair", headers=api.owner)).json()
    (run,) = found["runs"]
    assert (run["action"], run["actor"], run["reason"]) == (
        "clean-orphans",
        "agent",
        "after the crash",
    )
    assert (run["canUndo"], run["undoneAt"]) == (False, None)
    (row,) = (each for each in found["repairs"] if each["action"] == "clean-orphans")
    assert row["lastRunAt"] == run["at"]
    assert row["refused"].startswith("it ran a moment ago and can run again in ")


async def test_a_reason_is_stored_without_secrets(api: Api) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"
    headers = {"x-signet-reason": f"rotated {secret}"}
    await api.client.post("/api/repair/clean-orphans", headers=headers)
    (run,) = (await api.client.get("/api/repair", headers=api.owner)).json()["runs"]
    assert run["reason"].startswith("rotated ")
    assert secret not in run["reason"]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("autonomous: {frozen: true}", "repairs are frozen"),
        ("autonomous: {enabled: false}", "agents may not request repairs"),
    ],
)
async def test_the_settings_refuse_an_agents_repair(api: Api, setting: str, message: str) -> None:
    api.kernel.running.paths.settings.write_text(f"memory: {{pipelineV2: {{{setting}}}}}")
    api.kernel.get(LiveSettings).refresh()
    headers = {"x-signet-actor-type": "agent"}
    reply = await api.client.post("/api/repair/requeue-dead", headers=headers)
    assert (reply.status_code, reply.json()["message"]) == (429, message)
    assert reply.json()["hint"].startswith("Set memory.pipelineV2.autonomous.")


async def test_content_is_not_repaired_while_memories_are_frozen(api: Api) -> None:
    text = "memory: {pipelineV2: {mutationsFrozen: true}}"
    api.kernel.running.paths.settings.write_text(text)
    api.kernel.get(LiveSettings).refresh()
    reply = await api.client.post("/api/repair/deduplicate", headers=api.owner)
    assert reply.status_code == 429
    assert reply.json()["message"] == "changes of memories are frozen"


async def test_a_repair_that_refuses_itself_may_be_requested_again_at_once(api: Api) -> None:
    settings = api.kernel.running.paths.settings
    for frozen, status in (("true", 429), ("false", 200)):
        settings.write_text(f"memory: {{pipelineV2: {{mutationsFrozen: {frozen}}}}}")
        api.kernel.get(LiveSettings).refresh()
        reply = await api.client.post("/api/repair/retention-sweep")
        assert reply.status_code == status


async def test_a_repair_and_a_run_that_do_not_exist_are_not_found(api: Api) -> None:
    unknown = await api.client.post("/api/repair/reboot")
    assert (unknown.status_code, unknown.json()["hint"]) == (404, "GET /api/repair lists them.")
    run = await api.client.post("/api/repair/runs/nothing/undo", headers=api.owner)
    assert run.status_code == 404


async def test_a_run_that_changed_nothing_is_not_undone(api: Api) -> None:
    run = await repair(api, "clean-orphans")
    reply = await api.client.post(f"/api/repair/runs/{run['runId']}/undo", headers=api.owner)
    assert reply.status_code == 409


@pytest.mark.parametrize("size", [0, -1, 100_001])
async def test_an_invalid_batch_size_is_refused(api: Api, size: int) -> None:
    reply = await api.client.post("/api/repair/re-embed", json={"batchSize": size})
    assert reply.status_code == 400
