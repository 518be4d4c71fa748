"""Which port the daemon answers on: chosen once, then kept, because harnesses hold it."""

import socket
import sys
from dataclasses import dataclass
from typing import Final

from intaglio.base.installation import DEFAULT_PORT

_TRIES: Final = 50
_BACKLOG: Final = 512
_LOOPBACK: Final = (("127.0.0.1", socket.AF_INET), ("::1", socket.AF_INET6))


@dataclass(frozen=True, slots=True)
class BoundPort:
    """The port is ours; the sockets are bound, not yet accepting."""

    port: int
    sockets: list[socket.socket]


@dataclass(frozen=True, slots=True)
class PortInUse:
    """Something else holds the port that this installation has to answer on."""

    port: int


def _bind(host: str, family: socket.AddressFamily, port: int) -> socket.socket | None:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            # Without it another program could bind the same port and take our requests.
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
    """Bind 127.0.0.1, and ::1 too where there is one: `localhost` may name either."""
    four = _bind(*_LOOPBACK[0], port)
    if four is None:
        return None
    six = _bind(*_LOOPBACK[1], four.getsockname()[1])
    return [four] if six is None else [four, six]


def choose_port(
    asked: int | None, kept: int | None, default: int = DEFAULT_PORT
) -> BoundPort | PortInUse:
    """Bind the asked port, else the kept one, else the default.

    Only where neither is named, at the very first start, is another one taken when the default
    is in use.
    """
    named = asked or kept
    if named is not None:
        sockets = _bind_both(named)
        return PortInUse(named) if sockets is None else BoundPort(named, sockets)
    for port in range(default, default + _TRIES):
        sockets = _bind_both(port)
        if sockets is not None:
            return BoundPort(port, sockets)
    return PortInUse(default)
