"""Watches over a connection that the daemon is there, and tells at once when it is gone."""

import contextlib
import socket
import sys
import time
from collections.abc import Callable
from typing import Final, Never
from urllib.parse import urlsplit

from intaglio.base.paths import Paths
from intaglio.client.discovery import DaemonAddress, find_daemon

_RETRY_S: Final = 1.0
_CONNECT_TIMEOUT_S: Final = 3.0


def watch_daemon(
    paths: Paths,
    is_there: Callable[[], bool],
    is_back: Callable[[], bool],
    on_gone: Callable[[], None],
    on_back: Callable[[], None],
) -> Never:
    """Call ``on_gone`` when the daemon is gone, and ``on_back`` when it is back.

    Nothing is sent: the system closes the connection when the daemon dies. ``is_there`` says what
    the end of a connection means; a daemon that ``is_back`` may be elsewhere.
    """
    while True:
        place = find_daemon(paths, {})
        if isinstance(place, DaemonAddress):
            with contextlib.suppress(OSError):
                _wait_for_end(place)
        if not is_there():
            on_gone()
            while not is_back():
                time.sleep(_RETRY_S)
            on_back()
        # A daemon may close connections that ask nothing.
        time.sleep(_RETRY_S)


def _wait_for_end(place: DaemonAddress) -> None:
    """Connect, and wait until the daemon closes the connection."""
    with _connect(place) as connection:
        connection.settimeout(None)
        while connection.recv(4_096):
            pass


def _connect(place: DaemonAddress) -> socket.socket:
    if place.socket is None or sys.platform == "win32":
        url = urlsplit(place.url)
        return socket.create_connection((url.hostname, url.port), _CONNECT_TIMEOUT_S)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(_CONNECT_TIMEOUT_S)
        connection.connect(str(place.socket))
    except OSError:
        connection.close()
        raise
    return connection
