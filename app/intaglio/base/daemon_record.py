"""The record in the lock file by which others find the running daemon; `daemon` writes it."""

from pathlib import Path
from typing import Final

import msgspec

_MAX_BYTES: Final = 10_000


class DaemonRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Where the daemon answers and which process it is.

    A hint: only its /health with this ``install_id`` proves that it lives. ``create_time`` is the
    process's, in seconds since 1970, as psutil gives it.
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


def read_record(file: Path) -> DaemonRecord | None:
    """Read the record; None when there is none or it cannot be read."""
    try:
        return msgspec.json.decode(file.read_bytes()[:_MAX_BYTES], type=DaemonRecord)
    except (OSError, msgspec.DecodeError):
        return None
