"""The `intaglio` command as it can be typed in a shell, for hints that name a command."""

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_NAME: Final = "intaglio"
_ENDINGS: Final = (".exe", ".cmd") if os.name == "nt" else ("",)


@dataclass(frozen=True, slots=True)
class Invocation:
    """How this process was started: its interpreter, and the first word of its command line."""

    python: str
    typed: str
    env: Mapping[str, str]


def this_process() -> Invocation:
    """Return how this process was started."""
    return Invocation(sys.executable, sys.argv[0] if sys.argv else "", os.environ)


def command(arguments: str = "", invocation: Invocation | None = None) -> str:
    """Return a command line that runs this installation's `intaglio` with some arguments.

    It is ``intaglio …`` where the search path has it, else the program as the user typed it
    (``.venv/bin/intaglio …``), else its full path, with ``~`` for the home directory. Without a
    program beside the interpreter it is ``python -m intaglio …``.
    """
    started = invocation or this_process()
    return f"{_program(started)} {arguments}".rstrip()


def _program(started: Invocation) -> str:
    ours = next(
        (
            file
            for ending in _ENDINGS
            if (file := Path(started.python).with_name(f"{_NAME}{ending}")).is_file()
        ),
        None,
    )
    if ours is None:
        return f"{_shown(Path(started.python), started.env)} -m {_NAME}"
    found = shutil.which(_NAME, path=started.env.get("PATH", os.defpath))
    if found is not None and _same(Path(found), ours):
        return _NAME
    typed = Path(started.typed)
    if not typed.is_absolute() and len(typed.parts) > 1 and _same(typed, ours):
        return shlex.quote(started.typed)
    return _shown(ours, started.env)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def _shown(file: Path, env: Mapping[str, str]) -> str:
    home = env.get("HOME")
    if home and os.name != "nt" and file.is_relative_to(home):
        # A quoted tilde would not be the home directory.
        return f"~/{shlex.quote(str(file.relative_to(home)))}"
    return shlex.quote(str(file)) if os.name != "nt" else f'"{file}"'
