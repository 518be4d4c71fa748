"""Starts and controls the window process, which the tray app keeps ready for the next window."""

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from intaglio.base.log import get_logger
from intaglio.base.paths import make_private
from intaglio.base.process.own_program import own_command
from intaglio.desktop.values import Destination
from intaglio.desktop.window.commands import (
    CloseWindows,
    KeepReady,
    ShowWindow,
    WindowCommand,
    write_command,
)
from intaglio.desktop.window.definitions import keeps_current_page, kind_of

_CLOSE_TIMEOUT_S: Final = 3.0
_LOG_BYTES: Final = 1_000_000
_MAX_FAILURES: Final = 3
WINDOW_COMMAND: Final = tuple(own_command("window"))


@dataclass(frozen=True, slots=True)
class ReadyRules:
    """How long a hidden window is kept ready after its last use, and how much memory must be free.

    0 minutes: never. It is given back when only ``least_free_bytes`` are free.
    """

    minutes: int = 240
    free_bytes: int = 1_500_000_000
    least_free_bytes: int = 500_000_000


def free_memory() -> int:
    """Return how many bytes of memory programs can still take."""
    return int(psutil.virtual_memory().available)


class _Process:
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
    def exit_code(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.poll()

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
        return self.exit_code is None

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
    """The windows in one process of their own; implements `Windows`.

    ``rules`` is read at each decision. A process that was killed is replaced; after three failures
    without a window that was shown, only when a window is opened.
    """

    def __init__(
        self,
        log: Path,
        env: Mapping[str, str] = os.environ,
        command: Sequence[str] = WINDOW_COMMAND,
        rules: Callable[[], ReadyRules] = ReadyRules,
        clock: Callable[[], float] = time.monotonic,
        free_memory: Callable[[], int] = free_memory,
    ) -> None:
        self._log = log
        self._env = env
        self._command = command
        self._rules = rules
        self._clock = clock
        self._free_memory = free_memory
        self._process: _Process | None = None
        self._used_at = clock()
        self._failures = 0
        self._lock = threading.Lock()
        self._closed = False

    def show(self, destination: Destination, url: str) -> None:
        """Bring the open window to the front, or open one."""
        command = ShowWindow(kind_of(destination), url, keeps_current_page(destination))
        with self._lock:
            if self._closed:
                return
            self._used_at = self._clock()
            self._failures = 0
            process = self._running()
            if process is None or not process.send(command):
                self._start().send(command)
            self._keep_ready()

    def prepare(self) -> None:
        """Get a window ready: the user may open one soon."""
        with self._lock:
            self._used_at = self._clock()
            self._keep_ready()

    def maintain(self) -> None:
        """Replace a process that was killed, and give memory back after a long time without use."""
        with self._lock:
            self._keep_ready()

    def close(self) -> None:
        """Close every window; kill the process if they don't close within seconds."""
        with self._lock:
            self._closed = True
            process, self._process = self._process, None
        if process is not None:
            process.send(CloseWindows())
            process.close_pipe()
            process.wait_or_kill(_CLOSE_TIMEOUT_S)

    def _keep_ready(self) -> None:
        """Tell the process whether to keep a window ready, and start it for that."""
        if self._closed:
            return
        process = self._running()
        is_ready = self._is_wanted(has_process=process is not None)
        if process is None and is_ready and self._failures < _MAX_FAILURES:
            process = self._start()
        if process is not None:
            process.send(KeepReady(is_ready))

    def _is_wanted(self, *, has_process: bool) -> bool:
        rules = self._rules()
        if self._clock() >= self._used_at + rules.minutes * 60:
            return False
        needed = rules.least_free_bytes if has_process else rules.free_bytes
        return self._free_memory() >= needed

    def _running(self) -> _Process | None:
        process = self._process
        if process is None or process.exit_code is None:
            return process
        if process.exit_code != 0:
            self._failures += 1
            get_logger("desktop").warning("window process ended", code=process.exit_code)
        process.close_pipe()
        self._process = None
        return None

    def _start(self) -> _Process:
        if self._process is not None:
            self._process.close_pipe()
            self._process.wait_or_kill(_CLOSE_TIMEOUT_S)
        self._process = _Process(self._command, self._env, self._log)
        return self._process
