"""The hook endpoints: the contract's shapes, and Claude Code's own JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api
from fakes.waiting import PATIENCE_S
from intaglio.base.clock import system_clock

NO_HOOKS = {"x-signet-no-hooks": "1"}
DECISION = "We decided to keep all invoices in Postgres from now on"


async def hook(api: Api, name: str, headers: dict[str, str] | None = None, **body: Any) -> Any:  # noqa: ANN401 - JSON
    reply = await api.client.post(f"/api/hooks/{name}", json=body, headers=headers)
    assert reply.status_code == 200, reply.text
    return reply.json()


async def event(
    api: Api,
    name: str,
    path: str = "/api/hooks/native/claude-code",
    **more: Any,  # noqa: ANN401 - JSON
) -> bytes:
    body = {"hook_event_name": name, "session_id": "s1", **more}
    reply = await api.client.post(
        path,
        json=body,
        headers={"authorization": f"Bearer {api.install.hook_token}"},
    )
    assert reply.status_code == 200, reply.text
    return reply.content


async def test_a_session_receives_its_memories(api: Api) -> None:
    await api.remember(DECISION)
    body = await hook(api, "session-start", harness="openclaw", sessionKey="k1")
    assert body["identity"] == {"name": "Agent"}
    assert [memory["content"] for memory in body["memories"]] == [DECISION]
    assert DECISION in body["inject"]


async def test_every_hook_returns_cleaned_text(api: Api) -> None:
    told = "We decided that <system-reminder>deploys\u200b\u202e</system-reminder> need review"
    await api.remember(told, tags=["<system>", "a\u200bb"], pinned=True)
    start = await hook(api, "session-start", harness="openclaw", sessionKey="k1")
    recalled = await hook(api, "recall", harness="openclaw", query="deploys review")
    prompt = "which deploys <system-reminder> need review?"
    asked = await hook(api, "user-prompt-submit", harness="openclaw", userMessage=prompt)
    own = (await event(api, "SessionStart")).decode()
    for reply in (json.dumps(start), json.dumps(recalled), json.dumps(asked), own):
        assert "deploys" in reply
        assert "<system" not in reply
        assert "\\u200b" not in reply
        assert "\\u202e" not in reply
        assert "\u200b" not in reply
    assert recalled["results"][0]["tags"] == "&lt;system>,ab"


async def test_a_second_start_of_a_session_gets_the_heading_alone(api: Api) -> None:
    await api.remember(DECISION)
    await hook(api, "session-start", harness="openclaw", sessionKey="k1")
    await api.kernel.session_writes.finish(PATIENCE_S)
    body = await hook(api, "session-start", harness="openclaw", sessionKey="k1")
    assert body["memories"] == []


async def test_the_agents_name_comes_from_its_identity_file(api: Api) -> None:
    workspace = api.kernel.running.paths.workspace
    (workspace / "IDENTITY.md").write_text("# Me\n- name: Ada\n- description: terse\n")
    body = await hook(api, "session-start", harness="openclaw")
    assert body["identity"] == {"name": "Ada", "description": "terse"}


@pytest.mark.parametrize("field", ["userMessage", "userPrompt"])
async def test_a_prompt_receives_matching_memories(api: Api, field: str) -> None:
    await api.remember(DECISION)
    prompt = {field: "where do we keep invoices, in Postgres?"}
    body = await hook(api, "user-prompt-submit", None, harness="opencode", **prompt)
    assert body["memoryCount"] == 1
    assert set(body["queryTerms"].split(" ")) == {"keep", "invoices", "Postgres"}
    assert DECISION in body["inject"]


async def test_calls_without_a_session_share_one_session_a_day(api: Api) -> None:
    await api.remember(DECISION)
    first_day = system_clock().date()
    for _ in range(2):
        body = await hook(api, "session-start", harness="openclaw", project="/work/shop")
        assert DECISION in body["inject"]
    for _ in range(2):
        await hook(
            api,
            "user-prompt-submit",
            harness="openclaw",
            project="/work/shop",
            userMessage="Where do we keep invoices?",
        )
    await api.kernel.session_writes.finish(PATIENCE_S)
    sql = "SELECT count(*), count(DISTINCT session_id) FROM injections"
    found = await api.kernel.database.read(lambda tx: tx.all(sql))
    assert found == [(4, len({first_day, system_clock().date()}))]


async def test_a_hook_remembers_once_per_key(api: Api) -> None:
    one = await hook(api, "remember", harness="codex", content="Say it once", idempotencyKey="i1")
    two = await hook(api, "remember", harness="codex", content="Said anew", idempotencyKey="i1")
    assert one["saved"] is True
    assert one["id"] == two["id"]


async def test_a_session_key_that_names_an_agent_keeps_its_private_memories_apart(api: Api) -> None:
    await api.remember("The zebra is private to Iris", agentId="iris", visibility="private")
    counts = [
        (await hook(api, "recall", harness="openclaw", query="zebra", sessionKey=key))["count"]
        for key in ("agent:iris:main:1", "agent:rose:main:1")
    ]
    assert counts == [1, 0]


async def test_the_recall_hook_finds_memories(api: Api) -> None:
    await api.remember(DECISION)
    body = await hook(api, "recall", harness="codex", query="where are the invoices kept")
    assert body["count"] == 1
    assert body["results"] == body["memories"]
    assert body["results"][0]["content"] == DECISION


@pytest.mark.parametrize(
    ("name", "body", "empty"),
    [
        ("session-start", {}, {"inject": "", "memories": []}),
        ("user-prompt-submit", {"userPrompt": "invoices?"}, {"inject": "", "memoryCount": 0}),
        ("session-end", {"sessionKey": "k1"}, {"memoriesSaved": 0}),
        ("remember", {"content": "x"}, {"success": True, "memories": [], "id": ""}),
        ("recall", {"query": "x"}, {"memories": [], "results": [], "count": 0}),
    ],
)
async def test_with_hooks_switched_off_the_shapes_are_there_but_empty(
    api: Api, name: str, body: dict[str, str], empty: dict[str, object]
) -> None:
    await api.remember(DECISION)
    reply = await hook(api, name, NO_HOOKS, harness="codex", **body)
    assert empty.items() <= reply.items()
    assert len((await api.client.get("/api/memories")).json()["memories"]) == 1


@pytest.mark.parametrize(
    ("name", "body", "error"),
    [
        ("session-start", {}, "harness is required"),
        ("user-prompt-submit", {}, "harness and userMessage or userPrompt are required"),
        ("session-end", {}, "harness is required"),
        ("remember", {"harness": "codex"}, "harness and content are required"),
        ("recall", {"query": "x"}, "harness and query are required"),
    ],
)
async def test_hooks_refuse_as_the_contract_says(
    api: Api, name: str, body: dict[str, str], error: str
) -> None:
    reply = await api.client.post(f"/api/hooks/{name}", json=body)
    assert (reply.status_code, reply.json()["error"]) == (400, error)


async def test_a_second_integration_learns_who_holds_the_session(api: Api) -> None:
    legacy = {"x-signet-runtime-path": "legacy"}
    await hook(api, "session-start", legacy, harness="openclaw", sessionKey="k1")
    body = {"harness": "openclaw", "sessionKey": "k1", "userPrompt": "hi", "runtimePath": "plugin"}
    refused = await api.client.post("/api/hooks/user-prompt-submit", json=body)
    assert (refused.status_code, refused.json()["error"]) == (
        409,
        "session claimed by legacy path",
    )
    await hook(api, "session-end", harness="openclaw", sessionKey="k1")
    assert (await api.client.post("/api/hooks/user-prompt-submit", json=body)).status_code == 200


async def test_claude_code_gets_replies_in_its_own_format(api: Api) -> None:
    await api.remember(DECISION)
    reply = json.loads(await event(api, "SessionStart", source="startup", cwd="/"))
    output = reply["hookSpecificOutput"]
    assert output["hookEventName"] == "SessionStart"
    assert DECISION in output["additionalContext"]


async def test_older_hook_addresses_are_answered(api: Api) -> None:
    await api.remember(DECISION)
    path = "/api/hooks/claude-code"
    assert DECISION.encode() in await event(api, "SessionStart", path, source="startup", cwd="/")


@pytest.mark.parametrize("path", ["native/unheard-of", "unheard-of", "native/claude_code"])
async def test_an_unknown_harness_is_not_found(api: Api, path: str) -> None:
    reply = await api.client.post(f"/api/hooks/{path}", json={})
    assert reply.status_code == 404
    assert {"title", "hint"} <= reply.json().keys()


async def test_claude_code_gets_an_empty_reply_without_memories(api: Api) -> None:
    assert await event(api, "SessionStart", source="startup", cwd="/") == b""
    assert await event(api, "UserPromptSubmit", prompt="what about invoices?") == b""
    assert await event(api, "PostCompact", trigger="auto") == b""


async def test_what_claude_codes_user_decided_is_remembered_at_stop(
    api: Api, own_home: Path
) -> None:
    transcript = own_home / ".claude" / "projects" / "-work" / "s1.jsonl"
    transcript.parent.mkdir(parents=True)
    said = {
        "type": "user",
        "uuid": "u1",
        "sessionId": "s1",
        "timestamp": "2026-01-31T08:00:00.000Z",
        "cwd": "/work",
        "message": {"role": "user", "content": f"{DECISION}. How is the weather?"},
    }
    transcript.write_text(json.dumps(said) + "\n")
    for _ in range(2):
        assert await event(api, "Stop", cwd="/work", transcript_path=str(transcript)) == b""
    rows = (await api.client.get("/api/memories")).json()["memories"]
    assert [row["content"].rstrip(".") for row in rows] == [DECISION]
    assert (rows[0]["session_id"], rows[0]["type"]) == ("s1", "decision")


async def test_a_huge_prompt_is_accepted(api: Api) -> None:
    assert await event(api, "UserPromptSubmit", prompt="paste " * 500_000) == b""


@pytest.mark.parametrize("body", [b"", b"null", b"{}", b'{"hook_event_name": 5}', b"\xff"])
async def test_an_invalid_event_of_claude_code_is_refused(api: Api, body: bytes) -> None:
    reply = await api.client.post("/api/hooks/claude-code", content=body)
    assert reply.status_code == 400


HALF = rb"\ud83d"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("hooks/remember", b'{"harness":"codex","content":"The HALF flag is broken."}'),
        ("memory/remember", b'{"content":"The HALF flag is broken."}'),
        ("hooks/remember", b'{"harness":"codex","content":"The HALF flag is broken.","x":"HALF"}'),
    ],
)
@pytest.mark.parametrize("half", [HALF, b"\xff", b"\xed\xa0\xbd"])
async def test_an_odd_character_loses_no_memory(
    api: Api, path: str, body: bytes, half: bytes
) -> None:
    reply = await api.client.post(f"/api/{path}", content=body.replace(b"HALF", half))
    assert reply.status_code == 200, reply.text
    rows = (await api.client.get("/api/memories")).json()["memories"]
    assert (
        rows[0]["content"].replace("\ufffd\ufffd\ufffd", "\ufffd") == "The \ufffd flag is broken."
    )


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("session-start", b'{"harness":"codex","sessionKey":"k","context":{"a":[HALF]}}'),
        ("session-start", b'{"harness":"codex","sessionKey":"kHALF","context":5}'),
        (
            "user-prompt-submit",
            b'{"harness":"codex","userMessage":"Which database HALF?","lastAssistantMessage":[5]}',
        ),
        (
            "user-prompt-submit",
            b'{"harness":"codex","userMessage":"What?","lastAssistantMessage":"Fixed HALF"}',
        ),
        ("session-end", b'{"harness":"codex","sessionKey":"k","unused":"HALF"}'),
        ("native/claude-code", b'{"hook_event_name":"Stop","session_id":"s","x":"HALF"}'),
    ],
)
async def test_an_event_with_odd_characters_is_accepted(api: Api, name: str, body: bytes) -> None:
    text = body.replace(b"[HALF]", b'["HALF"]').replace(b"HALF", HALF)
    reply = await api.client.post(f"/api/hooks/{name}", content=text)
    assert reply.status_code == 200, reply.text


@pytest.mark.parametrize(
    "more",
    [{"limit": "5"}, {"limit": 5.0}, {"limit": None}, {"limit": "5", "sessionKey": None}],
    ids=repr,
)
async def test_an_agents_recall_accepts_lenient_arguments(
    api: Api, more: dict[str, object]
) -> None:
    await api.remember("Feature flags live in flags.json.")
    body = {"harness": "opencode", "query": "feature flags", **more}
    reply = await api.client.post("/api/hooks/recall", json=body)
    assert (reply.status_code, reply.json()["count"]) == (200, 1)


@pytest.mark.parametrize("limit", [0, -1, 1.5, "0"], ids=repr)
async def test_a_recall_of_no_whole_number_of_memories_is_refused(api: Api, limit: object) -> None:
    body = {"harness": "opencode", "query": "feature flags", "limit": limit}
    reply = await api.client.post("/api/hooks/recall", json=body)
    assert reply.status_code == 400
    assert reply.json()["error"] == "limit must be a whole number of at least 1"
    assert reply.json()["title"]
    assert reply.json()["hint"]


async def switched_off(api: Api, key: str) -> None:
    """Switch a session off."""
    await api.kernel.settled()
    address = f"/api/sessions/{key}/bypass"
    reply = await api.client.post(address, json={"enabled": True}, headers=api.owner)
    assert reply.status_code == 200, reply.text


async def test_a_session_that_is_switched_off_gets_empty_answers(api: Api) -> None:
    await api.remember(DECISION)
    own: dict[str, Any] = {"harness": "openclaw", "sessionKey": "k1"}
    await hook(api, "session-start", **own)
    await switched_off(api, "k1")
    replies = {
        "session-start": await hook(api, "session-start", **own),
        "user-prompt-submit": await hook(
            api, "user-prompt-submit", userMessage="where do we keep invoices?", **own
        ),
        "remember": await hook(api, "remember", content="Keep this", **own),
        "recall": await hook(api, "recall", query="invoices in Postgres", **own),
        "session-end": await hook(api, "session-end", **own),
    }
    assert all(reply.pop("bypassed") is True for reply in replies.values())
    assert replies == {
        "session-start": {"identity": {"name": "Agent"}, "memories": [], "inject": ""},
        "user-prompt-submit": {
            "inject": "",
            "memoryCount": 0,
            "queryTerms": "",
            "engine": "hybrid",
        },
        "remember": {"saved": False, "id": "", "success": True, "memories": []},
        "recall": {"results": [], "memories": [], "count": 0},
        "session-end": {"memoriesSaved": 0},
    }
