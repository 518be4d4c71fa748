"""Starts the parts of Intaglio that the command line doesn't load: the daemon, the tray app."""

import os
import subprocess
import sys
from typing import NoReturn


def become(*arguments: str) -> NoReturn:
    """Run ``python -m intaglio`` with these arguments in this process's place."""
    command = [sys.executable, "-m", "intaglio", *arguments]
    sys.stdout.flush()
    if sys.platform == "win32":
        sys.exit(subprocess.run(command, check=False).returncode)  # noqa: S603 - our own program
    os.execv(sys.executable, command)  # noqa: S606 - our own program, no shell
