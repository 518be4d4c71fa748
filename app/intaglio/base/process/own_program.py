"""How Intaglio starts itself: by Python, or by the executable of a PyInstaller build.

A PyInstaller build has no Python beside it: ``sys.executable`` is the program itself, which takes
the arguments of ``python -m intaglio``. It also runs a script like Python (`frozen_start`), so the
commands of hooks and MCP clients have the same form everywhere.
"""

import os
import subprocess
import sys
from typing import NoReturn


def is_frozen() -> bool:
    """Whether this process runs from a PyInstaller build."""
    return bool(getattr(sys, "frozen", False))


def own_command(*arguments: str) -> list[str]:
    """Return the command line that runs Intaglio with these arguments."""
    if is_frozen():
        return [sys.executable, *arguments]
    # Not the current folder (-P): a file in it could take the place of a module.
    return [sys.executable, "-P", "-m", "intaglio", *arguments]


def become(*arguments: str) -> NoReturn:
    """Run Intaglio with these arguments in this process's place."""
    sys.stdout.flush()
    command = own_command(*arguments)
    if sys.platform == "win32":
        sys.exit(subprocess.run(command, check=False).returncode)  # noqa: S603 - our own program
    os.execv(command[0], command)  # noqa: S606 - our own program, no shell
