"""Replaced and disputed memories in replies, filters and searches, and their undoing."""

from typing import Any

import httpx
import pytest

from fakes.api import Api
from fakes.inbox import evidence
from intaglio.memory import replacement
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.sessions.statements.contradictions import contradiction

BY_USER = Audit(Actor("ann", session_id="s1"))
OLD, NEW = "The queue runs on Celery.", "The queue runs on RQ now."


async def pair(api: Api) -> tuple[str, str]:
    """Save an older and a newer memory about the same."""
    older = await api.remember(OLD, createdAt="2026-01-01T08:00:00Z")
    return older, await api.remember(NEW, createdAt="2026-01-03T08:00:00Z")


async def replaced(api: Api) -> tuple[str, str]:
    older, newer = await pair(api)
    kernel = api.kernel
    await kernel.database.write(
        lambda tx: replacement.replace_memory(tx, older, newer, BY_USER, kernel.change_context)
    )
    return older, newer


async def contents(api: Api, path: str, key: str, **query: str) -> set[str]:
    reply = await api.client.get(path, params=query)
    assert reply.status_code == 200, reply.text
    return {each["content"] for each in reply.json()[key]}


async def row(api: Api, memory_id: str) -> dict[str, Any]:
    found: dict[str, Any] = (await api.client.get(f"/api/memory/{memory_id}")).json()
    return found


async def reinstate(api: Api, memory_id: str, **body: object) -> httpx.Response:
    sent = {"reason": "both hold", **body}
    return await api.client.post(f"/api/memory/{memory_id}/reinstate", json=sent)


async def test_a_reply_says_what_replaced_a_memory_and_until_when_it_held(api: Api) -> None:
    older, newer = await replaced(api)
    found = await row(api, older)
    assert (found["status"], found["superseded_by"]) == ("replaced", newer)
    assert found["valid_until"] == "2026-01-03T08:00:00.000Z"
    current = await row(api, newer)
    assert (current["status"], current["superseded_by"]) == ("current", None)


@pytest.mark.parametrize(
    ("query", "listed", "found"),
    [
        ({}, {OLD, NEW}, {NEW}),
        ({"status": "current"}, {NEW}, {NEW}),
        ({"status": "replaced"}, {OLD}, {OLD}),
        ({"status": "disputed"}, set[str](), set[str]()),
        ({"status": "all"}, {OLD, NEW}, {OLD, NEW}),
        ({"as_of": "2026-01-02T00:00:00Z"}, {OLD}, {OLD}),
        ({"as_of": "2026-01-03T09:00:00Z"}, {NEW}, {NEW}),
    ],
)
async def test_the_list_shows_all_and_a_search_what_holds(
    api: Api, query: dict[str, str], listed: set[str], found: set[str]
) -> None:
    await replaced(api)
    assert await contents(api, "/api/memories", "memories", **query) == listed
    asked = {"q": "what does the queue run on", "min_score": "0", **query}
    assert await contents(api, "/api/memory/search", "results", **asked) == found
    body = {"query": "what does the queue run on", "min_score": 0, **query}
    reply = (await api.client.post("/api/memory/recall", json=body)).json()
    assert {each["content"] for each in reply["results"]} == found


@pytest.mark.parametrize("query", [{"status": "gone"}, {"as_of": "yesterday"}])
async def test_an_unknown_status_or_time_is_refused(api: Api, query: dict[str, str]) -> None:
    for path in ("/api/memories", "/api/memory/search"):
        reply = await api.client.get(path, params={"q": "x", **query})
        assert reply.status_code == 400
        assert reply.json()["title"]
    recalled = await api.client.post("/api/memory/recall", json={"query": "x", **query})
    assert recalled.status_code == 400


async def test_a_replaced_memory_is_used_again(api: Api) -> None:
    older, newer = await replaced(api)
    reply = await reinstate(api, older)
    assert (reply.status_code, reply.json()["status"]) == (200, "reinstated")
    assert [(await row(api, each))["status"] for each in (older, newer)] == ["current", "current"]
    assert (await reinstate(api, older)).json()["status"] == "no_changes"
    history = (await api.client.get(f"/api/memory/{older}/history")).json()["history"]
    assert [each["event"] for each in history] == ["created", "replaced", "reinstated"]
    assert [each["metadata"] for each in history[1:]] == [{"superseded_by": newer}] * 2


async def test_what_is_no_replaced_memory_is_refused(api: Api) -> None:
    older, _ = await replaced(api)
    assert (await reinstate(api, "missing")).status_code == 404
    assert (await reinstate(api, older, reason="")).status_code == 400
    assert (await reinstate(api, older, if_version=7)).status_code == 409
    await api.client.delete(f"/api/memory/{older}", params={"reason": "x"})
    assert (await reinstate(api, older)).status_code == 409


async def test_a_saved_memory_that_was_replaced_holds_again(api: Api) -> None:
    older, newer = await replaced(api)
    reply = await api.client.post("/api/memory/remember", json={"content": OLD})
    assert (reply.json()["id"], reply.json()["deduped"]) == (older, True)
    assert (await row(api, older))["status"] == "current"
    assert (await row(api, newer))["status"] == "replaced"


async def test_of_an_open_contradiction_the_newer_is_found_and_marked(api: Api) -> None:
    older, newer = await pair(api)
    kernel = api.kernel
    await kernel.database.write(
        lambda tx: contradiction(tx, newer, older, evidence("rq"), kernel.change_context)
    )
    assert (await row(api, older))["status"] == "disputed"
    body = {"query": "what does the queue run on", "min_score": 0}
    [found] = (await api.client.post("/api/memory/recall", json=body)).json()["results"]
    assert (found["id"], found["is_unsettled"]) == (newer, True)


async def test_a_session_shows_what_was_replaced_in_it(api: Api) -> None:
    older, newer = await replaced(api)
    start = {"harness": "claude-code", "sessionKey": "s1"}
    await api.client.post("/api/hooks/session-start", json=start)
    [session] = (await api.client.get("/api/sessions")).json()["sessions"]
    path = f"/api/sessions/{session['id']}"
    [found] = (await api.client.get(path)).json()["replaced"]
    assert (found["memoryId"], found["byMemoryId"]) == (older, newer)
    assert (found["content"], found["byContent"]) == (OLD, NEW)
    await reinstate(api, older)
    assert (await api.client.get(path)).json()["replaced"] == []
