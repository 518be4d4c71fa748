"""The daemon's log over HTTP."""

import json
import logging
from contextlib import ExitStack, aclosing
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from fakes.api import Api
from fakes.daemon import Daemon, running_daemon, write_settings
from fakes.logs import WrittenLog, record
from intaglio.api.gate.declaration import Access, Declaration
from intaglio.api.gate.request_log import log_request
from intaglio.api.gate.routes import NoRoute
from intaglio.api.log_stream import MAX_LOG_STREAMS, LogStreams
from intaglio.base.errors import InvalidInputError
from intaglio.logs.daemon_log import DaemonLog
from intaglio.logs.values import LogFilter


@pytest.fixture
def log(api: Api) -> WrittenLog:
    return WrittenLog(api.kernel.get(DaemonLog).files.newest)


async def logs(api: Api, path: str = "/api/logs", **query: str | int) -> dict[str, Any]:
    reply = await api.client.get(path, params=query, headers=api.owner)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def test_an_entry_has_the_contracts_fields(api: Api, log: WrittenLog) -> None:
    trace = "Traceback (most recent call last):\n  File x\nKeyError: 'x'"
    log.add(
        record(1),
        record(
            2, level="warning", part="jobs", request_id="r", duration_ms=3, n=4, exception=trace
        ),
    )
    listed = await logs(api)
    first, second = ({**entry, "id": ""} for entry in listed["logs"])
    assert first == {
        "id": "",
        "timestamp": "2026-01-31T09:00:01.000Z",
        "level": "info",
        "category": "store",
        "message": "line 1",
    }
    assert second == {
        "id": "",
        "timestamp": "2026-01-31T09:00:02.000Z",
        "level": "warn",
        "category": "jobs",
        "message": "line 2",
        "requestId": "r",
        "data": {"n": 4},
        "duration": 3,
        "error": {"name": "KeyError", "message": "'x'", "stack": trace},
    }
    assert (listed["count"], listed["nextCursor"]) == (2, None)


@pytest.mark.parametrize("path", ["/api/logs", "/api/analytics/logs"])
async def test_lines_are_filtered_and_paged(api: Api, log: WrittenLog, path: str) -> None:
    log.add(*(record(number, part="a" if number % 2 else "b") for number in range(9)))
    log.add(record(9, level="error", request_id="r-9", event="Boom"))
    page = await logs(api, path, category="b", limit=2)
    assert [entry["message"] for entry in page["logs"]] == ["line 6", "line 8"]
    older = await logs(api, path, category="b", limit=2, cursor=page["nextCursor"])
    assert [entry["message"] for entry in older["logs"]] == ["line 2", "line 4"]
    queries: tuple[dict[str, str], ...] = (
        {"level": "warning"},
        {"requestId": "r-9"},
        {"q": "boom"},
        {"since": "2026-01-31T09:00:09Z"},
        {"level": "info", "since": "2026-01-31T10:00:08.500+01:00"},
    )
    for query in queries:
        found = await logs(api, path, **query)
        assert [entry["message"] for entry in found["logs"]] == ["Boom"]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": 0},
        {"limit": 1_001},
        {"level": "loud"},
        {"since": "yesterday"},
        {"cursor": "x"},
        {"cursor": "1.2-3"},
        {"lines": 5},
    ],
)
async def test_a_bad_query_is_refused_with_a_hint(api: Api, query: dict[str, str | int]) -> None:
    reply = await api.client.get("/api/logs", params=query, headers=api.owner)
    assert (reply.status_code, bool(reply.json()["hint"])) == (400, True)


@pytest.mark.parametrize("path", ["/api/logs", "/api/analytics/logs", "/api/logs/stream"])
async def test_programs_without_the_token_cant_read_the_log(api: Api, path: str) -> None:
    assert (await api.client.get(path)).status_code == 401


async def test_a_log_that_isnt_there_is_empty(api: Api) -> None:
    assert await logs(api) == {"logs": [], "count": 0, "nextCursor": None, "end": None}


def test_a_stream_goes_on_where_a_list_ended(daemon: Daemon) -> None:
    with daemon.client(headers=daemon.owner) as client:
        listed = client.get("/api/logs").json()
        assert listed["logs"][0]["message"] == "starting"
        WrittenLog(daemon.paths.log_file).add(record(1), record(2, level="error", n="\0"))
        query = {"after": listed["end"], "level": "error"}
        with client.stream("GET", "/api/logs/stream", params=query) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            lines = (line for line in stream.iter_lines() if line)
            assert next(lines) == 'data: {"type":"connected"}'
            place = next(lines).removeprefix("id: ")
            entry = json.loads(next(lines).removeprefix("data: "))
        assert (entry["message"], entry["level"], entry["id"]) == ("line 2", "error", place)
        again = {"last-event-id": listed["end"]}
        with client.stream("GET", "/api/logs/stream", headers=again) as stream:
            lines = (line for line in stream.iter_lines() if line.startswith("data: "))
            assert [next(lines), json.loads(next(lines)[6:])["message"]][1] == "line 1"


def test_log_lines_of_each_request_have_no_text_of_memories_prompts_or_names(
    tmp_path: Path,
) -> None:
    write_settings(tmp_path, "daemon:\n  logLevel: debug\n")
    with running_daemon(tmp_path) as daemon, daemon.client(headers=daemon.owner) as client:
        hook = {"harness": "openclaw", "sessionKey": "s-1", "cwd": "/srv/zebra-shop"}
        said = {**hook, "userMessage": "We always ship zebra boxes on Mondays. Is a zebra wet?"}
        client.post("/api/hooks/session-start", json=hook)
        client.post("/api/hooks/user-prompt-submit", json=said)
        client.post("/api/memory/remember", json={"content": "The zebra of the shop is striped"})
        client.post("/api/memory/recall", json={"query": "which zebra?"})
        client.post("/api/memory/remember", json={"content": 7, "who": "zebra"})
        client.get("/api/knowledge/entities/zebra")
        client.post("/api/hooks/session-end", json={**hook, "transcript": "User: a zebra\n"})
        listed = client.get("/api/logs", params={"category": "requests", "limit": 1_000}).json()
        text = daemon.paths.log_file.read_text()
    assert "zebra" not in text
    logged = {entry["data"]["endpoint"]: entry for entry in listed["logs"]}
    assert {"POST /api/memory/recall", "POST /api/hooks/user-prompt-submit"} <= logged.keys()
    assert all(entry["requestId"] and entry["duration"] >= 0 for entry in logged.values())


@pytest.mark.parametrize(
    ("status", "ms", "access", "logged"),
    [
        (500, 3, Access.PROGRAM, ("warning", "request failed")),
        (503, 3, Access.PROGRAM, ("info", "request refused")),
        (400, 3, Access.HOOK, ("info", "request refused")),
        (400, 3, Access.PROGRAM, ("debug", "request")),
        (200, 1_000, Access.HOOK, ("info", "slow request")),
    ],
)
def test_requests_that_fail_or_are_slow_stand_out(
    status: int,
    ms: float,
    access: Access,
    logged: tuple[str, str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with capture_logs() as lines:
        log_request(NoRoute(InvalidInputError("x"), Declaration(access)), status, ms)
    assert [(line["log_level"], line["event"]) for line in lines] == [logged]


def test_the_streams_of_the_log_are_limited(daemon: Daemon) -> None:
    with daemon.client(headers=daemon.owner) as client, ExitStack() as streams:
        replies = [
            streams.enter_context(client.stream("GET", "/api/logs/stream"))
            for _ in range(MAX_LOG_STREAMS + 1)
        ]
        assert [reply.status_code for reply in replies] == [200] * MAX_LOG_STREAMS + [503]


async def test_a_stream_says_that_lines_are_missing(api: Api, log: WrittenLog) -> None:
    log.add(record(0))
    reader = api.kernel.get(DaemonLog)
    after = reader.files.end()
    log.add(*(record(number % 60, text="x" * 1_000) for number in range(1_200)))
    async with aclosing(api.kernel.get(LogStreams).open(LogFilter(), after)) as stream:
        assert b"connected" in await anext(stream)
        assert b"Lines were left out here" in await anext(stream)
