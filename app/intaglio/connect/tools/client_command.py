"""Runs a harness's own commands, which change files that it may be rewriting at the same time."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_LIMIT_S: Final = 20.0


def run_commands(commands: Sequence[Sequence[str]], env: dict[str, str], folder: Path) -> bool:
    """Run the commands in order without input; return whether each one succeeded in time."""
    return all(_succeeds(command, env, folder) for command in commands)


def _succeeds(command: Sequence[str], env: dict[str, str], folder: Path) -> bool:
    try:
        done = subprocess.run(  # noqa: S603 - the harness's own program
            command,
            env=env,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_LIMIT_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
