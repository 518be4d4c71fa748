"""Similar memories, and what meaning adds to recall and status, over HTTP."""

import asyncio

import pytest

from fakes.api import Api
from fakes.waiting import until
from intaglio.daemon.job_worker import JobWorker
from intaglio.embedding.semantic_search import SemanticSearch

PORTS = "Postgres listens on port 5433"
NEAR = "The database server accepts connections on 5433"
FAR = "Ann brought her cat to the vet"


async def embed_all(api: Api) -> None:
    """Do in this process what the daemon does in the background."""
    meaning = api.kernel.get(SemanticSearch)
    await meaning.embed.begin()
    working = asyncio.create_task(api.kernel.get(JobWorker).run())

    async def is_done() -> bool:
        return not (await meaning.embed.progress()).pending

    await until(is_done, "all vectors")
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)


async def test_similar_memories_come_nearest_first_without_the_one_asked_for(api: Api) -> None:
    asked, near = await api.remember(PORTS), await api.remember(NEAR, tags="db")
    far = await api.remember(FAR)
    await embed_all(api)
    reply = await api.client.get("/memory/similar", params={"id": asked})
    assert reply.status_code == 200
    results = reply.json()["results"]
    assert [each["id"] for each in results] == [near, far]
    assert 1 > results[0]["score"] > results[1]["score"]
    first = {
        name: value for name, value in results[0].items() if name not in ("score", "created_at")
    }
    assert first == {
        "id": near, "content": NEAR, "type": "fact", "tags": ["db"], "confidence": 1.0,
    }  # fmt: skip
    few = await api.client.get("/memory/similar", params={"id": asked, "k": 1})
    assert [each["id"] for each in few.json()["results"]] == [near]


async def test_similar_memories_of_a_type(api: Api) -> None:
    asked = await api.remember(PORTS)
    await api.remember(NEAR)
    rule = await api.remember(FAR, type="rule")
    await embed_all(api)
    reply = await api.client.get("/memory/similar", params={"id": asked, "type": "rule"})
    assert [each["id"] for each in reply.json()["results"]] == [rule]


@pytest.mark.parametrize("params", [{}, {"id": ""}, {"id": "x", "k": 0}, {"id": "x", "k": 101}])
async def test_an_invalid_similar_request_is_refused(
    api: Api, params: dict[str, str | int]
) -> None:
    reply = await api.client.get("/memory/similar", params=params)
    assert (reply.status_code, bool(reply.json()["error"])) == (400, True)


async def test_a_memory_without_a_vector_has_nothing_similar_and_says_why(api: Api) -> None:
    waiting = await api.remember(PORTS)
    for memory in (waiting, "unknown"):
        reply = await api.client.get("/memory/similar", params={"id": memory})
        assert reply.status_code == 404
        assert reply.json()["error"] == "No embedding found for this memory"
        assert reply.json()["results"] == []
        assert "/api/status" in reply.json()["hint"]


async def test_explain_shows_the_cosine_where_there_is_one(api: Api) -> None:
    await api.remember(PORTS)
    body = {"query": "which port does postgres use", "explain": True}
    before = (await api.client.post("/api/memory/recall", json=body)).json()
    assert (before["method"], before["results"][0]["explain"]["cosine"]) == ("keyword", None)
    await embed_all(api)
    after = (await api.client.post("/api/memory/recall", json=body)).json()
    assert (after["method"], after["results"][0]["source"]) == ("hybrid", "hybrid")
    assert 0.3 < after["results"][0]["explain"]["cosine"] < 1


async def test_status_shows_the_progress_of_embedding(api: Api) -> None:
    await api.remember(PORTS)
    empty = (await api.client.get("/api/status")).json()["embedding"]
    assert (empty["provider"], empty["dimensions"]) == ("onnx", 384)
    assert (empty["available"], empty["phase"], empty["detail"]) == (True, "idle", "")
    assert (empty["embedded"], empty["total"], empty["pending"]) == (0, 1, 1)
    await embed_all(api)
    full = (await api.client.get("/api/status")).json()["embedding"]
    assert (full["phase"], full["embedded"], full["total"], full["pending"]) == ("ready", 1, 1, 0)
