"""The lock that a daemon holds while it runs, and the record by which clients find it."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import msgspec
import psutil

from intaglio.base.daemon_record import DaemonRecord, read_record
from intaglio.base.files.filelock import lock_file
from intaglio.base.files.writable import read_only_reason
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths, write_private

_LOCK_NAME: Final = "daemon.lock"
_WORKSPACE_LOCK_NAME: Final = "intaglio.lock"


@dataclass(frozen=True, slots=True)
class LockHeld:
    """This process holds the lock until it ends, however it ends."""

    stream: IO[bytes]


@dataclass(frozen=True, slots=True)
class LockTaken:
    """Another daemon of the same directories is running; its record, if it has written one."""

    record: DaemonRecord | None


def take_lock(paths: Paths) -> LockHeld | LockTaken:
    """Acquire the lock without waiting. The OS releases it when its holder dies."""
    stream = lock_file(paths.runtime / _LOCK_NAME)
    return LockTaken(read_record(paths.lock)) if stream is None else LockHeld(stream)


def take_workspace(paths: Paths) -> LockHeld | LockTaken:
    """Acquire the lock next to the database, which daemons with other directories may share.

    On a file system without lock support, only one daemon is assumed. Where nothing can be written
    there is nothing to lock.
    """
    if read_only_reason(paths.database):
        return LockHeld(Path(os.devnull).open("rb"))
    stream = lock_file(paths.memory / _WORKSPACE_LOCK_NAME, lenient=True)
    return LockTaken(None) if stream is None else LockHeld(stream)


def write_record(
    paths: Paths,
    installation: Installation,
    *,
    port: int,
    version: str,
    started_at: str,
    socket: Path | None,
) -> None:
    """Write the record (mode 0600) once the daemon is listening."""
    record = DaemonRecord(
        app="intaglio",
        pid=os.getpid(),
        create_time=psutil.Process().create_time(),
        port=port,
        host="127.0.0.1",
        version=version,
        started_at=started_at,
        install_id=installation.install_id,
        token=installation.token,
        socket=None if socket is None else str(socket),
    )
    write_private(paths.lock, msgspec.json.encode(record))


def remove_record(paths: Paths) -> None:
    """Remove this process's record at a clean shutdown."""
    record = read_record(paths.lock)
    if record is not None and record.pid == os.getpid():
        paths.lock.unlink(missing_ok=True)
