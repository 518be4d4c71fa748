"""The real tray app as a subprocess, in a session and with directories of its own."""

import contextlib
import signal
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from fakes.daemon import Daemon, daemon_env, free_port
from fakes.program_under_test import command_under_test
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.base.daemon_record import read_record
from intaglio.base.paths import Paths, find_paths


@dataclass(slots=True)
class RunningTrayApp:
    """A tray app: its process, what it started, and what it said."""

    process: "subprocess.Popen[bytes]"
    env: Mapping[str, str]
    home: Path
    port: int

    @property
    def paths(self) -> Paths:
        """Its directories."""
        return find_paths(self.env)

    @property
    def output(self) -> str:
        """What it wrote to its terminal."""
        return (self.home / "tray.txt").read_text()

    @property
    def daemon(self) -> Daemon:
        """Its daemon, as the tests of the daemon know one."""
        return Daemon(self.process, self.port, self.env, self.home / "tray.txt")

    def child_processes(self, *words: str) -> list[psutil.Process]:
        """List the living processes below the tray app whose command line has these words."""
        with contextlib.suppress(psutil.NoSuchProcess):
            below = psutil.Process(self.process.pid).children(recursive=True)
            return [one for one in below if _has(one, words)]
        return []

    def wait_ready(self) -> None:
        """Wait until the daemon answers as ready."""
        self.daemon.wait_until("ready")

    def daemon_pid(self) -> int:
        """Name the process that answers; it says so in its record a moment after it first does."""
        wait_for(lambda: read_record(self.paths.lock) is not None, "a record")
        record = read_record(self.paths.lock)
        assert record is not None
        return record.pid

    def all_processes(self) -> list[psutil.Process]:
        """List the tray app and all that it started."""
        own = psutil.Process(self.process.pid)
        return [own, *own.children(recursive=True)]

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask it to leave, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)


def _has(process: psutil.Process, words: tuple[str, ...]) -> bool:
    try:
        line = process.cmdline()
    except psutil.Error:
        return False
    return all(word in line for word in words)


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_gone(processes: list[psutil.Process]) -> None:
    """Wait until none of them lives."""

    def left() -> list[psutil.Process]:
        return [one for one in processes if _lives(one)]

    names = [str(one) for one in processes]
    wait_for(lambda: not left(), f"the end of {names}")


def start_tray_app(
    home: Path, session: Mapping[str, str], *arguments: str, port: int | None = None, **env: str
) -> RunningTrayApp:
    """Start a tray app below ``home`` in a session, without waiting for it."""
    home.mkdir(parents=True, exist_ok=True)
    chosen = port or free_port()
    own = {name: value for name, value in daemon_env(home, chosen).items() if "INTAGLIO" in name}
    environment = {**session, **own, "INTAGLIO_NO_HOOKS": "1", **env}
    (home / "agents").mkdir(exist_ok=True)
    with (home / "tray.txt").open("ab") as stream:
        process = subprocess.Popen(
            command_under_test("tray", *arguments),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            cwd=home,
            start_new_session=True,
        )
    return RunningTrayApp(process, environment, home, chosen)


@contextmanager
def running_tray_app(
    home: Path, session: Mapping[str, str], *arguments: str, port: int | None = None, **env: str
) -> Generator[RunningTrayApp]:
    """Run a tray app while the block runs; its daemon is ready when the block begins."""
    app = start_tray_app(home, session, *arguments, port=port, **env)
    everyone: list[psutil.Process] = []
    try:
        app.wait_ready()
        yield app
        with contextlib.suppress(psutil.NoSuchProcess):
            everyone = app.all_processes()
    finally:
        try:
            app.stop()
        except subprocess.TimeoutExpired:
            app.process.kill()
            app.process.wait(PATIENCE_S)
            raise
        finally:
            wait_gone(everyone)


def second_launch(app: RunningTrayApp, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Start the tray app once more, as a user does who clicks the program's icon again."""
    return subprocess.run(
        command_under_test("tray", *arguments),
        env=dict(app.env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
