"""What is kept how long, shown and purged on request."""

import asyncio

import pytest

from fakes.api import Api
from fakes.waiting import PATIENCE_S
from intaglio.daemon.live_settings import LiveSettings

SWEEP = "/api/repair/retention-sweep"
OLD = "UPDATE memories SET deleted_at = '2020-01-01T00:00:00.000Z' WHERE is_deleted = 1"


async def make_expired(api: Api) -> None:
    memory_id = await api.remember("We use tabs.")
    reply = await api.client.request(
        "DELETE", f"/api/memory/{memory_id}", json={"reason": "no longer true"}
    )
    assert reply.status_code == 200
    await api.kernel.database.write(lambda tx: tx.execute(OLD))


async def test_a_sweep_purges_and_says_how_much(api: Api) -> None:
    await make_expired(api)
    reply = await api.client.post(SWEEP)
    assert reply.status_code == 200
    found = reply.json()
    assert {name: found[name] for name in ("action", "success", "affected", "message")} == {
        "action": "retention-sweep",
        "success": True,
        # The memory, and the entity that only it was about.
        "affected": 2,
        "message": "2 rows and files removed",
    }


async def test_the_status_shows_retention_and_the_last_sweep(api: Api) -> None:
    before = (await api.client.get("/api/status")).json()["retention"]
    assert (before["last"], before["nextAt"], before["running"]) == (None, None, False)
    await make_expired(api)
    await api.client.post(SWEEP)
    after = (await api.client.get("/api/status")).json()["retention"]
    assert after["windows"]["tombstones"] == 30
    assert after["windows"]["forgotten"] == 0
    assert after["last"]["outcome"] == "done"
    assert after["last"]["removed"]["tombstones"] == 1
    assert after["nextAt"] > after["last"]["endedAt"]
    assert (await api.client.get(SWEEP)).json() == after


async def test_a_second_sweep_right_after_is_refused_with_its_time(api: Api) -> None:
    await api.client.post(SWEEP)
    reply = await api.client.post(SWEEP)
    assert reply.status_code == 429
    body = reply.json()
    assert (body["action"], body["success"], body["affected"]) == ("retention-sweep", False, 0)
    assert body["message"].startswith("cooldown active, ")
    assert int(reply.headers["retry-after"]) <= 60


async def test_frozen_writes_refuse_a_sweep(api: Api) -> None:
    paths = api.kernel.running.paths
    paths.settings.write_text("memory:\n  pipelineV2:\n    mutationsFrozen: true\n")
    assert await asyncio.to_thread(api.kernel.get(LiveSettings).refresh)
    reply = await api.client.post(SWEEP)
    assert reply.status_code == 429
    assert "frozen" in reply.json()["message"]


async def test_a_memory_shows_its_decayed_importance(api: Api) -> None:
    memory_id = await api.remember("We use tabs.", importance=0.5)
    past = "UPDATE memories SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-10 days')"
    await api.kernel.database.write(lambda tx: tx.execute(past))
    row = (await api.client.get(f"/api/memory/{memory_id}")).json()
    assert row["importance"] == 0.5
    assert row["effective_importance"] == pytest.approx(0.5 * 0.95**10, abs=1e-3)


async def test_the_history_of_a_memory_may_be_over_its_time(api: Api) -> None:
    memory_id = await api.remember("We use tabs.")
    await api.kernel.database.write(lambda tx: tx.execute("DELETE FROM memory_history"))
    reply = await api.client.get(f"/api/memory/{memory_id}/history")
    assert (reply.status_code, reply.json()["count"]) == (200, 0)


async def test_no_prompt_waits_for_background_work(api: Api) -> None:
    async def for_long() -> None:
        await asyncio.sleep(3_600)

    aside = asyncio.ensure_future(for_long())
    api.kernel.background.start(aside)
    async with asyncio.timeout(PATIENCE_S):
        await api.kernel.settled()
    assert not aside.done()
    aside.cancel()
