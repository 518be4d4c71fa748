"""What is called how often, what fails, how long it takes, and how useful sessions found it."""

from typing import Any

from fakes.api import Api
from intaglio.base.metrics.errors import ErrorCode, ErrorStage


async def read(api: Api, path: str, **headers: str) -> dict[str, Any]:
    reply = await api.client.get(path, headers=headers)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def as_user(api: Api, path: str) -> dict[str, Any]:
    return await read(api, path, **api.owner)


async def test_requests_are_counted_by_template_and_by_what_they_do(api: Api) -> None:
    memory = await api.remember("The shop opens at nine")
    await api.recall("shop")
    await read(api, f"/api/memory/{memory}", **{"x-signet-actor": "ann"})
    await api.client.get("/api/memory/none", headers={"x-signet-actor": "ann"})
    await api.client.get("/api/nowhere/private-word")

    found = await as_user(api, "/api/analytics/usage")

    assert set(found) == {"endpoints", "actors", "providers", "connectors"}
    one = found["endpoints"]["GET /api/memory/{memory_id}"]
    assert (one["count"], one["errors"]) == (2, 1)
    assert one["totalLatencyMs"] > 0
    assert found["endpoints"]["(unknown)"]["errors"] == 1
    assert "private-word" not in str(found)
    assert found["actors"]["ann"] == {
        "requests": 2,
        "remembers": 0,
        "recalls": 0,
        "mutations": 0,
    }
    local = found["actors"]["local"]
    assert (local["remembers"], local["recalls"]) == (1, 1)


async def test_an_agent_sees_its_own_requests_only(api: Api) -> None:
    await api.client.get("/api/memories", params={"agentId": "ann"})
    await api.client.get("/api/memories", params={"agentId": "bob"})
    found = await read(api, "/api/analytics/usage?agentId=ann")
    assert set(found["actors"]) == {"ann"}


async def test_latency_is_that_of_requests_by_what_they_do(api: Api) -> None:
    memory = await api.remember("The shop opens at nine")
    await api.recall("shop")
    change = {"content": "The shop opens at ten", "reason": "new"}
    await api.client.patch(f"/api/memory/{memory}", json=change)

    found = await read(api, "/api/analytics/latency")

    assert set(found["recall"]) == {"p50", "p95", "p99", "count", "mean"}
    assert {name: each["count"] for name, each in found.items()} == {
        "remember": 1,
        "recall": 1,
        "mutate": 1,
        "jobs": 0,
        "hooks": 0,
        "capture": 0,
        "predictor_score": 0,
        "predictor_train": 0,
    }
    assert 0 < found["recall"]["p50"] <= found["recall"]["p99"]


async def test_a_tool_counts_as_the_request_that_does_the_same(api: Api) -> None:
    call = {"name": "memory_search", "arguments": {"query": "shop"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    await api.client.post("/mcp", json=body, headers={"x-signet-actor": "ann"})
    found = await as_user(api, "/api/analytics/usage")
    assert found["actors"]["ann"]["recalls"] == 1


async def test_a_refused_change_is_an_error_of_the_taxonomy(api: Api) -> None:
    memory = await api.remember("The shop opens at nine")
    change = {"content": "At ten", "reason": "new", "if_version": 7}
    headers = {"x-signet-request-id": "r-1", "x-signet-actor": "ann"}
    reply = await api.client.patch(f"/api/memory/{memory}", json=change, headers=headers)
    assert reply.status_code == 409

    found = await as_user(api, "/api/analytics/errors")

    assert found["summary"] == {"MUTATION_CONFLICT": 1}
    (error,) = found["errors"]
    assert error.pop("timestamp")
    assert error == {
        "stage": "mutation",
        "code": "MUTATION_CONFLICT",
        "message": "PATCH /api/memory/{memory_id} was answered by 409",
        "requestId": "r-1",
        "memoryId": memory,
        "actor": "ann",
    }


def fail(api: Api, code: ErrorCode, memory: str | None = None) -> None:
    stage: ErrorStage = "embedding" if code.startswith("EMBEDDING") else "mutation"
    api.kernel.metrics.errors.add(stage, code, "it failed", memory_id=memory)


async def test_errors_are_found_by_stage_and_time(api: Api) -> None:
    fail(api, "EMBEDDING_TIMEOUT")
    fail(api, "MUTATION_CONFLICT")
    found = await as_user(api, "/api/analytics/errors?stage=embedding")
    assert [each["code"] for each in found["errors"]] == ["EMBEDDING_TIMEOUT"]
    assert (await as_user(api, "/api/analytics/errors?since=2999-01-01"))["errors"] == []
    limited = await as_user(api, "/api/analytics/errors?limit=1")
    assert [each["code"] for each in limited["errors"]] == ["MUTATION_CONFLICT"]
    for query in ("stage=cooking", "since=yesterday", "limit=0"):
        reply = await api.client.get(f"/api/analytics/errors?{query}")
        assert reply.status_code == 400, query
        assert reply.json()["hint"]


async def test_an_error_names_no_memory_that_is_erased_or_private(api: Api) -> None:
    own = await api.remember("Ann's number is 7", agentId="ann", visibility="private")
    gone = await api.remember("The door's code is 9")
    fail(api, "MUTATION_CONFLICT", own)
    fail(api, "MUTATION_CONFLICT", gone)
    erase = {"reason": "private", "force": "true"}
    await api.client.delete(f"/api/memory/{gone}", params=erase, headers=api.owner)

    async def named(path: str, **headers: str) -> list[object]:
        return [each.get("memoryId") for each in (await read(api, path, **headers))["errors"]]

    assert await named("/api/analytics/errors", **api.owner) == [own, None]
    assert await named("/api/analytics/errors?agentId=bob") == [None, None]


async def test_memory_safety_shows_changes_that_were_refused(api: Api) -> None:
    fail(api, "MUTATION_CONFLICT")
    fail(api, "EMBEDDING_TIMEOUT")
    found = await as_user(api, "/api/analytics/memory-safety")
    assert set(found["mutation"]) == {"score", "status", "recentRecovers", "recentDeletes"}
    assert (found["mutation"]["score"], found["mutation"]["status"]) == (1.0, "healthy")
    assert [each["code"] for each in found["recentErrors"]] == ["MUTATION_CONFLICT"]
    assert found["errorSummary"] == {"MUTATION_CONFLICT": 1}


async def rated(api: Api, session: str, project: str, rating: float) -> None:
    memory = await api.remember(f"{session} is told this")
    start = {"harness": "openclaw", "sessionKey": session, "project": project}
    started = await api.client.post("/api/hooks/session-start", json=start)
    assert started.status_code == 200, started.text
    await api.kernel.settled()
    body = {"sessionKey": session, "feedback": {memory: rating}}
    reply = await api.client.post("/api/memory/feedback", json=body)
    assert reply.status_code == 200, reply.text


async def test_a_sessions_score_is_how_useful_it_found_what_it_was_told(api: Api) -> None:
    await rated(api, "s-1", "/srv/shop", -1.0)
    await rated(api, "s-2", "/srv/shop", 1.0)

    found = await as_user(api, "/api/analytics/continuity")

    assert [(each["session_key"], each["score"]) for each in found["scores"]] == [
        ("s-2", 1.0),
        ("s-1", 0.0),
    ]
    assert found["summary"] == {"count": 2, "average": 0.5, "trend": 1.0, "latest": 1.0}
    latest = (await as_user(api, "/api/analytics/continuity/latest"))["scores"]
    assert [(each["project"], each["score"]) for each in latest] == [("/srv/shop", 1.0)]
    elsewhere = await as_user(api, "/api/analytics/continuity?project=/srv/other")
    assert elsewhere["scores"] == []
    others = await read(api, "/api/analytics/continuity?agentId=bob")
    assert others["summary"] == {"count": 0, "average": 0.0, "trend": 0.0, "latest": None}
