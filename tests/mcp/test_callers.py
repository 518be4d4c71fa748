"""Who calls a tool: the project of the directory, and the session of the harness's process."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from fakes.daemon import Daemon
from fakes.mcp import ENDPOINT, PROJECT, checked_reply, text_of, tool_call
from fakes.waiting import wait_for

OTHER = "/work/bakery"


def call(daemon: Daemon, name: str, arguments: object, **context: str | int) -> dict[str, Any]:
    with daemon.client() as http:
        reply = http.post(ENDPOINT, params=context, json=tool_call(name, arguments))
    result = checked_reply(reply, 1)["result"]
    assert "isError" not in result, result
    found: dict[str, Any] = json.loads(text_of(result))
    return found


def session_of(daemon: Daemon, memory_id: str) -> str | None:
    with daemon.client() as http:
        row = http.get(f"/api/memory/{memory_id}").json()
    found: str | None = row["session_id"]
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets name the peer's process")
def test_the_session_is_that_of_the_harness_process(daemon: Daemon, session: str) -> None:
    said = {"content": f"The cache is warmed at night ({session})."}
    context: dict[str, str | int] = {"harness": "claude-code", "workspace": PROJECT}
    by_pid = call(daemon, "memory_store", said, process=os.getpid(), **context)
    assert session_of(daemon, by_pid["id"]) == session
    # Over TCP, the process that holds the connection is looked up.
    found = call(daemon, "memory_search", {"query": "cache warmed"}, **context)
    assert found["count"] > 0

    def recalled() -> bool:
        with daemon.client() as http:
            rows = http.get("/api/sessions", headers=daemon.owner).json()["sessions"]
            number = next(row["id"] for row in rows if row["key"] == session)
            detail = http.get(f"/api/sessions/{number}", headers=daemon.owner).json()
        return "recall" in [each["event"] for each in detail["injections"]]

    wait_for(recalled, "the search is in the session's ledger")


@pytest.mark.parametrize(
    "context",
    [
        {"harness": "claude-code", "workspace": OTHER, "process": os.getpid()},
        {"harness": "another", "workspace": PROJECT, "process": os.getpid()},
        {"harness": "claude-code", "process": os.getpid()},
        {"harness": "claude-code", "workspace": PROJECT, "process": 1},
    ],
    ids=["another project", "another harness", "no project", "another process"],
)
def test_another_caller_has_no_session(
    daemon: Daemon, session: str, context: dict[str, str | int]
) -> None:
    said = {"content": f"Stone {session} is laid for {sorted(context.items())}."}
    stored = call(daemon, "memory_store", said, **context)
    assert (session_of(daemon, stored["id"]) or "").startswith("unnamed:")


def test_without_a_directory_only_global_memories_are_seen(daemon: Daemon) -> None:
    stored = call(daemon, "memory_store", {"content": "Ovens need an hour."}, workspace=PROJECT)
    with daemon.client() as http:
        http.post("/api/memory/remember", json={"content": "Ovens are hot."}).raise_for_status()
    seen = call(daemon, "memory_search", {"query": "ovens"})
    assert [row["content"] for row in seen["results"]] == ["Ovens are hot."]
    both = call(daemon, "memory_search", {"query": "ovens"}, workspace=f"{PROJECT}")
    assert stored["id"] in [row["id"] for row in both["results"]]
    assert both["count"] == 2


def test_the_state_folder_has_what_the_stdio_program_says_alone(daemon: Daemon) -> None:
    known = json.loads((Path(daemon.paths.hooks) / "mcp.json").read_text())
    assert sorted(known) == ["initialize", "tools", "versions"]


@pytest.mark.parametrize(
    "name", ["agentId", "agent_id", "x-signet-agent-id", "x-intaglio-agent-id"]
)
def test_the_agent_is_the_named_one(daemon: Daemon, name: str) -> None:
    content = f"The safe of {name} is green."
    own = {"content": content, "agentId": "ann", "visibility": "private"}
    sent = tool_call("memory_search", {"query": content})
    headers, params = ({name: "ann"}, {}) if name.startswith("x-") else ({}, {name: "ann"})
    with daemon.client() as http:
        http.post("/api/memory/remember", json=own).raise_for_status()
        reply = http.post(ENDPOINT, json=sent, headers=headers, params=params)
        found = checked_reply(reply, 1)["result"]
        other = checked_reply(http.post(ENDPOINT, json=sent), 1)["result"]
    assert content in text_of(found)
    assert content not in text_of(other)
