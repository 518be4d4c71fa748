"""Connections held with an incomplete request or an unread response."""

import socket
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import Final, TypeAlias

import httpx

from fakes.daemon import Daemon
from fakes.waiting import PATIENCE_S

Connect: TypeAlias = Callable[[Daemon], socket.socket]

_HEAD: Final = b"POST /api/memory/remember HTTP/1.1\r\nHost: localhost\r\n"
HELD_FOR: Final = {
    "idle": b"",
    "half a head": _HEAD,
    "half a body": _HEAD + b"Content-Length: 900\r\n\r\n{",
    "an unread response": b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n",
}
"""What each connection sends."""


def over_port(daemon: Daemon) -> socket.socket:
    """Connect to the port."""
    held = socket.socket()
    # What the daemon sends and nobody reads stays with the daemon.
    held.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    held.settimeout(PATIENCE_S)
    held.connect(("127.0.0.1", daemon.port))
    return held


def over_unix_socket(daemon: Daemon) -> socket.socket:
    """Connect to the Unix socket."""
    held = socket.socket(socket.AF_UNIX)
    # With a timeout it wouldn't wait for a place in the listener's queue.
    held.connect(str(daemon.paths.socket))
    held.settimeout(PATIENCE_S)
    return held


@contextmanager
def hold(
    daemon: Daemon, connect: Connect, sent: bytes, count: int
) -> Generator[list[socket.socket]]:
    """Hold this many connections, each of which has sent the same."""
    with daemon.client() as client:
        # It is written at the first request, which takes a second; those that wait for it aren't
        # held but served.
        client.get("/api/openapi.json")
    with ExitStack() as stack:
        held = [stack.enter_context(connect(daemon)) for _ in range(count)]
        for each in held:
            try:
                each.sendall(sent)
            except ConnectionError:
                # Closed for a later one.
                continue
        yield held


def answers(daemon: Daemon) -> list[int]:
    """Ask for /health and write, over the port and over the Unix socket; returns the statuses."""
    statuses: list[int] = []
    transport = httpx.HTTPTransport(uds=str(daemon.paths.socket))
    over_socket = httpx.Client(
        transport=transport, base_url="http://localhost", timeout=PATIENCE_S, trust_env=False
    )
    for client in (daemon.client(), over_socket):
        with client:
            statuses.append(client.get("/health").status_code)
            kept = client.post("/api/memory/remember", json={"content": "Tea is at four."})
            statuses.append(kept.status_code)
    return statuses


def is_closed(held: socket.socket) -> bool:
    """Whether the daemon has closed a connection on which it has sent nothing."""
    held.settimeout(0)
    try:
        held.recv(1)
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return True
