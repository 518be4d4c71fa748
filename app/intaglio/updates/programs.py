"""Asks a package manager, and runs its command: without a shell, and with a deadline."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from intaglio.base.paths import make_private
from intaglio.base.process.programs import ProgramOutput, find_program, run_program
from intaglio.updates.sources import UnreadableAnswer, VersionQuery
from intaglio.updates.values import CheckFailed, NewestVersion, NothingNewer, VersionOutcome

_QUERY_S: Final = 60.0
_RUN_S: Final = 600.0
_LOOK_S: Final = 0.1
_TAIL_CHARS: Final = 600
# Messages in English, without colours; the rest of the environment is the user's, with the
# addresses and proxies that it may configure.
_PLAIN: Final = {"LC_ALL": "C", "NO_COLOR": "1", "PIP_NO_COLOR": "1", "PIP_NO_INPUT": "1"}


def _environment() -> Mapping[str, str]:
    return {**os.environ, **_PLAIN}


async def ask_program(query: VersionQuery, folder: Path) -> VersionOutcome:
    """Ask a manager for the newest version; ``folder`` has no project that it would read."""
    name, *arguments = query.command
    program = find_program(name)
    if program is None:
        return CheckFailed(f"{name} isn't installed, or isn't on the daemon's PATH.")
    try:
        async with asyncio.timeout(_QUERY_S):
            found = await run_program(
                [program, *arguments], stdin=b"", folder=folder, environment=_environment()
            )
    except TimeoutError:
        return CheckFailed(f"{name} didn't answer within {_QUERY_S:.0f} seconds.")
    except (OSError, ValueError) as error:
        return CheckFailed(f"{name} can't be started: {error}.")
    return _outcome(Path(name).name, query, found)


def _outcome(name: str, query: VersionQuery, found: ProgramOutput) -> VersionOutcome:
    if found.code or found.output is None:
        said = _last_line(found.errors.decode(errors="replace"))
        return CheckFailed(f"{name} failed: {said or f'it exited with status {found.code}'}")
    match query.read(found.output, found.errors):
        case UnreadableAnswer(reason):
            return CheckFailed(reason)
        case None:
            return NothingNewer()
        case version:
            return NewestVersion(version)


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:_TAIL_CHARS] if lines else ""


async def run_update(command: tuple[str, ...], folder: Path, log: Path) -> str | None:
    """Run a manager's command to its end; return why it failed, None if it didn't.

    It isn't ended with the daemon, which may be restarted once its files are replaced: an
    interrupted manager would leave half of them. Its output is in ``log``.
    """
    program = find_program(command[0])
    if program is None:
        return f"{command[0]} isn't installed, or isn't on the daemon's PATH."
    try:
        process = await asyncio.to_thread(_start, [program, *command[1:]], folder, log)
    except OSError as error:
        return f"{command[0]} can't be started: {error}."
    try:
        async with asyncio.timeout(_RUN_S):
            while True:
                if process.poll() is not None:
                    break
                await asyncio.sleep(_LOOK_S)
    except TimeoutError:
        return f"{command[0]} is still at work; its output is in {log}."
    if process.returncode == 0:
        return None
    said = await asyncio.to_thread(_tail, log)
    return said or f"{command[0]} exited with status {process.returncode}."


def _start(arguments: list[str], folder: Path, log: Path) -> "subprocess.Popen[bytes]":
    make_private(log.parent)
    with os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as output:
        return subprocess.Popen(  # noqa: S603 - the package manager's own command, no shell
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,
            env=_environment(),
            start_new_session=sys.platform != "win32",
        )


def _tail(log: Path) -> str:
    try:
        return log.read_text(encoding="utf-8", errors="replace").strip()[-_TAIL_CHARS:]
    except OSError:
        return ""
