"""Finds the daemon's address, from an environment variable or the daemon's record."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import msgspec

from intaglio.base.daemon_record import read_record
from intaglio.base.files.regular_file import read_regular
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths


@dataclass(frozen=True, slots=True)
class DaemonAddress:
    """An address, with the installation's id to verify and the token to send."""

    url: str
    install_id: str | None
    token: str | None


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
            install = _install(paths) if _on_this_machine(url) else None
            return DaemonAddress(
                url, install.install_id if install else None, install.token if install else None
            )
    record = read_record(paths.lock)
    if record is None:
        return DaemonNotFound()
    return DaemonAddress(f"http://{record.host}:{record.port}", record.install_id, record.token)
