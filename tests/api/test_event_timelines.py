"""What happened to a memory, to an entity, in a session and in a request, as its reader may see."""

from typing import Any

from fakes.api import Api


async def timeline(api: Api, subject: str, **headers: str) -> dict[str, Any]:
    reply = await api.client.get(f"/api/timeline/{subject}", headers=headers)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def names(found: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["source"], each["event"]) for each in found["events"]]


async def start_session(api: Api, session: str = "s-1", agent: str = "default") -> None:
    start = {"harness": "openclaw", "sessionKey": session, "project": "/srv/quarry"}
    reply = await api.client.post("/api/hooks/session-start", json={**start, "agentId": agent})
    assert reply.status_code == 200, reply.text
    await api.kernel.settled()


async def erase(api: Api, memory: str) -> None:
    params = {"reason": "private", "force": "true"}
    reply = await api.client.delete(f"/api/memory/{memory}", params=params, headers=api.owner)
    assert reply.status_code == 200, reply.text


async def test_a_memorys_timeline_has_its_changes_and_who_was_told(api: Api) -> None:
    memory = await api.remember("The quarry opens at nine", pinned=True)
    await start_session(api)
    rating = {"sessionKey": "s-1", "feedback": {memory: 1.0}}
    await api.client.post("/api/memory/feedback", json=rating)
    change = {"content": "The quarry opens at ten", "reason": "new"}
    headers = {"x-signet-request-id": "r-7", "x-signet-actor": "ann"}
    await api.client.patch(f"/api/memory/{memory}", json=change, headers=headers)
    api.kernel.metrics.errors.add("embedding", "EMBEDDING_TIMEOUT", "late", memory_id=memory)

    found = await timeline(api, memory, **api.owner)

    assert (found["entityType"], found["entityId"]) == ("memory", memory)
    assert found["generatedAt"]
    history = [event for source, event in names(found) if source == "history"]
    assert history == ["created", "told", "rated", "updated"]
    assert ("job", "queued") in names(found)
    assert ("error", "EMBEDDING_TIMEOUT") in names(found)
    (updated,) = (each for each in found["events"] if each["event"] == "updated")
    assert (updated["details"]["requestId"], updated["details"]["actor"]) == ("r-7", "ann")
    times = [each["timestamp"] for each in found["events"]]
    assert times == sorted(times)


async def test_no_timeline_has_a_text(api: Api) -> None:
    memory = await api.remember("The granite opens at nine", pinned=True)
    await start_session(api)
    change = {"content": "The granite opens at ten", "reason": "granite is late"}
    headers = {"x-signet-request-id": "r-8"}
    await api.client.patch(f"/api/memory/{memory}", json=change, headers=headers)
    for subject in (memory, "s-1", "r-8"):
        found = await timeline(api, subject, **api.owner)
        assert found["events"], subject
        assert "granite" not in str(found), subject


async def test_an_erased_memory_leaves_nothing_in_any_timeline(api: Api) -> None:
    memory = await api.remember("The door's code is 9", pinned=True)
    await start_session(api)
    await api.client.post(
        "/api/memory/feedback", json={"sessionKey": "s-1", "feedback": {memory: 1.0}}
    )
    change = {"content": "The door's code is 8", "reason": "new"}
    headers = {"x-signet-request-id": "r-9"}
    await api.client.patch(f"/api/memory/{memory}", json=change, headers=headers)
    assert memory in str(await timeline(api, "r-9", **api.owner))
    await erase(api, memory)

    found = await timeline(api, memory, **api.owner)

    assert (found["entityType"], found["events"]) == ("unknown", [])
    for subject in ("s-1", "r-9"):
        assert memory not in str(await timeline(api, subject, **api.owner))


async def test_an_agent_sees_neither_private_memories_nor_sessions_of_others(api: Api) -> None:
    own = {"agentId": "ann", "visibility": "private"}
    private = await api.remember("Ann's quarry is deep", pinned=True, **own)
    shared = await api.remember("The quarry is old", pinned=True)
    await start_session(api, "s-ann", agent="ann")

    for subject in (private, "s-ann"):
        other = await timeline(api, f"{subject}?agentId=bob")
        assert (other["entityType"], other["events"]) == ("unknown", []), subject
        assert (await timeline(api, f"{subject}?agentId=ann"))["events"], subject
    assert ("history", "told") in names(await timeline(api, f"{shared}?agentId=ann"))
    assert ("history", "told") not in names(await timeline(api, f"{shared}?agentId=bob"))


async def test_a_sessions_timeline_is_found_by_its_number_and_its_own_id(api: Api) -> None:
    memory = await api.remember("The quarry opens at nine", pinned=True)
    await start_session(api)
    rating = {"sessionKey": "s-1", "feedback": {memory: -1.0}}
    await api.client.post("/api/memory/feedback", json=rating)
    (session,) = (await api.client.get("/api/sessions", headers=api.owner)).json()["sessions"]

    for subject in ("s-1", session["id"]):
        found = await timeline(api, subject, **api.owner)
        assert found["entityType"] == "session"
        assert names(found) == [
            ("history", "started"),
            ("history", "told"),
            ("history", "rated"),
        ]
        told = found["events"][1]["details"]
        assert (told["hook"], told["told"]) == ("session_start", 1)


async def test_an_entitys_timeline_has_the_memories_that_name_it(api: Api) -> None:
    memory = await api.remember("Redis holds the sessions of the shop")
    own = {"agentId": "ann", "visibility": "private"}
    await api.remember("Redis is slow today", **own)
    listed = (await api.client.get("/api/knowledge/entities", headers=api.owner)).json()["items"]
    (redis,) = (
        each for each in listed if each["entity"]["name"] == "Redis" and "ann" not in str(each)
    )
    found = await timeline(api, redis["entity"]["id"], **api.owner)
    assert found["entityType"] == "entity"
    named = [each["details"] for each in found["events"] if each["event"] == "named"]
    assert named == [{"memoryId": memory}]
    assert ("history", "created") in names(found)


async def test_a_requests_timeline_has_its_changes_errors_and_log_lines(api: Api) -> None:
    headers = {"x-signet-request-id": "r-1"}
    body = {"content": "The quarry opens at nine"}
    memory = (await api.client.post("/api/memory/remember", json=body, headers=headers)).json()
    conflict = {"content": "At ten", "reason": "new", "if_version": 7}
    await api.client.patch(f"/api/memory/{memory['id']}", json=conflict, headers=headers)
    log = api.kernel.running.paths.log_file
    log.parent.mkdir(parents=True, exist_ok=True)
    line = '{"timestamp": "2026-01-31T09:00:00.000Z", "level": "info", "part": "jobs", "event": '
    log.write_text(f'{line}"postponed", "request_id": "r-1"}}\n', encoding="utf-8")

    found = await timeline(api, "r-1", **api.owner)

    assert found["entityType"] == "request"
    assert names(found) == [
        ("log", "postponed"),
        ("history", "created"),
        ("error", "MUTATION_CONFLICT"),
    ]
    assert ("log", "postponed") not in names(await timeline(api, "r-1"))


async def test_what_does_not_exist_is_unknown(api: Api) -> None:
    found = await timeline(api, "nothing", **api.owner)
    assert (found["entityType"], found["events"], found["cut"]) == ("unknown", [], False)


async def test_a_long_timeline_has_its_newest_events(api: Api) -> None:
    memory = await api.remember("The quarry opens at nine")
    for _ in range(501):
        api.kernel.metrics.errors.add("embedding", "EMBEDDING_TIMEOUT", "late", memory_id=memory)
    found = await timeline(api, memory, **api.owner)
    assert (len(found["events"]), found["cut"]) == (500, True)


async def test_the_export_is_a_file_with_its_version_and_time(api: Api) -> None:
    memory = await api.remember("The quarry opens at nine")
    reply = await api.client.get(f"/api/timeline/{memory}/export", headers=api.owner)
    assert set(reply.json()) == {"meta", "timeline"}
    assert set(reply.json()["meta"]) == {"version", "exportedAt", "entityId"}
    assert reply.json()["timeline"]["entityId"] == memory
    assert "timeline.json" in reply.headers["content-disposition"]
