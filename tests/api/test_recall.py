"""Search and list over HTTP."""

from pathlib import Path

import pytest

from fakes.api import Api


async def test_a_question_finds_what_answers_it(api: Api) -> None:
    await api.remember("The billing service stores its invoices in Postgres")
    await api.remember("The cat sleeps on the keyboard")
    found = await api.recall("where are invoices stored?")
    assert [result["content"][:11] for result in found] == ["The billing"]


async def test_a_result_has_the_keys_of_the_contract(api: Api) -> None:
    await api.remember("Invoices live in Postgres", tags="db")
    [result] = await api.recall("invoices")
    assert {
        "id", "content", "content_length", "truncated", "score", "source", "type", "tags",
        "pinned", "importance", "who", "project", "created_at",
    } <= result.keys()  # fmt: skip


async def test_long_content_is_cut_and_marked(api: Api) -> None:
    await api.remember("Invoices " + "and more " * 200)
    [result] = await api.recall("invoices")
    assert result["truncated"]
    assert result["content"].endswith(" [truncated]")
    assert len(result["content"]) <= 512


async def test_the_search_by_query_parameters_answers_alike(api: Api) -> None:
    await api.remember("Invoices live in Postgres")
    reply = await api.client.get("/api/memory/search", params={"q": "invoices", "limit": 3})
    assert reply.json()["results"] == await api.recall("invoices", limit=3)


@pytest.mark.parametrize("path", ["/api/memory/recall", "/api/memory/search"])
async def test_a_question_is_required(api: Api, path: str) -> None:
    reply = await (api.client.post(path, json={}) if "recall" in path else api.client.get(path))
    assert (reply.status_code, reply.json()["error"]) == (400, "query is required")


async def test_explain_says_which_words_were_found(api: Api) -> None:
    await api.remember("Invoices live in Postgres")
    reply = await api.client.post(
        "/api/memory/recall", json={"query": "the invoices", "explain": True}
    )
    assert reply.json()["explain"]["dropped"] == ["the"]
    assert reply.json()["results"][0]["explain"]["matched"] == ["invoic"]


async def test_the_search_by_query_parameters_explains_when_asked(api: Api) -> None:
    await api.remember("Invoices live in Postgres")
    asked = {"q": "the invoices", "explain": "true"}
    reply = (await api.client.get("/api/memory/search", params=asked)).json()
    assert reply["results"][0]["explain"]["matched"] == ["invoic"]
    plain = (await api.client.get("/api/memory/search", params={"q": "the invoices"})).json()
    assert "explain" not in plain | plain["results"][0]


async def test_a_memory_of_another_project_is_not_found(api: Api, tmp_path: Path) -> None:
    await api.remember("Invoices live in Postgres", project=str(tmp_path / "one"))
    assert await api.recall("invoices", project=str(tmp_path / "two")) == []


async def test_a_global_memory_is_found_in_every_project(api: Api, tmp_path: Path) -> None:
    await api.remember("Invoices live in Postgres")
    assert await api.recall("invoices", project=str(tmp_path / "two"))


async def test_a_private_memory_is_seen_by_its_agent_alone(api: Api) -> None:
    await api.remember("Invoices live in Postgres", agentId="a", visibility="private")
    assert await api.recall("invoices", agentId="a")
    assert await api.recall("invoices", agentId="b") == []


async def test_the_list_is_newest_first_with_counts(api: Api) -> None:
    await api.remember("one", createdAt="2026-01-01T00:00:00Z")
    await api.remember("critical: two", createdAt="2026-02-01T00:00:00Z")
    body = (await api.client.get("/api/memories")).json()
    assert [row["content"] for row in body["memories"]] == ["two", "one"]
    assert body["stats"] == {"total": 2, "withEmbeddings": 0, "critical": 1}


async def test_cursors_walk_through_all_memories_once(api: Api) -> None:
    for number in range(7):
        await api.remember(f"memory number {number}")
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(10):
        params = {"limit": "3"} | ({"cursor": cursor} if cursor else {})
        body = (await api.client.get("/api/memories", params=params)).json()
        seen += [row["content"] for row in body["memories"]]
        cursor = body["next_cursor"]
        if cursor is None:
            break
    assert sorted(seen) == sorted(f"memory number {number}" for number in range(7))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"type": "rule"}, ["Never push to main"]),
        ({"pinned": "true"}, ["Pinned one"]),
        ({"who": "anna"}, ["By Anna"]),
        ({"tags": "style"}, ["Tagged one"]),
        ({"offset": "2", "limit": "1"}, ["Pinned one"]),
    ],
)
async def test_the_list_can_be_filtered(
    api: Api, wanted: dict[str, str], expected: list[str]
) -> None:
    await api.remember("Never push to main", createdAt="2026-01-01T00:00:00Z")
    await api.remember("Pinned one", pinned=True, createdAt="2026-01-02T00:00:00Z")
    await api.remember("By Anna", who="anna", createdAt="2026-01-03T00:00:00Z")
    await api.remember("Tagged one", tags="style", createdAt="2026-01-04T00:00:00Z")
    body = (await api.client.get("/api/memories", params=wanted)).json()
    assert [row["content"] for row in body["memories"]] == expected


async def test_near_misses_are_counted_and_listed_on_request(api: Api) -> None:
    await api.remember("The invoices of the billing service are kept for ten years")
    asked = {"q": "quarterly zebra auditors invoices somewhere unrelated"}
    reply = (await api.client.get("/api/memory/search", params=asked)).json()
    assert (reply["results"], reply["weaker"]) == ([], 1)
    everything = {**asked, "min_score": "0", "explain": "true"}
    [weaker] = (await api.client.get("/api/memory/search", params=everything)).json()["results"]
    assert weaker["explain"]["answers"] is False
