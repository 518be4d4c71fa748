"""Who calls a tool: the project of the directory, and the session of the harness's process."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from fakes.daemon import Daemon
from fakes.git import repository
from fakes.mcp import (
    ENDPOINT,
    PROJECT,
    checked_reply,
    end_session,
    start_session,
    text_of,
    tool_call,
)
from fakes.waiting import wait_for

OTHER = "/work/bakery"


def call(
    daemon: Daemon, name: str, arguments: object, **context: str | int | list[str]
) -> dict[str, Any]:
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


@pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets name the peer's process")
@pytest.mark.parametrize(("named", "is_its"), [("own", True), ("no such", False), (3, False)])
def test_a_call_may_name_one_of_its_processs_sessions(
    daemon: Daemon, session: str, named: object, *, is_its: bool
) -> None:
    later = f"{session} later"
    start_session(daemon, later, PROJECT)
    said = {"content": f"The stove of {session} is lit by {named}."}
    body = tool_call("memory_store", said)
    body["params"]["_meta"] = {"sessionId": session if named == "own" else named}
    context: dict[str, str | int] = {"harness": "claude-code", "workspace": PROJECT}
    with daemon.client() as http:
        reply = http.post(ENDPOINT, params={**context, "process": os.getpid()}, json=body)
    stored = json.loads(text_of(checked_reply(reply, 1)["result"]))
    assert session_of(daemon, stored["id"]) == (session if is_its else later)
    end_session(daemon, later, PROJECT)


@pytest.mark.parametrize(
    "context",
    [
        {"harness": "claude-code", "workspace": OTHER, "process": os.getpid()},
        {"harness": "another", "workspace": PROJECT, "process": os.getpid()},
        {"harness": "claude-code", "workspace": PROJECT, "process": 1},
    ],
    ids=["another project", "another harness", "another process"],
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
    seen = call(daemon, "memory_search", {"query": "ovens"}, process=1)
    assert [row["content"] for row in seen["results"]] == ["Ovens are hot."]
    both = call(daemon, "memory_search", {"query": "ovens"}, workspace=f"{PROJECT}")
    assert stored["id"] in [row["id"] for row in both["results"]]
    assert both["count"] == 2


@pytest.fixture
def home(daemon: Daemon) -> str:
    return daemon.env["HOME"]


def project_of(daemon: Daemon, content: str, **context: str | int | list[str]) -> str | None:
    """Let an agent store a fact, and return the project that it was stored in or waits for."""
    with daemon.client() as http:
        reply = http.post(
            ENDPOINT, params=context, json=tool_call("memory_store", {"content": content})
        )
        result = checked_reply(reply, 1)["result"]
        if "isError" in result:
            assert "isn't known which project" in text_of(result)
            rows = http.get("/api/inbox").json()["items"]
        else:
            rows = http.get("/api/memories").json()["memories"]
    (project,) = [each["project"] for each in rows if each["content"] == content]
    found: str | None = project
    return found


def test_a_client_started_in_no_project_has_that_of_its_processs_session(
    daemon: Daemon, session: str, home: str
) -> None:
    context: dict[str, str | int] = {"harness": "claude-code", "process": os.getpid()}
    for number, folder in enumerate(["/", home, f"{home}/", None]):
        said = {"content": f"Kettle {number} is of copper ({session})."}
        where = {} if folder is None else {"workspace": folder}
        stored = call(daemon, "memory_store", said, **context, **where)
        assert session_of(daemon, stored["id"]) == session
        with daemon.client() as http:
            assert http.get(f"/api/memory/{stored['id']}").json()["project"] == PROJECT


def test_without_any_sign_of_a_project_a_fact_waits_for_the_user(daemon: Daemon, home: str) -> None:
    for number, folder in enumerate(["/", home]):
        content = f"Staging cluster {number} runs Kubernetes 1.31."
        assert project_of(daemon, content, workspace=folder, process=1) is None
        found = call(daemon, "memory_search", {"query": content}, workspace=PROJECT)
        assert content not in json.dumps(found)
        again = call(daemon, "memory_search", {"query": content}, workspace=folder, process=1)
        assert content not in json.dumps(again)


def test_a_process_with_sessions_of_several_projects_tells_nothing(
    daemon: Daemon, session: str
) -> None:
    start_session(daemon, f"{session} 2", OTHER)
    for folder, project in (("/", None), (OTHER, OTHER), (PROJECT, PROJECT)):
        content = f"The lamp at {folder} is lit ({session})."
        where: dict[str, str | int] = {"workspace": folder, "process": os.getpid()}
        assert project_of(daemon, content, **where) == project
    # Another test's process would have two projects, too.
    end_session(daemon, f"{session} 2", OTHER)


def test_the_directory_that_the_harness_names_comes_first(daemon: Daemon, session: str) -> None:
    content = f"The door of {session} is open."
    context: dict[str, str | int] = {"workspace": PROJECT, "process": os.getpid()}
    assert project_of(daemon, content, project_dir=OTHER, **context) == OTHER


@pytest.mark.parametrize(
    ("folder", "roots", "project"),
    [
        ("/", ["/work/bakery"], OTHER),
        ("/", ["file:///work/bakery"], OTHER),
        ("/", ["file:///work/my%20shop", "file:///work/bakery"], "/work/my shop"),
        ("/", ["file:///", "https://example.org/x", "shop", "", "file:///work/bakery"], OTHER),
        ("/", ["/work/plain", "REPOSITORY"], "REPOSITORY"),
        ("/work/bakery/src", ["REPOSITORY", "/work/bakery"], OTHER),
        ("/work/elsewhere", ["/work/bakery"], OTHER),
        ("/work/elsewhere", ["file:///"], "/work/elsewhere"),
        ("/", ["HOME", "file://[::1", "file:///"], None),
    ],
)
def test_the_clients_roots_determine_the_project(  # noqa: PLR0913, PLR0917 - three are the case's
    request: pytest.FixtureRequest,
    daemon: Daemon,
    tmp_path: Path,
    home: str,
    folder: str,
    roots: list[str],
    project: str | None,
) -> None:
    shop = repository(tmp_path.resolve() / "shop")
    known = {"REPOSITORY": str(shop), "HOME": home}
    sent = [known.get(root, root) for root in roots]
    content = f"The roof of {request.node.name} is red."
    found = project_of(daemon, content, workspace=folder, process=1, root=sent)
    assert found == known.get(project or "", project)


def test_only_the_stdio_program_determines_the_state_folder(daemon: Daemon) -> None:
    known = json.loads((Path(daemon.paths.hooks) / "mcp.json").read_text())
    assert sorted(known) == ["initialize", "tools", "versions"]


@pytest.mark.parametrize(
    "name", ["agentId", "agent_id", "x-signet-agent-id", "x-intaglio-agent-id"]
)
def test_a_call_acts_for_the_named_agent(daemon: Daemon, name: str) -> None:
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
