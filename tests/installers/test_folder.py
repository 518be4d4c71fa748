"""The folder build: what is in it, and that it behaves as the source does."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from fakes.daemon import daemon_env, free_port
from fakes.program_under_test import VARIABLE
from intaglio.base.installation import load_installation
from intaglio.base.paths import find_paths
from intaglio.base.process.frozen_start import SCRIPT_OPTIONS
from intaglio.connect.hook_files import write_files
from intaglio.connect.mcp_files import mcp_command, mcp_files
from structure.source import ROOT

pytestmark = [
    pytest.mark.slow,
    # Building it takes minutes, and so do the tests of the desktop.
    pytest.mark.timeout(1800),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at libraries of Linux"),
]

# Of all, the window's library needs the newest of these.
OF_THE_SYSTEM: Final = ("libstdc++", "libz", "libbz2", "libglib", "libgtk", "libwebkit", "libgcc_s")


@pytest.fixture(scope="module")
def program() -> Path:
    """The program of a folder that was built just now, or of the one that the variable names."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    subprocess.run([sys.executable, ROOT / "app", "package", "folder"], check=True)
    return ROOT / ".work" / "folder" / "intaglio" / "intaglio"


def said(program: Path, *arguments: str, env: Mapping[str, str]) -> str:
    """Run the program to its end and return its output."""
    done = subprocess.run(
        [program, *arguments], env=dict(env), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_gtk_and_what_it_loads_are_the_systems(program: Path) -> None:
    names = {file.name.split(".")[0].split("-")[0] for file in program.parent.rglob("*.so*")}
    assert names & set(OF_THE_SYSTEM) == set()
    assert "_gi" in names


def test_it_tells_how_it_was_installed_and_what_others_made_of_it(program: Path) -> None:
    built = program.parent / "_internal" / "intaglio" / "_built"
    assert (built / "installed-by.txt").read_text().strip() == "folder"
    assert "onnxruntime" in (built / "licenses" / "intaglio.cdx.json").read_text()
    assert (built / "docs" / "help" / "settings.md").is_file()


def test_a_memory_is_kept_and_found(program: Path, tmp_path: Path) -> None:
    env = daemon_env(tmp_path, free_port())
    said(program, "daemon", "start", env=env)
    try:
        said(program, "remember", "The larch is the staging server.", env=env)
        assert "larch" in said(program, "recall", "staging server", env=env)
    finally:
        said(program, "daemon", "stop", env=env)


def test_an_mcp_client_starts_it_like_python(program: Path, tmp_path: Path) -> None:
    env = daemon_env(tmp_path, free_port())
    paths = find_paths(env)
    write_files(mcp_files(paths, load_installation(paths, os.urandom)))
    command = mcp_command(paths, str(program))
    assert command[1:3] == SCRIPT_OPTIONS
    asked = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
    done = subprocess.run(command, env=env, input=asked, capture_output=True, text=True, check=True)
    assert '"id":1' in done.stdout.replace(" ", "")


def test_a_browser_gets_the_environment_of_the_user(program: Path, tmp_path: Path) -> None:
    seen = tmp_path / "seen.txt"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nenv > "{seen}"\n')
    browser.chmod(0o755)
    own = {"BROWSER": f"{browser} %s", "DISPLAY": ":0", "LD_LIBRARY_PATH": "/mine"}
    env = daemon_env(tmp_path / "home", free_port(), **own)
    said(program, "daemon", "start", env=env)
    try:
        said(program, "dashboard", env=env)
    finally:
        said(program, "daemon", "stop", env=env)
    lines = seen.read_text().splitlines()
    assert "LD_LIBRARY_PATH=/mine" in lines
    assert [line for line in lines if "_PYI" in line or "_ORIG" in line] == []


@pytest.mark.desktop
@pytest.mark.usefixtures("program")
@pytest.mark.parametrize("module", ["test_desktop_app", "test_window", "test_window_links"])
def test_the_tests_of_the_desktop_pass(program: Path, module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "", f"tests/desktop/{module}.py"],
        cwd=ROOT,
        env=dict(os.environ) | {VARIABLE: str(program)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
