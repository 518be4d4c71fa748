"""Vectors as a whole over HTTP: export by pages, the provider's state, health, gaps."""

import math
from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api, running_api
from fakes.embedder import HashEmbedder
from fakes.embedding_server import WIDTH, EmbeddingServer, embedding_server
from fakes.waiting import PATIENCE_S
from intaglio.embedding.health.checks import HealthChecks
from intaglio.embedding.job_types import EMBED, EMBEDDING_TYPES
from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.jobs import rows as jobs


async def embed_all(api: Api) -> None:
    """Do the jobs that wait, without the loops."""
    meaning = api.kernel.get(SemanticSearch)
    await meaning.begin()
    clock = api.kernel.clock
    while taken := await api.kernel.database.write(
        lambda tx: jobs.lease(tx, [(each, 32) for each in EMBEDDING_TYPES], "t", clock())
    ):
        await meaning.embed.run(taken)


async def use(api: Api, embedder: HashEmbedder | None = None) -> None:
    api.kernel.get(SemanticSearch).embed.replace_embedder(embedder or HashEmbedder())
    await embed_all(api)


async def page(api: Api, **query: object) -> dict[str, Any]:
    reply = await api.client.get("/api/embeddings", params=query)  # type: ignore[arg-type]  # plain values
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def test_a_page_has_the_keys_of_the_contract(api: Api) -> None:
    kept = await api.remember("An apple is red", tags=["fruit"], importance=0.7)
    await use(api)
    found = await page(api)
    assert {key: found[key] for key in ("count", "total", "limit", "offset", "hasMore")} == {
        "count": 1,
        "total": 1,
        "limit": 600,
        "offset": 0,
        "hasMore": False,
    }
    (row,) = found["embeddings"]
    assert row["vector"] is None
    del row["vector"], row["createdAt"], row["who"]
    assert row == {
        "id": kept,
        "content": "An apple is red",
        "text": "An apple is red",
        "importance": 0.7,
        "type": "fact",
        "tags": ["fruit"],
        "sourceType": "manual",
        "sourceId": None,
    }


async def test_an_exported_vector_has_unit_length(api: Api) -> None:
    await api.remember("An apple is red")
    embedder = HashEmbedder()
    await use(api, embedder)
    (row,) = (await page(api, vectors=True))["embeddings"]
    assert len(row["vector"]) == 64
    assert math.hypot(*row["vector"]) == pytest.approx(1, abs=0.01)
    assert row["vector"] == pytest.approx(embedder.vector("An apple is red"), abs=0.01)


async def test_pages_list_every_embedding_once(api: Api) -> None:
    kept = {await api.remember(f"Fact number {number}") for number in range(120)}
    await use(api)
    seen: list[str] = []
    while True:
        found = await page(api, limit=50, offset=len(seen))
        seen += [row["id"] for row in found["embeddings"]]
        if not found["hasMore"]:
            break
    assert len(seen) == 120
    assert set(seen) == kept


async def test_offset_and_cursor_give_the_same_page(api: Api) -> None:
    for number in range(120):
        await api.remember(f"Fact number {number}")
    await use(api)
    straight = await page(api, limit=50, offset=50)
    await page(api, limit=50)
    assert (await page(api, limit=50, offset=50))["embeddings"] == straight["embeddings"]


async def test_memories_without_a_vector_are_not_exported(api: Api) -> None:
    await api.remember("An apple is red")
    await use(api)
    await api.remember("A pear is green")
    assert (await page(api))["total"] == 1


async def test_another_agents_private_memory_is_not_exported(api: Api) -> None:
    await api.remember("A secret of Ann", agentId="ann", visibility="private")
    await api.remember("An apple is red")
    await use(api)
    found = await page(api)
    assert (found["total"], [row["content"] for row in found["embeddings"]]) == (
        1,
        ["An apple is red"],
    )


@pytest.mark.parametrize(
    "query", [{"limit": 49}, {"limit": 5_001}, {"offset": -1}, {"offset": 100_001}]
)
async def test_an_invalid_page_is_refused(api: Api, query: dict[str, int]) -> None:
    assert (await api.client.get("/api/embeddings", params=query)).status_code == 400


async def test_the_status_has_the_keys_of_the_contract(api: Api) -> None:
    found = (await api.client.get("/api/embeddings/status")).json()
    assert set(found) == {
        "provider",
        "model",
        "base_url",
        "available",
        "dimensions",
        "error",
        "checkedAt",
        "tracker",
    }
    assert set(found["tracker"]) == {
        "running",
        "processed",
        "failed",
        "skippedCycles",
        "lastCycleAt",
        "queueDepth",
    }
    assert (found["provider"], found["dimensions"]) == ("onnx", 384)


def server_settings(home: Path, server: EmbeddingServer) -> None:
    (home / "agents").mkdir(parents=True)
    (home / "agents" / "agent.yaml").write_text(
        f"embedding:\n  provider: ollama\n  base_url: {server.url}\n  model: stub\n"
        f"  dimensions: {WIDTH}\n"
    )


async def test_the_provider_is_checked_at_most_twice_a_minute(
    tmp_path: Path,
) -> None:
    with embedding_server() as server:
        server.fault = "error"
        server_settings(tmp_path, server)
        async with running_api(tmp_path) as api:
            first = (await api.client.get("/api/embeddings/status")).json()
            for _ in range(3):
                await api.client.get("/api/embeddings/status")
            assert first["base_url"] == server.url
            await api.kernel.background.finish(PATIENCE_S)
            found = (await api.client.get("/api/embeddings/status")).json()
            assert (found["available"], len(server.asked)) == (False, 1)
            assert "answered 500" in found["error"]


async def test_health_has_the_keys_of_the_contract_and_all_is_well(api: Api) -> None:
    await api.remember("An apple is red")
    await use(api)
    found = (await api.client.get("/api/embeddings/health")).json()
    assert set(found) == {"status", "score", "checkedAt", "config", "checks"}
    assert (found["status"], found["score"]) == ("healthy", 1.0)
    assert {check["name"]: check["status"] for check in found["checks"]} == dict.fromkeys(
        ("provider", "coverage", "index", "queue", "dead-jobs", "orphans", "dimensions"), "ok"
    )


async def broken(api: Api, *statements: str) -> dict[str, dict[str, str]]:
    """Write into the database past every rule, and return the checks by name."""
    await api.remember("An apple is red")
    await use(api)
    for statement in statements:
        await api.kernel.database.write(lambda tx, statement=statement: tx.execute(statement))  # type: ignore[misc]  # the default is typed
    api.kernel.get(HealthChecks).invalidate()
    found = (await api.client.get("/api/embeddings/health")).json()
    return {check["name"]: check for check in found["checks"]}


ORPHAN = "INSERT INTO embeddings(memory, model, vector) VALUES (99, 1, zeroblob(64))"


DEAD_JOB = (
    "INSERT INTO jobs(type, subject, status, created_at, failed_at) "  # noqa: S608 - a constant
    f"VALUES ('{EMBED.name}', 'x', 'dead', '', '')"
)


@pytest.mark.parametrize(
    ("name", "result", "statement"),
    [
        ("orphans", "warn", ORPHAN),
        ("dimensions", "fail", "UPDATE embeddings SET vector = zeroblob(63)"),
        ("coverage", "warn", "UPDATE memories SET embedding_model = NULL"),
        ("dead-jobs", "warn", DEAD_JOB),
    ],
)
async def test_problems_are_reported_with_their_repair(
    api: Api, name: str, result: str, statement: str
) -> None:
    check = (await broken(api, statement))[name]
    assert check["status"] == result
    assert check["message"]
    assert check["fix"]


async def test_memories_without_embeddings_are_counted(api: Api) -> None:
    await api.remember("An apple is red")
    await use(api)
    await api.remember("A pear is green")
    found = (await api.client.get("/api/repair/embedding-gaps")).json()
    assert found == {"unembedded": 1, "total": 2, "coverage": "50.0%"}
