"""`intaglio` in a home of its own, as a user types it, against a daemon of that home."""

import json
import subprocess
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from fakes.daemon import Daemon, daemon_env, free_port, run_command, start_daemon
from fakes.waiting import PATIENCE_S


class Shell:
    """Runs `intaglio` in a home of its own."""

    def __init__(self, home: Path, port: int) -> None:
        self.home = home
        self.env = daemon_env(home, port)
        self._daemons = list[Daemon]()

    def __call__(
        self, *args: str, say: str = "", fresh: bool = False, folder: Path | None = None
    ) -> "subprocess.CompletedProcess[str]":
        return run_command(*args, env=self.env, folder=folder or self.home, say=say, fresh=fresh)

    def start(self) -> int:
        """Start a daemon for a test that is about something else; return its process number."""
        daemon = start_daemon(self.home, int(self.env["INTAGLIO_PORT"]))
        daemon.wait_until("ready")
        self._daemons.append(daemon)
        return daemon.process.pid

    def end(self) -> None:
        """End the daemons that a test started and left running."""
        for daemon in self._daemons:
            if daemon.process.poll() is None:
                daemon.stop()


@contextmanager
def shell_of(folder: Path) -> Generator[Shell]:
    """Make a home below a folder; a daemon that was started in it ends with the block."""
    home = folder / "home"
    home.mkdir()
    shell = Shell(home, free_port())
    yield shell
    shell.end()
    record = home / "state" / "run" / "daemon.json"
    # Not by the command, which has tests of its own and takes as long as a test.
    with suppress(FileNotFoundError, psutil.NoSuchProcess):
        daemon = psutil.Process(json.loads(record.read_text())["pid"])
        if str(home) in daemon.environ().get("HOME", ""):
            daemon.terminate()
            daemon.wait(PATIENCE_S)
