"""Runs an agent's program: no shell, in an empty folder of its own, and within limits."""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import psutil

_MAX_OUTPUT: Final = 2_000_000
_MAX_ERRORS: Final = 64_000
_END_S: Final = 5.0
_LOOK_S: Final = 0.02

# Where programs stand that a user installs, which the daemon's own PATH may not name.
_USUAL_FOLDERS: Final = (
    "~/.local/bin",
    "~/.claude/local",
    "~/.opencode/bin",
    "/opt/homebrew/bin",
    "/usr/local/bin",
)

# Our own hooks do nothing in such a process.
_NO_HOOKS: Final = {"INTAGLIO_NO_HOOKS": "1", "SIGNET_NO_HOOKS": "1", "SIGNET_BYPASS": "1"}
# Settings of the daemon, and of a session of an agent from which it was started.
_NOT_PASSED_ON: Final = ("INTAGLIO_", "SIGNET_", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT")


@dataclass(frozen=True, slots=True)
class AgentFolder:
    """An empty folder to run in, and one beside it for files that the program is given."""

    work: Path
    given: Path

    def give(self, name: str, text: str) -> str:
        """Write a file for the program, and return its path."""
        path = self.given / name
        path.write_text(text, encoding="utf-8", errors="replace")
        return str(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOutput:
    """How a program ended; ``output`` is None if it was longer than the limit."""

    code: int
    output: bytes | None
    errors: bytes


@contextlib.contextmanager
def agent_folder() -> Generator[AgentFolder]:
    """Make the folders for a run, which only this user can read; they are removed afterwards."""
    # Synchronous, as nobody would remove a folder that a thread makes for a cancelled task.
    root = Path(tempfile.mkdtemp(prefix="intaglio-agent-"))
    try:
        folder = AgentFolder(root / "work", root / "given")
        folder.work.mkdir()
        folder.given.mkdir()
        yield folder
    finally:
        shutil.rmtree(root, ignore_errors=True)


def find_program(name: str) -> str | None:
    """Return a program's absolute path; None if it isn't installed."""
    usual = (str(Path(folder).expanduser()) for folder in _USUAL_FOLDERS)
    folders = [*os.environ.get("PATH", os.defpath).split(os.pathsep), *usual]
    path = os.pathsep.join(each for each in folders if Path(each).is_absolute())
    return shutil.which(name, path=path)


def agent_environment(program: str, more: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a run: the daemon's without its own settings, and our switches.

    The program's folder stands first on PATH: the interpreter that a script needs is often there.
    """
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(_NOT_PASSED_ON)
    }
    path = os.pathsep.join((str(Path(program).parent), kept.get("PATH", os.defpath)))
    return {**kept, "PATH": path, **_NO_HOOKS, **more}


async def run_program(
    arguments: Sequence[str], *, stdin: str, folder: Path, environment: Mapping[str, str]
) -> AgentOutput:
    """Run a program to its end; when cancelled, it is killed with all that it started.

    Raises OSError if it can't be started.
    """
    # Files, as a process that the program leaves behind would hold a pipe open.
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
    ):
        given.write(stdin.encode("utf-8", "replace"))
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
            _kill(process)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_END_S):
                    await process.wait()
        return AgentOutput(
            code=process.returncode or 0,
            output=_beginning(output, _MAX_OUTPUT) if _size(output) <= _MAX_OUTPUT else None,
            errors=_beginning(errors, _MAX_ERRORS),
        )


def _size(file: IO[bytes]) -> int:
    return os.fstat(file.fileno()).st_size


def _beginning(file: IO[bytes], most: int) -> bytes:
    file.seek(0)
    return file.read(most)


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill a program with all that it started, even if it has ended itself."""
    if sys.platform == "win32":
        with contextlib.suppress(psutil.Error, OSError):
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
            process.kill()
    else:
        # It has a session of its own, whose id is its own.
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
