"""Real git repositories, untouched by the configuration of the machine."""

import os
import subprocess
from pathlib import Path

_QUIET = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "PATH": os.environ["PATH"],
}


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder."""
    subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *arguments],
        cwd=folder,
        env=_QUIET,
        check=True,
        capture_output=True,
    )


def repository(folder: Path) -> Path:
    """Make a repository with one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder
