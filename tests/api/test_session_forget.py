"""Forgetting a session over HTTP: the preview, its token, and who may do it."""

import pytest

from fakes.api import Api
from intaglio.sessions import rows
from intaglio.sessions.values import SessionRef

PATH = "/api/sessions/1/forget"
AT = "2026-01-30T08:00:00.000Z"


async def begin(api: Api) -> None:
    """Record a session with the key s1."""
    ref = SessionRef(harness="claude-code", id="s1")
    await api.kernel.database.write(lambda tx: rows.touch(tx, ref, None, AT))


async def test_a_session_is_previewed_forgotten_and_restored(api: Api) -> None:
    await begin(api)
    kept = await api.remember("The port is 4850.", sessionId="s1")
    pinned = await api.remember("Never push on Fridays.", sessionId="s1", pinned=True)
    preview = await api.client.post(PATH, json={"mode": "preview"}, headers=api.owner)
    assert preview.status_code == 200, preview.text
    body = preview.json()
    assert (body["count"], body["suggestions"]) == (2, 0)
    assert {one["id"]: one["pinned"] for one in body["memories"]} == {kept: False, pinned: True}
    execute = {"mode": "execute", "confirmToken": body["confirmToken"]}
    done = await api.client.post(PATH, json=execute, headers=api.owner)
    assert done.json() == {
        "forgotten": [kept],
        "kept": [{"id": pinned, "reason": "It is pinned"}],
        "dropped": [],
    }
    back = {"ids": done.json()["forgotten"], "reason": "undo"}
    assert (await api.client.post("/api/memory/recover", json=back)).json()["recovered"] == 1


async def test_without_a_valid_token_nothing_is_forgotten(api: Api) -> None:
    await begin(api)
    kept = await api.remember("The port is 4850.", sessionId="s1")
    for token in ("", "0" * 32):
        refused = await api.client.post(
            PATH, json={"mode": "execute", "confirmToken": token}, headers=api.owner
        )
        assert refused.status_code == 409
        assert refused.json()["hint"]
    assert (await api.client.get(f"/api/memory/{kept}")).status_code == 200


@pytest.mark.parametrize("name", ["2", "s1", "1.5", "01", "9" * 30])
async def test_an_unknown_session_is_not_found(api: Api, name: str) -> None:
    await begin(api)
    path = f"/api/sessions/{name}/forget"
    reply = await api.client.post(path, json={}, headers=api.owner)
    assert (reply.status_code, bool(reply.json()["hint"])) == (404, True)


async def test_another_agents_session_is_not_found(api: Api) -> None:
    await begin(api)
    reply = await api.client.post(PATH, json={"agentId": "beta"}, headers=api.owner)
    assert reply.status_code == 404


async def test_only_the_user_forgets_a_session(api: Api) -> None:
    await begin(api)
    assert (await api.client.post(PATH, json={})).status_code == 401
    page = await api.signed_in()
    assert (await api.client.post(PATH, json={}, headers=page)).status_code == 200
    agent = {**api.owner, "x-signet-actor-type": "agent"}
    preview = await api.client.post(PATH, json={}, headers=agent)
    execute = {"mode": "execute", "confirmToken": preview.json()["confirmToken"]}
    assert (await api.client.post(PATH, json=execute, headers=agent)).status_code == 403
