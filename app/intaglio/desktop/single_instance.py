"""Keeps the tray app to one instance: a second launch hands its request to the running one.

The running instance listens on a loopback socket, which works the same on every system. Its port
and key are in a file that only its owner can read. A request is a deep link. Every step on either
side has a deadline.
"""

import contextlib
import hmac
import os
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from intaglio.base.files.filelock import lock_file
from intaglio.base.files.regular_file import read_regular
from intaglio.base.ids import Entropy
from intaglio.base.paths import Paths, write_private
from intaglio.desktop.deep_links import InvalidLink, link_of, parse_link
from intaglio.desktop.values import Destination

_LOCK_NAME: Final = "tray.lock"
_RECORD_NAME: Final = "tray.json"
_MAX_BYTES: Final = 64_000
_STEP_TIMEOUT_S: Final = 2.0
_HAND_OVER_TIMEOUT_S: Final = 6.0
_POLL_S: Final = 0.1
_BACKLOG: Final = 16
_MAX_CONNECTIONS: Final = 64
_DELAY_AFTER_ERROR_S: Final = 0.2

T = TypeVar("T")


class InstanceRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The record of the running instance: its process, port and key."""

    pid: int
    port: int
    key: str


class _Request(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    link: str


class _Reply(msgspec.Struct, frozen=True, kw_only=True):
    pid: int
    error: str = ""


@dataclass(frozen=True, slots=True)
class RequestAccepted:
    """The running instance has accepted the request."""

    pid: int


@dataclass(frozen=True, slots=True)
class RequestTimedOut:
    """An instance holds the lock but didn't accept the request in time."""

    reason: str


class RunningInstance:
    """This user's only instance: it holds the lock and accepts requests until closed."""

    def __init__(self, lock: contextlib.AbstractContextManager[object], record: Path) -> None:
        self._lock = lock
        self._record = record
        self._listener: socket.socket | None = None
        self._key = ""
        self._slots = threading.Semaphore(_MAX_CONNECTIONS)

    def listen(self, entropy: Entropy, on_request: Callable[[Destination], None]) -> None:
        """Start to accept requests, each on its own thread; replaces a stale record."""
        listener = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
        self._listener, self._key = listener, entropy(32).hex()
        record = InstanceRecord(pid=os.getpid(), port=listener.getsockname()[1], key=self._key)
        write_private(self._record, msgspec.json.encode(record))
        work = threading.Thread(
            target=self._accept,
            args=(listener, on_request),
            name="intaglio-tray-accept",
            daemon=True,
        )
        work.start()

    def _accept(self, listener: socket.socket, on_request: Callable[[Destination], None]) -> None:
        while True:
            # Any user of the machine can connect. The limit keeps this process from running out
            # of files or threads; every connection closes within seconds.
            self._slots.acquire()
            try:
                connection, _ = listener.accept()
            except OSError:
                self._slots.release()
                if listener.fileno() < 0:
                    return  # closed: the app is quitting
                time.sleep(_DELAY_AFTER_ERROR_S)
                continue
            # One at a time, a silent client would hold up the others.
            threading.Thread(
                target=self._serve,
                args=(connection, on_request),
                name="intaglio-tray-request",
                daemon=True,
            ).start()

    def _serve(self, connection: socket.socket, on_request: Callable[[Destination], None]) -> None:
        try:
            self._answer(connection, on_request)
        finally:
            self._slots.release()

    def _answer(self, connection: socket.socket, on_request: Callable[[Destination], None]) -> None:
        with connection, contextlib.suppress(OSError, msgspec.DecodeError, UnicodeError):
            request = msgspec.json.decode(_read_line(connection), type=_Request)
            if not hmac.compare_digest(request.key.encode(), self._key.encode()):
                return
            destination = parse_link(request.link)
            error = destination.reason if isinstance(destination, InvalidLink) else ""
            if not isinstance(destination, InvalidLink):
                on_request(destination)
            connection.sendall(msgspec.json.encode(_Reply(pid=os.getpid(), error=error)) + b"\n")

    def stop_listening(self) -> None:
        """Accept no more requests; a new launch waits for the lock instead."""
        listener, self._listener = self._listener, None
        if listener is not None:
            self._record.unlink(missing_ok=True)
            # On Linux, closing alone doesn't wake a thread that waits in accept.
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()

    def close(self) -> None:
        """Accept no more requests and release the lock."""
        self.stop_listening()
        self._lock.__exit__(None, None, None)


def acquire_instance(paths: Paths) -> RunningInstance | None:
    """Take the lock, which the kernel releases if its holder dies; None if an instance runs."""
    lock = lock_file(paths.runtime / _LOCK_NAME)
    return None if lock is None else RunningInstance(lock, paths.runtime / _RECORD_NAME)


def start_or_hand_over(
    paths: Paths, destination: Destination | None, timeout_s: float = _HAND_OVER_TIMEOUT_S
) -> RunningInstance | RequestAccepted | RequestTimedOut:
    """Become the instance, or hand a request to the running one, which may be starting or quitting.

    Without a destination, an existing record of the running instance is enough.
    """
    return _retry(paths, destination, timeout_s, lambda: acquire_instance(paths))


def hand_over(
    paths: Paths, destination: Destination, timeout_s: float = _HAND_OVER_TIMEOUT_S
) -> RequestAccepted | RequestTimedOut:
    """Hand a request to the running instance, which may still be starting."""
    return _retry(paths, destination, timeout_s, lambda: None)


def _retry(
    paths: Paths,
    destination: Destination | None,
    timeout_s: float,
    alternative: Callable[[], T | None],
) -> T | RequestAccepted | RequestTimedOut:
    end = time.monotonic() + timeout_s
    reason = "it is still starting"
    while time.monotonic() < end:
        found = alternative()
        if found is not None:
            return found
        record = _read_record(paths)
        if record is not None:
            try:
                return (
                    RequestAccepted(record.pid)
                    if destination is None
                    else _send(record, destination, end)
                )
            except (OSError, msgspec.DecodeError, UnicodeError) as error:
                reason = str(error) or "no response"
        time.sleep(_POLL_S)
    return RequestTimedOut(reason)


def _read_record(paths: Paths) -> InstanceRecord | None:
    try:
        data = read_regular(paths.runtime / _RECORD_NAME, _MAX_BYTES)
        return msgspec.json.decode(data, type=InstanceRecord)
    except (OSError, msgspec.DecodeError, UnicodeError):
        return None


def _send(record: InstanceRecord, destination: Destination, end: float) -> RequestAccepted:
    remaining = max(min(_STEP_TIMEOUT_S, end - time.monotonic()), 0.1)
    with socket.create_connection(("127.0.0.1", record.port), timeout=remaining) as connection:
        request = _Request(key=record.key, link=link_of(destination))
        connection.sendall(msgspec.json.encode(request) + b"\n")
        reply = msgspec.json.decode(_read_line(connection), type=_Reply)
    return RequestAccepted(reply.pid)


def _read_line(connection: socket.socket) -> bytes:
    """Read one line; raises OSError after the deadline or if the line is too long."""
    end = time.monotonic() + _STEP_TIMEOUT_S
    data = b""
    while not data.endswith(b"\n"):
        remaining = end - time.monotonic()
        if remaining <= 0 or len(data) > _MAX_BYTES:
            raise TimeoutError("no response in time")
        connection.settimeout(remaining)
        part = connection.recv(4096)
        if not part:
            raise ConnectionError("it closed the connection")
        data += part
    return data
