"""Starts and controls the window processes, at most one of each kind."""

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from intaglio.base.paths import make_private
from intaglio.base.process.own_program import own_command
from intaglio.desktop.values import Destination
from intaglio.desktop.window.commands import (
    CloseWindow,
    ShowWindow,
    WindowCommand,
    write_command,
)
from intaglio.desktop.window.definitions import WindowKind, keeps_current_page, kind_of

_CLOSE_TIMEOUT_S: Final = 3.0
_LOG_BYTES: Final = 1_000_000
WINDOW_COMMAND: Final = tuple(own_command("window"))


class _Window:
    """A running window process and the pipe to it; when the pipe closes, the process exits."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], log: Path) -> None:
        make_private(log.parent)
        # A large log starts from empty again.
        is_full = log.exists() and log.stat().st_size > _LOG_BYTES
        flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if is_full else os.O_APPEND)
        with os.fdopen(os.open(log, flags, 0o600), "wb") as stream:
            self._process = subprocess.Popen(  # noqa: S603 - this very program
                command,
                env=dict(env),
                stdin=subprocess.PIPE,
                stdout=stream,
                stderr=stream,
                # Ctrl+C in the terminal is for the tray app, which closes the windows.
                start_new_session=True,
            )

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def send(self, command: WindowCommand) -> bool:
        """Send a command; returns False if the process is gone."""
        pipe = self._process.stdin
        if pipe is None:
            return False
        try:
            pipe.write(write_command(command))
            pipe.flush()
        except OSError:
            return False
        return self.is_running

    def close_pipe(self) -> None:
        """Close the pipe, so that the process exits."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def wait_or_kill(self, seconds: float) -> None:
        """Wait for the process to exit, and kill it after ``seconds``."""
        try:
            self._process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class ProcessWindows:
    """The windows as separate processes; implements `Windows`."""

    def __init__(
        self,
        log: Path,
        env: Mapping[str, str] = os.environ,
        command: Sequence[str] = WINDOW_COMMAND,
    ) -> None:
        self._log = log
        self._env = env
        self._command = command
        self._open: dict[WindowKind, _Window] = {}
        self._lock = threading.Lock()
        self._closed = False

    def show(self, destination: Destination, url: str) -> None:
        """Bring the open window to the front, or start one."""
        kind = kind_of(destination)
        with self._lock:
            if self._closed:
                return
            window = self._open.get(kind)
            command = ShowWindow(None if keeps_current_page(destination) else url)
            if window is not None and window.is_running and window.send(command):
                return
            if window is not None:
                window.close_pipe()
                window.wait_or_kill(_CLOSE_TIMEOUT_S)
            started = _Window([*self._command, kind], self._env, self._log)
            self._open[kind] = started
            started.send(ShowWindow(url))

    def close(self) -> None:
        """Close every window; kill those that don't close within seconds."""
        with self._lock:
            self._closed = True
            windows = list(self._open.values())
            self._open.clear()
        for window in windows:
            window.send(CloseWindow())
            window.close_pipe()
        wait_or_kill = time.monotonic() + _CLOSE_TIMEOUT_S
        for window in windows:
            window.wait_or_kill(wait_or_kill - time.monotonic())
