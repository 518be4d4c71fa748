"""Where a probe attacks: a private home, and real daemons that end with the probe."""

import contextlib
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path

from fakes.daemon import NO_MODEL, Daemon, daemon_env, free_port, start_daemon, write_settings
from fakes.daemon import run_command as run_intaglio
from intaglio.base.paths import Paths, find_paths

_STOP_S = 20.0


def end(daemon: Daemon) -> None:
    """End a daemon however it is: SIGTERM first, then SIGKILL."""
    if daemon.process.poll() is None:
        try:
            daemon.stop(_STOP_S)
        except subprocess.TimeoutExpired:
            daemon.kill()


@dataclass(slots=True)
class SharedDaemon:
    """The daemon that the harmless probes of a group share; started by the first of them."""

    home: Path
    daemon: Daemon | None = None

    def ready(self) -> Daemon:
        """Return it, ready; a new one if the last has ended."""
        if self.daemon is None or self.daemon.process.poll() is not None:
            if not (self.home / "agents" / "agent.yaml").exists():
                write_settings(self.home, NO_MODEL)
            self.daemon = start_daemon(self.home, fresh=True)
            self.daemon.wait_until("ready")
        return self.daemon


@dataclass(slots=True)
class Arena:
    """What a probe has: its own empty ``home``, and daemons in it or shared with its group."""

    home: Path
    group: SharedDaemon
    port: int = field(default_factory=free_port)
    _ends: list[Callable[[], object]] = field(default_factory=list[Callable[[], object]])

    @property
    def env(self) -> dict[str, str]:
        """The environment whose directories lie below this home."""
        return daemon_env(self.home, self.port)

    @property
    def paths(self) -> Paths:
        """The directories below this home: ``paths.database``, ``paths.hooks`` and so on."""
        return find_paths(self.env)

    def shared(self) -> Daemon:
        """Return a ready daemon of the whole group: for probes that leave it as it was."""
        return self.group.ready()

    def start(self, settings: str = NO_MODEL, *, until: str | None = "ready", **env: str) -> Daemon:
        """Start a daemon of this probe alone, and wait for a state unless ``until`` is None.

        A later call starts another in the same home, on the same port.
        """
        if not self.paths.settings.exists():
            write_settings(self.home, settings)
        daemon = start_daemon(self.home, self.port, None, fresh=True, **env)
        self.at_end(lambda: end(daemon))
        if until:
            daemon.wait_until(until)
        return daemon

    def run(self, *args: str, say: str = "") -> "subprocess.CompletedProcess[str]":
        """Run ``intaglio`` in this home."""
        self.home.mkdir(parents=True, exist_ok=True)
        return run_intaglio(*args, env=self.env, folder=self.home, say=say, fresh=True)

    def at_end(self, do: Callable[[], object]) -> None:
        """Do this when the probe is over, last first."""
        self._ends.append(do)

    def close(self) -> None:
        """Undo what the probe did."""
        while self._ends:
            self._ends.pop()()


def stored(database: Path) -> set[str]:
    """Return the contents of all memories in a database file."""
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return {content for (content,) in connection.execute("SELECT content FROM memories")}


def bytes_on_disk(database: Path) -> bytes:
    """Return the bytes of a database and its log together: what a thief of the files has."""
    files = sorted(database.parent.glob(f"{database.name}*"))
    return b"".join(file.read_bytes() for file in files if file.is_file())


@contextlib.contextmanager
def arena_folder() -> Generator[Path]:
    """Make the folder of a run, and remove it afterwards.

    Its path is short (a Unix socket's has at most 100 bytes), and other users may pass through it.
    """
    folder = Path(tempfile.mkdtemp(prefix="attack-"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
