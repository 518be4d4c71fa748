"""The files of our own that a harness's hooks point at: the curl file, the hook program, the token.

Both carry an event to the harness's endpoint. curl is the quicker, the program spools what it
cannot hand over.
"""

from collections.abc import Mapping
from pathlib import Path

from intaglio.base.installation import DEFAULT_PORT, Installation
from intaglio.base.paths import Paths, write_private
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


def endpoint(harness: str) -> str:
    """Return the path that takes a harness's own JSON."""
    return f"/api/hooks/native/{harness}"


def curl_file(hooks: Path, harness: str) -> Path:
    """Name what ``curl -K`` reads; ``hooks`` is the folder of hook files."""
    return hooks / f"{harness}.curl"


def program_file(hooks: Path, harness: str) -> Path:
    """Name the hook program; ``hooks`` is the folder of hook files."""
    return hooks / f"{harness}.py"


def hook_files(
    harness: str,
    fields: Mapping[str, str],
    paths: Paths,
    installation: Installation,
    port: int | None = None,
) -> tuple[FileToWrite, ...]:
    """Render a harness's hook files for the port (default: the installation's).

    ``fields`` says what the harness's JSON calls each field of a spooled event: ``event`` and
    ``session`` there have to be, ``cwd``, ``transcript_path``, ``reason`` and ``agent_id`` may.
    """
    folder = paths.hooks
    curl = _CURL.format(
        port=port or installation.port or DEFAULT_PORT,
        endpoint=endpoint(harness),
        token=installation.hook_token,
        empty=(folder / EMPTY_FILE).as_uri(),
    )
    program = _program(harness, fields, paths, installation)
    return (
        FileToWrite(folder / EMPTY_FILE, b""),
        FileToWrite(folder / TOKEN_FILE, installation.hook_token.encode()),
        FileToWrite(curl_file(folder, harness), curl.encode()),
        FileToWrite(program_file(folder, harness), program.encode()),
    )


def _program(
    harness: str, fields: Mapping[str, str], paths: Paths, installation: Installation
) -> str:
    source = Path(__file__).with_name("hook_program.py").read_text(encoding="utf-8")
    burnt = {
        "LOCK": str(paths.lock),
        "TOKEN": str(paths.hooks / TOKEN_FILE),
        "SPOOL": str(paths.spool),
        "INSTALL_ID": installation.install_id,
        "HARNESS": harness,
        "ENDPOINT": endpoint(harness),
        "FIELDS": " ".join(f"{ours}={theirs}" for ours, theirs in fields.items()),
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
