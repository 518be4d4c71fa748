"""The tray's side of the windows: one process of each kind at most, started and spoken to."""

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from intaglio.base.paths import make_private
from intaglio.desktop.values import Destination
from intaglio.desktop.window.commands import CloseWindow, WindowCommand, write_command
from intaglio.desktop.window.commands import ShowWindow as ShowOrder
from intaglio.desktop.window.definitions import WindowKind, keeps_page, kind_of

_CLOSE_S: Final = 3.0
_LOG_BYTES: Final = 1_000_000
WINDOW: Final = (sys.executable, "-m", "intaglio", "window")


class _Window:
    """A running window process and the pipe to it, which is its leash too."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], log: Path) -> None:
        make_private(log.parent)
        # A log that nobody reads to its end starts anew rather than growing for ever.
        big = log.exists() and log.stat().st_size > _LOG_BYTES
        how = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if big else os.O_APPEND)
        with os.fdopen(os.open(log, how, 0o600), "wb") as stream:
            self._process = subprocess.Popen(  # noqa: S603 - this very program
                command,
                env=dict(env),
                stdin=subprocess.PIPE,
                stdout=stream,
                stderr=stream,
                # Ctrl+C in the terminal is the tray's to hear; it closes the windows.
                start_new_session=True,
            )

    @property
    def lives(self) -> bool:
        return self._process.poll() is None

    def say(self, command: WindowCommand) -> bool:
        """Send an order; False when nobody listens any more."""
        pipe = self._process.stdin
        if pipe is None:
            return False
        try:
            pipe.write(write_command(command))
            pipe.flush()
        except OSError:
            return False
        return self.lives

    def let_go(self) -> None:
        """Close the pipe: the process ends by itself."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def end(self, seconds: float) -> None:
        """Wait for the end, and force it when it takes longer."""
        try:
            self._process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class ProcessWindows:
    """The windows as processes of their own; `Windows`."""

    def __init__(
        self,
        log: Path,
        env: Mapping[str, str] = os.environ,
        command: Sequence[str] = WINDOW,
    ) -> None:
        self._log = log
        self._env = env
        self._command = command
        self._open: dict[WindowKind, _Window] = {}
        self._lock = threading.Lock()
        self._closed = False

    def show(self, destination: Destination, url: str) -> None:
        """Bring the window forward that is open, or start it."""
        kind = kind_of(destination)
        with self._lock:
            if self._closed:
                return
            window = self._open.get(kind)
            order = ShowOrder(None if keeps_page(destination) else url)
            if window is not None and window.lives and window.say(order):
                return
            if window is not None:
                window.let_go()
                window.end(_CLOSE_S)
            fresh = _Window([*self._command, kind], self._env, self._log)
            self._open[kind] = fresh
            fresh.say(ShowOrder(url))

    def close(self) -> None:
        """Close every window; one that does not go within seconds is ended."""
        with self._lock:
            self._closed = True
            windows = list(self._open.values())
            self._open.clear()
        for window in windows:
            window.say(CloseWindow())
            window.let_go()
        end = time.monotonic() + _CLOSE_S
        for window in windows:
            window.end(end - time.monotonic())
