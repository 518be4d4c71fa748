"""The daemon's process from outside: is it there, start it apart from the terminal, end it."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import httpx
import psutil

from intaglio.base.errors import UnavailableError
from intaglio.base.paths import Paths, make_private
from intaglio.base.record import Record, read_record
from intaglio.client.daemon import DaemonClient
from intaglio.client.errors import UnreachableError
from intaglio.client.find import Nowhere, find_daemon
from intaglio.wire.status import Health

_CLOCK_SLACK_S: Final = 2.0
_START_WITHIN_S: Final = 30.0
_STOP_WITHIN_S: Final = 15.0
_TERMINATE_WITHIN_S: Final = 5.0
_LOOK_EVERY_S: Final = 0.05
_TAIL_CHARS: Final = 2_000

if sys.platform == "win32":
    _APART: Final = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
else:
    _APART: Final = 0


def find_process(record: Record) -> psutil.Process | None:
    """Return the daemon's process; None when it is gone or its number belongs to another."""
    try:
        process = psutil.Process(record.pid)
        same = abs(process.create_time() - record.create_time) < _CLOCK_SLACK_S
    except psutil.Error:
        return None
    return process if same and process.is_running() else None


def running(paths: Paths) -> psutil.Process | None:
    """Return the process of the daemon of these directories, if it lives."""
    record = read_record(paths.lock)
    process = find_process(record) if record else None
    if process is not None:
        return process
    # After the clock was set, start times no longer agree; the daemon's own word is proof.
    health = answering(paths)
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(health.pid) if health else None
    return None


def output_file(paths: Paths) -> Path:
    """Name the file that holds what a daemon started apart from a terminal prints."""
    return paths.logs / "daemon.out"


def start(paths: Paths) -> Health:
    """Start the daemon apart from this terminal and wait until it answers.

    Raises UnavailableError when it leaves or does not answer in time.
    """
    make_private(paths.logs)
    output = output_file(paths)
    command = [sys.executable, "-m", "intaglio", "daemon", "run"]
    # A file, never a pipe: nobody would empty that.
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        child = subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            creationflags=_APART,
            start_new_session=sys.platform != "win32",
        )
    end = time.monotonic() + _START_WITHIN_S
    while time.monotonic() < end:
        health = answering(paths)
        if health is not None:
            return health
        if child.poll() not in {None, 0}:
            raise UnavailableError(f"it left at once: {_tail(output)}")
        time.sleep(_LOOK_EVERY_S)
    raise UnavailableError(
        f"it did not answer within {_START_WITHIN_S:.0f} s",
        hint="`intaglio daemon logs` says more.",
    )


def answering(paths: Paths) -> Health | None:
    """Return the health of the daemon of these directories when it answers."""
    place = find_daemon(paths, {})
    if isinstance(place, Nowhere):
        return None
    with contextlib.suppress(UnreachableError), DaemonClient(place) as client:
        return client.health()
    return None


def _tail(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")[-_TAIL_CHARS:].strip()


def stop(paths: Paths) -> bool:
    """End the daemon: ask, then terminate, then kill; tell whether there was one."""
    process = running(paths)
    if process is None:
        return False
    place = find_daemon(paths, {})
    with contextlib.suppress(UnreachableError, httpx.HTTPError), DaemonClient(place) as client:
        client.stop()
        if _gone(process, _STOP_WITHIN_S):
            return True
    for end in (process.terminate, process.kill):
        with contextlib.suppress(psutil.NoSuchProcess):
            end()
        if _gone(process, _TERMINATE_WITHIN_S):
            return True
    raise UnavailableError(f"process {process.pid} does not end", hint="End it by hand.")


def _gone(process: psutil.Process, seconds: float) -> bool:
    try:
        process.wait(seconds)
    except psutil.TimeoutExpired:
        return False
    return True
