"""Chooses this platform's lookup, and asks it for each connection that is accepted."""

import os
import socket
import struct
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Protocol

import psutil

from intaglio.api.gate.principal import PeerIdentity
from intaglio.base.log import get_logger
from intaglio.daemon.peers.linux import ProcNetTcp, SockDiag, mapped_users
from intaglio.daemon.peers.lookup import PeerLookup, TcpConnection, Users
from intaglio.daemon.peers.macos import SocketList
from intaglio.daemon.peers.processes import ConnectionHolders, SystemProcesses

if sys.platform == "linux":
    # ucred: pid, uid, gid.
    _CREDENTIALS: Final = (socket.SOL_SOCKET, socket.SO_PEERCRED, struct.Struct("=iII"))
    _PROCESS: Final = _CREDENTIALS
else:
    # macOS: LOCAL_PEERCRED of SOL_LOCAL, an xucred: version, uid, number of groups, groups.
    _CREDENTIALS: Final = (0, 1, struct.Struct("=IIi64x"))
    # macOS: LOCAL_PEERPID of SOL_LOCAL.
    _PROCESS: Final = (0, 2, struct.Struct("=i"))


@contextmanager
def _own_connection() -> Generator[TcpConnection]:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()) as client,
    ):
        yield TcpConnection(client.getsockname(), listener.getsockname())


class ConnectedSocket(Protocol):
    """What a transport shows of its socket."""

    def dup(self) -> socket.socket:
        """Return a socket of its own for the same connection."""
        ...


@dataclass(frozen=True, slots=True)
class Peers:
    """Identifies the user at the other end of a connection.

    ``lookups`` are those that work here, best first.
    """

    lookups: Sequence[PeerLookup]
    users: Users | None

    def of_tcp(
        self, peer: tuple[str, int] | None, ours: tuple[str, int | None] | None
    ) -> PeerIdentity:
        """Identify the user of a connection to the port: UNKNOWN if its peer has already closed."""
        if peer is None or ours is None or ours[1] is None:
            return PeerIdentity.UNKNOWN
        connection = TcpConnection(peer, (ours[0], ours[1]))
        for lookup in self.lookups:
            found = lookup.identify(connection)
            if found is not None:
                return found
        return PeerIdentity.UNKNOWN

    def of_unix(self, connected: ConnectedSocket) -> PeerIdentity:
        """Identify the user of a connection to the Unix socket.

        The file's mode already keeps other users out, and where the system names the peer's user,
        it is checked.
        """
        if self.users is None:
            return PeerIdentity.OWN
        try:
            with connected.dup() as connection:
                found = self.users.identity(_peer_uid(connection))
        except (OSError, struct.error):
            return PeerIdentity.OWN
        return PeerIdentity.OWN if found is PeerIdentity.UNKNOWN else found

    def close(self) -> None:
        """Close the lookups."""
        for each in self.lookups:
            each.close()


def _peer_uid(connection: socket.socket) -> int:
    level, option, layout = _CREDENTIALS
    return int(layout.unpack(connection.getsockopt(level, option, layout.size))[1])


def process_of_unix(connected: ConnectedSocket) -> int | None:
    """Return the id of the process at the other end of a Unix socket, if the system names it."""
    if sys.platform == "win32":
        return None
    level, option, layout = _PROCESS
    try:
        with connected.dup() as connection:
            pid = int(layout.unpack(connection.getsockopt(level, option, layout.size))[0])
    except (OSError, struct.error):
        return None
    return pid if pid > 0 else None


def system_users() -> Users | None:
    """Return how this process sees user ids; None on a platform that names users otherwise."""
    if sys.platform == "win32":
        return None
    return mapped_users(os.geteuid())


def system_lookups(users: Users | None) -> tuple[PeerLookup, ...]:
    """Return this platform's lookups, best first."""
    if sys.platform == "linux" and users is not None:
        return SockDiag(users), ProcNetTcp(users)
    by_process = ConnectionHolders(SystemProcesses(), psutil.Process().username())
    if sys.platform == "darwin" and users is not None:
        return SocketList(users), by_process
    return (by_process,)


def choose_peers(candidates: Sequence[PeerLookup], users: Users | None) -> Peers:
    """Keep the lookups that recognize a connection of this process; log it if none does.

    One that doesn't would answer wrongly, or refuse the user's own programs.
    """
    working: list[PeerLookup] = []
    with _own_connection() as connection:
        for each in candidates:
            if each.identify(connection) is PeerIdentity.OWN:
                working.append(each)
            else:
                each.close()
    if not working:
        get_logger("daemon").warning("can't tell users apart: programs need a token")
    return Peers(tuple(working), users)


def peers_of_system() -> Peers:
    """Return what tells users apart on this platform."""
    users = system_users()
    return choose_peers(system_lookups(users), users)
