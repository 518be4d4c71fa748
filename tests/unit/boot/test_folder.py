"""The archive of the folder build."""

import tarfile
import zipfile
from pathlib import Path

import pytest

from boot import folder

pytestmark = pytest.mark.usefixtures("dated")


@pytest.fixture
def dated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr(folder, "DIST", tmp_path / "dist")


def built(place: Path) -> Path:
    """Write a small folder as PyInstaller makes one, and return it."""
    (place / "_internal").mkdir(parents=True)
    program = place / "intaglio"
    program.write_text("program")
    program.chmod(0o755)
    (place / "_internal" / "libone.so").write_text("library")
    (place / "_internal" / "libtwo.so").symlink_to("libone.so")
    return place


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("linux", "x86_64", "intaglio-1.0-linux-x86_64.tar.gz"),
        ("darwin", "arm64", "intaglio-1.0-macos-arm64.tar.gz"),
        ("win32", "AMD64", "intaglio-1.0-windows-amd64.zip"),
    ],
)
def test_the_name_says_for_which_system_it_is(system: str, machine: str, name: str) -> None:
    assert folder.archive_name("1.0", system, machine) == name


def test_the_same_folder_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = folder.write_archive("1.0", built(tmp_path / "one" / "intaglio")).read_bytes()
    second = folder.write_archive("1.0", built(tmp_path / "two" / "intaglio")).read_bytes()
    assert first == second
    monkeypatch.setattr(folder, "archive_name", "intaglio-{}-windows-amd64.zip".format)
    file = folder.write_archive("1.0", tmp_path / "one" / "intaglio")
    assert file.read_bytes() == folder.write_archive("1.0", tmp_path / "two/intaglio").read_bytes()
    assert "intaglio/_internal/libone.so" in zipfile.ZipFile(file).namelist()


def test_modes_and_links_are_kept(tmp_path: Path) -> None:
    with tarfile.open(folder.write_archive("1.0", built(tmp_path / "intaglio"))) as archive:
        modes = {entry.name: entry.mode for entry in archive if entry.isfile()}
        link = archive.getmember("intaglio/_internal/libtwo.so")
    assert modes == {"intaglio/intaglio": 0o755, "intaglio/_internal/libone.so": 0o644}
    assert link.linkname == "libone.so"
