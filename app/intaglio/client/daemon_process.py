"""The daemon's process from outside: find it, start it, stop it."""

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
from intaglio.base.installation import command
from intaglio.base.paths import Paths, make_private
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import DaemonNotFound, find_daemon
from intaglio.client.errors import UnreachableError
from intaglio.wire.status import Health

_CLOCK_SLACK_S: Final = 2.0
# Mostly a second; a machine that is very busy takes twenty times that.
_START_WITHIN_S: Final = 60.0
_STOP_WITHIN_S: Final = 15.0
_TERMINATE_WITHIN_S: Final = 5.0
_LOOK_EVERY_S: Final = 0.05
_TAIL_CHARS: Final = 2_000
_MOST_OUTPUT_BYTES: Final = 1_000_000

if sys.platform == "win32":
    _APART: Final = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
else:
    _APART: Final = 0


def find_process(record: DaemonRecord) -> psutil.Process | None:
    """Return the daemon's process; None when it is gone or its number belongs to another."""
    try:
        process = psutil.Process(record.pid)
        same = abs(process.create_time() - record.create_time) < _CLOCK_SLACK_S
        # A dead process that nobody has waited for yet still has its number.
        alive = process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return None
    return process if same and alive else None


def running(paths: Paths) -> psutil.Process | None:
    """Return the process of the daemon of these directories, if it lives."""
    record = read_record(paths.lock)
    process = find_process(record) if record else None
    if process is not None:
        return process
    # After the clock was set, start times no longer agree; the daemon's own word is proof.
    health = is_answering(paths)
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(health.pid) if health else None
    return None


# --- what it prints -------------------------------------------------------------------------------


def output_file(paths: Paths) -> Path:
    """Name the file that holds what a daemon started apart from a terminal prints."""
    return paths.logs / "daemon.out"


def _former(output: Path) -> Path:
    return output.with_name(f"{output.name}.1")


def _open_output(paths: Paths) -> int:
    """Open a fresh file for a daemon's output; the one before is kept beside it."""
    make_private(paths.logs)
    output = output_file(paths)
    # Where another process has it open and the platform minds, it is written on.
    with contextlib.suppress(OSError):
        output.replace(_former(output))
    # Appending, so that the daemon goes on at the new end when the file was cut.
    return os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def bound_output(paths: Paths, most_bytes: int = _MOST_OUTPUT_BYTES) -> None:
    """Put a running daemon's output aside when it has grown long; two files are all there are."""
    output = output_file(paths)
    with contextlib.suppress(OSError):
        if output.stat().st_size <= most_bytes:
            return
        with output.open("rb+") as stream:
            stream.seek(-most_bytes, os.SEEK_END)
            kept = stream.read()
            descriptor = os.open(_former(output), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as former:
                former.write(kept)
            stream.truncate(0)


def output_tail(paths: Paths) -> str:
    """Return the end of what the daemon printed."""
    try:
        with output_file(paths).open("rb") as stream:
            stream.seek(0, os.SEEK_END)
            stream.seek(max(0, stream.tell() - _TAIL_CHARS))
            return stream.read().decode(errors="replace").strip()
    except OSError:
        return ""


# --- start ----------------------------------------------------------------------------------------


def spawn(
    paths: Paths, *, exit_with_parent: bool, env: Mapping[str, str] | None = None
) -> "subprocess.Popen[bytes]":
    """Start a daemon's process, its output in a file; nothing is waited for.

    With ``exit_with_parent`` it shuts down when its standard input ends: when it is closed, or when
    this process exits in any way. Raises OSError if it can't be started.
    """
    command = [
        sys.executable,
        "-m",
        "intaglio",
        "daemon",
        "run",
        *(["--exit-with-parent"] if exit_with_parent else []),
    ]
    # A file, never a pipe: nobody would empty that.
    with os.fdopen(_open_output(paths), "wb") as stream:
        return subprocess.Popen(  # noqa: S603 - our own program
            command,
            env=None if env is None else dict(env),
            stdin=subprocess.PIPE if exit_with_parent else subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            creationflags=_APART,
            # Ctrl+C in a terminal is for whoever started it; it ends its daemon itself.
            start_new_session=sys.platform != "win32",
        )


def start(paths: Paths) -> Health:
    """Start the daemon apart from this terminal and wait until it answers.

    Raises UnavailableError when it leaves or does not answer in time.
    """
    child = spawn(paths, exit_with_parent=False)
    end = time.monotonic() + _START_WITHIN_S
    while time.monotonic() < end:
        health = is_answering(paths)
        if health is not None:
            return health
        if child.poll() not in {None, 0}:
            raise UnavailableError(
                f"The daemon stopped right after its start: {output_tail(paths)}"
            )
        time.sleep(_LOOK_EVERY_S)
    raise UnavailableError(
        f"The daemon didn't respond within {_START_WITHIN_S:.0f} seconds.",
        hint=f"See why with `{command('daemon logs')}`.",
    )


# --- look -----------------------------------------------------------------------------------------


def is_answering(paths: Paths) -> Health | None:
    """Return the health of the daemon of these directories when it answers."""
    place = find_daemon(paths, {})
    if isinstance(place, DaemonNotFound):
        return None
    with contextlib.suppress(UnreachableError), DaemonClient(place) as client:
        return client.health()
    return None


def trace(paths: Paths) -> tuple[Literal["left", "died", "lives"], int]:
    """Tell from its record alone how the daemon is, and its process number (0: none).

    A daemon that leaves in order takes its record along; one that died leaves it behind.
    """
    record = read_record(paths.lock)
    if record is None:
        return "left", 0
    process = find_process(record)
    return ("died", 0) if process is None else ("lives", process.pid)


# --- end ------------------------------------------------------------------------------------------


def request_shutdown(paths: Paths) -> bool:
    """Ask the daemon to finish what runs and to leave; tell whether it heard."""
    place = find_daemon(paths, {})
    with contextlib.suppress(UnreachableError, httpx.HTTPError), DaemonClient(place) as client:
        client.stop()
        return True
    return False


def stop(paths: Paths) -> bool:
    """End the daemon: ask, then terminate, then kill; tell whether there was one."""
    process = running(paths)
    if process is None:
        return False
    if request_shutdown(paths) and _gone(process, _STOP_WITHIN_S):
        return True
    for end in (process.terminate, process.kill):
        with contextlib.suppress(psutil.NoSuchProcess):
            end()
        if _gone(process, _TERMINATE_WITHIN_S):
            return True
    raise UnavailableError(
        f"The daemon (pid {process.pid}) doesn't stop.", hint="End that process yourself."
    )


def _gone(process: psutil.Process, seconds: float) -> bool:
    try:
        process.wait(seconds)
    except psutil.TimeoutExpired:
        return False
    return True
