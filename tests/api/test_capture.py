"""Pausing capture over HTTP: who may, what is told, and what hooks then leave alone."""

import asyncio
import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from fakes.api import Api
from fakes.inbox import evidence, remember, suggest, suggestion
from fakes.waiting import PATIENCE_S
from intaglio.agents.agent_directory import AgentDirectory
from intaglio.api.event_stream import Streams
from intaglio.base.clock import iso, system_clock
from intaglio.base.events import StateChanged
from intaglio.sessions.statements.contradictions import contradiction

DECISION = "We decided to keep all invoices in Postgres from now on"


async def ask(api: Api, what: str, **body: Any) -> Any:  # noqa: ANN401 - JSON
    reply = await api.client.post(f"/api/capture/{what}", json=body, headers=api.owner)
    assert reply.status_code == 200, reply.text
    return reply.json()


async def standing(api: Api) -> Any:  # noqa: ANN401 - JSON
    return (await api.client.get("/api/capture")).json()


async def hook(api: Api, name: str, **body: Any) -> Any:  # noqa: ANN401 - JSON
    reply = await api.client.post(f"/api/hooks/{name}", json={"harness": "openclaw", **body})
    assert reply.status_code == 200, reply.text
    return reply.json()


async def count(api: Api, table: str) -> int:
    await api.kernel.session_writes.finish(PATIENCE_S)
    return await api.kernel.database.read(lambda tx: tx.count(f"SELECT count(*) FROM {table}"))  # noqa: S608 - a test's own table


async def test_capture_runs_until_it_is_paused(api: Api) -> None:
    assert await standing(api) == {"paused": False, "since": None, "until": None, "pauses": []}


async def test_the_user_is_told_of_the_ended_sessions_of_all_agents(api: Api) -> None:
    start = {"harness": "codex", "sessionKey": "k", "agentId": "writer"}
    await api.client.post("/api/hooks/session-start", json=start)
    await api.kernel.settled()
    end = {"harness": "codex", "sessionKey": "k", "reason": "exit"}
    await api.client.post("/api/hooks/session-end", json=end)
    await api.kernel.settled()

    async def ended(**params: str) -> object:
        reply = await api.client.get("/api/capture/since", params=params, headers=api.owner)
        return reply.json()["sessionEndedAt"]

    assert await ended() is not None
    assert await ended(agentId="writer") is not None
    assert await ended(agentId="beta") is None


async def captured(api: Api, since: str) -> Any:  # noqa: ANN401 - JSON
    return (await api.client.get("/api/capture/since", params={"since": since})).json()


async def test_memories_captured_since_a_time_are_counted(api: Api) -> None:
    began = iso(system_clock())
    assert await captured(api, began) == {
        "since": began,
        "kept": 0,
        "suggested": 0,
        "considered": 0,
        "sessionEndedAt": None,
        "saved": [],
    }
    body = {"harness": "openclaw", "sessionKey": "k1", "transcriptPath": ""}
    await hook(api, "session-end", **body)
    assert (await captured(api, began))["sessionEndedAt"] >= began
    assert (await captured(api, "2999-01-01T00:00:00Z"))["sessionEndedAt"] is None
    refused = await api.client.get("/api/capture/since", params={"since": "yesterday"})
    assert (refused.status_code, "ISO-8601" in refused.json()["detail"]) == (400, True)


async def test_suggestions_are_counted_apart_from_other_items_of_the_inbox(api: Api) -> None:
    context = api.kernel.change_context

    def work(tx: Any) -> None:  # noqa: ANN401 - a transaction
        suggest(tx, context, suggestion())
        older = remember(tx, context, "Use Jest.")
        newer = remember(tx, context, "Use Vitest, not Jest.")
        assert contradiction(tx, newer, older, evidence("use vitest, not jest"), context)

    await api.kernel.database.write(work)
    assert (await captured(api, "2020-01-01T00:00:00Z"))["suggested"] == 1
    assert (await captured(api, "2999-01-01T00:00:00Z"))["suggested"] == 0


async def test_a_pause_for_minutes_says_when_it_ends(api: Api) -> None:
    paused = await ask(api, "pause", minutes=15)
    assert paused["paused"] is True
    span = datetime.fromisoformat(paused["until"]) - datetime.fromisoformat(paused["since"])
    assert abs(span - timedelta(minutes=15)) < timedelta(seconds=1)
    assert await standing(api) == paused
    [row] = paused["pauses"]
    assert (row["until"], row["ended_at"], row["asked_by"]) == (paused["until"], None, "daemon")


async def test_a_pause_ends_at_a_given_time_or_when_resumed(api: Api) -> None:
    end = (system_clock() + timedelta(hours=3)).replace(microsecond=0)
    assert datetime.fromisoformat((await ask(api, "pause", until=end.isoformat()))["until"]) == end
    assert (await ask(api, "pause"))["until"] is None


async def test_a_pause_until_tomorrow_ends_at_the_next_midnight(api: Api) -> None:
    before = system_clock()
    end = datetime.fromisoformat((await ask(api, "pause", until="tomorrow"))["until"]).astimezone()
    assert (end.hour, end.minute, end.second) == (0, 0, 0)
    assert timedelta() < end - before <= timedelta(hours=25)


async def test_resuming_ends_it_and_keeps_it_on_record(api: Api) -> None:
    await ask(api, "pause")
    resumed = await ask(api, "resume")
    assert (resumed["paused"], resumed["since"], resumed["until"]) == (False, None, None)
    assert resumed["pauses"][0]["ended_at"] is not None
    assert (await ask(api, "resume"))["paused"] is False


@pytest.mark.parametrize(
    "body",
    [
        {"minutes": 0},
        {"minutes": 10_081},
        {"minutes": 1.5},
        {"minutes": "15"},
        {"until": "yesterday"},
        {"until": "2020-01-31T08:00:00Z"},
        {"minutes": 5, "until": "tomorrow"},
    ],
)
async def test_a_pause_that_ends_in_the_past_is_refused(api: Api, body: dict[str, Any]) -> None:
    reply = await api.client.post("/api/capture/pause", json=body, headers=api.owner)
    assert (reply.status_code, reply.json()["status"]) == (400, 400)
    assert (await standing(api))["paused"] is False


async def test_the_status_shows_the_pause(api: Api) -> None:
    before = (await api.client.get("/api/status")).json()["capture"]
    assert before == {"paused": False, "since": None, "until": None}
    paused = await ask(api, "pause", minutes=15)
    after = (await api.client.get("/api/status")).json()["capture"]
    assert after == {"paused": True, "since": paused["since"], "until": paused["until"]}


async def test_the_event_stream_announces_the_pause(api: Api) -> None:
    stream = api.kernel.get(Streams).open(StateChanged("ready"))
    assert await anext(stream) == b'event: state\ndata: {"state":"ready","reason":""}\n\n'
    heard = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    paused = await ask(api, "pause", minutes=15)
    name, data, *_ = (await heard).decode().splitlines()
    assert name == "event: state"
    capture = {"paused": True, "until": paused["until"]}
    assert json.loads(data.removeprefix("data: ")) == {"capture": capture}
    await stream.aclose()


async def test_hooks_write_nothing_and_recall_goes_on(api: Api) -> None:
    await api.remember(DECISION)
    await ask(api, "pause")
    started = await hook(api, "session-start", sessionKey="k")
    assert DECISION in started["inject"]
    shown = await hook(api, "user-prompt-submit", sessionKey="k", userMessage="where are invoices?")
    assert shown["engine"] == "hybrid"
    found = await hook(api, "recall", query="invoices Postgres")
    assert found["count"] == 1
    assert await hook(api, "session-end", sessionKey="k") == {"memoriesSaved": 0, "bypassed": False}
    assert [await count(api, table) for table in ("sessions", "injections")] == [0, 0]


async def test_an_agent_active_during_a_pause_is_not_recorded(api: Api) -> None:
    await ask(api, "pause")
    await hook(api, "session-start", sessionKey="agent:ann:k")
    await ask(api, "resume")
    await api.kernel.get(AgentDirectory).write_seen()
    roster = (await api.client.get("/api/agents")).json()["agents"]
    assert [(one["id"], one["last_seen_at"]) for one in roster] == [("default", None)]


async def test_ratings_of_a_session_in_a_pause_are_not_recorded(api: Api) -> None:
    memory = await api.remember(DECISION)
    await ask(api, "pause")
    body = {"sessionKey": "k", "feedback": {memory: 1}}
    reply = await api.client.post("/api/memory/feedback", json=body)
    assert (reply.status_code, reply.json()) == (200, {"ok": True, "recorded": 0})
    assert await count(api, "feedback") == 0


async def test_a_harness_saves_nothing_during_a_pause(api: Api) -> None:
    await ask(api, "pause")
    reply = await hook(api, "remember", content=DECISION)
    assert (reply["saved"], reply["id"], reply["memories"]) == (False, "", [])
    assert await count(api, "memories") == 0


@pytest.mark.parametrize("path", ["/api/memory/remember", "/api/memory/save", "/api/hook/remember"])
async def test_a_memory_saved_by_hand_is_kept_during_a_pause(api: Api, path: str) -> None:
    await ask(api, "pause")
    reply = await api.client.post(path, json={"content": DECISION})
    assert reply.status_code == 200
    assert await count(api, "memories") == 1


async def test_a_pause_is_not_undone_by_restoring_a_backup(api: Api) -> None:
    await ask(api, "pause", minutes=5)
    await api.kernel.database.back_up(3)
    await ask(api, "resume")
    await ask(api, "pause", minutes=15)
    before = await standing(api)
    reply = await api.client.post("/api/backups/restore", json={}, headers=api.owner)
    assert reply.status_code == 200
    assert await standing(api) == before


async def test_a_second_start_in_a_pause_gets_the_heading_alone(api: Api) -> None:
    await api.remember(DECISION)
    await ask(api, "pause")
    await hook(api, "session-start", sessionKey="k")
    await api.kernel.session_writes.finish(PATIENCE_S)
    assert (await hook(api, "session-start", sessionKey="k"))["memories"] == []
