"""What a deleted installation left in the harnesses' settings: harmless, recognised, removable."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fakes.connect_home import PYTHON, Home, make_home
from fakes.harness_folder import on_the_path
from intaglio.connect.tools.mcp_servers import McpServers
from intaglio.connect.values import ConnectionApplied
from intaglio.harness import registry
from structure.source import ROOT


def connected(tmp_path: Path, name: str, python: str = PYTHON) -> Home:
    with on_the_path():
        home = make_home(tmp_path, registry.connectors()[name])
    assert isinstance(home.connect(python), ConnectionApplied)
    return home


# It writes files of every kind: entries in TOML and JSON, and a file of its own.
@pytest.fixture(params=(*registry.connector_names(), "sqlite-agent"))
def deleted(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    """A home whose harness was connected by an installation that was deleted since."""
    home = connected(tmp_path, request.param)
    shutil.rmtree(home.paths.state)
    return home


def anew(home: Home) -> Home:
    """Return the same home with a new installation in another folder."""
    return replace(home, paths=replace(home.paths, state=home.folder / ".state" / "intaglio"))


def is_left_over(home: Home) -> bool:
    return home.target().is_left_over(home.state(), home.tools())


def users_files(home: Home) -> Iterator[Path]:
    for file in home.folder.rglob("*"):
        if file.is_file() and not file.is_relative_to(home.paths.state):
            yield file


def test_it_is_recognised_and_disconnecting_removes_it(deleted: Home) -> None:
    new = anew(deleted)
    assert is_left_over(new)
    assert isinstance(new.disconnect(), ConnectionApplied)
    assert (new.state(), new.tools()) == ("not", new.tools_if_listed("missing"))
    assert not is_left_over(new)
    left = [file for file in users_files(new) if "intaglio" in file.read_text().lower()]
    assert left == []


def test_connecting_replaces_it(deleted: Home) -> None:
    new = anew(deleted)
    assert isinstance(new.connect(), ConnectionApplied)
    assert (new.state(), new.tools()) == ("connected", new.tools_if_listed("registered"))
    assert not is_left_over(new)
    assert isinstance(new.disconnect(), ConnectionApplied)
    assert new.state() == "not"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no shell that could look for the file")
@pytest.mark.parametrize("gone", ["files", "python", "curl"])
@pytest.mark.parametrize("harness", registry.connector_names())
def test_its_hooks_end_silently(tmp_path: Path, harness: str, gone: str) -> None:
    home = connected(tmp_path, harness, "/gone/python3" if gone == "python" else sys.executable)
    if gone == "files":
        shutil.rmtree(home.paths.state)
    probe = home.connector.probe(home.settings, home.paths, "s-1")
    if probe is None:
        pytest.skip("its hook can't be run by itself")
    env = {"PATH": "/gone" if gone == "curl" else os.environ["PATH"], **probe.env}
    done = subprocess.run(probe.argv, input=probe.stdin, capture_output=True, env=env, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


FLAT = frozenset({"cursor"})
"""The harnesses whose hooks aren't in groups."""


def foreign(harness: str) -> dict[str, Any]:
    """Return settings with another program's hooks and MCP server."""
    handler = {"type": "command", "command": "notify-send /opt/hooks/claude-code.py"}
    return {
        "theme": "dunkel ü",
        "hooks": {"Stop": [handler if harness in FLAT else {"matcher": "", "hooks": [handler]}]},
        "mcpServers": {"weather": {"command": "weather", "args": ["/opt/hooks/mcp.py"]}},
    }


BY_HAND = frozenset({"openclaw"})
"""The help page says how to remove what these harnesses have."""


def documented_script() -> str:
    text = (ROOT / "assets" / "docs" / "help" / "uninstall.md").read_text()
    found = re.search(r"^```sh\n(python3 - <<'END'\n.*?^END\n)```$", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def run_script(home: Path) -> str:
    done = subprocess.run(
        ["/bin/sh", "-c", documented_script()],
        capture_output=True,
        text=True,
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.skipif(os.name == "nt", reason="the lines are for a POSIX shell")
@pytest.mark.parametrize(
    "harness", [name for name in registry.connector_names() if name not in BY_HAND]
)
def test_the_documented_lines_remove_it_without_an_installation(
    tmp_path: Path, harness: str
) -> None:
    home = make_home(tmp_path, registry.connectors()[harness])
    servers = home.connector.mcp_servers(home.folder, {})
    files = {home.settings, *([servers.file] if isinstance(servers, McpServers) else [])}
    users = [file for file in files if file.suffix == ".json" and file.stem != "intaglio"]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
    for file in users:
        file.write_text(json.dumps(foreign(harness)))
    assert isinstance(home.connect(), ConnectionApplied)
    connected = {file: file.read_bytes() for file in files}
    shutil.rmtree(home.paths.state)
    said = run_script(home.folder)
    for file in files:
        saved = home.folder / "intaglio-removed" / file.relative_to(home.folder)
        assert str(saved) in said
        assert saved.read_bytes() == connected[file]
        if file in users:
            kept = json.loads(file.read_text())
            hooks = {event: groups for event, groups in kept["hooks"].items() if groups}
            assert foreign(harness).items() <= {**kept, "hooks": hooks}.items()
        elif file.exists():
            assert "intaglio" not in file.read_text()
    assert run_script(home.folder) == ""
