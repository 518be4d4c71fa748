"""``memory/.gitignore``, judged by a real Git."""

import shutil
import subprocess
from pathlib import Path

import pytest

from intaglio.base.files.gitignore import missing_patterns, write_gitignore

KEPT_OUT = (
    ".gitignore",
    "intaglio.db",
    "intaglio.db-wal",
    "intaglio.db-shm",
    "intaglio.db.open",
    "intaglio.db.key",
    "intaglio.db.restoring",
    "intaglio.db.broken-20260101T080000000000Z",
    "intaglio.db.broken-20260101T080000000000Z-wal",
    "intaglio.lock",
    "backups/intaglio-20260101T080000000000Z.db",
)
SUMMARY = "2026-01-31.md"


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    found = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return found.stdout


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A workspace in Git with a memory folder of every kind of file."""
    if shutil.which("git") is None:
        pytest.skip("no Git here")
    folder = tmp_path / "memory"
    (folder / "backups").mkdir(parents=True)
    write_gitignore(folder / "intaglio.db", folder / "backups")
    for name in (*KEPT_OUT[1:], SUMMARY):
        (folder / name).write_bytes(b"x")
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def test_git_ignores_all_but_the_dated_markdown(memory: Path) -> None:
    listed = git(memory, "ls-files", "--others", "--exclude-standard")
    assert listed.split() == [SUMMARY]


def test_git_stash_keeps_every_file_of_the_database(memory: Path) -> None:
    for _ in range(2):
        git(memory.parent, "stash", "-u")
        (memory / SUMMARY).write_bytes(b"y")
    assert all((memory / name).exists() for name in KEPT_OUT)


def test_a_file_of_the_users_own_is_left_and_what_it_lacks_is_named(tmp_path: Path) -> None:
    database, backups = tmp_path / "intaglio.db", tmp_path / "backups"
    assert missing_patterns(database, backups) == []
    own = tmp_path / ".gitignore"
    own.write_text("intaglio.db\n/backups/\n")
    write_gitignore(database, backups)
    assert own.read_text() == "intaglio.db\n/backups/\n"
    missing = missing_patterns(database, backups)
    assert "/intaglio.db-wal" in missing
    assert not {"/intaglio.db", "/backups/"} & set(missing)


def test_a_written_ignore_file_is_complete(tmp_path: Path) -> None:
    database, backups = tmp_path / "memory" / "intaglio.db", tmp_path / "memory" / "backups"
    write_gitignore(database, backups)
    assert missing_patterns(database, backups) == []
