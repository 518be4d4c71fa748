"""Writes the MCP program if it isn't there as it should be, and runs it in this process."""

import os
import runpy
import sys

from intaglio.base.installation import load_installation
from intaglio.base.paths import find_paths
from intaglio.connect.hook_files import write_files
from intaglio.connect.mcp_files import mcp_command, mcp_files, program_file


def serve(harness: str) -> None:
    """Serve a client on stdin and stdout until it closes stdin.

    Raises UnavailableError if there is no usable state folder.
    """
    paths = find_paths()
    write_files(mcp_files(paths, load_installation(paths, os.urandom)))
    command = mcp_command(paths, sys.executable, harness)
    if sys.platform == "win32":
        program = str(program_file(paths.hooks))
        sys.argv = command[command.index(program) :]
        runpy.run_path(program, run_name="__main__")
    else:
        # Without what this process has imported, the program needs half the memory.
        os.execv(sys.executable, command)  # noqa: S606 - our own program, no shell
