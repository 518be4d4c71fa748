"""How many connections may be open: beyond that, the one that has waited longest is closed."""

import sys
from collections.abc import Mapping
from typing import Final, Protocol

from intaglio.api.gate.principal import ListenerKind, PeerIdentity

_WANTED_FILES: Final = 2_048
# Of the files that may be open: the database, models and event streams need the rest.
_PORT_SHARE: Final = 0.25
_UNIX_SHARE: Final = 0.15
_FEWEST: Final = 8
_SPARE: Final = 2
# The ones to close first: nobody but the own user pushes out the own user's connections.
_EXPENDABLE: Final = (PeerIdentity.OTHER, PeerIdentity.UNKNOWN, PeerIdentity.OWN)


class PooledConnection(Protocol):
    """A connection that can be closed while it waits."""

    identity: PeerIdentity

    def drop(self) -> None:
        """Close it at once."""
        ...


class ConnectionPool:
    """The open connections of one listener, at most ``limit``.

    A connection *waits* unless the daemon is working on its request: it is idle, its request is
    incomplete, or its peer doesn't read the response. Whatever waits can be closed for a new one.
    While all others are worked on, there may be up to twice as many.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open: set[PooledConnection] = set()
        # In the order in which they began to wait.
        self._waiting: Mapping[PeerIdentity, dict[PooledConnection, None]] = {
            each: {} for each in PeerIdentity
        }

    def __len__(self) -> int:
        return len(self._open)

    def add(self, connection: PooledConnection) -> None:
        """Take in a new connection, which waits; close another if there are too many."""
        if len(self._open) >= self._limit:
            self._drop_one(connection.identity)
        self._open.add(connection)
        self.wait(connection)
        if len(self._open) > self._limit * _SPARE:
            self._drop(connection)

    def wait(self, connection: PooledConnection) -> None:
        """Note that it begins to wait, or that it still waits and shall keep its place."""
        if connection in self._open:
            self._waiting[connection.identity].setdefault(connection)

    def work(self, connection: PooledConnection) -> None:
        """Note that the daemon is working on its request."""
        self._waiting[connection.identity].pop(connection, None)

    def remove(self, connection: PooledConnection) -> None:
        """Forget a connection that is closed."""
        self._open.discard(connection)
        self.work(connection)

    def _drop_one(self, newcomer: PeerIdentity) -> None:
        """Close the oldest that waits and whose user comes no later than the newcomer's."""
        for identity in _EXPENDABLE:
            oldest = next(iter(self._waiting[identity]), None)
            if oldest is not None:
                self._drop(oldest)
                return
            if identity is newcomer:
                return

    def _drop(self, connection: PooledConnection) -> None:
        self.remove(connection)
        connection.drop()


def raise_file_limit() -> int:
    """Allow this process more open files where the system lets it; returns how many it may open."""
    if sys.platform == "win32":
        return _WANTED_FILES
    import resource  # noqa: PLC0415 - there is none on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED_FILES if hard == resource.RLIM_INFINITY else min(_WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            return soft
        return wanted
    return _WANTED_FILES


def connection_pools(files: int) -> dict[ListenerKind, ConnectionPool]:
    """Return a pool for each listener, so that a full port leaves the Unix socket its room."""
    return {
        ListenerKind.PORT: ConnectionPool(max(_FEWEST, int(files * _PORT_SHARE))),
        ListenerKind.UNIX_SOCKET: ConnectionPool(max(_FEWEST, int(files * _UNIX_SHARE))),
    }
