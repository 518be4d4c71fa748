"""The owner of a TCP connection on macOS: the kernel's list of sockets, read by sysctl.

The list needs no rights and has every socket's user. Layout: xnu's ``bsd/netinet/in_pcb.h`` and
``bsd/sys/socketvar.h``, whose structures ``xinpcb_n`` and ``xsocket_n`` are packed to 4 bytes.
"""

import ctypes
import ctypes.util
import socket
import struct
from collections.abc import Callable, Iterator
from typing import Final

from intaglio.api.gate.principal import PeerIdentity
from intaglio.daemon.peers.lookup import TcpConnection, Users

_LIST: Final = b"net.inet.tcp.pcblist_n"
_SPARE_BYTES: Final = 16_384
_ALIGNMENT: Final = 8
# Every record begins with its length and its kind.
_RECORD: Final = struct.Struct("=II")
_SOCKET: Final = 0x001
_PROTOCOL_BLOCK: Final = 0x010
# In xinpcb_n: the peer's port (in network order), then our own.
_PORTS: Final = struct.Struct("!HH")
_PORTS_AT: Final = 16
_VERSION_AT: Final = 44
_REMOTE_AT: Final = 48
_LOCAL_AT: Final = 64
_ADDRESS_BYTES: Final = 16
_IPV4: Final = 0x1
# In xsocket_n.
_OWNER_AT: Final = 64


def _records(listed: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield kind and bytes of each record after the list's own head."""
    if len(listed) < _RECORD.size:
        return
    at = _aligned(_RECORD.unpack_from(listed)[0])
    while at + _RECORD.size <= len(listed):
        length, kind = _RECORD.unpack_from(listed, at)
        if length < _RECORD.size:
            return
        yield kind, listed[at : at + length]
        at += _aligned(length)


def _aligned(length: int) -> int:
    return -(-length // _ALIGNMENT) * _ALIGNMENT


def _address(host: str) -> bytes:
    # An IPv4 address stands in the last four of the sixteen bytes.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.inet_pton(family, host)


def _matches(block: bytes, connection: TcpConnection) -> bool:
    if len(block) < _LOCAL_AT + _ADDRESS_BYTES:
        return False
    # The listed socket is the peer's: what is remote to it is ours.
    if _PORTS.unpack_from(block, _PORTS_AT) != (connection.ours[1], connection.peer[1]):
        return False
    size = 4 if block[_VERSION_AT] & _IPV4 else _ADDRESS_BYTES
    local = block[_LOCAL_AT : _LOCAL_AT + _ADDRESS_BYTES][-size:]
    remote = block[_REMOTE_AT : _REMOTE_AT + _ADDRESS_BYTES][-size:]
    return (local, remote) == (_address(connection.peer[0]), _address(connection.ours[0]))


def listed_identity(listed: bytes, connection: TcpConnection, users: Users) -> PeerIdentity:
    """Identify the user of the peer's end in the kernel's list of TCP sockets."""
    is_peer = False
    for kind, record in _records(listed):
        if kind == _PROTOCOL_BLOCK:
            is_peer = _matches(record, connection)
        elif kind == _SOCKET and is_peer and len(record) >= _OWNER_AT + 4:
            (uid,) = struct.unpack_from("=I", record, _OWNER_AT)
            return users.identity(uid)
    # A closed socket is no longer listed.
    return PeerIdentity.UNKNOWN


def read_socket_list() -> bytes | None:
    """Read the list from the kernel; None if there is none."""
    library = ctypes.CDLL(ctypes.util.find_library("c"))
    size = ctypes.c_size_t(0)
    if library.sysctlbyname(_LIST, None, ctypes.byref(size), None, ctypes.c_size_t(0)):
        return None
    # The list may grow between the two calls.
    size.value += _SPARE_BYTES
    buffer = ctypes.create_string_buffer(size.value)
    if library.sysctlbyname(_LIST, buffer, ctypes.byref(size), None, ctypes.c_size_t(0)):
        return None
    return buffer.raw[: size.value]


class SocketList:
    """Looks connections up in the kernel's list; ``read`` returns it, or None."""

    def __init__(self, users: Users, read: Callable[[], bytes | None] = read_socket_list) -> None:
        self._users = users
        self._read = read

    def identify(self, connection: TcpConnection) -> PeerIdentity | None:
        """Identify the user of the peer's end; None without the list."""
        try:
            listed = self._read()
        except (OSError, AttributeError):
            return None
        return None if listed is None else listed_identity(listed, connection, self._users)

    def close(self) -> None:
        """Nothing is held open."""
