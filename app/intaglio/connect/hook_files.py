"""Renders the files that a harness's hooks refer to: curl config, hook program or plugin, token.

Both send an event to the harness's endpoint. curl is faster, but needs a Unix socket: over TCP it
can't tell the daemon from another program. The program spools events that it can't deliver.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from intaglio.base.files.hook_breaker import timeout_note
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths, write_private
from intaglio.connect.programs.rendering import render, render_plugin, token_file
from intaglio.connect.values import FileToWrite

EMPTY_FILE = "empty"

# The second transfer reads an empty local file, so that curl exits with 0 and prints nothing if
# the first one failed: daemon down, hanging, or returning an error.
_BY_SOCKET = 'unix-socket = "{socket}"\nproto = "=http"'
# Settings of an older version may still run curl: it may then connect to nothing.
_BY_NOTHING = 'proto = "=file"'
_CURL = """\
{connection}
url = "http://localhost{endpoint}"
header = "Authorization: Bearer {token}"
header = "Content-Type: application/json"
header = "Expect:"
data-binary = "@-"
noproxy = "*"
connect-timeout = 0.3
max-time = 2
silent
fail
next
url = "{empty}"
proto = "=file"
silent
"""


def endpoint(harness: str) -> str:
    """Return the endpoint path for a harness's own JSON."""
    return f"/api/hooks/native/{harness}"


def curl_file(hooks: Path, harness: str) -> Path:
    """Return the path of the config for ``curl -K``; ``hooks`` is the folder of hook files."""
    return hooks / f"{harness}.curl"


def program_file(hooks: Path, harness: str) -> Path:
    """Return the path of the hook program; ``hooks`` is the folder of hook files."""
    return hooks / f"{harness}.py"


def plugin_file(hooks: Path, harness: str) -> Path:
    """Return the path of a plugin that runs within the harness; ``hooks`` is like above."""
    return hooks / f"{harness}.mjs"


def hook_files(
    harness: str,
    fields: Mapping[str, str],
    paths: Paths,
    installation: Installation,
    *,
    curl: bool = False,
    directory: str = "",
) -> tuple[FileToWrite, ...]:
    """Render a harness's hook files; ``curl`` says whether curl can use the daemon's Unix socket.

    ``fields`` maps the fields of a spooled event to the harness's JSON keys: ``event`` and
    ``session`` are required; ``cwd``, ``transcript_path``, ``reason`` and ``agent_id`` optional.
    ``directory`` is the environment variable in which the harness names the session's directory.
    """
    folder = paths.hooks
    connection = _BY_NOTHING
    if curl and paths.socket is not None:
        connection = _BY_SOCKET.format(socket=_quoted(paths.socket))
    config = _CURL.format(
        connection=connection,
        endpoint=endpoint(harness),
        token=installation.hook_token,
        empty=(folder / EMPTY_FILE).as_uri(),
    )
    return (
        FileToWrite(folder / EMPTY_FILE, b""),
        token_file(paths, installation),
        FileToWrite(curl_file(folder, harness), os.fsencode(config)),
        FileToWrite(
            program_file(folder, harness),
            _program(harness, fields, directory, paths, installation),
        ),
    )


def plugin_files(
    harness: str, plugin: Path, paths: Paths, installation: Installation
) -> tuple[FileToWrite, ...]:
    """Render a plugin in JavaScript that runs within the harness and uses `plugin_link.js`.

    What the harness loads from its own folder imports it, so that this never has to change.
    """
    constants = {"SPOOL": str(paths.spool), "HARNESS": harness, "ENDPOINT": endpoint(harness)}
    content = render_plugin(plugin, constants, paths, installation)
    return (
        token_file(paths, installation),
        FileToWrite(plugin_file(paths.hooks, harness), content),
    )


def _quoted(path: Path) -> str:
    """Escape a path for a quoted value of curl's config."""
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


def _program(
    harness: str,
    fields: Mapping[str, str],
    directory: str,
    paths: Paths,
    installation: Installation,
) -> bytes:
    constants = {
        "BREAKER": str(timeout_note(paths)),
        "SPOOL": str(paths.spool),
        "HARNESS": harness,
        "ENDPOINT": endpoint(harness),
        "DIRECTORY": directory,
        "FIELDS": " ".join(f"{ours}={theirs}" for ours, theirs in fields.items()),
    }
    return render("hook_program.py", constants, paths, installation)


def write_files(files: tuple[FileToWrite, ...]) -> bool:
    """Write the files that differ (mode 0600); return whether there were any."""
    stale = [file for file in files if not file.is_there()]
    for file in stale:
        write_private(file.path, file.content)
    return bool(stale)
