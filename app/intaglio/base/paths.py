"""The directories on this machine: workspace, state, cache, logs, and built assets."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

from intaglio.base.errors import UnavailableError

_APP = "intaglio"
PRIVATE: Final = 0o700
"""The mode of a folder that only its owner can read."""

SETTINGS_NAMES: Final = ("agent.yaml", "AGENT.yaml", "config.yaml")
"""The names that the settings file may have in the workspace."""

WORKSPACE_VARIABLES: Final = ("INTAGLIO_WORKSPACE", "SIGNET_WORKSPACE", "SIGNET_PATH")
LOG_VARIABLES: Final = ("INTAGLIO_LOG_DIR", "SIGNET_LOG_DIR")

# Platforms allow 104 to 108 bytes with the closing zero.
_MAX_SOCKET_PATH_BYTES: Final = 100


@dataclass(frozen=True, slots=True)
class Paths:
    """The directories of one installation; two with different ones share no data."""

    workspace: Path
    state: Path
    cache: Path
    logs: Path
    runtime: Path
    model: Path

    @property
    def memory(self) -> Path:
        """The folder of the database and the dated summaries."""
        return self.workspace / "memory"

    @property
    def database(self) -> Path:
        """The SQLite database."""
        return self.memory / "intaglio.db"

    @property
    def backups(self) -> Path:
        """The rotated daily backups, next to the database."""
        return self.memory / "backups"

    @property
    def settings(self) -> Path:
        """The settings file that the user edits; the first of its names that exists."""
        places = [self.workspace / name for name in SETTINGS_NAMES]
        return next((place for place in places if os.path.lexists(place)), places[0])

    @property
    def spool(self) -> Path:
        """Where hooks store events while the daemon isn't running."""
        return self.state / "spool"

    @property
    def uploads(self) -> Path:
        """The exports that are uploaded to be imported (0600)."""
        return self.state / "uploads"

    @property
    def hooks(self) -> Path:
        """The hook program and the files that harness configurations refer to."""
        return self.state / "hooks"

    @property
    def identity(self) -> Path:
        """This installation's id, tokens and port (0600)."""
        return self.state / "install.json"

    @property
    def clock_mark(self) -> Path:
        """The last time by the system's clock that the daemon trusted."""
        return self.state / "clock.json"

    @property
    def lock(self) -> Path:
        """The running daemon's port, pid, start time and token (0600)."""
        return self.runtime / "daemon.json"

    @property
    def socket(self) -> Path | None:
        """The daemon's Unix socket (0600); None on Windows and for a path that is too long.

        The file exists only while the daemon runs, in a folder that can hold sockets.
        """
        file = self.state / "intaglio.sock"
        fits = len(os.fsencode(file)) <= _MAX_SOCKET_PATH_BYTES
        return file if fits and sys.platform != "win32" else None

    @property
    def log_file(self) -> Path:
        """The daemon's log: JSON lines, rotated."""
        return self.logs / "daemon.log"


def _first(env: Mapping[str, str], *names: str) -> Path | None:
    for name in names:
        value = env.get(name, "").strip()
        if value:
            return Path(value).expanduser().absolute()
    return None


def home_folder() -> Path:
    """Return the user's home directory; raises UnavailableError if the system knows none."""
    try:
        return Path.home()
    except RuntimeError as error:
        raise _no_home(error) from error


def _no_home(error: RuntimeError) -> UnavailableError:
    return UnavailableError(
        f"Couldn't find a directory: {error}",
        hint="Set HOME, or each of the INTAGLIO_… directories.",
    )


def find_paths(env: Mapping[str, str] = os.environ) -> Paths:
    """Determine every directory, without creating any.

    Each has its own variable (``INTAGLIO_WORKSPACE``, ``INTAGLIO_STATE_DIR``,
    ``INTAGLIO_CACHE_DIR``, ``INTAGLIO_LOG_DIR``, ``INTAGLIO_RUNTIME_DIR``); without it, the
    platform's convention applies. ``INTAGLIO_MODEL_DIR`` overrides the folder of the embedding
    model. Raises UnavailableError if a home directory is needed and there is none.
    """
    try:
        return _find(env)
    except RuntimeError as error:
        raise _no_home(error) from error


def _find(env: Mapping[str, str]) -> Paths:
    state = _first(env, "INTAGLIO_STATE_DIR") or platformdirs.user_state_path(_APP, appauthor=False)
    return Paths(
        workspace=_first(env, *WORKSPACE_VARIABLES) or Path.home() / ".agents",
        state=state,
        cache=_first(env, "INTAGLIO_CACHE_DIR")
        or platformdirs.user_cache_path(_APP, appauthor=False),
        logs=_first(env, *LOG_VARIABLES) or platformdirs.user_log_path(_APP, appauthor=False),
        # Not the platform's runtime directory: processes outside a desktop session (SSH, cron) have
        # to find the same daemon, and the hook program contains this path.
        runtime=_first(env, "INTAGLIO_RUNTIME_DIR") or state / "run",
        model=_first(env, "INTAGLIO_MODEL_DIR") or built_folder("model"),
    )


def make_private(folder: Path) -> None:
    """Create the folder and the missing ones above it, for their owner only.

    Platforms without file owners ignore the mode, and a folder that exists keeps its own.
    """
    if not folder.parent.exists():
        # `mkdir` creates the missing folders above with the default mode, open to everyone.
        make_private(folder.parent)
    folder.mkdir(mode=PRIVATE, exist_ok=True)


def write_private(file: Path, content: str | bytes) -> None:
    """Write the whole file atomically with mode 0600: no reader sees half of it."""
    make_private(file.parent)
    data = content.encode() if isinstance(content, str) else content
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def built_folder(name: str) -> Path:
    """Find a folder that setup or the wheel build creates: ``ui``, ``docs``, ``model``.

    It lies inside the package, so checkout, wheel and installer agree.
    """
    return Path(__file__).resolve().parent.parent / "_built" / name
