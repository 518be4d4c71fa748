"""The daemon's Unix socket: bound under the daemon lock, put back if its file is gone.

Hooks and the command line prefer it to the port: only the owner of the state folder can place a
socket there, so no other program receives what they send.
"""

import asyncio
import contextlib
import os
import socket
import stat
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from intaglio.base.files.hook_breaker import aside
from intaglio.base.log import get_logger
from intaglio.base.paths import PRIVATE, make_private

BACKLOG: Final = 512
_CHECK_INTERVAL_S: Final = 3.0
_BREAKER_RETRY_S: Final = 60.0
_WRITABLE_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH

FileId: TypeAlias = tuple[int, int]
"""Device and inode of a file."""


@dataclass(frozen=True, slots=True)
class BoundSocket:
    """A listening Unix socket and the file that leads to it."""

    listener: socket.socket
    file: FileId


def _file_id(path: Path) -> FileId | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


if sys.platform == "win32":

    def bind_socket(path: Path) -> BoundSocket | str:
        """Return why there is no socket."""
        del path
        return "this platform has no Unix sockets"

else:

    def bind_socket(path: Path) -> BoundSocket | str:
        """Listen on a Unix socket (0600) at ``path``, replacing a file that nobody listens on.

        Returns the reason if the folder can't hold sockets or isn't private, or if another daemon
        listens there. The caller holds the daemon lock.
        """
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            make_private(path.parent)
            reason = _unusable(path)
            if reason is None:
                return BoundSocket(listener, _place(listener, path))
        except OSError as error:
            reason = str(error)
        listener.close()
        return reason

    def _unusable(path: Path) -> str | None:
        folder = path.parent.stat()
        if folder.st_uid != os.geteuid():
            return f"{path.parent} belongs to another user"
        if folder.st_mode & _WRITABLE_BY_OTHERS:
            # Where new folders are open to a group. Whoever can write here can place a socket.
            path.parent.chmod(PRIVATE)
        return "another daemon listens there" if _is_served(path) else None

    def _place(listener: socket.socket, path: Path) -> FileId:
        # Under another name first: clients find no socket, or a private one that accepts.
        fresh = path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        listener.bind(os.fspath(fresh))
        try:
            fresh.chmod(0o600)
            listener.listen(BACKLOG)
            file = _file_id(fresh)
            fresh.replace(path)
        except OSError:
            fresh.unlink(missing_ok=True)
            raise
        if file is None:
            raise OSError("the new socket has disappeared")
        return file

    def _is_served(path: Path) -> bool:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.settimeout(0)
            try:
                probe.connect(os.fspath(path))
            except BlockingIOError:
                # Its queue of connections is full.
                return True
            except OSError:
                return False
            return True


class UnixSocket:
    """Keeps the daemon reachable at its Unix socket.

    ``serve`` starts accepting on a listener and returns the server to close. Without a ``path``,
    clients use the port. ``timeout_note`` is where the hook program notes a time-out then.
    """

    def __init__(
        self,
        path: Path | None,
        serve: Callable[[socket.socket], Awaitable[asyncio.AbstractServer]],
        timeout_note: Path,
        interval_s: float = _CHECK_INTERVAL_S,
    ) -> None:
        self._path = path
        self._serve = serve
        self._timeout_note = timeout_note
        self._interval_s = interval_s
        self._file: FileId | None = None
        self._server: asyncio.AbstractServer | None = None
        self._reported: str | None = None

    @property
    def bound(self) -> Path | None:
        """The socket's path, None if clients have to use the port."""
        return None if self._file is None else self._path

    async def open(self) -> None:
        """Bind the socket if its file is missing or isn't this daemon's; log why it can't be.

        Closes the hooks' circuit breaker.
        """
        with contextlib.suppress(OSError):
            self._timeout_note.unlink()
        if self._path is None or self._is_in_place(self._path) or self._put_back(self._path):
            return
        match bind_socket(self._path):
            case BoundSocket(listener=listener, file=file):
                with contextlib.suppress(OSError):
                    # Left behind by a daemon that died.
                    aside(self._path).unlink()
                previous, self._server = self._server, await self._serve(listener)
                self._file, self._reported = file, None
                if previous is not None:
                    previous.close()
                    get_logger("daemon").info("put the Unix socket back", path=str(self._path))
            case reason:
                if reason != self._reported:
                    self._reported = reason
                    get_logger("daemon").warning(
                        "no Unix socket: clients use the port",
                        path=str(self._path),
                        reason=reason,
                    )

    async def keep(self) -> None:
        """Close the hooks' circuit breaker whenever it is open: this daemon runs.

        Hooks that time out again within a minute have a reason, so it stays open for that minute.
        """
        clock = asyncio.get_running_loop().time
        closed_at = -_BREAKER_RETRY_S
        while True:
            await asyncio.sleep(self._interval_s)
            if self._is_breaker_open() and clock() - closed_at >= _BREAKER_RETRY_S:
                await self.open()
                closed_at = clock()

    def close(self) -> None:
        """Stop accepting, and delete the file if it is still this daemon's."""
        for file in () if self._path is None else (self._path, aside(self._path)):
            if self._is_in_place(file):
                with contextlib.suppress(OSError):
                    file.unlink()
        # The server has closed it already, unless it was stopped while starting.
        if self._server is not None:
            self._server.close()

    def _is_breaker_open(self) -> bool:
        return self._timeout_note.exists() or not (
            self._path is None or self._is_in_place(self._path)
        )

    def _put_back(self, path: Path) -> bool:
        """Put the file back if a client that timed out set it aside; return whether it was."""
        if not self._is_in_place(aside(path)):
            return False
        try:
            aside(path).replace(path)
        except OSError:
            return False
        get_logger("daemon").info("put the Unix socket back", path=str(path))
        return True

    def _is_in_place(self, path: Path) -> bool:
        return self._file is not None and _file_id(path) == self._file
