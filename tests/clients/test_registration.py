"""The real Claude Code registers the tools itself, connects to them, and forgets them again."""

import json
import os
import subprocess
from typing import Any

import pytest

from clients.conftest import Machine
from fakes.claude_code import BINARY, TURN_S

pytestmark = [pytest.mark.clients, pytest.mark.slow]


def _mcp(machine: Machine, *arguments: str) -> str:
    return subprocess.run(
        [str(BINARY), "mcp", *arguments],
        cwd=machine.home,
        env=machine.claude.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TURN_S,
        check=True,
    ).stdout


def _configuration(machine: Machine) -> dict[str, Any]:
    return dict(json.loads((machine.home / ".claude.json").read_text()))


def test_the_client_registers_lists_and_removes_the_tools_itself(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{BINARY.parent}{os.pathsep}{os.environ['PATH']}")
    _mcp(machine, "add", "--scope", "user", "own", "--", "true")
    before = _configuration(machine)
    said = machine.intaglio("connect", "claude-code", "--yes")
    assert f"{BINARY} mcp add --scope user intaglio -- " in said
    with machine.daemon():
        (line,) = [line for line in _mcp(machine, "list").splitlines() if "mcp.py" in line]
    assert line.startswith("intaglio: ")
    assert line.endswith("Connected")
    machine.intaglio("disconnect", "claude-code", "--yes")
    after = _configuration(machine)
    assert after["mcpServers"] == before["mcpServers"]
    assert {key: after.get(key) for key in before} == before
