"""Taking sources back over HTTP: the preview, its token, undoing, and who may do it."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from api.test_memory_files import write
from api.test_sessions import hook, transcript
from fakes.api import Api
from intaglio.memory_files.service import MemoryFiles
from intaglio.sessions import rows
from intaglio.sessions.values import SessionRef

PATH: Final = "/api/sources/take-back"
LIST: Final = "/api/sources/taken-back"
AT: Final = "2026-01-30T08:00:00.000Z"
SESSION: Final = {"kind": "session", "id": "1"}
SCRIPT: Final = {"kind": "tool", "id": "notes-sync"}
AGENT: Final = {"x-signet-actor": "codex", "x-signet-actor-type": "agent"}


async def ask(api: Api, source: dict[str, str], **more: object) -> httpx.Response:
    return await api.client.post(PATH, json={"source": source, **more}, headers=api.owner)


async def preview(api: Api, source: dict[str, str]) -> dict[str, Any]:
    reply = await ask(api, source)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def take_back(
    api: Api, source: dict[str, str], *, waits: bool = False, **more: object
) -> dict[str, Any]:
    token = (await preview(api, source))["confirmToken"]
    reply = await ask(api, source, mode="execute", confirmToken=token, **more)
    assert reply.status_code == 200, reply.text
    done: dict[str, Any] = reply.json()
    assert waits or not done["running"]
    return done


async def undo(api: Api, removal_id: str) -> httpx.Response:
    return await api.client.post(f"{LIST}/{removal_id}/undo", headers=api.owner)


async def contents(api: Api) -> list[str]:
    reply = await api.client.get("/api/memories")
    return sorted(each["content"] for each in reply.json()["memories"])


async def begin(api: Api) -> None:
    """Record a session with the key s1."""
    ref = SessionRef(harness="claude-code", id="s1")
    await api.kernel.database.write(lambda tx: rows.touch(tx, ref, None, AT))


async def test_a_session_is_taken_back_listed_and_undone(api: Api) -> None:
    await begin(api)
    await api.remember("The port is 4850.", sessionId="s1")
    await api.remember("Never push on Fridays.", sessionId="s1", pinned=True)
    await api.remember("The port is 4851.")
    shown = await preview(api, SESSION)
    assert (shown["count"], shown["sessions"], shown["label"]) == (
        2,
        1,
        "claude-code, session of 2026-01-30",
    )
    done = await take_back(api, SESSION)
    assert (done["forgotten"], done["kept"], done["undone"]) == (1, 1, None)
    assert await contents(api) == ["Never push on Fridays.", "The port is 4851."]
    (listed,) = (await api.client.get(LIST, headers=api.owner)).json()["removals"]
    assert listed == done
    undone = await undo(api, done["id"])
    assert undone.json()["undone"]
    assert len(await contents(api)) == 3
    assert (await undo(api, done["id"])).status_code == 409


@pytest.mark.usefixtures("far_east")
async def test_a_session_is_named_by_its_day_on_this_machine(api: Api) -> None:
    ref = SessionRef(harness="claude-code", id="s1")
    noon = "2026-01-30T12:00:00.000Z"
    await api.kernel.database.write(lambda tx: rows.touch(tx, ref, None, noon))
    await api.remember("The port is 4850.", sessionId="s1")
    assert (await preview(api, SESSION))["label"] == "claude-code, session of 2026-01-31"


async def test_a_programs_and_an_agents_memories_are_sources_of_their_own(api: Api) -> None:
    await api.remember("The port is 4850.", sourceType="notes-sync")
    await api.remember("The port is 4851.", who="my-script")
    by_agent = {"content": "The build takes an hour."}
    await api.client.post("/api/memory/remember", json=by_agent, headers=AGENT)
    reply = await api.client.get("/api/sources", headers=api.owner)
    found = {(each["kind"], each["id"]): each["memories"] for each in reply.json()["sources"]}
    assert found == {("tool", "notes-sync"): 1, ("tool", "my-script"): 1, ("agent", "codex"): 1}
    assert (await take_back(api, SCRIPT))["forgotten"] == 1
    assert (await take_back(api, {"kind": "agent", "id": "codex"}))["forgotten"] == 1
    assert await contents(api) == ["The port is 4851."]


async def test_forgetting_a_session_is_recorded_and_undone_as_a_whole(api: Api) -> None:
    await begin(api)
    await api.remember("The port is 4850.", sessionId="s1")
    path = "/api/sessions/1/forget"
    token = (await api.client.post(path, json={}, headers=api.owner)).json()["confirmToken"]
    execute = {"mode": "execute", "confirmToken": token}
    assert (await api.client.post(path, json=execute, headers=api.owner)).status_code == 200
    (listed,) = (await api.client.get(LIST, headers=api.owner)).json()["removals"]
    assert (listed["source"], listed["forgotten"]) == (SESSION, 1)
    assert (await undo(api, listed["id"])).status_code == 200
    assert await contents(api) == ["The port is 4850."]


async def test_a_token_holds_for_its_source_as_it_was_previewed(api: Api) -> None:
    await begin(api)
    await api.remember("The port is 4850.", sessionId="s1", sourceType="notes-sync")
    of_tool = (await preview(api, SCRIPT))["confirmToken"]
    of_session = (await preview(api, SESSION))["confirmToken"]
    await api.remember("The port is 4851.", sourceType="notes-sync")
    for source, token in ((SCRIPT, of_tool), (SCRIPT, of_session), (SESSION, of_tool)):
        refused = await ask(api, source, mode="execute", confirmToken=token)
        assert (refused.status_code, bool(refused.json()["hint"])) == (409, True)
    assert (await api.client.get(LIST, headers=api.owner)).json() == {"removals": []}


async def test_what_the_user_changed_stays_unless_chosen(api: Api) -> None:
    changed = await api.remember("The port is 4850.", sourceType="notes-sync")
    page = await api.signed_in()
    patch = {"content": "The port is 4852.", "reason": "it moved"}
    reply = await api.client.patch(f"/api/memory/{changed}", json=patch, headers=page)
    assert reply.status_code == 200, reply.text
    assert (await preview(api, SCRIPT))["elsewhere"] == 1
    assert (await take_back(api, SCRIPT))["kept"] == 1
    assert (await take_back(api, SCRIPT, elsewhere=True))["forgotten"] == 1


async def test_of_two_requests_at_once_one_is_carried_out(api: Api) -> None:
    await begin(api)
    await api.remember("The port is 4850.", sessionId="s1")
    token = (await preview(api, SESSION))["confirmToken"]
    twice = (ask(api, SESSION, mode="execute", confirmToken=token) for _ in range(2))
    replies = sorted([each.status_code for each in await asyncio.gather(*twice)])
    assert replies == [200, 409]
    (removal,) = (await api.client.get(LIST, headers=api.owner)).json()["removals"]
    undone = await asyncio.gather(*(undo(api, removal["id"]) for _ in range(2)))
    assert sorted(each.status_code for each in undone) == [200, 409]
    assert await contents(api) == ["The port is 4850."]


@pytest.mark.parametrize(
    "source",
    [
        *({"kind": "session", "id": each} for each in ("", "2", "01x", "9" * 30, "-1", "\u0661")),
        *({"kind": kind, "id": "nothing"} for kind in ("import", "file", "agent", "tool")),
        {"kind": "file", "id": "x" * 4_096},
        {"kind": "tool", "id": "'; DROP TABLE memories; --"},
        {"kind": "agent", "id": "\u0000"},
    ],
)
async def test_what_nothing_came_from_is_not_found(api: Api, source: dict[str, str]) -> None:
    await begin(api)
    for mode in ("preview", "execute"):
        reply = await ask(api, source, mode=mode, confirmToken="0" * 32)
        assert (reply.status_code, bool(reply.json()["hint"])) == (404, True), reply.text


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"source": {"kind": "memory", "id": "1"}},
        {"source": {"kind": "file", "id": "x" * 4_097}},
        {"source": {"kind": "session", "id": ["1"] * 1_000}},
        {"source": SESSION, "mode": "now"},
        {"source": SESSION, "reason": "x" * 1_001},
    ],
)
async def test_an_invalid_request_is_refused(api: Api, body: dict[str, Any]) -> None:
    reply = await api.client.post(PATH, json=body, headers=api.owner)
    assert reply.status_code in {400, 422}, reply.text


async def test_only_the_user_takes_a_source_back_and_undoes_it(api: Api) -> None:
    await begin(api)
    await api.remember("The port is 4850.", sessionId="s1")
    for method, path in (("GET", "/api/sources"), ("GET", LIST), ("POST", f"{LIST}/x/undo")):
        assert (await api.client.request(method, path)).status_code == 401
    assert (await api.client.post(PATH, json={"source": SESSION})).status_code == 401
    token = (await preview(api, SESSION))["confirmToken"]
    body = {"source": SESSION, "mode": "execute", "confirmToken": token}
    agent = {**api.owner, **AGENT}
    for mode in ("preview", "execute"):
        asked = {**body, "mode": mode}
        assert (await api.client.post(PATH, json=asked, headers=agent)).status_code == 403
    done = await take_back(api, SESSION)
    path = f"{LIST}/{done['id']}/undo"
    assert (await api.client.post(path, headers=agent)).status_code == 403
    assert (await undo(api, "unknown")).status_code == 404


async def test_a_conversation_is_read_again_when_that_is_undone(
    api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    said = ("We decided to use Postgres for the billing service.", "Look at the harbour again.")
    path = transcript(tmp_path, "s1", *said)
    lately = api.kernel.clock() - timedelta(hours=1)
    path.write_text(path.read_text().replace("2026-01-30T09:00", f"{lately:%Y-%m-%dT%H:%M}"))
    for event in ("SessionStart", "Stop"):
        await hook(api, event, source="startup", transcript_path=str(path))
    before = await contents(api)
    assert (await preview(api, SESSION))["messages"] == 2
    done = await take_back(api, SESSION)
    await hook(api, "Stop", transcript_path=str(path))
    assert await contents(api) == []
    assert (await ask(api, SESSION)).status_code == 404
    assert (await undo(api, done["id"])).json()["running"] is False
    assert await contents(api) == before != []
    assert (await preview(api, SESSION))["messages"] == 2
    done = await take_back(api, SESSION)
    path.unlink()
    assert (await undo(api, done["id"])).json()["running"] is False
    assert await contents(api) == before
    assert (await preview(api, SESSION))["messages"] == 0


async def test_what_a_session_says_after_it_was_taken_back_is_captured(
    api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    path = transcript(tmp_path, "s1", "We decided to use Postgres for the billing service.")
    for event in ("SessionStart", "Stop"):
        await hook(api, event, source="startup", transcript_path=str(path))
    done = await take_back(api, SESSION)
    later = {
        "type": "user",
        "uuid": "later",
        "sessionId": "s1",
        "timestamp": (api.kernel.clock() + timedelta(seconds=1)).isoformat(),
        "message": {"role": "user", "content": "From now on always run the linter first."},
    }
    with path.open("a") as stream:
        stream.write(json.dumps(later) + "\n")
    await hook(api, "Stop", transcript_path=str(path))
    (captured,) = await contents(api)
    assert "linter" in captured
    assert (await undo(api, done["id"])).status_code == 200
    assert len(await contents(api)) == 2
    await hook(api, "Stop", transcript_path=str(path))
    assert len(await contents(api)) == 2


async def test_a_changed_file_is_not_read_until_taking_it_back_is_undone(api: Api) -> None:
    first, second, third = (f"The port of service {name} is 48{name}." for name in (10, 11, 12))
    file = api.kernel.running.paths.memory / "ports.md"
    files = api.kernel.get(MemoryFiles)
    write(file, f"- {first}\n")
    await files.read()
    done = await take_back(api, {"kind": "file", "id": str(file)})
    write(file, f"- {first}\n- {second}\n")
    assert (await files.read()).added == 0
    assert await contents(api) == []
    await undo(api, done["id"])
    assert await contents(api) == [first]
    write(file, f"- {first}\n- {second}\n- {third}\n")
    await files.read()
    assert await contents(api) == [first, second, third]
