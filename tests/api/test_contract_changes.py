"""Sections 4.4 and 4.5 of the client contract, a test for each outcome in their tables."""

import hashlib
from typing import Any

import httpx
import pytest

from fakes.api import Api
from intaglio.daemon.live_settings import LiveSettings
from intaglio.recall.recall_counts import RecallCounts

EMPTY = "e3b0c44298fc1c149afbf4c8996fb924"


async def patch(api: Api, memory: str, **body: object) -> httpx.Response:
    return await api.client.patch(f"/api/memory/{memory}", json={"reason": "why", **body})


async def delete(
    api: Api, memory: str, headers: dict[str, str] | None = None, **body: object
) -> httpx.Response:
    return await api.client.request(
        "DELETE", f"/api/memory/{memory}", json={"reason": "why", **body}, headers=headers
    )


async def recover(api: Api, memory: str, **body: object) -> httpx.Response:
    return await api.client.post(f"/api/memory/{memory}/recover", json={"reason": "why", **body})


async def forget(api: Api, **body: object) -> dict[str, Any]:
    reply = await api.client.post("/api/memory/forget", json=body)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def told(reply: httpx.Response) -> tuple[int, str]:
    return reply.status_code, str(reply.json().get("status"))


def freeze(api: Api) -> None:
    path = api.kernel.running.paths.settings
    path.write_text("memory: {pipelineV2: {mutationsFrozen: true}}\n")
    api.kernel.get(LiveSettings).refresh()


@pytest.mark.parametrize(
    ("field", "value", "column", "shown"),
    [
        ("content", "Tabs are 2 wide", "content", "Tabs are 2 wide"),
        ("type", "rule", "type", "rule"),
        ("tags", "A, b", "tags", "a,b"),
        ("tags", ["A", "b"], "tags", "a,b"),
        ("tags", None, "tags", None),
        ("importance", 0.25, "importance", 0.25),
        ("pinned", True, "pinned", 1),
        ("who", "ben", "who", "ben"),
        ("project", "backend", "project", "backend"),
        ("project", None, "project", None),
        ("visibility", "private", "visibility", "private"),
    ],
)
async def test_each_field_of_a_change_is_written(
    api: Api, field: str, value: object, column: str, shown: object
) -> None:
    memory = await api.remember("Tabs are 4 wide", tags="old", project="other")
    reply = await patch(api, memory, **{field: value})
    assert (reply.status_code, reply.json()["success"]) == (200, True)
    assert (await api.client.get(f"/api/memory/{memory}")).json()[column] == shown


async def test_only_new_content_reports_its_embedding(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    assert (await patch(api, memory, pinned=True)).json() == {
        "id": memory,
        "status": "updated",
        "success": True,
        "currentVersion": 1,
        "newVersion": 2,
        "contentChanged": False,
    }
    assert (await patch(api, memory, content="Tabs are 2 wide")).json()["embedded"] is False


async def test_a_change_to_the_same_values_changes_nothing(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    reply = await patch(api, memory, content="Tabs are 4 wide", pinned=False)
    assert told(reply) == (200, "no_changes")
    assert (reply.json()["success"], reply.json()["newVersion"]) == (True, 1)


async def test_changing_an_unknown_memory_is_not_found(api: Api) -> None:
    assert told(await patch(api, "nothing", pinned=True)) == (404, "not_found")


async def test_changing_a_forgotten_memory_conflicts(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    await delete(api, memory)
    assert told(await patch(api, memory, pinned=True)) == (409, "deleted")


async def test_changing_an_older_version_conflicts(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    assert told(await patch(api, memory, pinned=True, if_version=2)) == (409, "version_conflict")
    assert told(await patch(api, memory, pinned=True, if_version=1)) == (200, "updated")


@pytest.mark.parametrize(
    "change", [{"content": "Use tabs"}, {"project": "b"}, {"visibility": "private"}], ids=str
)
async def test_a_change_to_equal_content_names_the_other_memory(
    api: Api, change: dict[str, str]
) -> None:
    content = "Use spaces" if "content" in change else "Use tabs"
    scope = {key: value for key, value in change.items() if key != "content"}
    other = await api.remember("Use tabs", **scope)
    memory = await api.remember(content)
    reply = await patch(api, memory, **change)
    assert told(reply) == (409, "duplicate_content_hash")
    assert reply.json()["duplicateMemoryId"] == other


async def test_a_change_to_a_scope_with_the_same_source_conflicts(api: Api) -> None:
    source = {"sourceType": "note", "sourceId": "1"}
    other = await api.remember("Use tabs", project="b", **source)
    memory = await api.remember("Use spaces", **source)
    assert (await patch(api, memory, project="b")).json()["duplicateMemoryId"] == other


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"reason": ""}, "reason is required"),
        ({"reason": 5}, "reason is required"),
        ({}, "at least one of content, type, tags, importance, pinned is required"),
        ({"pinned": True, "if_version": 0}, "if_version must be a positive integer"),
        ({"pinned": True, "if_version": 1.5}, "if_version must be a positive integer"),
        ({"pinned": True, "if_version": "1"}, "if_version must be a positive integer"),
        ({"importance": 2}, "importance must be a finite number between 0 and 1"),
        ({"importance": "high"}, "importance must be a finite number between 0 and 1"),
        ({"content": "  "}, "content must not be empty"),
        ({"pinned": "yes"}, "pinned must be true or false"),
        ({"tags": 5}, "tags must be a string, a list of strings, or null"),
        ({"visibility": "secret"}, "visibility must be global or private"),
        ({"who": " "}, "who must not be empty"),
    ],
)
async def test_an_invalid_change_is_refused_as_the_contract_says(
    api: Api, body: dict[str, object], error: str
) -> None:
    memory = await api.remember("Tabs are 4 wide")
    reply = await patch(api, memory, **body)
    assert (reply.status_code, reply.json()["error"]) == (400, error)


async def test_a_change_beyond_the_limit_is_too_large(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    assert (await patch(api, memory, content="x" * 100_001)).status_code == 413


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/memory/remember", {"content": "x"}),
        ("PATCH", "/api/memory/{id}", {"pinned": True}),
        ("DELETE", "/api/memory/{id}", {}),
        ("DELETE", "/api/memory/{id}", {"force": True}),
        ("POST", "/api/memory/{id}/recover", {}),
        ("POST", "/api/memory/modify", {"patches": [{"id": "{id}", "pinned": True}]}),
        ("POST", "/api/memory/forget", {"mode": "execute", "type": "fact"}),
        ("POST", "/api/memory/feedback", {"sessionKey": "s", "feedback": {}}),
    ],
)
async def test_while_mutations_are_frozen_nothing_is_written(
    api: Api, method: str, path: str, body: dict[str, object]
) -> None:
    memory = await api.remember("Tabs are 4 wide")
    freeze(api)
    reply = await api.client.request(
        method, path.replace("{id}", memory), json={"reason": "why", **body}
    )
    assert (reply.status_code, reply.json()["error"]) == (
        503,
        "Mutations are frozen (kill switch active)",
    )


async def test_a_deleted_memory_is_forgotten(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    assert (await delete(api, memory)).json() == {
        "id": memory,
        "status": "deleted",
        "success": True,
        "currentVersion": 1,
        "newVersion": 2,
    }


async def test_forgetting_an_unknown_memory_is_not_found(api: Api) -> None:
    assert told(await delete(api, "nothing")) == (404, "not_found")


async def test_forgetting_another_version_conflicts(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    assert told(await delete(api, memory, if_version=3)) == (409, "version_conflict")
    reply = await api.client.delete(
        f"/api/memory/{memory}", params={"reason": "why", "if_version": 3}
    )
    assert told(reply) == (409, "version_conflict")


@pytest.mark.parametrize("version", ["0", "-1", "1.5", "one"])
async def test_a_version_in_the_query_is_a_positive_whole_number(api: Api, version: str) -> None:
    memory = await api.remember("Tabs are 4 wide")
    reply = await api.client.delete(
        f"/api/memory/{memory}", params={"reason": "why", "if_version": version}
    )
    assert (reply.status_code, reply.json()["error"]) == (
        400,
        "if_version must be a positive integer",
    )


@pytest.mark.parametrize("kind", ["pipeline", "agent"])
async def test_only_a_person_may_force(api: Api, kind: str) -> None:
    memory = await api.remember("Tabs are 4 wide")
    headers = {"x-signet-actor-type": kind}
    reply = await delete(api, memory, headers, force=True)
    assert told(reply) == (403, "autonomous_force_denied")
    many = await api.client.post(
        "/api/memory/forget",
        json={"mode": "execute", "ids": [memory], "reason": "x", "force": True},
        headers=headers,
    )
    assert told(many) == (403, "autonomous_force_denied")
    # What the user said isn't an agent's to forget; see test_agent_changes.
    expected = (409, "suggested") if kind == "agent" else (200, "deleted")
    assert told(await delete(api, memory, headers)) == expected


async def test_force_erases_for_good_and_lists_external_copies(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide", pinned=True)
    workspace = api.kernel.running.paths.workspace
    (workspace / "MEMORY.md").write_text("Tabs are 4 wide")
    (workspace / ".git").mkdir()
    await api.kernel.database.back_up(keep=1)
    body = (await delete(api, memory, force=True)).json()
    assert (body["status"], body["success"], body["erased"]) == ("deleted", True, True)
    assert [place.split(" ")[0] for place in body["outside"]] == ["1", "MEMORY.md", "the", "your"]
    assert told(await recover(api, memory)) == (404, "not_found")
    history = (await api.client.get(f"/api/memory/{memory}/history")).json()["history"]
    assert [event["event"] for event in history] == ["created", "deleted"]
    assert all(event["oldContent"] is event["newContent"] is None for event in history)
    assert (history[-1]["reason"], history[-1]["metadata"]) == ("why", {"erased": True})


async def test_a_forgotten_memory_can_be_erased(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    await delete(api, memory)
    assert (await delete(api, memory, force=True)).json()["erased"] is True
    assert (await api.client.get("/api/memories", params={"deleted": True})).json()[
        "memories"
    ] == []


async def test_a_forgotten_memory_is_recovered(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    await delete(api, memory)
    assert (await recover(api, memory, if_version=2)).json() == {
        "id": memory,
        "status": "recovered",
        "success": True,
        "currentVersion": 2,
        "newVersion": 3,
        "retentionDays": 30,
    }


async def test_invalid_recoveries_are_refused(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    assert told(await recover(api, "nothing")) == (404, "not_found")
    assert told(await recover(api, memory)) == (409, "not_deleted")
    await delete(api, memory)
    assert told(await recover(api, memory, if_version=1)) == (409, "version_conflict")
    other = await api.remember("Tabs are 4 wide")
    reply = await recover(api, memory)
    assert told(reply) == (409, "duplicate_content_hash")
    assert reply.json()["duplicateMemoryId"] == other
    reply = await api.client.post(f"/api/memory/{memory}/recover", json={})
    assert (reply.status_code, reply.json()["error"]) == (400, "reason is required")


async def test_an_expired_memory_is_not_recovered(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    await delete(api, memory)
    await api.kernel.database.write(
        lambda tx: tx.execute("UPDATE memories SET deleted_at = '2020-01-01T00:00:00.000Z'")
    )
    assert told(await recover(api, memory)) == (409, "retention_expired")


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("GET", "/history"), ("PATCH", ""), ("DELETE", ""), ("POST", "/recover")],
)
async def test_another_agents_private_memory_is_not_found(api: Api, method: str, path: str) -> None:
    memory = await api.remember("Only mine", agentId="coder", visibility="private")
    if path == "/recover":
        await api.client.delete(f"/api/memory/{memory}", params={"reason": "x", "agentId": "coder"})
    body = {"reason": "x", "pinned": True} if method == "PATCH" else {"reason": "x"}
    sent: dict[str, Any] = {} if method == "GET" else {"json": body}
    url = f"/api/memory/{memory}{path}"
    other = await api.client.request(method, url, **sent, headers={"x-signet-agent-id": "reviewer"})
    own = await api.client.request(method, url, **sent, headers={"x-signet-agent-id": "coder"})
    assert (other.status_code, own.status_code) == (404, 200)


async def test_the_history_of_an_erased_private_memory_stays_private(api: Api) -> None:
    memory = await api.remember("Only mine", agentId="coder", visibility="private")
    coder = {"x-signet-agent-id": "coder"}
    assert (await delete(api, memory, coder, force=True)).status_code == 200
    path = f"/api/memory/{memory}/history"
    assert (await api.client.get(path)).status_code == 404
    assert (await api.client.get(path, headers=coder)).status_code == 200


async def test_the_private_part_of_a_shared_memorys_history_stays_hidden(api: Api) -> None:
    memory = await api.remember("My own words", agentId="coder", visibility="private")
    coder = {"x-signet-agent-id": "coder"}
    body = {"content": "Words for all", "visibility": "global", "reason": "x"}
    await api.client.patch(f"/api/memory/{memory}", json=body, headers=coder)
    reply = await api.client.get(f"/api/memory/{memory}/history")
    assert (reply.status_code, reply.json()["history"]) == (200, [])


async def test_each_of_many_changes_has_its_own_outcome(api: Api) -> None:
    changed, same, gone, taken = [
        await api.remember(text) for text in ("Use vi", "Use tabs", "Use ed", "Use spaces")
    ]
    await delete(api, gone)
    reply = await api.client.post(
        "/api/memory/modify",
        json={
            "reason": "tidy",
            "changed_by": "anna",
            "patches": [
                {"id": changed, "content": "Use vim"},
                {"id": same, "pinned": False},
                {"id": gone, "pinned": True},
                {"id": taken, "content": "use tabs", "reason": "typo"},
                {"id": changed, "pinned": True, "if_version": 1},
                {"id": changed, "pinned": True, "if_version": 2},
                {"id": "nothing", "pinned": True},
                {"id": same},
                {"id": same, "importance": 7},
                {"id": same, "if_version": 0, "pinned": True},
                {"pinned": True},
                {"id": same, "content": "x" * 100_001},
                "nonsense",
            ],
        },
    )
    body = reply.json()
    assert (reply.status_code, body["total"], body["updated"]) == (200, 13, 2)
    assert [result["status"] for result in body["results"]] == [
        "updated", "no_changes", "deleted", "duplicate_content_hash", "version_conflict",
        "updated", "not_found", *["invalid_request"] * 6,
    ]  # fmt: skip
    assert body["results"][0] == {
        "id": changed,
        "status": "updated",
        "currentVersion": 1,
        "newVersion": 2,
        "contentChanged": True,
        "embedded": False,
    }
    assert body["results"][3]["duplicateMemoryId"] == same
    assert body["results"][8]["error"] == "importance must be a finite number between 0 and 1"
    history = (await api.client.get(f"/api/memory/{changed}/history")).json()["history"]
    assert [(e["changedBy"], e["reason"]) for e in history[1:]] == [("anna", "tidy")] * 2


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"reason": "x"}, "patches[] is required"),
        ({"reason": "x", "patches": list[str]()}, "patches[] is required"),
        ({"reason": "x", "patches": ["x"] * 201}, "patches[] must have at most 200 entries"),
    ],
)
async def test_a_batch_has_one_to_two_hundred_changes(
    api: Api, body: dict[str, object], error: str
) -> None:
    reply = await api.client.post("/api/memory/modify", json=body)
    assert (reply.status_code, reply.json()["error"]) == (400, error)


async def test_a_change_without_any_reason_is_invalid(api: Api) -> None:
    memory = await api.remember("Use tabs")
    reply = await api.client.post(
        "/api/memory/modify", json={"patches": [{"id": memory, "pinned": True}]}
    )
    (result,) = reply.json()["results"]
    assert (result["status"], result["error"]) == ("invalid_request", "reason is required")


async def test_a_preview_writes_nothing_and_gives_the_token(api: Api) -> None:
    ids = [await api.remember(f"Note {number}", type="issue") for number in range(3)]
    body = await forget(api, type="issue")
    token = hashlib.sha256("|".join(sorted(ids)).encode()).hexdigest()[:32]
    assert (body["mode"], body["count"], body["requiresConfirm"]) == ("preview", 3, False)
    assert body["confirmToken"] == token
    assert {"id", "score", "pinned", "version"} <= body["candidates"][0].keys()
    assert (await api.client.get("/api/memories")).json()["stats"]["total"] == 3


async def test_the_token_of_an_empty_preview_is_that_of_the_empty_text(api: Api) -> None:
    assert (await forget(api, type="issue"))["confirmToken"] == EMPTY


@pytest.mark.parametrize(
    "scope",
    [
        {"query": "jasper"},
        {"type": "issue"},
        {"tags": "stone"},
        {"who": "anna"},
        {"source_type": "note"},
        {"project": "quarry"},
        {"until": "2020-12-31"},
    ],
    ids=str,
)
async def test_each_scope_selects_its_memories(api: Api, scope: dict[str, str]) -> None:
    memory = await api.remember(
        "Jasper is red",
        type="issue",
        tags="stone",
        who="anna",
        sourceType="note",
        project="quarry",
        createdAt="2020-01-01",
    )
    await api.remember("Tabs are 4 wide")
    assert [row["id"] for row in (await forget(api, **scope))["candidates"]] == [memory]


async def test_a_scope_may_be_ids_or_a_time(api: Api) -> None:
    old = await api.remember("Old", createdAt="2020-01-01")
    new = await api.remember("New")
    assert [row["id"] for row in (await forget(api, ids=[old]))["candidates"]] == [old]
    assert [row["id"] for row in (await forget(api, since="2021-01-01"))["candidates"]] == [new]


async def test_the_preview_has_a_limit(api: Api) -> None:
    for number in range(22):
        await api.remember(f"Note {number}", type="issue")
    assert (await forget(api, type="issue"))["count"] == 20
    assert (await forget(api, type="issue", limit=21))["count"] == 21
    assert (await forget(api, type="issue", limit=9_999))["count"] == 22


async def test_executing_forgets_each_candidate(api: Api) -> None:
    plain = await api.remember("Use tabs", type="issue")
    pinned = await api.remember("Use vi", type="issue", pinned=True)
    body = await forget(api, mode="execute", type="issue", reason="done")
    assert (body["requested"], body["deleted"], body["mode"]) == (2, 1, "execute")
    assert {row["id"]: row["status"] for row in body["results"]} == {
        plain: "deleted",
        pinned: "pinned_requires_force",
    }
    assert told(await recover(api, plain)) == (200, "recovered")


async def test_executing_with_force_erases(api: Api) -> None:
    memory = await api.remember("Use vi", type="issue", pinned=True)
    body = await forget(api, mode="execute", type="issue", reason="done", force=True)
    assert (body["deleted"], body["erased"], bool(body["outside"])) == (1, True, True)
    assert told(await recover(api, memory)) == (404, "not_found")


async def test_more_than_twenty_five_need_the_token_of_their_preview(api: Api) -> None:
    for number in range(26):
        await api.remember(f"Note {number}", type="issue")
    asked = {"mode": "execute", "type": "issue", "limit": 26, "reason": "done"}
    refused = await api.client.post("/api/memory/forget", json=asked)
    body = refused.json()
    assert (refused.status_code, body["requiresConfirm"], body["count"]) == (400, True, 26)
    done = await forget(api, **asked, confirm_token=body["confirmToken"])
    assert done["deleted"] == 26


async def test_the_token_of_another_preview_is_refused(api: Api) -> None:
    await api.remember("Use tabs", type="issue")
    token = (await forget(api, type="issue"))["confirmToken"]
    await api.remember("Use vi", type="issue")
    reply = await api.client.post(
        "/api/memory/forget",
        json={"mode": "execute", "type": "issue", "reason": "x", "confirm_token": token},
    )
    assert (reply.status_code, reply.json()["error"]) == (
        400,
        "confirm_token doesn't match these memories",
    )


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (
            {},
            (
                "at least one of query, ids, type, tags, who, source_type, project, since, until "
                "is required"
            ),
        ),
        ({"mode": "guess", "type": "fact"}, "mode must be preview or execute"),
        ({"mode": "execute", "type": "fact"}, "reason is required"),
        ({"type": "fact", "if_version": 1}, "if_version is not supported here"),
        ({"since": "yesterday"}, "since must be an ISO-8601 time"),
        ({"ids": ["x"] * 300 + [str(n) for n in range(201)]}, "ids must have at most 200 entries"),
    ],
)
async def test_an_invalid_batch_forget_is_refused(
    api: Api, body: dict[str, object], error: str
) -> None:
    reply = await api.client.post("/api/memory/forget", json=body)
    assert (reply.status_code, reply.json()["error"]) == (400, error)


async def test_a_preview_does_not_count_as_use(api: Api) -> None:
    memory = await api.remember("Jasper is red")
    await forget(api, query="jasper")
    await api.kernel.get(RecallCounts).write()
    assert (await api.client.get(f"/api/memory/{memory}")).json()["access_count"] == 0


async def test_ratings_of_known_memories_are_recorded(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    mine = await api.remember("Only mine", agentId="coder", visibility="private")
    for rating in (1, -0.5):
        reply = await api.client.post(
            "/api/memory/feedback",
            json={"sessionKey": "s", "feedback": {memory: rating, "nothing": 1, mine: 1}},
        )
        assert reply.json() == {"ok": True, "recorded": 1}
    rows = await api.kernel.database.read(
        lambda tx: tx.all("SELECT session_id, memory_id, agent_id, rating FROM feedback")
    )
    assert rows == [("s", memory, "default", -0.5)]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"feedback": {}}, "sessionKey is required"),
        ({"sessionKey": " ", "feedback": {}}, "sessionKey is required"),
        ({"sessionKey": "s"}, "feedback is required"),
        ({"sessionKey": "s", "feedback": []}, "feedback: Expected `object`, got `array`"),
        (
            {"sessionKey": "s", "feedback": {"x": 1.1}},
            "feedback must be an object of numbers from -1 to 1",
        ),
        (
            {"sessionKey": "s", "feedback": {"x": True}},
            "feedback must be an object of numbers from -1 to 1",
        ),
        (
            {"sessionKey": "s", "feedback": {"x": "good"}},
            "feedback must be an object of numbers from -1 to 1",
        ),
    ],
)
async def test_an_invalid_rating_is_refused(api: Api, body: dict[str, object], error: str) -> None:
    reply = await api.client.post("/api/memory/feedback", json=body)
    assert (reply.status_code, reply.json()["error"]) == (400, error)
