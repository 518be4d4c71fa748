"""The list's filters, what there is to filter by, and changes of many that can be undone."""

from typing import Any

import pytest

from fakes.api import Api
from intaglio.daemon.live_settings import LiveSettings

SCOPED = {
    "type": "issue",
    "tags": "stone,red",
    "who": "anna",
    "pinned": True,
    "importance": 0.5,
    "sourceType": "note",
    "sessionId": "s1",
    "project": "quarry",
    "createdAt": "2020-01-01",
    "agentId": "ann",
    "visibility": "global",
}
FILTERS: tuple[dict[str, str], ...] = (
    {"type": "issue"},
    {"tags": "stone"},
    {"tags": "red,stone"},
    {"project": "quarry"},
    {"pinned": "true"},
    {"who": "anna"},
    {"agent": "ann"},
    {"sourceType": "note"},
    {"sessionId": "s1"},
    {"importance_max": "0.5"},
    {"until": "2020-12-31"},
)
OTHERS: tuple[dict[str, str], ...] = (
    {"globalOnly": "true"},
    {"pinned": "false"},
    {"importance_min": "0.51"},
    {"since": "2020-12-31"},
    {"visibility": "private"},
)


async def two(api: Api) -> tuple[str, str]:
    """Keep a memory that every filter of one kind lets through, and one for the other kind."""
    one = await api.remember("Jasper is red", **SCOPED)
    return one, await api.remember("Jasper is a stone", visibility="private")


async def listed(api: Api, **asked: str) -> list[str]:
    reply = await api.client.get("/api/memories", params=asked)
    assert reply.status_code == 200, reply.text
    return [row["id"] for row in reply.json()["memories"]]


async def facets(api: Api, **asked: str) -> dict[str, Any]:
    reply = await api.client.get("/api/memories/facets", params=asked)
    assert reply.status_code == 200, reply.text
    body: dict[str, Any] = reply.json()
    return body


def counts(body: dict[str, Any], field: str) -> dict[Any, int]:
    return {each["value"]: each["count"] for each in body["facets"][field]}


EACH = pytest.mark.parametrize(
    ("asked", "place"), [*((one, 0) for one in FILTERS), *((other, 1) for other in OTHERS)], ids=str
)


@EACH
async def test_the_list_supports_each_filter(api: Api, asked: dict[str, str], place: int) -> None:
    wanted = (await two(api))[place]
    assert await listed(api, **asked) == [wanted]


@EACH
async def test_the_search_supports_each_filter_of_the_list(
    api: Api, asked: dict[str, str], place: int
) -> None:
    both = await two(api)
    reply = await api.client.get("/api/memory/search", params={"q": "jasper", **asked})
    found = {row["id"] for row in reply.json()["results"]}
    # A search in a project looks at what belongs to none, too.
    assert found == (set(both) if "project" in asked else {both[place]})


async def searched(api: Api, **asked: str) -> list[str]:
    reply = await api.client.get("/api/memory/search", params={"q": "jasper", **asked})
    assert reply.status_code == 200, reply.text
    return [row["id"] for row in reply.json()["results"]]


async def test_an_exact_search_finds_the_project_s_own_among_many_global_ones(api: Api) -> None:
    own = {
        await api.remember(f"In a long paragraph on stones, jasper is number {number}", project="q")
        for number in range(3)
    }
    for number in range(12):
        await api.remember(f"Jasper, jasper {number}")
    await api.remember("Jasper elsewhere", project="r")
    # What this is for: without it global ones may take all places.
    assert not own & set(await searched(api, project="q", limit="5"))
    assert set(await searched(api, project="q", exactProject="true", limit="5")) == own


async def test_an_exact_search_without_a_project_looks_everywhere(api: Api) -> None:
    both = await two(api)
    assert set(await searched(api, exactProject="true")) == set(both)


@EACH
async def test_facets_count_what_the_list_lists(
    api: Api, asked: dict[str, str], place: int
) -> None:
    await two(api)
    body = await facets(api, **asked)
    assert (body["total"], len(await listed(api, **asked))) == (1, 1)
    assert counts(body, "tags") == ({"stone": 1, "red": 1} if place == 0 else {})


@pytest.mark.parametrize(
    "asked",
    [
        {"sourceType": "note"},
        {"sessionId": "s1"},
        {"importance_max": 0.5},
        {"globalOnly": False, "sourceType": "note"},
    ],
    ids=str,
)
async def test_recall_supports_the_filters_of_the_list(api: Api, asked: dict[str, Any]) -> None:
    wanted, _ = await two(api)
    assert [row["id"] for row in await api.recall("jasper", **asked)] == [wanted]


async def test_recall_may_ask_for_global_memories_alone(api: Api) -> None:
    _, wanted = await two(api)
    assert [row["id"] for row in await api.recall("jasper", globalOnly=True)] == [wanted]


async def test_each_field_is_counted_by_its_values(api: Api) -> None:
    await two(api)
    body = await facets(api)
    assert {field: counts(body, field) for field in body["facets"]} == {
        "type": {"issue": 1, "fact": 1},
        "project": {None: 1, "quarry": 1},
        "agent": {"ann": 1, "default": 1},
        "visibility": {"global": 1, "private": 1},
        "who": {"anna": 1, "daemon": 1},
        "tags": {"red": 1, "stone": 1},
        "source_type": {"note": 1, "manual": 1},
        "pinned": {True: 1, False: 1},
        "importance": {0.5: 1, 0.8: 1},
    }


async def test_a_field_is_counted_without_its_own_filter(api: Api) -> None:
    await two(api)
    body = await facets(api, type="issue")
    assert counts(body, "type") == {"issue": 1, "fact": 1}
    assert counts(body, "who") == {"anna": 1}


async def test_a_tag_is_counted_beside_the_tags_that_are_chosen(api: Api) -> None:
    await api.remember("Jasper", tags="red,stone")
    await api.remember("Granite", tags="grey,stone")
    assert counts(await facets(api, tags="red"), "tags") == {"red": 1, "stone": 1}


async def test_the_most_frequent_values_come_first_and_at_most_a_hundred(api: Api) -> None:
    for number in range(102):
        await api.remember(f"Note {number}", who=f"w{number}")
    await api.remember("One more note", who="w7")
    shown = (await facets(api))["facets"]["who"]
    assert (len(shown), shown[0]) == (100, {"value": "w7", "count": 2})


async def test_facets_of_forgotten_memories_count_tombstones(api: Api) -> None:
    kept, gone = await two(api)
    await api.client.delete(f"/api/memory/{gone}", params={"reason": "x"})
    body = await facets(api, deleted="true")
    assert (body["total"], counts(body, "type")) == (1, {"fact": 1})
    assert (await facets(api))["total"] == 1
    assert await listed(api) == [kept]


async def test_facets_do_not_count_what_the_reader_may_not_read(api: Api) -> None:
    await api.remember("Only mine", agentId="ann", visibility="private", who="anna")
    body = await facets(api)
    assert (body["total"], body["facets"]["who"], body["facets"]["agent"]) == (0, [], [])
    assert (await facets(api, agentId="ann"))["total"] == 1


@pytest.mark.parametrize("path", ["/api/memories", "/api/memories/facets", "/api/memory/search"])
@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"importance_min": "2"}, "importance_min"),
        ({"importance_max": "-1"}, "importance_max"),
        ({"since": "yesterday"}, "since"),
        ({"until": "x"}, "until"),
        ({"visibility": "secret"}, "visibility"),
        ({"pinned": "maybe"}, "pinned"),
        ({"globalOnly": "maybe"}, "globalOnly"),
        ({"agentId": "a b"}, "agent"),
        ({"sourceType": "x" * 1_001}, "sourceType"),
        ({"sessionId": "x" * 1_001}, "sessionId"),
    ],
)
async def test_an_invalid_filter_is_refused_by_name(
    api: Api, path: str, asked: dict[str, str], named: str
) -> None:
    query = {"q": "jasper"} if path.endswith("search") else {}
    reply = await api.client.get(path, params={**query, **asked})
    body = reply.json()
    assert (reply.status_code, bool(body["title"])) == (400, True)
    assert named in body["error"]


async def forget(api: Api, ids: list[str], **more: object) -> dict[str, Any]:
    body = {"mode": "execute", "ids": ids, "reason": "x", **more}
    reply = await api.client.post("/api/memory/forget", json=body)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def recover(api: Api, ids: list[str], **more: object) -> dict[str, Any]:
    reply = await api.client.post("/api/memory/recover", json={"ids": ids, "reason": "x", **more})
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def test_memories_forgotten_together_are_restored_together(api: Api) -> None:
    ids = [await api.remember(f"Note {number}") for number in range(3)]
    await forget(api, ids)
    assert await listed(api) == []
    assert await recover(api, ids) == {
        "success": True,
        "requested": 3,
        "recovered": 3,
        "results": [
            {"id": id_, "status": "recovered", "currentVersion": 2, "newVersion": 3} for id_ in ids
        ],
    }
    assert sorted(await listed(api)) == sorted(ids)


async def test_memories_are_restored_independently(api: Api) -> None:
    gone, kept, again = [await api.remember(f"Note {number}") for number in range(3)]
    hidden = await api.remember("Only mine", agentId="ann", visibility="private")
    await forget(api, [gone, again])
    await api.client.delete(f"/api/memory/{hidden}", params={"reason": "x", "agentId": "ann"})
    other = await api.remember("Note 2")
    body = await recover(api, [gone, kept, again, "nothing", hidden, gone])
    assert (body["requested"], body["recovered"]) == (5, 1)
    assert [(row["id"], row["status"]) for row in body["results"]] == [
        (gone, "recovered"),
        (kept, "not_deleted"),
        (again, "duplicate_content_hash"),
        ("nothing", "not_found"),
        (hidden, "not_found"),
    ]
    assert body["results"][2]["duplicateMemoryId"] == other


async def test_a_memory_of_another_version_is_neither_forgotten_nor_recovered(api: Api) -> None:
    same, changed = [await api.remember(f"Note {number}") for number in range(2)]
    body = await forget(api, [same, changed], if_versions={same: 1, changed: 7})
    assert {row["id"]: row["status"] for row in body["results"]} == {
        same: "deleted",
        changed: "version_conflict",
    }
    body = await recover(api, [same], if_versions={same: 1})
    assert body["results"][0]["status"] == "version_conflict"
    assert (await recover(api, [same], if_versions={same: 2}))["recovered"] == 1


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"reason": "x"}, "ids[] is required"),
        ({"ids": [], "reason": "x"}, "ids[] is required"),
        ({"ids": ["a"]}, "reason is required"),
        ({"ids": [str(number) for number in range(201)], "reason": "x"}, "at most 200"),
        ({"ids": "a", "reason": "x"}, "ids"),
        ({"ids": ["a"], "reason": "x", "if_versions": {"a": 0}}, "if_versions"),
    ],
)
async def test_recovering_many_refuses_invalid_requests(
    api: Api, body: dict[str, object], error: str
) -> None:
    reply = await api.client.post("/api/memory/recover", json=body)
    assert (reply.status_code, bool(reply.json()["title"])) == (400, True)
    assert error in reply.json()["error"]


async def test_nothing_is_recovered_while_changes_are_frozen(api: Api) -> None:
    path = api.kernel.running.paths.settings
    path.write_text("memory: {pipelineV2: {mutationsFrozen: true}}\n")
    api.kernel.get(LiveSettings).refresh()
    reply = await api.client.post("/api/memory/recover", json={"ids": ["a"], "reason": "x"})
    assert reply.status_code == 503


async def test_the_list_is_sorted_and_grouped_with_counts_under_its_filters(api: Api) -> None:
    for number, (kind, project) in enumerate([("rule", "quay"), ("fact", "arch"), ("fact", None)]):
        scope = {"project": project} if project else {}
        await api.remember(f"Stone {number}", type=kind, importance=number / 10, **scope)
        await api.remember(f"Brick {number}", type=kind, importance=0.9, **scope)
    asked = {"sort": "importance", "importance_max": "0.5", "group": "project", "limit": "2"}
    first = (await api.client.get("/api/memories", params=asked)).json()
    assert [row["content"] for row in first["memories"]] == ["Stone 1", "Stone 0"]
    assert first["groups"] == [
        {"value": "arch", "count": 1, "rows": 1},
        {"value": "quay", "count": 1, "rows": 1},
    ]
    asked["cursor"] = first["next_cursor"]
    rest = (await api.client.get("/api/memories", params=asked)).json()
    assert rest["groups"] == [{"value": None, "count": 1, "rows": 1}]
    assert rest["next_cursor"] is None
    by_type = (await api.client.get("/api/memories", params={"group": "type"})).json()
    assert [(each["value"], each["count"]) for each in by_type["groups"]] == [
        ("fact", 4),
        ("rule", 2),
    ]
    assert "groups" not in (await api.client.get("/api/memories")).json()


@pytest.mark.parametrize(
    "asked",
    [{"sort": "changed"}, {"sort": "used"}, {"group": "type"}, {"deleted": "true"}],
    ids=str,
)
async def test_a_cursor_of_another_order_is_refused(api: Api, asked: dict[str, str]) -> None:
    await two(api)
    first = (await api.client.get("/api/memories", params={"limit": "1"})).json()
    params = {**asked, "cursor": first["next_cursor"]}
    reply = await api.client.get("/api/memories", params=params)
    assert reply.status_code == 400
    assert reply.json()["title"] == "Invalid request"
    assert "same sort and group" in reply.json()["hint"]
