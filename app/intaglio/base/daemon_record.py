"""The record in the daemon's lock file that lets other processes find it; `daemon` writes it."""

from pathlib import Path
from typing import Final

import msgspec

_MAX_BYTES: Final = 10_000


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
        return msgspec.json.decode(file.read_bytes()[:_MAX_BYTES], type=DaemonRecord)
    except (OSError, msgspec.DecodeError):
        return None
