"""Keeps the tray app to one instance: a second launch hands its request to the running one.

The running instance listens on a loopback socket, which works the same on every system. Its port
and key are in a file that only its owner can read. A request is a deep link, or that the instance
quit. Every step on either side has a deadline.
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
from typing import Annotated, Final, TypeVar

import msgspec
import psutil
from msgspec import Meta

from intaglio.base.files.filelock import lock_file
from intaglio.base.files.regular_file import read_regular
from intaglio.base.ids import Entropy
from intaglio.base.paths import Paths, write_private
from intaglio.base.process.kill import MAX_PID
from intaglio.desktop.deep_links import InvalidLink, link_of, parse_link
from intaglio.desktop.values import Destination

_MAX_PORT: Final = 65_535
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

    pid: Annotated[int, Meta(ge=1, le=MAX_PID)]
    port: Annotated[int, Meta(ge=1, le=_MAX_PORT)]
    key: str


class _Request(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    link: str
    # Not a link, because a web page can open those.
    quit: bool = False


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


@dataclass(frozen=True, slots=True)
class _Handlers:
    on_request: Callable[[Destination], None]
    on_quit: Callable[[], None] | None


class RunningInstance:
    """This user's only instance: it holds the lock and accepts requests until closed."""

    def __init__(self, lock: contextlib.AbstractContextManager[object], record: Path) -> None:
        self._lock = lock
        self._record = record
        self._listener: socket.socket | None = None
        self._key = ""
        self._slots = threading.Semaphore(_MAX_CONNECTIONS)

    def listen(
        self,
        entropy: Entropy,
        on_request: Callable[[Destination], None],
        on_quit: Callable[[], None] | None = None,
    ) -> None:
        """Start to accept requests, each on its own thread; replaces a stale record.

        Without ``on_quit``, a request to quit is answered with an error.
        """
        listener = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
        self._listener, self._key = listener, entropy(32).hex()
        record = InstanceRecord(pid=os.getpid(), port=listener.getsockname()[1], key=self._key)
        write_private(self._record, msgspec.json.encode(record))
        work = threading.Thread(
            target=self._accept,
            args=(listener, _Handlers(on_request, on_quit)),
            name="intaglio-tray-accept",
            daemon=True,
        )
        work.start()

    def _accept(self, listener: socket.socket, handlers: _Handlers) -> None:
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
                args=(connection, handlers),
                name="intaglio-tray-request",
                daemon=True,
            ).start()

    def _serve(self, connection: socket.socket, handlers: _Handlers) -> None:
        try:
            self._answer(connection, handlers)
        finally:
            self._slots.release()

    def _answer(self, connection: socket.socket, handlers: _Handlers) -> None:
        with connection, contextlib.suppress(OSError, msgspec.DecodeError, UnicodeError):
            request = msgspec.json.decode(_read_line(connection), type=_Request)
            if not hmac.compare_digest(request.key.encode(), self._key.encode()):
                return
            if request.quit and handlers.on_quit is not None:
                # Answered first: quitting closes this process's connections.
                connection.sendall(_reply(""))
                handlers.on_quit()
                return
            destination = parse_link(request.link)
            error = destination.reason if isinstance(destination, InvalidLink) else ""
            if not isinstance(destination, InvalidLink):
                handlers.on_request(destination)
            connection.sendall(_reply(error))

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


def quit_instance(paths: Paths, timeout_s: float) -> bool:
    """Have the running instance quit and wait for that; return whether none runs any more.

    One that can't be asked, because it is older or hangs, is terminated by its process.
    """
    end = time.monotonic() + timeout_s
    asked = False
    while time.monotonic() < end:
        if not is_instance_running(paths):
            return True
        record = _read_record(paths)
        if record is not None and not asked:
            asked = True
            if not _accepts_quit(record, end):
                _terminate(record.pid)
        time.sleep(_POLL_S)
    return not is_instance_running(paths)


def is_instance_running(paths: Paths) -> bool:
    """Return whether an instance holds the lock; creates nothing."""
    if not (paths.runtime / _LOCK_NAME).exists():
        return False
    lock = lock_file(paths.runtime / _LOCK_NAME)
    if lock is None:
        return True
    lock.close()
    return False


def _terminate(pid: int) -> None:
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        # The record of an instance that died may name a process that is another one's by now.
        words = process.cmdline()
        if "tray" in words and any("intaglio" in word.lower() for word in words):
            process.terminate()


def _accepts_quit(record: InstanceRecord, end: float) -> bool:
    try:
        reply = _exchange(record, _Request(key=record.key, link="", quit=True), end)
    except (OSError, msgspec.DecodeError, UnicodeError):
        return False
    return not reply.error


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
    request = _Request(key=record.key, link=link_of(destination))
    return RequestAccepted(_exchange(record, request, end).pid)


def _exchange(record: InstanceRecord, request: _Request, end: float) -> _Reply:
    remaining = max(min(_STEP_TIMEOUT_S, end - time.monotonic()), 0.1)
    with socket.create_connection(("127.0.0.1", record.port), timeout=remaining) as connection:
        connection.sendall(msgspec.json.encode(request) + b"\n")
        return msgspec.json.decode(_read_line(connection), type=_Reply)


def _reply(error: str) -> bytes:
    return msgspec.json.encode(_Reply(pid=os.getpid(), error=error)) + b"\n"


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
