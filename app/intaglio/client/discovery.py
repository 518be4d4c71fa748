"""Finds the daemon's address, from an environment variable or the daemon's record."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from intaglio.base.daemon_record import read_record
from intaglio.base.files.hook_breaker import aside
from intaglio.base.files.regular_file import read_regular
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths


@dataclass(frozen=True, slots=True)
class DaemonAddress:
    """An address, with the installation's id to verify and the token to send.

    With ``socket``, requests go to that Unix socket only, never to the port in ``url``. Without it,
    a program at ``url`` has to prove that it knows ``token`` before anything is sent.
    """

    url: str
    install_id: str | None
    token: str | None
    socket: Path | None = None


@dataclass(frozen=True, slots=True)
class DaemonNotFound:
    """There is no daemon record in these directories."""


_MAX_BYTES: Final = 10_000


def _on_this_machine(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _install(paths: Paths) -> Installation | None:
    try:
        return msgspec.json.decode(read_regular(paths.identity, _MAX_BYTES), type=Installation)
    except (OSError, msgspec.DecodeError):
        return None


def find_daemon(paths: Paths, env: Mapping[str, str]) -> DaemonAddress | DaemonNotFound:
    """Return the daemon's address without connecting.

    ``INTAGLIO_DAEMON_URL`` (or ``SIGNET_DAEMON_URL``) takes precedence; the token is never sent to
    another machine.
    """
    for name in ("INTAGLIO_DAEMON_URL", "SIGNET_DAEMON_URL"):
        url = env.get(name, "").strip().rstrip("/")
        if url:
            return _named(url, _install(paths) if _on_this_machine(url) else None)
    record = read_record(paths.lock)
    if record is None:
        return DaemonNotFound()
    return DaemonAddress(
        f"http://{record.host}:{record.port}",
        record.install_id,
        record.token,
        _socket(Path(record.socket)) if record.socket else None,
    )


def _named(url: str, install: Installation | None) -> DaemonAddress:
    if install is None:
        return DaemonAddress(url, None, None)
    # The name may lead to ::1, where another program could pass on the proof of the daemon that
    # listens at the same port of 127.0.0.1.
    pinned = url.replace("://localhost", "://127.0.0.1", 1)
    return DaemonAddress(pinned, install.install_id, install.token)


def _socket(file: Path) -> Path:
    """Return the socket, or its name while hooks don't use it: this client can wait longer."""
    return file if file.exists() or not aside(file).exists() else aside(file)
