"""The files that Claude Code's hooks point at: the curl file, the hook program, the token."""

from pathlib import Path

from intaglio.base.install import DEFAULT_PORT, Install
from intaglio.base.paths import Paths, write_private
from intaglio.connect.hook_entries import CURL_FILE, ENDPOINT, PROGRAM_FILE
from intaglio.connect.values import FileToWrite

TOKEN_FILE = "token"  # noqa: S105 - a file's name
EMPTY_FILE = "empty"

# The second transfer reads an empty local file, so that curl ends with 0 and says nothing when
# the first one failed: daemon away, hanging, or answering an error.
_CURL = """\
url = "http://127.0.0.1:{port}{endpoint}"
header = "Authorization: Bearer {token}"
header = "Content-Type: application/json"
header = "Expect:"
data-binary = "@-"
proto = "=http"
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


def hook_files(paths: Paths, install: Install, port: int | None = None) -> tuple[FileToWrite, ...]:
    """Render the hook files for the port (default: the installation's)."""
    folder = paths.hooks
    curl = _CURL.format(
        port=port or install.port or DEFAULT_PORT,
        endpoint=ENDPOINT,
        token=install.hook_token,
        empty=(folder / EMPTY_FILE).as_uri(),
    )
    return (
        FileToWrite(folder / EMPTY_FILE, b""),
        FileToWrite(folder / TOKEN_FILE, install.hook_token.encode()),
        FileToWrite(folder / CURL_FILE, curl.encode()),
        FileToWrite(folder / PROGRAM_FILE, _program(paths, install).encode()),
    )


def _program(paths: Paths, install: Install) -> str:
    source = Path(__file__).with_name("hook.py").read_text(encoding="utf-8")
    burnt = {
        "LOCK": str(paths.lock),
        "TOKEN": str(paths.hooks / TOKEN_FILE),
        "SPOOL": str(paths.spool),
        "INSTALL_ID": install.install_id,
    }
    for name, value in burnt.items():
        source = source.replace(f'{name} = ""', f"{name} = {value!r}", 1)
    return source


def write_files(files: tuple[FileToWrite, ...]) -> bool:
    """Write those that differ (0600); tell whether there was one."""
    stale = [file for file in files if not file.is_there()]
    for file in stale:
        write_private(file.path, file.content)
    return bool(stale)


def refresh(paths: Paths, install: Install, port: int) -> bool:
    """Rewrite the hook files for the port that the daemon answers on.

    The daemon calls this at each start; harness configurations never have to change for it.
    Returns whether anything changed.
    """
    return write_files(hook_files(paths, install, port))
