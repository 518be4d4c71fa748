"""Finds, starts and stops the daemon's process from outside."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

import httpx
import psutil

from intaglio.base.daemon_record import DaemonRecord, read_record
from intaglio.base.errors import UnavailableError
from intaglio.base.files.regular_file import open_regular
from intaglio.base.installation import command
from intaglio.base.paths import Paths, make_private
from intaglio.base.process.own_program import own_command
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import DaemonNotFound, find_daemon
from intaglio.client.errors import UnreachableError
from intaglio.wire.status import Health

_CLOCK_SLACK_S: Final = 2.0
# Usually a second; a very busy machine may take twenty times as long. A daemon that is killed while
# it stops as asked counts as one that died, and the desktop app starts it again.
_START_TIMEOUT_S: Final = 60.0
_STOP_TIMEOUT_S: Final = 60.0
_TERMINATE_TIMEOUT_S: Final = 5.0
_POLL_INTERVAL_S: Final = 0.05
_TAIL_CHARS: Final = 2_000
_MOST_OUTPUT_BYTES: Final = 1_000_000

if sys.platform == "win32":
    _APART: Final = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
else:
    _APART: Final = 0


def find_process(record: DaemonRecord) -> psutil.Process | None:
    """Return the daemon's process; None if it is gone or its pid was reused."""
    try:
        process = psutil.Process(record.pid)
        same = abs(process.create_time() - record.create_time) < _CLOCK_SLACK_S
        # A dead process that hasn't been waited for still has its pid.
        alive = process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return None
    return process if same and alive else None


def running(paths: Paths) -> psutil.Process | None:
    """Return the running daemon process of these directories, or None."""
    record = read_record(paths.lock)
    process = find_process(record) if record else None
    if process is not None:
        return process
    # After a clock change, start times no longer match; ask the daemon itself.
    health = is_answering(paths)
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(health.pid) if health else None
    return None


# --- output ---------------------------------------------------------------------------------------


def output_file(paths: Paths) -> Path:
    """Return the file with the output of a daemon started in the background."""
    return paths.logs / "daemon.out"


def _rotated(output: Path) -> Path:
    return output.with_name(f"{output.name}.1")


def _open_output(paths: Paths) -> int:
    """Open a new file for a daemon's output; the previous one is kept next to it."""
    make_private(paths.logs)
    output = output_file(paths)
    # If the platform can't rename an open file, the output is appended to it.
    with contextlib.suppress(OSError):
        output.replace(_rotated(output))
    # Append mode, so that the daemon continues at the new end after the file is truncated.
    return os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def bound_output(paths: Paths, most_bytes: int = _MOST_OUTPUT_BYTES) -> None:
    """Rotate a running daemon's output when it has grown large; at most two files are kept."""
    output = output_file(paths)
    with contextlib.suppress(OSError):
        if output.stat().st_size <= most_bytes:
            return
        with output.open("rb+") as stream:
            stream.seek(-most_bytes, os.SEEK_END)
            kept = stream.read()
            descriptor = os.open(_rotated(output), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as rotated:
                rotated.write(kept)
            stream.truncate(0)


def output_tail(paths: Paths) -> str:
    """Return the end of the daemon's output."""
    try:
        with open_regular(output_file(paths)) as stream:
            stream.seek(0, os.SEEK_END)
            stream.seek(max(0, stream.tell() - _TAIL_CHARS))
            return stream.read().decode(errors="replace").strip()
    except OSError:
        return ""


# --- start ----------------------------------------------------------------------------------------


def spawn(
    paths: Paths, *, exit_with_parent: bool, env: Mapping[str, str] | None = None
) -> "subprocess.Popen[bytes]":
    """Start a daemon process with its output in a file, without waiting for it.

    With ``exit_with_parent`` it shuts down when its standard input ends: when it is closed, or
    this process is gone for any reason. Raises OSError if it can't be started.
    """
    options = ["--exit-with-parent"] if exit_with_parent else []
    # A file, not a pipe, because nothing would read the pipe.
    with os.fdopen(_open_output(paths), "wb") as stream:
        return subprocess.Popen(  # noqa: S603 - our own program
            own_command("daemon", "run", *options),
            env=None if env is None else dict(env),
            stdin=subprocess.PIPE if exit_with_parent else subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            creationflags=_APART,
            # Ctrl+C in the terminal is for the parent, which stops its daemon itself.
            start_new_session=sys.platform != "win32",
        )


def start(paths: Paths) -> Health:
    """Start the daemon in the background and wait until it responds.

    Raises UnavailableError if it exits or doesn't respond in time.
    """
    child = spawn(paths, exit_with_parent=False)
    end = time.monotonic() + _START_TIMEOUT_S
    while time.monotonic() < end:
        health = is_answering(paths)
        if health is not None:
            return health
        if child.poll() not in {None, 0}:
            raise UnavailableError(
                f"The daemon stopped right after its start: {output_tail(paths)}"
            )
        time.sleep(_POLL_INTERVAL_S)
    raise UnavailableError(
        f"The daemon didn't respond within {_START_TIMEOUT_S:.0f} seconds.",
        hint=f"See why with `{command('daemon logs')}`.",
    )


# --- check ----------------------------------------------------------------------------------------


def is_answering(paths: Paths) -> Health | None:
    """Return the health of the daemon of these directories, or None if it doesn't respond."""
    place = find_daemon(paths, {})
    if isinstance(place, DaemonNotFound):
        return None
    with contextlib.suppress(UnreachableError), DaemonClient(place) as client:
        return client.health()
    return None


def trace(paths: Paths) -> tuple[Literal["left", "died", "lives"], int]:
    """Return the daemon's state by its record alone, and its pid (0: none).

    A daemon that shuts down cleanly removes its record; one that died leaves it behind.
    """
    record = read_record(paths.lock)
    if record is None:
        return "left", 0
    process = find_process(record)
    return ("died", 0) if process is None else ("lives", process.pid)


# --- stop -----------------------------------------------------------------------------------------


def request_shutdown(paths: Paths) -> bool:
    """Request that the daemon finish its work and exit; return whether it accepted."""
    place = find_daemon(paths, {})
    with contextlib.suppress(UnreachableError, httpx.HTTPError), DaemonClient(place) as client:
        client.stop()
        return True
    return False


def stop(paths: Paths) -> bool:
    """Stop the daemon: request, terminate, then kill it; return whether one was running."""
    process = running(paths)
    if process is None:
        return False
    if request_shutdown(paths) and _has_exited(process, _STOP_TIMEOUT_S):
        return True
    for end in (process.terminate, process.kill):
        with contextlib.suppress(psutil.NoSuchProcess):
            end()
        if _has_exited(process, _TERMINATE_TIMEOUT_S):
            return True
    raise UnavailableError(
        f"The daemon (pid {process.pid}) doesn't stop.", hint="End that process yourself."
    )


def _has_exited(process: psutil.Process, seconds: float) -> bool:
    try:
        process.wait(seconds)
    except psutil.TimeoutExpired:
        return False
    return True
