"""The review of captured memories over HTTP, and what is refused."""

from typing import Any

import pytest

from fakes.api import Api
from intaglio.jobs import rows as queue
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Source
from intaglio.pipeline.ingest import Remember, prepare
from intaglio.review.reviews import CaptureReviews
from intaglio.review.runner import CAPTURE_REVIEW
from intaglio.store.tx import WriteTx

AGENT = Actor("claude-code", "harness")
QUESTIONS = ("Why does the build fail?", "Where is the chart of the year?")
# What an earlier version wrote when it kept a sentence.
STATEMENT = (
    "INSERT INTO statements(harness, session_id, message_id, start_char, end_char, said_at, "
    "recorded_at, agent_id, project, sentence, content, type, everywhere, confidence, outcome, "
    "state, memory_id, context) VALUES ('claude-code', 's1', ?1, 0, 20, NULL, '2026-01-01', "
    "'default', NULL, ?2, ?2, 'rule', 0, 0.9, 'kept', 'live', ?3, 'The agent said so.')"
)


async def reviewed(api: Api) -> None:
    """Keep questions as an earlier version did, and review them."""
    kernel = api.kernel

    def work(tx: WriteTx) -> None:
        for number, text in enumerate(QUESTIONS):
            command = Remember(
                content=text,
                actor=AGENT,
                source=Source("claude-code", f"m{number}@0"),
            )
            memory = prepare(command, kernel.change_context)[0]
            operations.insert(tx, memory, Audit(AGENT), kernel.change_context, revive=False)
            newest = "SELECT id FROM memories ORDER BY seq DESC LIMIT 1"
            tx.execute(STATEMENT, (f"m{number}", text, tx.scalar(str, newest)))

    await kernel.database.write(work)
    runner = kernel.get(CaptureReviews).runner
    await runner.queue_if_due()
    context = kernel.change_context
    jobs = await kernel.database.write(
        lambda tx: queue.lease(tx, [(CAPTURE_REVIEW, 1)], context.new_id(), context.clock(), 3)
    )
    await runner.run(jobs)


async def listed(api: Api, **query: str | int) -> dict[str, Any]:
    reply = await api.client.get("/api/capture/review", params=query, headers=api.owner)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def test_the_review_says_why_and_from_which_sentence(api: Api) -> None:
    assert (await listed(api))["items"] == []
    await reviewed(api)

    found = await listed(api)

    assert (found["total"], found["reviewing"], found["dismissed"]) == (2, False, False)
    assert {row["reason"] for row in found["items"]} == {"A question"}
    assert {row["evidence"]["sentence"] for row in found["items"]} == set(QUESTIONS)
    assert {row["context"] for row in found["items"]} == {"The agent said so."}
    first = await listed(api, limit=1)
    second = await listed(api, limit=1, cursor=first["cursor"])
    assert second["cursor"] is None
    assert {each["items"][0]["id"] for each in (first, second)} == {
        row["id"] for row in found["items"]
    }


async def test_kept_memories_leave_the_list_and_come_back(api: Api) -> None:
    await reviewed(api)
    ids = [row["id"] for row in (await listed(api))["items"]]

    kept = await api.client.post(
        "/api/capture/review/keep", json={"ids": [*ids, *ids, "unknown"]}, headers=api.owner
    )
    assert kept.json() == {"requested": 3, "changed": 2}
    assert (await listed(api))["total"] == 0
    undone = await api.client.post(
        "/api/capture/review/keep", json={"ids": ids, "keep": False}, headers=api.owner
    )
    assert undone.json()["changed"] == 2
    assert (await listed(api))["total"] == 2


async def test_the_notice_is_dismissed(api: Api) -> None:
    await reviewed(api)
    reply = await api.client.post("/api/capture/review/dismiss", headers=api.owner)
    assert reply.json() == {"success": True}
    found = await listed(api)
    assert (found["dismissed"], found["total"]) == (True, 2)


async def test_forgotten_in_bulk_they_are_restored_in_bulk(api: Api) -> None:
    await reviewed(api)
    rows = (await listed(api))["items"]
    body = {
        "mode": "execute",
        "ids": [row["id"] for row in rows],
        "if_versions": {row["id"]: row["version"] for row in rows},
        "reason": "forgotten in the review of capture",
    }
    await api.client.post("/api/memory/forget", json=body, headers=api.owner)
    assert (await listed(api))["total"] == 0
    gone = (await listed(api, forgotten="true"))["items"]
    assert {row["id"] for row in gone} == set(body["ids"])

    back = {
        "ids": body["ids"],
        "reason": "undone",
        "if_versions": {row["id"]: row["version"] for row in gone},
    }
    await api.client.post("/api/memory/recover", json=back, headers=api.owner)
    assert (await listed(api))["total"] == 2


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=1001",
        "limit=x",
        "cursor=%00",
        "cursor=~",
        "cursor=nan~1",
        "forgotten=7",
        "cursor=1e999~1",
        "cursor=0.5",
        "other=1",
    ],
)
async def test_rubbish_in_the_query_is_refused(api: Api, query: str) -> None:
    reply = await api.client.get(f"/api/capture/review?{query}", headers=api.owner)
    assert reply.status_code == 400, reply.text
    assert reply.json()["title"]
    assert reply.json()["hint"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b'{"ids": []}',
        b'{"ids": "x"}',
        b'{"ids": [1]}',
        b'{"ids": null}',
        b'{"ids": ["x"], "keep": "yes"}',
        b"\xff",
        b'{"ids": ["' + b"x" * 5_000 + b'"]}',
    ],
)
async def test_rubbish_in_the_body_is_refused(api: Api, body: bytes) -> None:
    reply = await api.client.post(
        "/api/capture/review/keep",
        content=body,
        headers={**api.owner, "content-type": "application/json"},
    )
    assert 400 <= reply.status_code < 500, reply.text
    assert reply.json()["title"]


async def test_agents_dont_see_or_decide_the_review(api: Api) -> None:
    await reviewed(api)
    agent = {**api.owner, "x-intaglio-actor-type": "agent"}
    reply = await api.client.post("/api/capture/review/keep", json={"ids": ["x"]}, headers=agent)
    assert reply.status_code in {401, 403}, reply.text
