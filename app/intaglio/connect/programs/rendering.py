"""Renders programs and plugins: one file each, with their link to the daemon and their values."""

import json
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
_IMPORT_OF_PLUGIN: Final = re.compile(
    r'^import \{[^{}]*\} from "[^"\n]*/plugin_link\.js";\n', re.MULTILINE
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
    for name, value in {**constants, **_daemon(paths, installation)}.items():
        source = source.replace(f'\n{name} = ""\n', f"\n{name} = {value!r}\n", 1)
    return source.encode()


def render_plugin(
    plugin: Path, constants: Mapping[str, str], paths: Paths, installation: Installation
) -> bytes:
    """Return a plugin in JavaScript, a file of its harness's folder, that runs without it.

    It may import `plugin_link.js`, besides Node's own modules. ``constants`` are like `render`'s.
    """
    link = _source("plugin_link.js").replace("\nexport ", "\n")
    source = _IMPORT_OF_PLUGIN.sub(lambda _: link, plugin.read_text(encoding="utf-8"), count=1)
    return fill_in(source, {**constants, **_daemon(paths, installation)}).encode()


def fill_in(source: str, constants: Mapping[str, str]) -> str:
    """Return a source in JavaScript with the values of ``constants``, by their names there."""
    for name, value in constants.items():
        declared = f"\nconst {name} = "
        source = source.replace(f'{declared}"";\n', f"{declared}{json.dumps(value)};\n", 1)
    return source


def _daemon(paths: Paths, installation: Installation) -> Mapping[str, str]:
    """Return what tells the daemon from other programs, and where it is."""
    return {
        "SOCKET": "" if paths.socket is None else str(paths.socket),
        "LOCK": str(paths.lock),
        "TOKEN": str(token_file(paths, installation).path),
        "INSTALL_ID": installation.install_id,
    }


def _source(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
