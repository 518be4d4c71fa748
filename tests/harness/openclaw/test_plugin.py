"""The plugin in a host that follows OpenClaw's documentation: what it tells, adds and offers."""

import json
import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from boot.process import BIN
from fakes.connect_home import Home
from fakes.stub_daemon import StubDaemon, stub_daemon
from fakes.waiting import PATIENCE_S
from intaglio.harness.openclaw.connector import CONNECTOR, TOOLS
from intaglio.mcp.tool_list import TOOLS as OFFERED

HOST = Path(__file__).resolve().parents[2] / "fakes" / "openclaw_host.js"
CONTEXT: dict[str, Any] = {
    "agentId": "reviewer",
    "sessionKey": "agent:reviewer:main",
    "sessionId": "c8897f9d",
    "workspaceDir": "/home/u/workspace-reviewer",
    "runId": "run-1",
    "trigger": "user",
}
SESSION = "agent:reviewer:c8897f9d"
PROMPT: dict[str, Any] = {"prompt": "Which database?", "messages": []}
BUILD: list[Any] = ["before_prompt_build", PROMPT, CONTEXT]
FOUND = {"content": [{"type": "text", "text": "Postgres."}]}
REPLY: dict[str, Any] = {
    "context": "told",
    "result": {"tools": [{"name": "memory_search"}, {"name": "x"}], **FOUND},
}


@contextmanager
def _daemon(home: Home, body: object = REPLY) -> Generator[StubDaemon]:
    path, token = home.paths.socket, home.install.hook_token
    with stub_daemon(body=json.dumps(body).encode(), socket=path, hook_token=token) as daemon:
        lock = {"pid": os.getpid(), "port": daemon.port, "install_id": home.install.install_id}
        home.paths.runtime.mkdir(parents=True, exist_ok=True)
        home.paths.lock.write_bytes(msgspec.json.encode({**lock, "socket": str(path)}))
        yield daemon


def _run(home: Home, *calls: list[Any]) -> list[Any]:
    """Call hooks and tools of the connected plugin; returns the results."""
    done = subprocess.run(
        [BIN / "node", HOST, home.settings.parent / "extensions" / "intaglio" / "index.mjs"],
        input=json.dumps(calls).encode(),
        capture_output=True,
        check=True,
        timeout=PATIENCE_S,
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def _told(daemon: StubDaemon) -> list[tuple[Any, ...]]:
    """Return the name and prompt of each event in order."""
    events = [json.loads(body) for path, body in daemon.received if "native" in path]
    return [(event["event"], event.get("prompt")) for event in events]


@pytest.fixture
def openclaw(home: Home) -> Home:
    home = Home(home.folder, home.paths, home.install, CONNECTOR)
    home.connect()
    return home


def test_a_first_prompt_gets_the_sessions_context_and_its_own(openclaw: Home) -> None:
    with _daemon(openclaw) as daemon:
        (added,) = _run(openclaw, BUILD)
    assert added == {"appendSystemContext": "told", "prependContext": "told"}
    start, prompt = (json.loads(body) for path, body in daemon.received if "native" in path)
    assert (start["event"], start["source"], start["session"]) == (
        "session_start",
        "startup",
        SESSION,
    )
    assert start["cwd"] == "/home/u/workspace-reviewer"
    assert start["transcript_path"] == "/state/agents/reviewer/agent/openclaw-agent.sqlite"
    assert (prompt["event"], prompt["prompt"]) == ("prompt", "Which database?")


def test_what_a_session_was_told_is_added_again_since_openclaw_forgets_it(openclaw: Home) -> None:
    later = ["before_prompt_build", PROMPT, {**CONTEXT, "runId": "run-2"}]
    with _daemon(openclaw) as daemon:
        _, again, added = _run(openclaw, BUILD, BUILD, later)
    assert again == {"appendSystemContext": "told", "prependContext": "told"}
    assert added == {"appendSystemContext": "told", "prependContext": "told\n\ntold"}
    assert [name for name, _ in _told(daemon)] == ["session_start", "prompt", "prompt"]


def test_the_request_itself_counts_not_the_prompt_around_it(openclaw: Home) -> None:
    event: dict[str, Any] = {
        "prompt": "History: …",
        "currentUserMessage": "Which port?",
        "messages": [{}],
    }
    image: dict[str, Any] = {**event, "currentUserMessage": ""}
    with _daemon(openclaw) as daemon:
        _run(
            openclaw,
            ["before_prompt_build", event, CONTEXT],
            ["before_prompt_build", image, {**CONTEXT, "runId": "run-2"}],
        )
    assert _told(daemon) == [("session_start", None), ("prompt", "Which port?")]


def test_a_prompt_that_no_person_wrote_gets_the_sessions_context_alone(openclaw: Home) -> None:
    kinds = ("inter_session", "internal_system")
    changes: list[dict[str, Any]] = [{"trigger": "cron"}, {"trigger": "heartbeat"}]
    changes += [{"inputProvenance": {"kind": kind}} for kind in kinds]
    calls: list[list[Any]] = [
        ["before_prompt_build", PROMPT, {**CONTEXT, **each}] for each in changes
    ]
    with _daemon(openclaw) as daemon:
        assert _run(openclaw, *calls) == [{"appendSystemContext": "told"}] * 4
    assert _told(daemon) == [("session_start", None)]


def test_subagents_and_shared_conversations_are_told_nothing(openclaw: Home) -> None:
    rests = ("subagent:1", "acp:1", "telegram:group:7", "discord:channel:9")
    contexts = [{**CONTEXT, "sessionKey": f"agent:reviewer:{rest}"} for rest in rests]
    calls: list[list[Any]] = [["before_prompt_build", PROMPT, context] for context in contexts]
    offers = [["tools", context] for context in contexts]
    with _daemon(openclaw) as daemon:
        assert _run(openclaw, *calls, *offers) == [*[None] * 4, *[[]] * 4]
    assert _told(daemon) == []


def test_a_subagents_turns_are_not_reported(openclaw: Home) -> None:
    context = {**CONTEXT, "sessionKey": "agent:reviewer:subagent:1"}
    names = ["agent_end", "before_reset", "before_compaction", "after_compaction", "session_end"]
    with _daemon(openclaw) as daemon:
        _run(openclaw, *([name, {}, context] for name in names))
    assert _told(daemon) == []


def test_turns_compactions_and_ends_are_reported(openclaw: Home) -> None:
    ended = {"sessionId": "c8897f9d", "messageCount": 4, "reason": "idle"}
    calls: list[list[Any]] = [
        ["agent_end", {"messages": [], "success": True}, CONTEXT],
        ["before_compaction", {"messageCount": 4}, CONTEXT],
        ["after_compaction", {"messageCount": 1, "compactedCount": 3}, CONTEXT],
        BUILD,
        ["before_reset", {"reason": "new"}, CONTEXT],
        ["session_end", ended, {"agentId": "reviewer", "sessionId": "c8897f9d"}],
    ]
    with _daemon(openclaw) as daemon:
        _run(openclaw, *calls)
    events = [json.loads(body) for path, body in daemon.received if "native" in path]
    assert {event["session"] for event in events} == {SESSION}
    assert [(each["event"], each.get("source"), each.get("reason")) for each in events] == [
        ("turn_end", None, None),
        ("compaction", None, None),
        ("compaction_end", None, None),
        ("session_start", "compact", None),
        ("prompt", None, None),
        ("turn_end", None, "new"),
        ("session_end", None, "idle"),
    ]


def test_a_turn_in_a_repository_belongs_to_it_and_not_to_the_workspace(openclaw: Home) -> None:
    context = {**CONTEXT, "activeProjectKeys": ["path:/work/shop"]}
    with _daemon(openclaw) as daemon:
        _run(openclaw, ["agent_end", {}, context])
    (ended,) = (json.loads(body) for path, body in daemon.received if "native" in path)
    assert ended["cwd"] == "/work/shop"


def test_the_owner_is_offered_the_tools_that_the_manifest_names(openclaw: Home) -> None:
    with _daemon(openclaw) as daemon:
        found, offered, to_others, about = _run(
            openclaw,
            ["tool", "memory_search", {"query": "database"}, CONTEXT],
            ["tools", CONTEXT],
            ["tools", {**CONTEXT, "senderIsOwner": False}],
            ["memory", {}, {}],
        )
    assert (found["content"], offered, to_others) == (FOUND["content"], ["memory_search"], [])
    assert "memory_search" in "\n".join(about)
    path, body = next(each for each in daemon.received if b"tools/call" in each[1])
    assert path.startswith("/mcp?harness=openclaw&process=")
    assert path.endswith("&session=agent%3Areviewer%3Ac8897f9d")
    call = {"name": "memory_search", "arguments": {"query": "database"}}
    assert json.loads(body)["params"] == call


def test_without_the_daemon_prompts_are_bare_and_turns_are_spooled(openclaw: Home) -> None:
    added, _, offered, about = _run(
        openclaw, BUILD, ["agent_end", {}, CONTEXT], ["tools", CONTEXT], ["memory", {}, {}]
    )
    assert (added, offered, about) == ({}, [], [])
    (spooled,) = [json.loads(file.read_bytes()) for file in openclaw.paths.spool.iterdir()]
    assert (spooled["harness"], spooled["event"], spooled["session"]) == (
        "openclaw",
        "turn_end",
        SESSION,
    )


def test_a_plugin_whose_intaglio_is_gone_registers_nothing(openclaw: Home) -> None:
    (openclaw.paths.hooks / "openclaw.mjs").unlink()
    assert _run(openclaw, ["hooks"]) == [[]]


def test_the_probe_runs_the_hook_of_the_first_prompt(openclaw: Home) -> None:
    probe = CONNECTOR.probe(openclaw.settings, openclaw.paths, "intaglio-probe-1")
    assert probe is not None
    with _daemon(openclaw) as daemon:
        done = subprocess.run(probe.argv, capture_output=True, check=True, timeout=PATIENCE_S)
    assert b"told" in done.stdout
    (start,) = (json.loads(body) for path, body in daemon.received if "native" in path)
    assert start["session"] == "intaglio-probe-1"


def test_the_manifest_names_every_tool_that_there_is() -> None:
    assert set(OFFERED) <= set(TOOLS)
