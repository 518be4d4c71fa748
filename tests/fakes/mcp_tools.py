"""Calls of tools without a session, and what a daemon stores of them."""

import json
from typing import Any

from fakes.daemon import Daemon
from fakes.mcp import PROJECT


def result(
    daemon: Daemon, name: str, arguments: object, workspace: str = PROJECT
) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    with daemon.client() as http:
        reply = http.post("/mcp", params={"workspace": workspace}, json=body)
    reply.raise_for_status()
    found: dict[str, Any] = reply.json()["result"]
    return found


def call(daemon: Daemon, name: str, **arguments: object) -> dict[str, Any]:
    found = result(daemon, name, arguments)
    assert "isError" not in found, found
    text: dict[str, Any] = json.loads(found["content"][0]["text"])
    return text


def refusal(daemon: Daemon, name: str, **arguments: object) -> str:
    found = result(daemon, name, arguments)
    assert found["isError"]
    text: str = found["content"][0]["text"]
    return text


def remember(daemon: Daemon, content: str, **more: object) -> str:
    with daemon.client() as http:
        body = {"content": content, "project": PROJECT, **more}
        memory_id: str = http.post("/api/memory/remember", json=body).json()["id"]
    return memory_id


def stored(daemon: Daemon, memory_id: str) -> dict[str, Any]:
    with daemon.client() as http:
        row: dict[str, Any] = http.get(f"/api/memory/{memory_id}").json()
    return row
