"""Sections 4.1 and 4.2 of the client contract, a test for each row of their tables."""

from typing import Any

import pytest

from fakes.api import Api

GET_KEYS = {
    "id", "content", "type", "importance", "tags", "pinned", "who", "source_id", "source_type",
    "project", "session_id", "confidence", "access_count", "last_accessed", "is_deleted",
    "deleted_at", "extraction_status", "embedding_model", "version", "created_at", "updated_at",
    "updated_by",
}  # fmt: skip
LIST_KEYS = {
    "id", "content", "created_at", "who", "importance", "tags", "source_type", "pinned", "type",
}  # fmt: skip
BUCKET_KEYS = {
    "eraIndex", "rangeKey", "label", "start", "end", "memoriesAdded", "trackedEvents", "evolved",
    "strengthened", "recovered", "avgImportance", "pinned", "typeBreakdown", "sourceBreakdown",
    "topTags",
}  # fmt: skip


async def show(api: Api, memory_id: str) -> dict[str, Any]:
    reply = await api.client.get(f"/api/memory/{memory_id}")
    assert reply.status_code == 200, reply.text
    body: dict[str, Any] = reply.json()
    return body


async def timeline(api: Api) -> dict[str, Any]:
    body: dict[str, Any] = (await api.client.get("/api/memory/timeline")).json()
    return body


@pytest.mark.parametrize(
    ("field", "value", "column", "shown"),
    [
        ("who", "anna", "who", "anna"),
        ("why", "she said so", "why", "she said so"),
        ("project", "backend", "project", "backend"),
        ("importance", 0.25, "importance", 0.25),
        ("tags", "DB, infra", "tags", "db,infra"),
        ("tags", ["DB", "infra"], "tags", "db,infra"),
        ("pinned", True, "pinned", 1),
        ("sourceType", "note", "source_type", "note"),
        ("sourceId", "n-1", "source_id", "n-1"),
        ("sourcePath", "docs/a.md", "source_path", "docs/a.md"),
        ("visibility", "private", "visibility", "private"),
        ("sessionId", "s-1", "session_id", "s-1"),
        ("runtimePath", "plugin", "runtime_path", "plugin"),
        ("runtimePath", "elsewhere", "runtime_path", None),
        ("createdAt", "2026-01-02 03:04:05", "created_at", "2026-01-02T03:04:05.000Z"),
    ],
)
async def test_each_field_of_remember_is_stored_and_shown(
    api: Api, field: str, value: object, column: str, shown: object
) -> None:
    memory = await api.remember("Tabs are 4 wide", **{field: value})
    assert (await show(api, memory))[column] == shown


@pytest.mark.parametrize(
    "kind",
    [
        "fact", "preference", "decision", "procedural", "semantic", "rule", "learning", "issue",
        "session_summary", "document_chunk",
    ],
)  # fmt: skip
async def test_every_type_is_kept_as_given(api: Api, kind: str) -> None:
    memory = await api.remember("We prefer tabs", type=kind)
    assert (await show(api, memory))["type"] == kind


async def test_a_memory_belongs_to_the_named_agent(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide", agentId="coder")
    assert (await show(api, memory))["agent_id"] == "coder"


async def test_the_header_names_the_runtime_path_before_the_body(api: Api) -> None:
    reply = await api.client.post(
        "/api/memory/remember",
        json={"content": "Tabs are 4 wide", "runtimePath": "legacy"},
        headers={"x-signet-runtime-path": "plugin"},
    )
    assert (await show(api, reply.json()["id"]))["runtime_path"] == "plugin"


async def test_a_repeated_request_writes_once(api: Api) -> None:
    first = await api.remember("Tabs are 4 wide", idempotencyKey="k")
    again = await api.client.post(
        "/api/memory/remember", json={"content": "Something else", "idempotencyKey": "k"}
    )
    assert (again.json()["id"], again.json()["deduped"]) == (first, True)
    assert again.json()["content"] == "Tabs are 4 wide"


async def test_an_equal_source_takes_precedence_over_equal_content(api: Api) -> None:
    by_source = await api.remember("Said in a note", sourceType="note", sourceId="1")
    await api.remember("Tabs are 4 wide")
    again = await api.client.post(
        "/api/memory/remember",
        json={"content": "Tabs are 4 wide", "sourceType": "note", "sourceId": "1"},
    )
    assert again.json()["id"] == by_source


@pytest.mark.parametrize(
    "scope", [{"project": "b"}, {"agentId": "b"}, {"visibility": "private"}], ids=str
)
async def test_equal_content_in_another_scope_is_another_memory(
    api: Api, scope: dict[str, str]
) -> None:
    first = await api.remember("Tabs are 4 wide", sourceType="note", sourceId="1")
    other = await api.remember("Tabs are 4 wide", sourceType="note", sourceId="1", **scope)
    assert first != other


async def test_long_content_stays_one_whole_memory(api: Api) -> None:
    text = "One sentence after the other.\n" * 1_000
    memory = await api.remember(text)
    assert (await show(api, memory))["content"] == text.strip()


async def test_content_beyond_its_limit_is_too_large(api: Api) -> None:
    reply = await api.client.post("/api/memory/remember", json={"content": "x" * 100_001})
    body = reply.json()
    assert (reply.status_code, body["code"]) == (413, "too_large")
    assert body["title"] == "Too large"
    assert body["hint"]


async def test_a_body_beyond_its_limit_is_too_large(api: Api) -> None:
    reply = await api.client.post("/api/memory/remember", json={"content": "x" * 1_100_000})
    assert (reply.status_code, bool(reply.json()["hint"])) == (413, True)


async def test_importance_beyond_its_range_is_refused(api: Api) -> None:
    reply = await api.client.post(
        "/api/memory/remember", json={"content": "Tabs are 4 wide", "importance": 1.5}
    )
    assert (reply.status_code, reply.json()["error"]) == (
        400,
        "importance must be a finite number between 0 and 1",
    )


async def test_a_memory_has_every_column_of_the_contract(api: Api) -> None:
    assert (await show(api, await api.remember("Tabs are 4 wide"))).keys() >= GET_KEYS


async def test_the_history_begins_with_the_creation_and_goes_on_in_order(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    await api.client.patch(
        f"/api/memory/{memory}",
        json={"content": "Tabs are 2 wide", "reason": "new rule"},
        headers={
            "x-signet-actor": "anna",
            "x-signet-actor-type": "sdk",
            "x-signet-session-id": "s-1",
            "x-signet-request-id": "r-1",
        },
    )
    await api.client.delete(f"/api/memory/{memory}", params={"reason": "wrong"})
    body = (await api.client.get(f"/api/memory/{memory}/history")).json()
    assert (body["memoryId"], body["count"]) == (memory, 3)
    assert [event["event"] for event in body["history"]] == ["created", "updated", "deleted"]
    assert body["history"][0]["newContent"] == "Tabs are 4 wide"
    assert {
        "changedBy": "anna",
        "actorType": "sdk",
        "sessionId": "s-1",
        "requestId": "r-1",
        "reason": "new rule",
        "oldContent": "Tabs are 4 wide",
        "newContent": "Tabs are 2 wide",
    }.items() <= body["history"][1].items()


@pytest.mark.parametrize("word", ["updated", "modified"])
async def test_the_history_filter_accepts_both_names_of_a_change(api: Api, word: str) -> None:
    memory = await api.remember("Tabs are 4 wide")
    await api.client.patch(f"/api/memory/{memory}", json={"pinned": True, "reason": "x"})
    reply = await api.client.get(f"/api/memory/{memory}/history", params={"event": word})
    assert [event["metadata"] for event in reply.json()["history"]] == [{"pinned": [False, True]}]


@pytest.mark.parametrize(("limit", "status"), [(0, 400), (1, 200), (1_000, 200), (1_001, 400)])
async def test_the_history_has_a_limit(api: Api, limit: int, status: int) -> None:
    memory = await api.remember("Tabs are 4 wide")
    reply = await api.client.get(f"/api/memory/{memory}/history", params={"limit": limit})
    assert reply.status_code == status


async def test_the_list_shows_live_memories_and_counts_them(api: Api) -> None:
    gone = await api.remember("Old")
    await api.client.delete(f"/api/memory/{gone}", params={"reason": "x"})
    kept = await api.remember("Tabs are 4 wide", importance=0.9)
    body = (await api.client.get("/api/memories")).json()
    assert [row["id"] for row in body["memories"]] == [kept]
    assert body["memories"][0].keys() >= LIST_KEYS
    assert body["stats"] == {"total": 1, "withEmbeddings": 0, "critical": 1}


async def test_the_list_honours_a_type(api: Api) -> None:
    rule = await api.remember("Use tabs", type="rule")
    await api.remember("Tabs are 4 wide")
    body = (await api.client.get("/api/memories", params={"type": "rule"})).json()
    assert [row["id"] for row in body["memories"]] == [rule]


async def test_forgotten_memories_are_listed_when_asked_for_the_latest_first(api: Api) -> None:
    first, second, _ = [await api.remember(text) for text in ("one", "two", "three")]
    for memory in (second, first):
        await api.client.delete(f"/api/memory/{memory}", params={"reason": "x"})
    body = (await api.client.get("/api/memories", params={"deleted": True})).json()
    assert {row["id"] for row in body["memories"]} == {first, second}
    assert all(row["deleted_at"] for row in body["memories"])
    page = (await api.client.get("/api/memories", params={"deleted": True, "limit": 1})).json()
    rest = await api.client.get(
        "/api/memories", params={"deleted": True, "limit": 1, "cursor": page["next_cursor"]}
    )
    both = [row["id"] for row in page["memories"] + rest.json()["memories"]]
    assert both == [row["id"] for row in body["memories"]]


async def test_the_timeline_has_three_ranges(api: Api) -> None:
    body = await timeline(api)
    assert body["rangePreset"] == "today-last_week-one_month"
    assert [bucket["rangeKey"] for bucket in body["buckets"]] == [
        "today",
        "last_week",
        "one_month",
    ]
    assert all(bucket.keys() >= BUCKET_KEYS for bucket in body["buckets"])
    starts = [bucket["start"] for bucket in body["buckets"]]
    assert [bucket["end"] for bucket in body["buckets"]][1:] == starts[:-1]
    assert (body["invalidMemoryTimestamps"], body["invalidHistoryTimestamps"]) == (0, 0)


async def test_the_timeline_counts_events(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide", tags="style", importance=0.5, type="rule")
    await api.remember("Use spaces", importance=0.7, pinned=True)
    for change in ({"content": "Tabs are 2 wide"}, {"importance": 0.6}, {"pinned": True}):
        await api.client.patch(f"/api/memory/{memory}", json={"reason": "x", **change})
    body = await timeline(api)
    assert (body["totalMemories"], body["totalHistoryEvents"]) == (2, 5)
    assert {
        "memoriesAdded": 2,
        "trackedEvents": 5,
        "evolved": 1,
        "strengthened": 2,
        "recovered": 0,
        "avgImportance": 0.65,
        "pinned": 2,
        "typeBreakdown": [{"key": "fact", "count": 1}, {"key": "rule", "count": 1}],
        "sourceBreakdown": [{"key": "manual", "count": 2}],
        "topTags": [{"key": "style", "count": 1}],
    }.items() <= body["buckets"][0].items()


async def test_an_older_memory_counts_in_its_own_range(api: Api) -> None:
    await api.remember("Long ago", createdAt="2001-01-01")
    body = await timeline(api)
    assert [bucket["memoriesAdded"] for bucket in body["buckets"]] == [0, 0, 0]
    assert body["totalMemories"] == 1
