"""Telemetry: off unless the user switches it on, without any text, and only on this machine."""

import json
from typing import Any

import pytest

from fakes.api import Api
from intaglio.daemon.live_settings import LiveSettings
from intaglio.daemon.packages import PACKAGES
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.telemetry.telemetry import Telemetry

SWITCH = "memory: {pipelineV2: {telemetryEnabled: %s}}\n"


def switch(api: Api, *, on: bool) -> None:
    settings = api.kernel.running.paths.settings
    settings.write_text(SWITCH % str(on).lower(), encoding="utf-8")
    api.kernel.get(LiveSettings).refresh()


async def get(api: Api, path: str) -> dict[str, Any]:
    reply = await api.client.get(path)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def start_session(api: Api, harness: str = "openclaw", session: str = "s-1") -> None:
    start = {"harness": harness, "sessionKey": session, "project": "/srv/granite"}
    reply = await api.client.post("/api/hooks/session-start", json=start)
    assert reply.status_code == 200, reply.text
    await api.kernel.settled()


async def stored(api: Api) -> int:
    def count(tx: ReadTx) -> int:
        return tx.count("SELECT count(*) FROM telemetry_events")

    return await api.kernel.database.read(count)


async def test_nothing_is_recorded_while_it_is_off(api: Api) -> None:
    await start_session(api)
    await api.kernel.get(Telemetry).flush()
    assert await stored(api) == 0
    assert await get(api, "/api/telemetry/events") == {"events": [], "enabled": False}
    assert await get(api, "/api/telemetry/stats") == {"enabled": False}
    for path in ("export", "training-export"):
        reply = await api.client.get(f"/api/telemetry/{path}", headers=api.owner)
        assert reply.status_code == 404
        assert "telemetryEnabled" in reply.json()["hint"]


async def test_sessions_and_errors_are_events_without_ids_and_text(api: Api) -> None:
    switch(api, on=True)
    await start_session(api, session="private-key")
    api.kernel.metrics.errors.add("embedding", "EMBEDDING_TIMEOUT", "private words")

    found = await get(api, "/api/telemetry/events")

    assert found["enabled"] is True
    events = [(each["event"], each["properties"]) for each in found["events"]]
    assert events == [
        ("pipeline.error", {"stage": "embedding", "code": "EMBEDDING_TIMEOUT"}),
        ("session.start", {"harness": "openclaw", "source": "startup"}),
    ]
    assert "private" not in str(found)
    assert "granite" not in str(found)


async def test_a_name_that_is_no_name_is_left_out(api: Api) -> None:
    switch(api, on=True)
    await start_session(api, harness="my private harness")
    (event,) = (await get(api, "/api/telemetry/events"))["events"]
    assert event["properties"]["harness"] == "other"


async def test_events_are_found_by_kind_and_time(api: Api) -> None:
    switch(api, on=True)
    await start_session(api)
    api.kernel.metrics.errors.add("embedding", "EMBEDDING_TIMEOUT", "late")
    found = await get(api, "/api/telemetry/events?event=session.start")
    assert [each["event"] for each in found["events"]] == ["session.start"]
    assert (await get(api, "/api/telemetry/events?since=2999-01-01"))["events"] == []
    assert (await get(api, "/api/telemetry/events?until=2001-01-01"))["events"] == []
    assert len((await get(api, "/api/telemetry/events?limit=1"))["events"]) == 1
    for query in ("event=cooking", "since=yesterday", "limit=0"):
        reply = await api.client.get(f"/api/telemetry/events?{query}")
        assert (reply.status_code, bool(reply.json()["hint"])) == (400, True)


async def test_stats_sum_up_models_and_errors(api: Api) -> None:
    switch(api, on=True)
    api.kernel.metrics.errors.add("embedding", "EMBEDDING_TIMEOUT", "late")
    assert await get(api, "/api/telemetry/stats") == {
        "enabled": True,
        "totalEvents": 1,
        "llm": {
            "calls": 0,
            "errors": 0,
            "totalInputTokens": 0,
            "totalOutputTokens": 0,
            "totalCost": 0.0,
            "p50": 0.0,
            "p95": 0.0,
        },
        "pipelineErrors": 1,
        "byEvent": {"pipeline.error": 1},
    }


async def test_the_export_has_a_line_per_event_oldest_first(api: Api) -> None:
    switch(api, on=True)
    await start_session(api)
    api.kernel.metrics.errors.add("embedding", "EMBEDDING_TIMEOUT", "late")
    reply = await api.client.get("/api/telemetry/export")
    events = [json.loads(line)["event"] for line in reply.text.splitlines()]
    assert events == ["session.start", "pipeline.error"]
    assert reply.headers["content-type"].startswith("application/x-ndjson")


async def test_the_training_export_has_ratings_but_nothing_of_erased_memories(api: Api) -> None:
    switch(api, on=True)
    kept = await api.remember("The shop opens at nine", pinned=True)
    gone = await api.remember("The door's code is 9", pinned=True)
    await start_session(api)
    rating = {"sessionKey": "s-1", "feedback": {kept: 1.0}}
    await api.client.post("/api/memory/feedback", json=rating)
    erase = {"reason": "private", "force": "true"}
    await api.client.delete(f"/api/memory/{gone}", params=erase, headers=api.owner)

    reply = await api.client.get("/api/telemetry/training-export", headers=api.owner)
    rows = [json.loads(line) for line in reply.text.splitlines()]
    assert [(each["memoryId"], each["rating"]) for each in rows] == [(kept, 1.0)]
    table = await api.client.get("/api/telemetry/training-export?format=csv", headers=api.owner)
    head, row = table.text.splitlines()
    assert head.startswith("sessionKey,harness,event,memoryId,rank,score,told,rating")
    assert kept in row
    refused = await api.client.get("/api/telemetry/training-export?format=xml", headers=api.owner)
    assert refused.status_code == 400


async def test_nothing_is_recorded_during_a_pause(api: Api) -> None:
    switch(api, on=True)
    await api.client.post("/api/capture/pause", json={}, headers=api.owner)
    api.kernel.metrics.errors.add("embedding", "EMBEDDING_TIMEOUT", "late")
    assert (await get(api, "/api/telemetry/events"))["events"] == []


@pytest.mark.parametrize("on", [True, False])
async def test_switched_off_all_of_it_is_deleted_at_the_next_cleanup(api: Api, *, on: bool) -> None:
    switch(api, on=True)
    await start_session(api)
    await api.kernel.get(Telemetry).flush()
    switch(api, on=on)
    (step,) = (each for each in PACKAGES.retention if each.name == "telemetry_off")
    days = step.days(api.kernel.settings())
    before = "9999" if days < 0 else "0000"

    def sweep(tx: WriteTx) -> int:
        return step.purge(tx, step.find(tx, before, before, 10), before, before)

    assert await api.kernel.database.write(sweep) == (0 if on else 1)


async def test_posthog_keys_are_accepted_and_ignored(api: Api) -> None:
    settings = api.kernel.running.paths.settings
    settings.write_text(
        "memory: {pipelineV2: {telemetry: {posthogHost: 'https://x.example', posthogApiKey: k}}}\n",
        encoding="utf-8",
    )
    api.kernel.get(LiveSettings).refresh()
    problems = [each.key for each in api.kernel.setting_problems()]
    assert "memory.pipelineV2.telemetry.posthogHost" not in problems
