"""How a second launch hands its request to the desk that runs, and hears that it was taken.

A socket on the loopback address that works alike on every system; where it is and the key to it
stand in a file that only its owner reads. A request is a deep link, so both sides know one form.
Nobody waits for long: every step on either side has a deadline.
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

from intaglio.base.filelock import lock_file
from intaglio.base.ids import Entropy
from intaglio.base.paths import Paths, write_private
from intaglio.desktop.deep_links import BadLink, link_of, parse_link
from intaglio.desktop.values import Destination

_LOCK_NAME: Final = "desk.lock"
_RECORD_NAME: Final = "desk.json"
_MOST_BYTES: Final = 64_000
_STEP_WITHIN_S: Final = 2.0
_HAND_OVER_WITHIN_S: Final = 6.0
_LOOK_EVERY_S: Final = 0.1
_BACKLOG: Final = 16
_MOST_AT_ONCE: Final = 64
_AFTER_FAULT_S: Final = 0.2

T = TypeVar("T")


class InstanceRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The record of the desk that runs: its process, its socket and the key."""

    pid: int
    port: int
    key: str


class _Request(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    link: str


class _Reply(msgspec.Struct, frozen=True, kw_only=True):
    pid: int
    said: str = ""


@dataclass(frozen=True, slots=True)
class RequestAccepted:
    """The desk that runs has the request."""

    pid: int


@dataclass(frozen=True, slots=True)
class RequestTimedOut:
    """A desk runs, as its lock tells, but it does not take the request."""

    why: str


class RunningInstance:
    """The one desk of this user: it holds the lock and takes requests until closed."""

    def __init__(self, lock: contextlib.AbstractContextManager[object], record: Path) -> None:
        self._lock = lock
        self._record = record
        self._listener: socket.socket | None = None
        self._key = ""
        self._free = threading.Semaphore(_MOST_AT_ONCE)

    def listen(self, entropy: Entropy, take: Callable[[Destination], None]) -> None:
        """Begin to take requests, each on a thread of its own; a record left behind is replaced."""
        listener = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
        self._listener, self._key = listener, entropy(32).hex()
        where = InstanceRecord(pid=os.getpid(), port=listener.getsockname()[1], key=self._key)
        write_private(self._record, msgspec.json.encode(where))
        work = threading.Thread(
            target=self._accept, args=(listener, take), name="intaglio-desk-channel", daemon=True
        )
        work.start()

    def _accept(self, listener: socket.socket, take: Callable[[Destination], None]) -> None:
        while True:
            # Any user of the machine may connect; so many that this process runs out of files or
            # threads, none. Each is gone within seconds.
            self._free.acquire()
            try:
                connection, _ = listener.accept()
            except OSError:
                self._free.release()
                if listener.fileno() < 0:
                    return  # closed: the desk leaves
                time.sleep(_AFTER_FAULT_S)
                continue
            # One at a time would let a silent one keep the others waiting.
            threading.Thread(
                target=self._serve, args=(connection, take), name="intaglio-desk-taker", daemon=True
            ).start()

    def _serve(self, connection: socket.socket, take: Callable[[Destination], None]) -> None:
        try:
            self._answer(connection, take)
        finally:
            self._free.release()

    def _answer(self, connection: socket.socket, take: Callable[[Destination], None]) -> None:
        with connection, contextlib.suppress(OSError, msgspec.DecodeError, UnicodeError):
            request = msgspec.json.decode(_read_line(connection), type=_Request)
            if not hmac.compare_digest(request.key.encode(), self._key.encode()):
                return
            what = parse_link(request.link)
            said = what.why if isinstance(what, BadLink) else ""
            if not isinstance(what, BadLink):
                take(what)
            connection.sendall(msgspec.json.encode(_Reply(pid=os.getpid(), said=said)) + b"\n")

    def leave(self) -> None:
        """Take no more requests; who comes now waits for the lock, to be first itself."""
        listener, self._listener = self._listener, None
        if listener is not None:
            self._record.unlink(missing_ok=True)
            # On Linux, closing alone does not wake who waits in accept.
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()

    def close(self) -> None:
        """Take no more requests and give the lock back."""
        self.leave()
        self._lock.__exit__(None, None, None)


def become_instance(paths: Paths) -> RunningInstance | None:
    """Take the lock, which the kernel drops when its holder dies; None when a desk runs already."""
    lock = lock_file(paths.runtime / _LOCK_NAME)
    return None if lock is None else RunningInstance(lock, paths.runtime / _RECORD_NAME)


def start_or_hand_over(
    paths: Paths, destination: Destination | None, within_s: float = _HAND_OVER_WITHIN_S
) -> RunningInstance | RequestAccepted | RequestTimedOut:
    """Become the first, or give a request to the one that is; it may be starting, or leaving.

    Without a request it is enough that one says where it listens.
    """
    return _knock(paths, destination, within_s, lambda: become_instance(paths))


def hand_over(
    paths: Paths, destination: Destination, within_s: float = _HAND_OVER_WITHIN_S
) -> RequestAccepted | RequestTimedOut:
    """Give a request to the desk that runs; it may only just be starting."""
    return _knock(paths, destination, within_s, lambda: None)


def _knock(
    paths: Paths, destination: Destination | None, within_s: float, instead: Callable[[], T | None]
) -> T | RequestAccepted | RequestTimedOut:
    end = time.monotonic() + within_s
    why = "it has not said yet where it listens"
    while time.monotonic() < end:
        found = instead()
        if found is not None:
            return found
        where = _find(paths)
        if where is not None:
            try:
                return (
                    RequestAccepted(where.pid)
                    if destination is None
                    else _ask(where, destination, end)
                )
            except (OSError, msgspec.DecodeError, UnicodeError) as error:
                why = str(error) or "it does not answer"
        time.sleep(_LOOK_EVERY_S)
    return RequestTimedOut(why)


def _find(paths: Paths) -> InstanceRecord | None:
    try:
        data = (paths.runtime / _RECORD_NAME).read_bytes()
        return msgspec.json.decode(data[:_MOST_BYTES], type=InstanceRecord)
    except (OSError, msgspec.DecodeError, UnicodeError):
        return None


def _ask(where: InstanceRecord, destination: Destination, end: float) -> RequestAccepted:
    left = max(min(_STEP_WITHIN_S, end - time.monotonic()), 0.1)
    with socket.create_connection(("127.0.0.1", where.port), timeout=left) as connection:
        request = _Request(key=where.key, link=link_of(destination))
        connection.sendall(msgspec.json.encode(request) + b"\n")
        reply = msgspec.json.decode(_read_line(connection), type=_Reply)
    return RequestAccepted(reply.pid)


def _read_line(connection: socket.socket) -> bytes:
    """Read up to a line's end; raises OSError after the deadline, or when it is too long."""
    end = time.monotonic() + _STEP_WITHIN_S
    data = b""
    while not data.endswith(b"\n"):
        left = end - time.monotonic()
        if left <= 0 or len(data) > _MOST_BYTES:
            raise TimeoutError("it does not answer in time")
        connection.settimeout(left)
        part = connection.recv(4096)
        if not part:
            raise ConnectionError("it closed the connection")
        data += part
    return data
