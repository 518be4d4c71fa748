"""Pipes, folders, sockets and devices are refused at once, wherever a file is read."""

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from intaglio.base.files.regular_file import SpecialFileError, read_regular, special_kind
from intaglio.base.installation import read_installation
from intaglio.base.paths import find_paths
from intaglio.base.settings.loader import read_settings
from intaglio.connect.user_file import read_target
from intaglio.connect.values import ConnectionRefused, FileToWrite
from intaglio.daemon.main import EXIT_REFUSED, run
from intaglio.git.finder import remote_of
from intaglio.sections import SECTIONS

pytestmark = pytest.mark.skipif(os.name == "nt", reason="folders hold no such files")


def pipe(file: Path) -> None:
    os.mkfifo(file)


def listening(file: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(file))


def device(file: Path) -> None:
    # Anybody can link to a device; only root can make one.
    file.symlink_to("/dev/zero")


def a_folder(file: Path) -> None:
    file.mkdir()


Make: TypeAlias = Callable[[Path], None]
KINDS: dict[str, Make] = {
    "a named pipe": pipe,
    "a socket": listening,
    "a device": device,
    "a folder": a_folder,
}


def settings(file: Path) -> str:
    return read_settings(file, SECTIONS).problems[0].message


def harness_settings(file: Path) -> bool:
    return isinstance(read_target(file), ConnectionRefused)


def own_file(file: Path) -> bool:
    return FileToWrite(file, b"").is_there()


def git_config(file: Path) -> str | None:
    return remote_of(file.parent)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A short path, as a socket's may have 100 bytes only."""
    monkeypatch.chdir(tmp_path)
    return Path()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_a_regular_file_is_refused(folder: Path, kind: str) -> None:
    file = folder / "agent.yaml"
    KINDS[kind](file)
    assert special_kind(file) == kind
    with pytest.raises(SpecialFileError, match=rf"agent\.yaml is {kind}"):
        read_regular(file)


def test_a_file_and_a_link_to_one_are_read(folder: Path) -> None:
    (folder / "real").write_bytes(b"text")
    (folder / "link").symlink_to("real")
    assert special_kind(folder / "link") is None
    assert [read_regular(folder / "link"), read_regular(folder / "real", 2)] == [b"text", b"te"]


@pytest.mark.parametrize(
    ("read", "found"),
    [
        (settings, "can't be read: config is a named pipe, not a regular file"),
        (harness_settings, True),
        (own_file, False),
        (git_config, None),
    ],
)
def test_no_reader_blocks_on_a_pipe(
    folder: Path, read: Callable[[Path], object], found: object
) -> None:
    pipe(folder / "config")
    assert read(folder / "config") == found


def test_an_identity_that_is_a_pipe_is_reported(tmp_path: Path) -> None:
    paths = find_paths({"INTAGLIO_STATE_DIR": str(tmp_path), "INTAGLIO_WORKSPACE": str(tmp_path)})
    pipe(paths.identity)
    with pytest.raises(Exception, match=r"install\.json is a named pipe"):
        read_installation(paths)


@pytest.mark.parametrize("kind", KINDS)
def test_a_daemon_refuses_to_start_with_settings_that_are_no_file(
    folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    KINDS[kind](folder / "agent.yaml")
    monkeypatch.setenv("INTAGLIO_WORKSPACE", ".")
    assert run() == EXIT_REFUSED
    said = capfd.readouterr().err
    assert f"agent.yaml is {kind}, not a file." in said
    assert "Move it away" in said
