"""The official SDK's client over each transport: the handshake, the list, and each tool once."""

import json
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fakes.daemon import Daemon
from fakes.mcp import start_session
from intaglio.connect.mcp_files import mcp_command
from intaglio.mcp.server import VERSIONS
from intaglio.mcp.tool_list import TOOLS

if TYPE_CHECKING:
    from mcp import Client

HARNESS = "claude-code"


@pytest.fixture(params=["http", "stdio"])
async def client(
    request: pytest.FixtureRequest, daemon: Daemon, tmp_path: Path
) -> "AsyncGenerator[Client]":
    """A client in a folder in which a session of this process is open."""
    # Its import costs each worker half a second and 55 MB that only these tests need.
    from fakes.mcp_sdk import http_client, stdio_client  # noqa: PLC0415 - see above

    start_session(daemon, request.node.name, str(tmp_path))
    if request.param == "http":
        connected = http_client(daemon, harness=HARNESS, workspace=str(tmp_path))
    else:
        command = mcp_command(daemon.paths, sys.executable, HARNESS)
        connected = stdio_client(command, daemon, tmp_path)
    async with connected as client:
        yield client


async def call(client: "Client", name: str, **arguments: object) -> dict[str, Any]:
    """Call a tool, and return what the one block of pretty JSON says."""
    result = await client.call_tool(name, arguments)
    (block,) = result.content
    assert block.type == "text"
    assert not result.is_error, block.text
    found: dict[str, Any] = json.loads(block.text)
    assert block.text == json.dumps(found, indent=2, ensure_ascii=False)
    return found


async def test_the_client_shakes_hands_and_lists_the_tools(client: "Client") -> None:
    assert client.protocol_version == VERSIONS[0]
    assert client.server_info is not None
    assert client.server_info.name == "intaglio"
    assert client.instructions
    assert [tool.name for tool in (await client.list_tools()).tools] == list(TOOLS)
    await client.session.send_ping()


async def test_the_client_calls_each_tool(client: "Client") -> None:
    tea = await call(client, "memory_store", content="The teapot holds one litre.", tags="kitchen")
    assert tea["status"] == "stored"
    found = await call(client, "memory_search", query="teapot", limit=5, min_score=0)
    assert [each["id"] for each in found["results"]] == [tea["id"]]
    listed = await call(client, "memory_list", limit=5, type="fact")
    assert tea["id"] in [each["id"] for each in listed["memories"]]
    changed = await call(
        client,
        "memory_modify",
        id=tea["id"],
        content="The teapot holds two litres.",
        reason="It was measured.",
    )
    assert changed == {"status": "updated", "id": tea["id"]}
    read = await call(client, "memory_get", id=tea["id"])
    assert read["content"] == "The teapot holds two litres."
    rated = await call(
        client, "memory_feedback", session_key="current", ratings={tea["id"]: 1, "unknown": 1}
    )
    assert rated == {"recorded": 1}
    gone = await call(client, "memory_forget", id=tea["id"], reason="The teapot broke.")
    assert gone == {"status": "deleted", "id": tea["id"]}
    failed = await client.call_tool("memory_get", {"id": tea["id"]})
    assert failed.is_error
    (block,) = failed.content
    assert block.type == "text"
    assert "No such memory" in block.text
