"""Files of commits are read by one process, within limits."""

import os
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.commits import Written, empty_repository
from intaglio.git.blob_reader import BlobReader
from intaglio.git.command import Git
from intaglio.git.repository import Repository, open_repository


@pytest.fixture
def project(tmp_path: Path) -> Written:
    return empty_repository(tmp_path / "project")


@pytest.fixture
def reader(project: Written) -> Generator[BlobReader]:
    project.commit("first", ["a.txt", "two words.txt", "ünd.txt"], text="content\n")
    project.commit("large", ["large.txt"], text="x" * 10_000)
    opened = open_repository(project.folder)
    assert isinstance(opened, Repository)
    found = BlobReader(Git(shutil.which("git")), opened, max_bytes=1_000, limit_s=60)
    yield found
    found.close()


def test_files_are_read_by_name_again_and_again(reader: BlobReader) -> None:
    for name in ("a.txt", "two words.txt", "ünd.txt"):
        assert reader.read(f"HEAD:{name}") == b"content\n"


@pytest.mark.parametrize(
    "name",
    ["", "HEAD:none.txt", "HEAD:none blob 5", "HEAD", "HEAD:large.txt", "a\nHEAD:a.txt", "\0"],
)
def test_what_is_no_file_or_too_large_is_none_and_the_next_is_read(
    reader: BlobReader, name: str
) -> None:
    assert reader.read(name) is None
    assert reader.read("HEAD:a.txt") == b"content\n"


def test_a_process_that_hangs_is_ended(reader: BlobReader, tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("a shell script")
    program = tmp_path / "hangs"
    program.write_text("#!/bin/sh\nsleep 1000\n")
    program.chmod(0o755)
    slow = BlobReader(Git(str(program)), reader.repository, max_bytes=1_000, limit_s=0.2)
    assert slow.read("HEAD:a.txt") is None
    slow.close()


def test_without_git_nothing_is_read(reader: BlobReader) -> None:
    assert BlobReader(Git(None), reader.repository, 1_000, 60).read("HEAD:a.txt") is None
