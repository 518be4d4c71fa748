"""The endpoints of one memory, in the shapes of the contract."""

import asyncio

import pytest

from fakes.api import Api


async def test_remember_replies_in_the_shape_of_the_contract(api: Api) -> None:
    reply = await api.client.post(
        "/api/memory/remember", json={"content": "critical: [db, infra]: We decided on Postgres"}
    )
    body = reply.json()
    assert reply.status_code == 200
    assert body.pop("id")
    assert body == {
        "type": "decision",
        "tags": "db,infra",
        "pinned": True,
        "importance": 1.0,
        "content": "We decided on Postgres",
        "embedded": False,
    }


@pytest.mark.parametrize("path", ["/api/memory/save", "/api/hook/remember"])
async def test_the_older_names_remember_too(api: Api, path: str) -> None:
    reply = await api.client.post(path, json={"content": "We deploy on Fridays"})
    assert reply.json()["content"] == "We deploy on Fridays"


async def test_remembering_twice_returns_the_first_memory(api: Api) -> None:
    first = await api.remember("We deploy on Fridays")
    again = await api.client.post("/api/memory/remember", json={"content": "we deploy on fridays!"})
    assert again.json()["id"] == first
    assert again.json()["deduped"] is True
    assert again.json()["tags"] == ""


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain;charset=UTF-8",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/msgpack",
        "nonsense",
        "",
    ],
)
async def test_a_body_is_read_as_json_whatever_its_content_type(api: Api, kind: str) -> None:
    reply = await api.client.post(
        "/api/memory/remember",
        content=b'{"content": "Plain text carries JSON"}',
        headers={"content-type": kind},
    )
    assert reply.status_code == 200


async def test_tags_may_be_an_array(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide", tags=["Style", "editor"])
    assert (await api.client.get(f"/api/memory/{memory}")).json()["tags"] == "style,editor"


async def test_a_given_type_wins_over_the_inferred_one(api: Api) -> None:
    memory = await api.remember("We decided on Postgres", type="rule")
    assert (await api.client.get(f"/api/memory/{memory}")).json()["type"] == "rule"


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", "Invalid JSON body"),
        (b"null", "Invalid JSON body"),
        (b"[]", "Invalid JSON body"),
        (b"{", "Invalid JSON body"),
        (b"[" * 100_000, "Invalid JSON body"),
        (b"{}", "content is required"),
        (b'{"content": null}', "content is required"),
        (b'{"content": " \\n "}', "content is required"),
        (b'{"content": "critical: "}', "content is required"),
    ],
)
async def test_refusals_are_those_of_the_contract(api: Api, body: bytes, error: str) -> None:
    reply = await api.client.post("/api/memory/remember", content=body)
    assert (reply.status_code, reply.json()["error"]) == (400, error)


async def test_a_secret_is_never_shown_again(api: Api) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    reply = await api.client.post("/api/memory/remember", json={"content": f"The key: {secret}"})
    assert secret not in reply.text
    assert reply.json()["redacted"] == 1


async def test_a_memory_is_shown_in_full(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide", who="anna", sourceType="note", sourceId="n1")
    body = (await api.client.get(f"/api/memory/{memory}")).json()
    expected = {"who": "anna", "source_type": "note", "source_id": "n1", "pinned": 0, "version": 1}
    assert expected.items() <= body.items()


async def test_an_unknown_memory_is_not_found(api: Api) -> None:
    reply = await api.client.get("/api/memory/nothing")
    assert (reply.status_code, reply.json()["error"]) == (404, "not found")


async def test_a_change_replies_with_both_versions(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    reply = await api.client.patch(
        f"/api/memory/{memory}", json={"content": "Tabs are 2 wide", "reason": "new rule"}
    )
    assert reply.json() == {
        "id": memory,
        "status": "updated",
        "success": True,
        "currentVersion": 1,
        "newVersion": 2,
        "contentChanged": True,
        "embedded": False,
    }


async def test_a_change_that_changes_nothing_says_so(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    reply = await api.client.patch(
        f"/api/memory/{memory}", json={"content": "Tabs are 4 wide", "reason": "again"}
    )
    assert (reply.status_code, reply.json()["status"]) == (200, "no_changes")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"content": "x"}, "reason is required"),
        (
            {"reason": "x"},
            "at least one of content, type, tags, importance, pinned is required",
        ),
        ({"reason": "x", "content": " "}, "content must not be empty"),
    ],
)
async def test_an_invalid_change_is_refused_like_the_contract(
    api: Api, body: dict[str, str], error: str
) -> None:
    memory = await api.remember("Tabs are 4 wide")
    reply = await api.client.patch(f"/api/memory/{memory}", json=body)
    assert (reply.status_code, reply.json()["error"]) == (400, error)


async def test_a_change_of_an_older_version_conflicts(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    reply = await api.client.patch(
        f"/api/memory/{memory}", json={"content": "x", "reason": "y", "if_version": 7}
    )
    assert reply.status_code == 409
    assert {"status": "version_conflict", "currentVersion": 1, "id": memory}.items() <= (
        reply.json().items()
    )


async def test_a_change_into_another_memory_names_that_one(api: Api) -> None:
    other = await api.remember("Tabs are 2 wide")
    memory = await api.remember("Tabs are 4 wide")
    reply = await api.client.patch(
        f"/api/memory/{memory}", json={"content": "Tabs are 2 wide", "reason": "x"}
    )
    assert (reply.status_code, reply.json()["status"]) == (409, "duplicate_content_hash")
    assert reply.json()["duplicateMemoryId"] == other


async def test_a_forgotten_memory_is_not_found(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    reply = await api.client.delete(f"/api/memory/{memory}", params={"reason": "wrong"})
    assert reply.json()["status"] == "deleted"
    assert (await api.client.get(f"/api/memory/{memory}")).status_code == 404


async def test_the_reason_to_forget_may_stand_in_the_body(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    reply = await api.client.request(
        "DELETE", f"/api/memory/{memory}", json={"reason": "wrong", "if_version": 1}
    )
    assert reply.json()["success"] is True


async def test_forgetting_twice_conflicts(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    await api.client.delete(f"/api/memory/{memory}", params={"reason": "wrong"})
    reply = await api.client.delete(f"/api/memory/{memory}", params={"reason": "wrong"})
    assert (reply.status_code, reply.json()["status"]) == (409, "already_deleted")


async def test_forgetting_needs_a_reason(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    reply = await api.client.delete(f"/api/memory/{memory}")
    assert (reply.status_code, reply.json()["error"]) == (400, "reason is required")


async def test_a_pinned_memory_is_forgotten_with_force_only(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide", pinned=True)
    refused = await api.client.delete(f"/api/memory/{memory}", params={"reason": "x"})
    forced = await api.client.delete(
        f"/api/memory/{memory}", params={"reason": "x", "force": "true"}
    )
    assert (refused.json()["status"], refused.json()["error"]) == (
        "pinned_requires_force",
        "Pinned memories require force=true",
    )
    assert forced.status_code == 200


async def test_a_forgotten_memory_comes_back(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    await api.client.delete(f"/api/memory/{memory}", params={"reason": "wrong"})
    reply = await api.client.post(f"/api/memory/{memory}/recover", json={"reason": "oops"})
    assert (reply.json()["status"], reply.json()["retentionDays"]) == ("recovered", 30)
    assert (await api.client.get(f"/api/memory/{memory}")).json()["content"] == "Tabs are 4 wide"


async def test_only_a_forgotten_memory_comes_back(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    reply = await api.client.post(f"/api/memory/{memory}/recover", json={"reason": "oops"})
    assert (reply.status_code, reply.json()["status"]) == (409, "not_deleted")


async def test_the_history_names_who_changed_what(api: Api) -> None:
    memory = await api.remember("Tabs are 4 wide")
    await api.client.patch(
        f"/api/memory/{memory}",
        json={"content": "Tabs are 2 wide", "reason": "new rule"},
        headers={"x-signet-actor": "anna", "x-signet-actor-type": "sdk"},
    )
    history = (await api.client.get(f"/api/memory/{memory}/history")).json()["history"]
    assert [event["event"] for event in history] == ["created", "updated"]
    assert (history[1]["changedBy"], history[1]["actorType"]) == ("anna", "sdk")
    assert (history[1]["oldContent"], history[1]["newContent"]) == (
        "Tabs are 4 wide",
        "Tabs are 2 wide",
    )


async def test_the_history_of_an_unknown_memory_is_not_found(api: Api) -> None:
    reply = await api.client.get("/api/memory/nothing/history")
    assert (reply.status_code, reply.json()["memoryId"]) == (404, "nothing")


async def test_concurrent_equal_memories_become_one(api: Api) -> None:
    ids = await asyncio.gather(*(api.remember("Said by eight at once") for _ in range(8)))
    assert len(set(ids)) == 1
