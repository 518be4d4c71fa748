"""Real git repositories, untouched by the configuration of the machine."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

_QUIET = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "PATH": os.environ["PATH"],
}


def git(
    folder: Path, *arguments: str, env: Mapping[str, str] = MappingProxyType({}), stdin: bytes = b""
) -> None:
    """Run git in a folder."""
    _run(folder, arguments, env, stdin)


def output_of(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    """Run git in a folder and return what it prints."""
    return _run(folder, arguments, {}, stdin)


def _run(folder: Path, arguments: Sequence[str], env: Mapping[str, str], stdin: bytes) -> str:
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *arguments],
        cwd=folder,
        env={**_QUIET, **env},
        check=True,
        capture_output=True,
        input=stdin,
    )
    return done.stdout.decode(errors="replace")


def repository(folder: Path) -> Path:
    """Make a repository with one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder
