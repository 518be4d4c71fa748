"""Renders the MCP program that clients run over stdio, and returns the command that runs it."""

from pathlib import Path

from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.programs.rendering import render, token_file
from intaglio.connect.values import FileToWrite


def program_file(hooks: Path) -> Path:
    """Return the path of the MCP program; ``hooks`` is the folder of hook files."""
    return hooks / "mcp.py"


def answers_file(hooks: Path) -> Path:
    """Return the path of what the program answers while the daemon is away."""
    return hooks / "mcp.json"


def mcp_files(paths: Paths, installation: Installation) -> tuple[FileToWrite, ...]:
    """Render the MCP program, with the token that it reads."""
    constants = {"ANSWERS": str(answers_file(paths.hooks))}
    program = render("mcp_program.py", constants, paths, installation)
    return (
        token_file(paths, installation),
        FileToWrite(program_file(paths.hooks), program),
    )


def mcp_command(paths: Paths, python: str, harness: str = "") -> list[str]:
    """Return the command line that runs the MCP program for a harness, or for any other client."""
    name = ["--harness", harness] if harness else []
    return [python, "-I", "-S", str(program_file(paths.hooks)), *name]
