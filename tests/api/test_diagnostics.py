"""/api/health and /api/diagnostics: faults are named with what mends them, and that mends them."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from api.test_embeddings import DEAD_JOB, ORPHAN, use
from api.test_repair import EMPTIED
from fakes.api import Api
from intaglio.api.status.diagnostics import diagnostics_of
from intaglio.base.clock import iso
from intaglio.health.diagnosis import Diagnosis
from intaglio.package import PackageChecks
from intaglio.store.connection import open_writer
from intaglio.store.tx import run

pytestmark = pytest.mark.usefixtures("without_graph")

CONTRACT = {
    "queue": {"depth", "oldestAgeSec", "deadRate", "leaseAnomalies"},
    "storage": {"totalMemories", "deletedTombstones", "dbSizeBytes"},
    "index": {"ftsRowCount", "memoriesRowCount", "ftsMismatch", "embeddingCoverage"},
    "provider": {
        *("recentTotal", "recentSuccesses", "recentFailures", "recentTimeouts"),
        "availabilityRate",
    },
    "mutation": {"recentRecovers", "recentDeletes"},
    "duplicate": {"exactDuplicates", "exactClusters", "totalActive", "duplicateRatio"},
    "connector": {"connectorCount", "syncingCount", "errorCount", "oldestErrorAge"},
    "update": {
        *("autoInstallEnabled", "lastCheckSucceeded", "lastCheckAgeHours", "pendingRestart"),
        "lastError",
    },
    "predictor": {
        *("sidecarAlive", "modelVersion", "trainingSessions", "successRate", "alpha"),
        *("coldStartExited", "lastTrainedAt", "crashCount", "crashDisabled"),
    },
}
LEASED = "UPDATE jobs SET status = 'leased', lease = 'x', leased_at = '2020-01-01T00:00:00.000Z'"


async def read(api: Api, path: str) -> dict[str, Any]:
    reply = await api.client.get(path)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def issues(api: Api) -> dict[str, dict[str, Any]]:
    """Check everything anew, but for whether agents are connected: none is in a test."""
    api.kernel.get(Diagnosis).invalidate()
    found = await read(api, "/api/health")
    return {each["id"]: each for each in found["issues"] if each["id"] != "agents"}


async def write(api: Api, statement: str) -> None:
    await api.kernel.database.write(lambda tx: tx.execute(statement))


async def empty_index(api: Api) -> None:
    await write(api, EMPTIED)


async def add_index_row(api: Api) -> None:
    await write(api, "INSERT INTO memories_fts(rowid, content, tags) VALUES (77, 'quartz', NULL)")


async def add_orphan_vector(api: Api) -> None:
    await write(api, ORPHAN)


async def add_orphan_row(api: Api) -> None:
    connection = open_writer(api.kernel.running.paths.database)
    run(connection, "PRAGMA foreign_keys = OFF")
    run(
        connection,
        "INSERT INTO entity_aspects(id, entity, agent_id, name, canonical_name, created_at, "
        "updated_at) VALUES ('orphan', 99, 'default', 'food', 'food', '', '')",
    )
    connection.close()


async def mark_without_vector(api: Api) -> None:
    await write(api, "DELETE FROM embeddings WHERE id = 1")
    await write(api, "UPDATE memories SET embedding_model = '1' WHERE seq = 1")


async def leave_leases(api: Api) -> None:
    await api.remember("Tea is at five")
    await write(api, LEASED)


async def add_dead_job(api: Api) -> None:
    await write(api, DEAD_JOB)


FAULTS = [
    (empty_index, "search_index", "check-fts"),
    (add_index_row, "search_index", "check-fts"),
    (add_orphan_vector, "orphan_vectors", "clean-orphans"),
    (add_orphan_row, "orphan_rows", "clean-orphans"),
    (mark_without_vector, "missing_vectors", "resync-vec"),
    (leave_leases, "stale_leases", "release-leases"),
    (add_dead_job, "failed_jobs", "requeue-dead"),
]


@pytest.mark.parametrize(("inject", "issue", "repair"), FAULTS)
async def test_a_fault_is_named_and_its_repair_mends_it_without_loss(
    api: Api, inject: Callable[[Api], Awaitable[None]], issue: str, repair: str
) -> None:
    await api.remember("The basalt is from the quarry")
    await use(api)
    assert set(await issues(api)) == set()
    await inject(api)
    found = (await issues(api))[issue]
    assert found["level"] == "warn"
    assert (found["action"], found["repair"]) == ("repair", repair)
    told = await read(api, "/api/health")
    assert not told["isWell"]
    assert "attention" in told["sentence"]
    reply = await api.client.post(f"/api/repair/{repair}", json={"repair": True})
    assert (reply.status_code, reply.json()["success"]) == (200, True), reply.text
    assert reply.json()["affected"] > 0
    assert issue not in await issues(api)
    assert [each["content"] for each in await api.recall("basalt")] == [
        "The basalt is from the quarry"
    ]


async def test_vectors_that_another_program_deleted_are_made_again_by_themselves(api: Api) -> None:
    await api.remember("The basalt is from the quarry")
    await use(api)
    await write(api, "DELETE FROM embeddings")
    (found,) = (await issues(api)).values()
    assert (found["id"], found["level"]) == ("embedding", "info")
    await api.client.post("/api/repair/re-embed", json={"fullSweep": True})
    await use(api)
    assert await issues(api) == {}


async def test_without_an_agent_nothing_is_well(api: Api) -> None:
    found = await read(api, "/api/health")
    assert [each["id"] for each in found["issues"]] == ["agents"]
    assert not found["isWell"]
    assert found["sentence"] == "One thing needs attention: No agent is connected."


async def test_a_database_that_cannot_be_read_leaves_its_checks_unknown(api: Api) -> None:
    await api.kernel.database.close()
    found = await read(api, "/api/health")
    checks = {check["name"]: check for domain in found["domains"] for check in domain["checks"]}
    for name in ("search_index", "orphan_rows", "queue", "memories", "vectors"):
        assert (checks[name]["result"], checks[name]["checkedAt"]) == ("unknown", None)
    (queue,) = (each for each in found["domains"] if each["name"] == "queue")
    assert queue["line"] == "Not checked"
    assert not found["isWell"]


async def test_a_report_says_what_each_check_reads(api: Api) -> None:
    found = await read(api, "/api/health")
    assert found["backups"]["count"] == 0
    for domain in found["domains"]:
        assert domain["title"]
        assert domain["line"]
        assert len(domain["trend"]) == 30
        for check in domain["checks"]:
            assert check["title"]
            assert check["reads"].endswith(".")
            assert check["result"] in {"ok", "info", "warn"}


async def test_status_says_the_same_as_health(api: Api) -> None:
    health, status = await read(api, "/api/health"), await read(api, "/api/status")
    assert {name: status[name] for name in ("issues", "sentence", "isWell")} == {
        name: health[name] for name in ("issues", "sentence", "isWell")
    }


async def test_diagnostics_have_the_keys_of_the_contract(api: Api) -> None:
    found = await read(api, "/api/diagnostics")
    assert set(found) == {"timestamp", "composite", "own", *CONTRACT}
    assert set(found["composite"]) == {"score", "status"}
    for name, keys in CONTRACT.items():
        assert set(found[name]) == {"score", "status", *keys}
    assert found["provider"]["score"] == 1.0
    assert await read(api, "/api/diagnostics") == found


async def test_diagnostics_count_what_is_stored(api: Api) -> None:
    await api.remember("Tabs are 4 wide")
    gone = await api.remember("Tabs are 2 wide")
    await api.client.delete(f"/api/memory/{gone}", params={"reason": "wrong"})
    found = await read(api, "/api/diagnostics")
    assert found["storage"] | {"dbSizeBytes": 0} == {
        "score": 0.7,
        "status": "degraded",
        "totalMemories": 1,
        "deletedTombstones": 1,
        "dbSizeBytes": 0,
    }
    assert found["storage"]["dbSizeBytes"] > 0
    assert found["index"]["ftsRowCount"] == 1
    assert found["mutation"]["recentDeletes"] == 1
    assert found["composite"]["score"] == pytest.approx(1 - 0.14 * 0.3 - 0.19 * 0.3, abs=0.001)


async def test_one_reply_counts_the_memories_once_and_now(api: Api) -> None:
    now = [100.0]
    diagnosis = Diagnosis(
        checks=lambda: api.kernel.get(PackageChecks).all,
        clock=api.kernel.clock,
        monotonic_s=lambda: now[0],
        state=lambda: None,
    )
    await api.remember("Tabs are 4 wide")
    await diagnosis.read()
    now[0] += 2
    await api.remember("The basalt is from the quarry")
    found = diagnostics_of(await diagnosis.read())
    await diagnosis.close()
    assert (found.storage.total_memories, found.duplicate.total_active) == (2, 2)


async def test_one_domain_is_read_by_its_name(api: Api) -> None:
    found = await read(api, "/api/diagnostics")
    for name in CONTRACT:
        assert await read(api, f"/api/diagnostics/{name}") == found[name]
    for name, own in found["own"].items():
        assert await read(api, f"/api/diagnostics/{name}") == own
    reply = await api.client.get("/api/diagnostics/weather")
    assert (reply.status_code, reply.json()["error"]) == (400, "Unknown domain: weather")


async def test_the_status_of_the_pipeline_has_the_diagnostics(api: Api) -> None:
    found = await read(api, "/api/pipeline/status")
    assert found["diagnostics"] == await read(api, "/api/diagnostics")


async def test_the_oldest_job_tells_how_long_it_waits(api: Api) -> None:
    await api.remember("Tea is at five")
    hour_ago = iso(api.kernel.clock().replace(year=2020))
    await write(api, f"UPDATE jobs SET created_at = '{hour_ago}'")  # noqa: S608 - a time
    found = await read(api, "/api/diagnostics/queue")
    assert found["oldestAgeSec"] > 300
    assert found["score"] == 0.8
