"""What each session was told, asked and led to, and what the next one would be told."""

import json
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api
from fakes.inbox import claim, suggest
from intaglio.base.clock import iso
from intaglio.harness import asked_prompts
from intaglio.inbox import operations as inbox
from intaglio.sessions import rows
from intaglio.sessions.overview import rows as overview_rows
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import WriteTx

HOOK = "/api/hooks/native/claude-code"
PROJECT = "/work/lantern"
TOKEN = "ghp_" + "Zq8Lw3Xc7Vb2Nm5Kj9Hg4Fd6Sa1Po0IuYtRe"


async def hook(api: Api, event: str, session: str = "s1", **more: object) -> str:
    """Report an event and return the text for the model."""
    body = {"hook_event_name": event, "session_id": session, "cwd": PROJECT, **more}
    reply = await api.client.post(HOOK, json=body)
    assert reply.status_code == 200, reply.text
    await api.kernel.settled()
    if not reply.content:
        return ""
    return str(reply.json()["hookSpecificOutput"]["additionalContext"])


async def listed(api: Api, **params: str | int) -> list[dict[str, Any]]:
    """Return the listed sessions."""
    reply = await api.client.get("/api/sessions", params=params)
    assert reply.status_code == 200, reply.text
    found: list[dict[str, Any]] = reply.json()["sessions"]
    return found


async def shown(api: Api, number: str) -> dict[str, Any]:
    """Return a session in full."""
    reply = await api.client.get(f"/api/sessions/{number}")
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def previewed(api: Api, **body: object) -> dict[str, Any]:
    """Return what the next session would be told."""
    reply = await api.client.post("/api/sessions/preview", json={"project": PROJECT, **body})
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def test_a_session_is_listed_with_its_counts(api: Api) -> None:
    await api.remember("Lantern uses SQLite.", project=PROJECT, type="decision")
    await hook(api, "SessionStart", source="startup")
    await hook(api, "UserPromptSubmit", prompt="which database does lantern use, sqlite?")
    [session] = await listed(api)
    counts = {name: session[name] for name in ("told", "asked", "captured", "suggested")}
    assert counts == {"told": 1, "asked": 1, "captured": 0, "suggested": 0}
    assert (session["key"], session["harness"], session["project"]) == (
        "s1",
        "claude-code",
        PROJECT,
    )


async def test_the_contracts_fields_are_there(api: Api) -> None:
    start = {"harness": "codex", "sessionKey": "k", "runtimePath": "plugin"}
    await api.client.post("/api/hooks/session-start", json=start)
    await api.kernel.settled()
    reply = (await api.client.get("/api/sessions")).json()
    assert reply["count"] == 1
    [session] = reply["sessions"]
    assert (session["key"], session["runtimePath"], session["bypassed"]) == ("k", "plugin", False)
    assert session["claimedAt"]


async def test_sessions_of_two_harnesses_with_the_same_key_have_ids_of_their_own(api: Api) -> None:
    await hook(api, "SessionStart", source="startup")
    await api.client.post("/api/hooks/session-start", json={"harness": "codex", "sessionKey": "s1"})
    await api.kernel.settled()
    sessions = await listed(api)
    assert len({session["id"] for session in sessions}) == 2
    assert {session["key"] for session in sessions} == {"s1"}


async def test_pages_list_each_session_once(api: Api) -> None:
    for number in range(5):
        await hook(api, "SessionStart", f"s{number}", source="startup")
    found: list[str] = []
    cursor = ""
    for _ in range(5):
        params = {"limit": "2", **({"cursor": cursor} if cursor else {})}
        page = (await api.client.get("/api/sessions", params=params)).json()
        found += [session["key"] for session in page["sessions"]]
        cursor = page["cursor"]
        if cursor is None:
            break
    assert found == ["s4", "s3", "s2", "s1", "s0"]


async def test_sessions_are_filtered_by_project_harness_time_and_memory(api: Api) -> None:
    memory = await api.remember("Lantern uses SQLite.", project=PROJECT, type="decision")
    await hook(api, "SessionStart", "told", source="startup")
    await hook(api, "SessionStart", "elsewhere", source="startup", cwd="/work/other")
    for params, keys in (
        ({"project": PROJECT}, ["told"]),
        ({"project": "lantern"}, ["told"]),
        ({"memory": memory}, ["told"]),
        ({"harness": "codex"}, []),
        ({"harness": "claude-code"}, ["elsewhere", "told"]),
        ({"globalOnly": "true"}, []),
        ({"until": "2001-01-01"}, []),
        ({"since": "2001-01-01"}, ["elsewhere", "told"]),
    ):
        assert [session["key"] for session in await listed(api, **params)] == keys


@pytest.mark.parametrize(
    "params",
    [{"cursor": "x"}, {"since": "soon"}, {"limit": 0}, {"limit": "many"}, {"project": "\x00"}],
)
async def test_bad_parameters_are_refused_with_a_hint(
    api: Api, params: dict[str, str | int]
) -> None:
    reply = await api.client.get("/api/sessions", params=params)
    assert reply.status_code == 400
    assert reply.json()["hint"]


@pytest.mark.parametrize("number", ["99", "x", "0", "01", "-1", "9" * 19])
async def test_an_unknown_session_is_not_found(api: Api, number: str) -> None:
    assert (await api.client.get(f"/api/sessions/{number}")).status_code == 404


async def test_injected_texts_are_listed_exactly(api: Api) -> None:
    memory = await api.remember("Lantern uses SQLite.", project=PROJECT, type="decision")
    text = await hook(api, "SessionStart", source="startup")
    [session] = await listed(api)
    found = await shown(api, session["id"])
    [call] = found["injections"]
    assert (call["text"], call["textState"], call["event"]) == (text, "kept", "session_start")
    [line] = call["lines"]
    told = found["memories"][memory]
    assert (line["memoryId"], line["shown"]) == (memory, True)
    assert (told["content"], told["state"]) == ("Lantern uses SQLite.", "live")
    assert line["reason"]


async def test_an_erased_memory_takes_its_words_out_of_what_was_told(api: Api) -> None:
    memory = await api.remember("Lantern uses SQLite.", project=PROJECT, type="decision")
    await hook(api, "SessionStart", source="startup")
    [session] = await listed(api)
    await api.client.delete(f"/api/memory/{memory}", params={"reason": "no", "force": "true"})
    reply = await api.client.get(f"/api/sessions/{session['id']}")
    assert "SQLite" not in reply.text
    [call] = reply.json()["injections"]
    told = reply.json()["memories"][memory]
    assert (call["textState"], told["state"]) == ("erased", "erased")


async def test_a_session_that_never_ended_is_open_for_an_hour(api: Api) -> None:
    killed = SessionRef(harness="claude-code", id="killed")
    at = iso(datetime.now(UTC) - timedelta(minutes=61))
    await api.kernel.database.write(lambda tx: rows.touch(tx, killed, None, at))
    await hook(api, "SessionStart", "running", source="startup")
    found = {each["key"]: (each["open"], each["end"]) for each in await listed(api)}
    assert found == {"running": (True, None), "killed": (False, None)}


async def test_another_agents_session_is_not_shown_to_an_agent(api: Api) -> None:
    await hook(api, "SessionStart", "agent:writer:1", source="startup")
    assert await listed(api) == []
    [session] = await listed(api, agentId="writer")
    assert (await api.client.get(f"/api/sessions/{session['id']}")).status_code == 404
    user = await api.client.get("/api/sessions", headers=await api.signed_in())
    assert user.json()["count"] == 1


@pytest.mark.parametrize(
    ("named", "status"),
    [
        ({}, 200),
        ({"x-intaglio-agent-id": "writer"}, 200),
        ({"x-intaglio-agent-id": "reader"}, 404),
        ({"x-intaglio-actor-type": "agent"}, 404),
        ({"x-intaglio-actor-type": "harness"}, 404),
    ],
)
async def test_the_owners_token_reads_all_sessions_unless_it_speaks_for_an_agent(
    api: Api, named: dict[str, str], status: int
) -> None:
    await hook(api, "SessionStart", "agent:writer:1", source="startup")
    [session] = await listed(api, agentId="writer")
    headers = {**api.owner, **named}
    reply = await api.client.get("/api/sessions", headers=headers)
    assert reply.json()["count"] == (status == 200)
    reply = await api.client.get(f"/api/sessions/{session['id']}", headers=headers)
    assert reply.status_code == status


async def test_the_hook_token_reads_no_session(api: Api) -> None:
    await hook(api, "SessionStart", "agent:writer:1", source="startup")
    headers = {"authorization": f"Bearer {api.install.hook_token}"}
    for path in ("/api/sessions", "/api/sessions/1"):
        assert (await api.client.get(path, headers=headers)).status_code == 403


async def test_a_recall_by_the_agents_tools_is_on_record(api: Api) -> None:
    memory = await api.remember("Lantern uses SQLite.", project=PROJECT)
    await hook(api, "SessionStart", source="resume")
    question = {"harness": "claude-code", "sessionKey": "s1", "query": "sqlite"}
    await api.client.post("/api/hooks/recall", json=question)
    await api.kernel.settled()
    [session] = await listed(api)
    call = (await shown(api, session["id"]))["injections"][-1]
    assert (call["event"], call["words"]) == ("recall", ["sqlite"])
    [line] = call["lines"]
    assert (line["memoryId"], line["reason"][:28]) == (memory, "covers 100% of the question:")


async def test_why_a_memory_matches_is_said_in_the_words_of_the_prompt(api: Api) -> None:
    await api.remember("The staging databases run on port 4850.", project=PROJECT)
    await hook(api, "UserPromptSubmit", prompt="how do I reach the staging databases?")
    [session] = await listed(api)
    [line] = (await shown(api, session["id"]))["injections"][0]["lines"]
    assert "of the prompt: staging, databases" in line["reason"]


async def test_a_memory_that_was_told_says_when_it_was_changed(api: Api) -> None:
    memory = await api.remember("critical: Lantern uses SQLite.", project=PROJECT)
    await hook(api, "SessionStart", source="startup")
    [session] = await listed(api)
    assert (await shown(api, session["id"]))["memories"][memory]["changed"] is None
    change = {"content": "Lantern uses DuckDB.", "reason": "we moved"}
    await api.client.patch(f"/api/memory/{memory}", json=change)
    found = await shown(api, session["id"])
    assert found["memories"][memory]["changed"] > found["injections"][0]["at"]


async def test_a_recall_neither_moves_nor_reopens_a_session_nor_begins_one(api: Api) -> None:
    await hook(api, "SessionStart", source="startup")
    await hook(api, "SessionEnd", reason="exit")
    [before] = await listed(api)
    for key in ("s1", "unknown"):
        question = {"harness": "claude-code", "sessionKey": key, "query": "x", "project": "/other"}
        await api.client.post("/api/hooks/recall", json=question)
    await api.kernel.settled()
    assert await listed(api) == [before]


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("recall", {"query": "x"}),
        ("user-prompt-submit", {"userMessage": "x"}),
        ("session-start", {}),
    ],
)
async def test_no_other_agent_takes_a_session_over(
    api: Api, name: str, more: dict[str, str]
) -> None:
    await api.remember("critical: Only Ann knows.", project=PROJECT, visibility="private")
    assert "Only Ann knows" in await hook(api, "SessionStart", source="startup")
    [before] = await listed(api)
    body = {"harness": "claude-code", "sessionKey": "s1", "agentId": "beta", **more}
    assert (await api.client.post(f"/api/hooks/{name}", json=body)).status_code == 200
    await api.kernel.settled()
    path = f"/api/sessions/{before['id']}"
    assert (await api.client.get(path, params={"agentId": "beta"})).status_code == 404
    assert len((await shown(api, before["id"]))["injections"]) == 1


async def test_memories_saved_by_tools_are_listed(api: Api) -> None:
    await hook(api, "SessionStart", source="startup")
    note = {"harness": "claude-code", "sessionKey": "s1", "content": "Lantern uses SQLite."}
    await api.client.post("/api/hooks/remember", json=note)
    [session] = await listed(api)
    [saved] = (await shown(api, session["id"]))["saved"]
    assert (saved["content"], saved["state"], session["captured"]) == (
        "Lantern uses SQLite.",
        "live",
        1,
    )


async def test_an_agents_own_decisions_are_marked(api: Api) -> None:
    await hook(api, "SessionStart", source="startup")
    await api.remember("Saved by a hook.", sessionId="s1")
    await api.remember("Saved by the agent.", sessionId="s1", sourceType="agent")
    context = api.kernel.change_context

    def work(tx: WriteTx) -> str:
        inbox.suggest(tx, claim("Claimed elsewhere.", session="s2"), context)
        inbox.suggest(tx, claim("Open."), context)
        return suggest(tx, context, claim("Kept."))

    kept = await api.kernel.database.write(work)
    [session] = await listed(api)
    assert (session["captured"], session["suggested"]) == (2, 2)
    await api.client.post(f"/api/inbox/{kept}", json={"action": "keep"}, headers=api.owner)
    found = await shown(api, session["id"])
    assert (found["captured"], found["suggested"]) == (3, 1)
    assert [(each["content"], each["byAgent"]) for each in found["saved"]] == [
        ("Saved by a hook.", False),
        ("Saved by the agent.", True),
    ]
    claims = [(each["content"], each["result"], each["memoryState"]) for each in found["claims"]]
    assert claims == [("Open.", "suggested", None), ("Kept.", "suggestion_kept", "live")]
    assert found["moreClaims"] is False


def transcript(home: Path, session: str, *texts: str) -> Path:
    """Write a transcript in which the user says these, and return its path."""
    file = home / ".claude" / "projects" / "-work" / f"{session}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    records = [
        {
            "type": "user",
            "uuid": f"m{number}",
            "sessionId": session,
            "timestamp": f"2026-01-30T09:00:{number:02}.000Z",
            "message": {"role": "user", "content": text},
        }
        for number, text in enumerate(texts)
    ]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


async def test_prompts_and_statements_come_from_the_transcript(
    api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    said = "We decided to use Postgres for the billing service."
    path = transcript(tmp_path, "s1", said, f"my token is {TOKEN}")
    await hook(api, "SessionStart", source="startup", transcript_path=str(path))
    await hook(api, "Stop", transcript_path=str(path))
    [session] = await listed(api)
    found = await shown(api, session["id"])
    assert found["transcript"] == "read"
    first, second = (prompt["text"] for prompt in found["prompts"])
    assert first == said
    assert TOKEN not in second
    [statement] = found["statements"]
    assert (statement["sentence"], statement["result"]) == (said, "captured")
    # The hooks told of none of the two prompts: the page counts as the list does.
    assert (session["asked"], found["asked"]) == (0, 0)
    ever = (await api.client.get("/api/capture/since")).json()
    assert (ever["kept"], ever["suggested"]) == (1, 0)
    path.unlink()
    assert (await shown(api, session["id"]))["transcript"] == "missing"


@pytest.mark.parametrize("is_cut", [False, True])
async def test_a_list_that_ends_at_its_limit_says_so(
    api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_cut: bool
) -> None:
    limit = 1 if is_cut else 2
    monkeypatch.setattr(overview_rows, "MAX_CALLS", limit)
    monkeypatch.setattr(overview_rows, "MAX_SAVED", limit)
    monkeypatch.setattr(overview_rows, "MAX_CLAIMS", limit)
    monkeypatch.setattr(statements, "MAX_OF_SESSION", limit)
    monkeypatch.setattr(asked_prompts, "_MAX_PROMPTS", limit)
    monkeypatch.setenv("HOME", str(tmp_path))
    said = (
        "We decided to use Postgres for the billing service.",
        "From now on always run the linter before pushing.",
    )
    path = transcript(tmp_path, "s1", *said)
    await hook(api, "SessionStart", source="startup", transcript_path=str(path))
    await hook(api, "SessionStart", source="resume", transcript_path=str(path))
    await hook(api, "Stop", transcript_path=str(path))
    for number in range(2):
        await api.remember(f"Saved by a tool, {number}.", sessionId="s1")
        claimed = claim(f"Claimed by the agent, {number}.")
        context = api.kernel.change_context
        await api.kernel.database.write(partial(suggest, context=context, new=claimed))
    [session] = await listed(api)
    found = await shown(api, session["id"])
    lists = {
        "injections": "moreInjections",
        "prompts": "morePrompts",
        "statements": "moreStatements",
        "saved": "moreSaved",
        "claims": "moreClaims",
    }
    assert {name: len(found[name]) for name in lists} == dict.fromkeys(lists, limit)
    assert {flag: found[flag] for flag in lists.values()} == dict.fromkeys(lists.values(), is_cut)


async def test_the_preview_is_what_the_next_session_receives(api: Api) -> None:
    await api.remember("Lantern uses SQLite.", project=PROJECT, type="decision")
    await api.remember("Other uses Redis.", project="/work/other", type="decision")
    preview = await previewed(api)
    assert await listed(api) == []
    assert await hook(api, "SessionStart", source="startup") == preview["start"]["text"]
    [line] = preview["start"]["lines"]
    assert line["line"] in preview["start"]["text"].splitlines()
    assert 0 < preview["start"]["tokens"] <= preview["start"]["budget"]
    [session] = await listed(api)
    [call] = (await shown(api, session["id"]))["injections"]
    assert call["tokens"] == session["tokens"] == preview["start"]["tokens"]
    assert preview["prompt"] is None


async def test_the_preview_of_a_prompt_is_what_it_adds(api: Api) -> None:
    await api.remember("critical: Lantern uses SQLite.", project=PROJECT)
    old = {"createdAt": "2020-01-01T00:00:00Z", "importance": 0.1}
    await api.remember("The beacon driver needs firmware seven.", project=PROJECT, **old)
    prompt = "which firmware does the beacon driver need?"
    preview = await previewed(api, prompt=prompt)
    assert await hook(api, "SessionStart", source="startup") == preview["start"]["text"]
    added = await hook(api, "UserPromptSubmit", prompt=prompt)
    assert added == preview["prompt"]["text"]
    assert "firmware seven" not in preview["start"]["text"]
    assert "firmware seven" in preview["prompt"]["text"]


async def test_a_preview_is_of_the_agent_that_asks(api: Api) -> None:
    await api.remember(
        "critical: Only Ann knows.", project=PROJECT, visibility="private", agentId="ann"
    )
    asked = {"agent": "ann", "agentId": "beta"}
    assert (await previewed(api, **asked))["start"]["lines"] == []
    assert len((await previewed(api, agentId="ann"))["start"]["lines"]) == 1


@pytest.mark.parametrize("body", [{"harness": "nobody"}, {"project": 3}, {"prompt": "x" * 200_000}])
async def test_a_bad_preview_is_refused_with_a_hint(api: Api, body: dict[str, object]) -> None:
    reply = await api.client.post("/api/sessions/preview", json=body)
    assert reply.status_code == 400
    assert reply.json()["hint"]


@pytest.mark.parametrize("statement", ["0", "-1", "1", "9" * 30, "1e3", "none", "\u4e00", "1%2F2"])
async def test_no_number_of_a_considered_statement_breaks_keeping(api: Api, statement: str) -> None:
    await hook(api, "SessionStart", source="startup")
    [session] = await listed(api)
    for owner in (session["id"], "0", "unknown", "9" * 30):
        address = f"/api/sessions/{owner}/considered/{statement}/keep"
        reply = await api.client.post(address, headers=api.owner)
        assert reply.status_code == 404, reply.text
        assert reply.json()["title"]


async def test_a_session_is_switched_off_and_on_by_its_number_or_key(api: Api) -> None:
    await api.remember("Lantern uses SQLite.", project=PROJECT, type="decision")
    await hook(api, "SessionStart", source="startup")
    [session] = await listed(api)
    assert (session["bypassed"], session["bypassedBy"]) == (False, None)
    for name in (session["id"], "s1"):
        address = f"/api/sessions/{name}/bypass"
        off = await api.client.post(address, json={"enabled": True}, headers=api.owner)
        assert off.json() == {"key": "s1", "bypassed": True}
        [session] = await listed(api)
        assert (session["bypassed"], session["bypassedBy"]) == (True, "user")
        status = (await api.client.get("/api/status")).json()
        assert (status["activeSessions"], status["bypassedSessions"]) == (1, 1)
        assert await hook(api, "UserPromptSubmit", prompt="does lantern use SQLite?") == ""
        on = await api.client.post(address, json={"enabled": False}, headers=api.owner)
        assert on.json() == {"key": "s1", "bypassed": False}
    [session] = await listed(api)
    assert session["bypassed"] is False


async def test_a_program_switches_on_only_what_it_switched_off(api: Api) -> None:
    await hook(api, "SessionStart", source="startup")
    await hook(api, "UserPromptSubmit", prompt="does lantern use SQLite?")
    address = "/api/sessions/s1/bypass"
    for enabled in (True, False):
        reply = await api.client.post(address, json={"enabled": enabled})
        assert reply.status_code == 200
    await api.client.post(address, json={"enabled": True}, headers=await api.signed_in())
    assert (await api.client.post(address, json={"enabled": False})).status_code == 403
    other = {"agentId": "iris"}
    assert (
        await api.client.post(address, json={"enabled": False}, params=other)
    ).status_code == 404


async def test_a_session_that_is_not_known_is_not_switched_off(api: Api) -> None:
    for name in ("7", "nobody", "agent:iris:main"):
        reply = await api.client.post(f"/api/sessions/{name}/bypass", json={"enabled": True})
        assert reply.status_code == 404
        assert (await api.client.get(f"/api/sessions/{name}")).status_code == 404


async def test_a_session_is_shown_by_its_key_too(api: Api) -> None:
    await api.remember("Lantern uses SQLite.", project=PROJECT, type="decision")
    await hook(api, "SessionStart", source="startup")
    assert (await shown(api, "s1"))["key"] == "s1"
