"""Chooses the daemon's port once and keeps it, because connected harnesses rely on it."""

import socket
import sys
from dataclasses import dataclass
from typing import Final

from intaglio.base.installation import DEFAULT_PORT

_MAX_ATTEMPTS: Final = 50
_BACKLOG: Final = 512
_LOOPBACK: Final = (("127.0.0.1", socket.AF_INET), ("::1", socket.AF_INET6))


@dataclass(frozen=True, slots=True)
class BoundPort:
    """The port and its bound sockets, which aren't accepting connections yet."""

    port: int
    sockets: list[socket.socket]


@dataclass(frozen=True, slots=True)
class PortInUse:
    """Another program uses this installation's port."""

    port: int


def _bind(host: str, family: socket.AddressFamily, port: int) -> socket.socket | None:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            # Without it another program could bind the same port and receive our requests.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except OSError:
        listener.close()
        return None
    return listener


def _bind_both(port: int) -> list[socket.socket] | None:
    """Bind 127.0.0.1 and, if available, ::1: `localhost` may resolve to either."""
    ipv4 = _bind(*_LOOPBACK[0], port)
    if ipv4 is None:
        return None
    ipv6 = _bind(*_LOOPBACK[1], ipv4.getsockname()[1])
    return [ipv4] if ipv6 is None else [ipv4, ipv6]


def choose_port(
    requested: int | None, saved: int | None, default: int = DEFAULT_PORT
) -> BoundPort | PortInUse:
    """Bind the requested port, else the saved one, else the default.

    Only with neither, at the very first start, are the next ports tried if the default is in use.
    """
    fixed = requested or saved
    if fixed is not None:
        sockets = _bind_both(fixed)
        return PortInUse(fixed) if sockets is None else BoundPort(fixed, sockets)
    for port in range(default, default + _MAX_ATTEMPTS):
        sockets = _bind_both(port)
        if sockets is not None:
            return BoundPort(port, sockets)
    return PortInUse(default)
