"""The owner of a TCP connection on Linux: one netlink query, or else a line of ``/proc/net/tcp``.

Sources: sock_diag(7), and the kernel's ``inet_diag.h`` and ``proc_net_tcp`` documentation.
"""

import errno
import itertools
import socket
import struct
import sys
from pathlib import Path
from typing import Final

from intaglio.api.gate.principal import PeerIdentity
from intaglio.daemon.peers.lookup import TcpConnection, Users

_NETLINK_SOCK_DIAG: Final = 4
_SOCK_DIAG_BY_FAMILY: Final = 20
_NLMSG_ERROR: Final = 2
_NLM_F_REQUEST: Final = 1
_ALL_STATES: Final = 0xFFFF_FFFF
_NO_COOKIE: Final = 0xFFFF_FFFF
_TIMEOUT_S: Final = 0.25
_REPLY_BYTES: Final = 4_096

# nlmsghdr: length, type, flags, sequence, port.
_HEADER: Final = struct.Struct("=IHHII")
# inet_diag_req_v2 up to its addresses: family, protocol, extensions, padding, states.
_REQUEST: Final = struct.Struct("=BBBBI")
# inet_diag_sockid: two ports in network order, two addresses, then interface and cookie.
_PORTS: Final = struct.Struct("!HH")
_SOCKET_TAIL: Final = struct.Struct("=III")
_ADDRESS_BYTES: Final = 16
# inet_diag_msg: family, state, timer, retransmissions; a sockid; then five numbers.
_MESSAGE_HEAD: Final = struct.Struct("=BBBB")
_SOCKET_BYTES: Final = _PORTS.size + 2 * _ADDRESS_BYTES + _SOCKET_TAIL.size
_MESSAGE_TAIL: Final = struct.Struct("=IIIII")

_LISTEN: Final = 10
# The last number means "no user".
_ALL_USERS: Final = 2**32 - 1


def _packed(host: str, family: int) -> bytes:
    return socket.inet_pton(family, host).ljust(_ADDRESS_BYTES, b"\0")


def diag_request(connection: TcpConnection, sequence: int) -> bytes:
    """Return the netlink message that asks for exactly the peer's end of a connection.

    The kernel itself looks up IPv4-mapped addresses among the IPv4 connections.
    """
    family = socket.AF_INET6 if connection.is_ipv6 else socket.AF_INET
    body = b"".join(
        (
            _REQUEST.pack(family, socket.IPPROTO_TCP, 0, 0, _ALL_STATES),
            _PORTS.pack(connection.peer[1], connection.ours[1]),
            _packed(connection.peer[0], family),
            _packed(connection.ours[0], family),
            _SOCKET_TAIL.pack(0, _NO_COOKIE, _NO_COOKIE),
        )
    )
    size = _HEADER.size + len(body)
    return _HEADER.pack(size, _SOCK_DIAG_BY_FAMILY, _NLM_F_REQUEST, sequence, 0) + body


def diag_identity(reply: bytes, connection: TcpConnection, users: Users) -> PeerIdentity | None:
    """Identify the user of the socket in a reply; None for an error other than "no such socket"."""
    _, kind, *_ = _HEADER.unpack_from(reply)
    if kind == _NLMSG_ERROR:
        (code,) = struct.unpack_from("=i", reply, _HEADER.size)
        return PeerIdentity.UNKNOWN if -code == errno.ENOENT else None
    _, state, *_ = _MESSAGE_HEAD.unpack_from(reply, _HEADER.size)
    after_head = _HEADER.size + _MESSAGE_HEAD.size
    ports = _PORTS.unpack_from(reply, after_head)
    *_, uid, inode = _MESSAGE_TAIL.unpack_from(reply, after_head + _SOCKET_BYTES)
    # Without a match the kernel looks for a listener, which may be anyone's. A closed socket has no
    # inode, and reads as root's.
    if state == _LISTEN or ports != (connection.peer[1], connection.ours[1]) or inode == 0:
        return PeerIdentity.UNKNOWN
    return users.identity(uid)


class SockDiag:
    """Asks the kernel by netlink: a few microseconds, however many connections there are."""

    def __init__(self, users: Users) -> None:
        self._users = users
        self._sequence = itertools.count(1)
        self._netlink: socket.socket | None = None
        if sys.platform == "linux":
            try:
                self._netlink = socket.socket(
                    socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG
                )
                self._netlink.settimeout(_TIMEOUT_S)
            except OSError:
                self.close()

    def identify(self, connection: TcpConnection) -> PeerIdentity | None:
        """Identify the user of the peer's end; None where the kernel doesn't answer."""
        if self._netlink is None:
            return None
        sequence = next(self._sequence)
        try:
            self._netlink.send(diag_request(connection, sequence))
            while True:
                reply = self._netlink.recv(_REPLY_BYTES)
                # A reply that came too late for an earlier question is dropped.
                if _HEADER.unpack_from(reply)[3] == sequence:
                    return diag_identity(reply, connection, self._users)
        except (OSError, struct.error):
            return None

    def close(self) -> None:
        """Close the netlink socket."""
        if self._netlink is not None:
            self._netlink.close()
            self._netlink = None


def _hex_address(host: str, port: int) -> str:
    """Return an address as ``/proc/net/tcp`` writes it: 32-bit words in this machine's order."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    packed = socket.inet_pton(family, host)
    words = (packed[at : at + 4] for at in range(0, len(packed), 4))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words) + f":{port:04X}"


def _mapped(end: tuple[str, int]) -> tuple[str, int]:
    return f"::ffff:{end[0]}", end[1]


def table_identity(table: str, connection: TcpConnection, users: Users) -> PeerIdentity | None:
    """Find the user of the peer's end in the text of ``/proc/net/tcp``; None if it isn't there."""
    wanted = f" {_hex_address(*connection.peer)} {_hex_address(*connection.ours)} "
    at = table.find(wanted)
    if at < 0:
        return None
    # After the addresses: state, queues, timer, retransmissions, uid, timeout, inode.
    fields = table[at + len(wanted) :].split(maxsplit=7)
    uid, inode = int(fields[4]), int(fields[6])
    return users.identity(uid) if inode else PeerIdentity.UNKNOWN


class ProcNetTcp:
    """Reads the kernel's list of all connections, where netlink isn't available."""

    def __init__(self, users: Users, folder: Path = Path("/proc/net")) -> None:
        self._users = users
        self._folder = folder

    def identify(self, connection: TcpConnection) -> PeerIdentity | None:
        """Identify the user of the peer's end; None if the list can't be read."""
        places = [("tcp6", connection)]
        if not connection.is_ipv6:
            # A program may use an IPv6 socket for an IPv4 address.
            mapped = TcpConnection(_mapped(connection.peer), _mapped(connection.ours))
            places = [("tcp", connection), ("tcp6", mapped)]
        readable = False
        for name, wanted in places:
            try:
                table = (self._folder / name).read_text(encoding="ascii")
                found = table_identity(table, wanted, self._users)
            except (OSError, ValueError, IndexError):
                continue
            readable = True
            if found is not None:
                return found
        return PeerIdentity.UNKNOWN if readable else None

    def close(self) -> None:
        """Nothing is held open."""


def mapped_users(own: int, proc: Path = Path("/proc")) -> Users:
    """Return how the process of user ``own`` sees user ids, from its user namespace's map.

    Systems without namespaces know all users.
    """
    try:
        ranges = (proc / "self" / "uid_map").read_text(encoding="ascii").splitlines()
        known = sum(int(each.split()[2]) for each in ranges)
        if known >= _ALL_USERS:
            return Users(own)
        return Users(own, int((proc / "sys" / "kernel" / "overflowuid").read_text()))
    except (OSError, ValueError, IndexError):
        return Users(own)
