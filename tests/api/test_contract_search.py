"""Section 4.3 of the client contract: the searches by query parameters."""

import pytest

from fakes.api import Api

RESULT_KEYS = {
    "id", "content", "content_length", "truncated", "score", "source", "type", "tags", "pinned",
    "importance", "who", "project", "created_at",
}  # fmt: skip
LEGACY_KEYS = {
    "id", "content", "created_at", "who", "importance", "tags", "type", "pinned", "score",
}  # fmt: skip


async def legacy(api: Api, **asked: object) -> list[dict[str, object]]:
    reply = await api.client.get("/memory/search", params=asked)  # type: ignore[arg-type] # plain values
    assert reply.status_code == 200, reply.text
    results: list[dict[str, object]] = reply.json()["results"]
    return results


async def test_the_search_path_is_not_read_as_a_memory_id(api: Api) -> None:
    await api.remember("Tabs are 4 wide")
    reply = await api.client.get("/api/memory/search", params={"q": "tabs"})
    body = reply.json()
    assert body["method"] in {"hybrid", "keyword"}
    assert (body["query"], body["results"][0].keys() >= RESULT_KEYS) == ("tabs", True)


async def test_the_search_without_words_is_refused(api: Api) -> None:
    reply = await api.client.get("/api/memory/search")
    assert (reply.status_code, reply.json()["error"]) == (400, "query is required")


async def test_the_older_search_scores_words_higher_for_better(api: Api) -> None:
    best = await api.remember("Tabs, tabs and nothing but tabs")
    await api.remember("Whether tabs or spaces is a question of taste and of long evenings")
    for number in range(8):
        await api.remember(f"Note {number} on something else")
    found = await legacy(api, q="tabs")
    assert found[0]["id"] == best
    assert found[0].keys() >= LEGACY_KEYS
    assert float(str(found[0]["score"])) > float(str(found[1]["score"])) > 0


async def test_the_older_search_accepts_filters_without_a_query(api: Api) -> None:
    strong = await api.remember("Use tabs", type="rule", importance=0.9)
    weak = await api.remember("Use spaces", type="rule", importance=0.4)
    pinned = await api.remember("Never log", type="rule", importance=0.1, pinned=True)
    old = await api.remember("Use vi", type="rule", importance=0.9, createdAt="2020-01-01")
    await api.remember("Tabs are 4 wide", type="fact")
    found = await legacy(api, type="rule")
    assert [row["id"] for row in found] == [pinned, strong, weak, old]
    assert (found[0]["score"], found[1]["score"]) == (1.0, 0.9)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"tags": "db"}, ["Use Postgres"]),
        ({"who": "anna"}, ["Use Postgres"]),
        ({"pinned": "true"}, ["Never log"]),
        ({"importance_min": 0.85}, ["Never log"]),
        ({"since": "2026-01-01"}, ["Never log"]),
    ],
)
async def test_the_older_search_knows_each_filter(
    api: Api, asked: dict[str, str], found: list[str]
) -> None:
    await api.remember("Use Postgres", tags="db", who="anna", createdAt="2025-01-01")
    await api.remember("Never log", pinned=True, importance=0.9)
    assert [row["content"] for row in await legacy(api, **asked)] == found


async def test_the_older_search_for_nothing_finds_nothing(api: Api) -> None:
    await api.remember("Tabs are 4 wide")
    assert await legacy(api) == []


async def test_each_author_is_listed_once(api: Api) -> None:
    for number, who in enumerate(["ben", "anna", "ben"]):
        await api.remember(f"Note {number}", who=who)
    reply = await api.client.get("/memory/search", params={"distinct": "who"})
    assert reply.json() == {"values": ["anna", "ben"]}


@pytest.mark.parametrize(
    ("asked", "status", "error"),
    [
        ({}, 400, "id is required"),
        ({"id": "nothing"}, 404, "No embedding found for this memory"),
    ],
)
async def test_similar_memories_need_an_embedding(
    api: Api, asked: dict[str, str], status: int, error: str
) -> None:
    reply = await api.client.get("/memory/similar", params=asked)
    assert (reply.status_code, reply.json()["error"], reply.json()["results"]) == (
        status,
        error,
        [],
    )
