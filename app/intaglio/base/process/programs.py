"""Finds and runs programs of the user: no shell, and within limits."""

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from intaglio.base.process.kill import kill_with_children

_MAX_OUTPUT: Final = 2_000_000
_MAX_ERRORS: Final = 64_000
_END_S: Final = 5.0
_LOOK_S: Final = 0.02

# Where programs stand that a user installs, which the daemon's own PATH may not name.
_USUAL_FOLDERS: Final = (
    "~/.local/bin",
    "~/.claude/local",
    "~/.opencode/bin",
    "~/AppData/Roaming/npm",
    "/opt/homebrew/bin",
    "/usr/local/bin",
)

NO_HOOKS: Final = {"INTAGLIO_NO_HOOKS": "1", "SIGNET_NO_HOOKS": "1", "SIGNET_BYPASS": "1"}
"""Our own hooks do nothing in a process that has one of these variables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOutput:
    """How a program ended; ``output`` is None if it was longer than the limit."""

    code: int
    output: bytes | None
    errors: bytes


def find_program(name: str) -> str | None:
    """Return a program's absolute path; None if it isn't installed."""
    usual = (str(Path(folder).expanduser()) for folder in _USUAL_FOLDERS)
    folders = [*os.environ.get("PATH", os.defpath).split(os.pathsep), *usual]
    path = os.pathsep.join(each for each in folders if Path(each).is_absolute())
    return shutil.which(name, path=path)


async def run_program(
    arguments: Sequence[str], *, stdin: bytes, folder: Path, environment: Mapping[str, str]
) -> ProgramOutput:
    """Run a program to its end without a shell.

    When cancelled, it is killed with all that it started. Raises OSError or ValueError if it can't
    be started.
    """
    # Files, as a process that the program leaves behind would hold a pipe open.
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
    ):
        given.write(stdin)
        given.seek(0)
        process = await asyncio.create_subprocess_exec(
            *arguments,
            stdin=given,
            stdout=output,
            stderr=errors,
            cwd=folder,
            env=dict(environment),
            start_new_session=sys.platform != "win32",
        )
        try:
            while process.returncode is None:
                if _size(output) + _size(errors) > _MAX_OUTPUT:
                    break
                await asyncio.sleep(_LOOK_S)
        finally:
            kill_with_children(process.pid)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_END_S):
                    await process.wait()
        return ProgramOutput(
            code=process.returncode or 0,
            output=_beginning(output, _MAX_OUTPUT) if _size(output) <= _MAX_OUTPUT else None,
            errors=_beginning(errors, _MAX_ERRORS),
        )


def _size(file: IO[bytes]) -> int:
    return os.fstat(file.fileno()).st_size


def _beginning(file: IO[bytes], most: int) -> bytes:
    file.seek(0)
    return file.read(most)
