"""How other processes find the daemon, by its record, and check that it is ours, by its proof."""

import hashlib
import hmac
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.files.regular_file import read_regular

_MAX_BYTES: Final = 10_000
_PROOF_PURPOSE: Final = "intaglio daemon proof"

NONCE_PATTERN: Final = "^[0-9a-f]{32,128}$"
"""A nonce: 16 to 64 random bytes in hexadecimal, new for each question."""


class DaemonRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The address and process of the running daemon.

    The record is only a hint: the daemon is alive if its /health returns this ``install_id``.
    ``create_time`` is the process's start time in seconds since 1970, as psutil reports it;
    ``socket`` is the path of its Unix socket, None if clients have to use the port.
    """

    app: str
    pid: int
    create_time: float
    port: int
    host: str
    version: str
    started_at: str
    install_id: str
    token: str
    socket: str | None = None


def read_record(file: Path) -> DaemonRecord | None:
    """Read the record; None if there is none or it can't be read."""
    try:
        return msgspec.json.decode(read_regular(file, _MAX_BYTES), type=DaemonRecord)
    except (OSError, msgspec.DecodeError):
        return None


def daemon_proof(secret: str, nonce: str, port: int) -> str:
    """Return what only a daemon on this port that knows the secret can answer to a nonce.

    It is an HMAC-SHA256 in hexadecimal. With the port in it, a program on another port can't pass
    on the daemon's own answer.
    """
    message = f"{_PROOF_PURPOSE}\0{nonce}:{port}".encode()
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
