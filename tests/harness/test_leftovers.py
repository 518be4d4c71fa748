"""What a deleted installation left in the harnesses' settings: harmless, recognised, removable."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.connect_home import PYTHON, Home, make_home
from fakes.harness_folder import on_the_path
from intaglio.connect.values import ConnectionApplied
from intaglio.harness import registry


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
    assert (new.state(), new.tools(), is_left_over(new)) == ("not", "missing", False)
    left = [file for file in users_files(new) if "intaglio" in file.read_text().lower()]
    assert left == []


def test_connecting_replaces_it(deleted: Home) -> None:
    new = anew(deleted)
    assert isinstance(new.connect(), ConnectionApplied)
    assert (new.state(), new.tools(), is_left_over(new)) == ("connected", "registered", False)
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
