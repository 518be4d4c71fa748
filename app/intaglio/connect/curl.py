"""Finds out whether curl can send hooks to the daemon's Unix socket."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Final

from intaglio.base.paths import Paths

_TIMEOUT_S: Final = 5.0
_FEATURE: Final = "UnixSockets"


def curl_reaches_daemon(paths: Paths) -> bool:
    """Whether hooks should use curl: it is installed, and can use the daemon's socket."""
    return shutil.which("curl") is not None and may_use_socket(paths)


def may_use_socket(paths: Paths) -> bool:
    """Whether the daemon has, or will have, a socket that curl can use.

    A curl that isn't on this process's path is taken to be able to: the harness's path may have it.
    """
    curl = shutil.which("curl")
    return (
        paths.socket is not None
        and (curl is None or supports_unix_sockets(curl))
        and holds_sockets(paths.socket)
    )


def supports_unix_sockets(curl: str) -> bool:
    """Whether this curl can connect to Unix sockets, as most can since 7.40."""
    try:
        changed = Path(curl).stat().st_mtime_ns
    except OSError:
        return False
    return _has_unix_sockets(curl, changed)


# Each look at each agent's settings asks it.
@lru_cache(maxsize=4)
def _has_unix_sockets(curl: str, changed_ns: int) -> bool:
    """Ask a curl for its features; ``changed_ns`` is when its file was changed."""
    del changed_ns
    try:
        done = subprocess.run(  # noqa: S603 - the user's curl
            [curl, "-q", "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    words = done.stdout.decode(errors="replace").partition("Features:")[2].split()
    return _FEATURE.lower() in {word.replace("-", "").lower() for word in words}


def holds_sockets(file: Path) -> bool:
    """Whether a socket can be created next to ``file``; some file systems have none.

    A folder that doesn't exist yet counts as one that can hold sockets.
    """
    if sys.platform == "win32":
        return False
    if file.is_socket() or not file.parent.is_dir():
        return True
    trial = file.with_suffix(f".{os.getpid()}")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as one:
        try:
            one.bind(str(trial))
        except OSError:
            return False
        finally:
            with contextlib.suppress(OSError):
                trial.unlink()
    return True
