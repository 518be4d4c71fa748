"""The empty folder and the environment that an agent's program runs in."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.process.programs import NO_HOOKS

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


def agent_environment(program: str, more: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a run: the daemon's without its own settings, and our switches.

    The program's folder stands first on PATH: the interpreter that a script needs is often there.
    """
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(_NOT_PASSED_ON)
    }
    path = os.pathsep.join((str(Path(program).parent), kept.get("PATH", os.defpath)))
    return {**kept, "PATH": path, **NO_HOOKS, **more}
