"""What was said in sessions, over HTTP: around recalled memories, and on a session's page."""

from typing import Any

import pytest

from fakes.api import Api
from fakes.captured import add_captured
from fakes.transcripts import spoken
from intaglio.transcripts.preparation import MAX_MESSAGE_CHARS
from intaglio.transcripts.recorder import TranscriptRecorder
from intaglio.transcripts.values import SessionOwner

RULE = "Always use granite for the harbour."


async def fill(api: Api, project: str | None = "/a", agent_id: str = "default") -> None:
    """Store a memory of a project, and the session of ``project`` that it comes from."""
    owner = SessionOwner("claude-code", "s1", agent_id)
    said = (
        spoken("m9", "Which stone, for the harbour?", role="agent", project=project),
        spoken("m0", RULE, project=project),
        spoken("m8", "Noted. " + "More. " * 2_000, role="agent", project=project),
    )
    await api.kernel.get(TranscriptRecorder).record(owner, said)
    await api.kernel.database.write(lambda tx: add_captured(tx, [RULE], "/a"))


async def recalled(api: Api, **more: object) -> dict[str, Any]:
    body = {"query": "granite harbour", **more}
    reply = await api.client.post("/api/memory/recall", json=body)
    assert reply.status_code == 200, reply.text
    [result] = reply.json()["results"]
    found: dict[str, Any] = result
    return found


async def test_a_result_has_what_was_said_around_it_if_asked(api: Api) -> None:
    await fill(api)
    assert "transcript" not in await recalled(api, project="/a")
    transcript = (await recalled(api, project="/a", expand=True))["transcript"]
    assert (transcript["harness"], transcript["session_id"]) == ("claude-code", "s1")
    assert [(each["role"], each["text"], each["is_source"]) for each in transcript["messages"]] == [
        ("agent", "Which stone, for the harbour?", False),
        ("user", RULE, True),
    ]


@pytest.mark.parametrize("project", ["/b", None])
async def test_what_was_said_in_another_project_is_not_shown(api: Api, project: str | None) -> None:
    await fill(api, project)
    assert "transcript" not in await recalled(api, project="/a", expand=True)


async def test_another_agents_session_is_not_shown(api: Api) -> None:
    await fill(api, agent_id="ann")
    assert "transcript" not in await recalled(api, project="/a", expand=True)
    assert "transcript" in await recalled(api, project="/a", expand=True, agentId="ann")


async def test_a_sessions_page_says_how_much_is_stored(api: Api) -> None:
    body = {"hook_event_name": "SessionStart", "session_id": "s1", "cwd": "/a", "source": "startup"}
    await api.client.post("/api/hooks/native/claude-code", json=body)
    await fill(api)
    session = (await api.client.get("/api/sessions/1")).json()
    characters = len(RULE) + len("Which stone, for the harbour?") + MAX_MESSAGE_CHARS
    assert session["stored"] == {"messages": 3, "characters": characters}
    preview = await api.client.post("/api/sessions/1/forget", json={}, headers=api.owner)
    assert preview.json()["messages"] == 3
    execute = {"mode": "execute", "confirmToken": preview.json()["confirmToken"]}
    done = await api.client.post("/api/sessions/1/forget", json=execute, headers=api.owner)
    assert done.status_code == 200
    session = (await api.client.get("/api/sessions/1")).json()
    assert session["stored"] == {"messages": 0, "characters": 0}
