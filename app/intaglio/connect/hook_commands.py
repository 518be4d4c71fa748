"""Command lines of hooks, which end silently if their program or its file is gone."""

import shlex
import sys
from pathlib import Path
from typing import Final, Literal, TypeAlias

from intaglio.connect.hook_files import curl_file, program_file

HookTask: TypeAlias = Literal["reply", "ask", "report"]
"""``reply`` and ``report`` are kept for later while the daemon is down; ``report`` has no reply."""

# Ends silently without the file or the program, as when Intaglio was deleted but not disconnected.
# Both are arguments, so that no path is ever part of the script.
_UNLESS_GONE: Final = '[ -r "$0" ] && command -v "$1" >/dev/null || exit 0; exec "$@"'


def hook_command(
    harness: str, hooks: Path, python: str, task: HookTask, *, curl: bool
) -> list[str]:
    """Return the command line that sends an event of a harness, for a program to run.

    ``hooks`` is the folder of the hook files. With ``curl``, it is what sends an event whose reply
    matters: it is faster than the hook program, and keeps nothing for later.
    """
    config, source = curl_file(hooks, harness), program_file(hooks, harness)
    if curl and task != "report":
        return _unless_gone(config, ["curl", "-q", "-K", str(config)])
    option = [] if task == "report" else [f"--{task}"]
    return _unless_gone(source, [python, "-I", "-S", str(source), *option])


def shell_line(command: list[str]) -> str:
    """Return a command line as text, for a shell to run: PowerShell on Windows."""
    if sys.platform == "win32":
        return "& " + " ".join("'" + word.replace("'", "''") + "'" for word in command)
    return shlex.join(command)


def shell_command(line: str) -> tuple[str, ...]:
    """Return how a shell runs a line that `shell_line` made."""
    if sys.platform == "win32":
        return ("powershell", "-NoProfile", "-NonInteractive", "-Command", line)
    return ("/bin/sh", "-c", line)


def _unless_gone(needs: Path, command: list[str]) -> list[str]:
    # Windows has no shell that could look for the file.
    if sys.platform == "win32":
        return command
    return ["/bin/sh", "-c", _UNLESS_GONE, str(needs), *command]
