"""The circuit breaker of hooks: after a time-out, hooks fail at once instead of waiting again.

With a Unix socket, the socket's file is set aside, which curl respects too. Without one, the hook
program notes the time. The daemon closes the breaker once it runs again.
"""

import contextlib
from pathlib import Path

from intaglio.base.paths import Paths


def aside(socket: Path) -> Path:
    """Return the name that a socket has while it is set aside.

    It still leads to the daemon, for clients that can wait.
    """
    return socket.with_name(f"{socket.name}.away")


def set_aside(socket: Path) -> None:
    """Set a socket aside because a request timed out."""
    with contextlib.suppress(OSError):
        socket.replace(aside(socket))


def timeout_note(paths: Paths) -> Path:
    """Return the file where the hook program notes when a request timed out."""
    return paths.state / "hook-timeout"
