"""Renders the programs: one file each, with `daemon_link` in it and the values filled in."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.values import FileToWrite

_IMPORT: Final = re.compile(
    r"^from intaglio\.connect\.programs\.daemon_link import \([^()]*\)\n", re.MULTILINE
)


def token_file(paths: Paths, installation: Installation) -> FileToWrite:
    """Return the file with the hook token, which every program reads."""
    return FileToWrite(paths.hooks / "token", installation.hook_token.encode())


def render(
    program: str, constants: Mapping[str, str], paths: Paths, installation: Installation
) -> bytes:
    """Return a program of this package that runs without it.

    ``constants`` are the program's own values, by the names they have in its source.
    """
    source = _IMPORT.sub(lambda _: _source("daemon_link.py"), _source(program), count=1)
    filled_in = {
        **constants,
        "SOCKET": "" if paths.socket is None else str(paths.socket),
        "LOCK": str(paths.lock),
        "TOKEN": str(token_file(paths, installation).path),
        "INSTALL_ID": installation.install_id,
    }
    for name, value in filled_in.items():
        source = source.replace(f'\n{name} = ""\n', f"\n{name} = {value!r}\n", 1)
    return source.encode()


def _source(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
