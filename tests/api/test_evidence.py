"""What the user said that a memory is based on, over HTTP."""

from datetime import UTC, datetime

from fakes.api import Api
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.values import SessionRef

SAID = "We decided to use Postgres for the billing service."


async def test_the_users_sentence_its_session_and_its_place_are_listed(api: Api) -> None:
    at = datetime(2026, 1, 30, 9, tzinfo=UTC)
    line = TranscriptMessage("m1", "user", f"Hello. {SAID}", at)
    await api.kernel.get(SessionEnds).turn_end(
        SessionRef(harness="claude-code", id="s1"), TranscriptReading((line,), "1")
    )
    [memory] = (await api.client.get("/api/memories")).json()["memories"]
    [session] = (await api.client.get("/api/sessions")).json()["sessions"]
    reply = await api.client.get(f"/api/memories/{memory['id']}/evidence")
    [item] = reply.json()["items"]
    assert line.text[item.pop("start") : item.pop("end")] in {SAID, SAID.removesuffix(".")}
    assert item == {
        "sentence": SAID,
        "by": "user",
        "harness": "claude-code",
        "session_id": "s1",
        "session": session["id"],
        "message_id": "m1",
        "said_at": "2026-01-30T09:00:00.000Z",
    }


async def test_a_memory_without_a_session_has_no_evidence(api: Api) -> None:
    memory = await api.remember("Slate splits")
    reply = await api.client.get(f"/api/memories/{memory}/evidence")
    assert reply.json() == {"items": []}


async def test_an_unreadable_memory_is_not_found(api: Api) -> None:
    private = {"agentId": "b", "visibility": "private"}
    memory = await api.remember("Slate splits", **private)
    path = f"/api/memories/{memory}/evidence"
    assert (await api.client.get(path)).status_code == 404
    assert (await api.client.get(path, params={"agentId": "b"})).status_code == 200
    assert (await api.client.get("/api/memories/unknown/evidence")).status_code == 404
