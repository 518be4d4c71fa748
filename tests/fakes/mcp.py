"""MCP messages and what is valid as a reply, and sessions for the agents that send them."""

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Final

import httpx

from fakes.daemon import Daemon
from intaglio.connect.hook_files import program_file

MIME: Final = "application/json"
ENDPOINT: Final = "/mcp"
PROJECT: Final = "/work/shop"
"""The folder that sessions and their agents work in."""


def message(method: str, params: object = None, request_id: object = 1) -> dict[str, Any]:
    """Return a JSON-RPC request."""
    sent = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return sent if params is None else {**sent, "params": params}


def tool_call(name: object, arguments: object, request_id: object = 1) -> dict[str, Any]:
    """Return the request that calls a tool."""
    return message("tools/call", {"name": name, "arguments": arguments}, request_id)


def checked_reply(reply: httpx.Response, request_id: object) -> dict[str, Any]:
    """Return the JSON-RPC response; fails unless it is a valid one with this id."""
    told = f"{reply.status_code}: {reply.text[:500]}"
    assert reply.status_code in {200, 400}, told
    assert reply.headers["content-type"].partition(";")[0] == MIME, told
    found: dict[str, Any] = json.loads(reply.content)
    assert found["jsonrpc"] == "2.0", told
    # 1 and true are equal, and 1 and 1.0.
    assert json.dumps(found["id"]) == json.dumps(request_id), told
    assert found.keys() == {"jsonrpc", "id"} | (found.keys() & {"result", "error"}), told
    assert ("result" in found) != ("error" in found), told
    if "error" in found:
        assert isinstance(found["error"]["code"], int), told
        assert found["error"]["message"], told
    assert ("error" in found) or reply.status_code == 200, told
    # Over stdio, a line is a message.
    assert b"\n" not in reply.content, told
    return found


def text_of(result: Mapping[str, Any]) -> str:
    """Return the one text block of a tool's result."""
    (block,) = result["content"]
    assert block.keys() == {"type", "text"}
    assert block["type"] == "text"
    text: str = block["text"]
    return text


def start_session(daemon: Daemon, name: str, folder: str) -> None:
    """Start a Claude Code session whose hooks this process, as a harness would, runs."""
    for event in ("SessionStart", "UserPromptSubmit"):
        _report(daemon, event, name, folder)


def end_session(daemon: Daemon, name: str, folder: str) -> None:
    """End such a session."""
    _report(daemon, "SessionEnd", name, folder)


def _report(daemon: Daemon, event: str, name: str, folder: str) -> None:
    payload = {"hook_event_name": event, "session_id": name, "cwd": folder, "prompt": "Hello."}
    program = program_file(daemon.paths.hooks, "claude-code")
    subprocess.run(
        [sys.executable, "-I", "-S", str(program), "--reply"],
        input=json.dumps(payload).encode(),
        check=True,
        capture_output=True,
    )
