"""Checks that the paths of the database still lead to the files that are open.

Another program can replace, remove or overwrite them at any time; SQLite doesn't notice and goes
on writing to files that nobody finds again.
"""

import contextlib
import os
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import apsw

from intaglio.base.files.regular_file import read_regular
from intaglio.base.installation import command
from intaglio.store.connection import APPLICATION_ID, pragma
from intaglio.store.values import DegradedCause

_HEADER_BYTES: Final = 100
_MAGIC: Final = b"SQLite format 3\x00"
_WAL_MODE: Final = b"\x02\x02"
_LOG_HEADER_BYTES: Final = 32
_SALTS_BYTES: Final = 8
_FRAME_HEADER_BYTES: Final = 24
# The first salt of the log grows by one at each restart; between two checks there are few.
_MAX_RESTARTS: Final = 10_000
# The log's index starts with two copies of a record; while they differ, it is being written.
_INDEX_RECORD_BYTES: Final = 48
_INDEX_ATTEMPTS: Final = 50
# A program that removes several files needs a moment, and the database matters most.
_SECOND_LOOK_S: Final = 0.1

# Windows opens files as text unless told otherwise.
_READ: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0)

_Stamp: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FileFault:
    """What happened to the files; ``reason`` is a sentence for people."""

    cause: DegradedCause
    reason: str


def stat_or_none(file: str) -> os.stat_result | None:
    """Return the status of a file, or None if there is none.

    Raises OSError if that can't be known, as on a drive that is out of reach for a moment.
    """
    try:
        # Without a Path, because this runs after each commit.
        return os.stat(file)  # noqa: PTH116 - see above
    except (FileNotFoundError, NotADirectoryError):
        return None


def log_of(file: Path) -> Path:
    """Return the path of a database's write-ahead log."""
    return file.with_name(f"{file.name}-wal")


def shared_memory_of(file: Path) -> Path:
    """Return the path of a database's shared-memory file."""
    return file.with_name(f"{file.name}-shm")


def read_header(file: Path) -> bytes:
    """Return a database's header, empty if it can't be read.

    Never call it for the open database: closing any descriptor of a file releases all locks that
    this process holds on it.
    """
    try:
        return read_regular(file, _HEADER_BYTES)
    except OSError:
        return b""


def is_intaglio_header(header: bytes) -> bool:
    """Check whether a header is one of an Intaglio database."""
    return header.startswith(_MAGIC) and header[68:72] == APPLICATION_ID.to_bytes(4)


def is_log_in_use(header: bytes) -> bool:
    """Check whether a database's header says that it has a write-ahead log."""
    return header[18:20] == _WAL_MODE


def hint_while_saving() -> str:
    """Say what to do right after a fault was found."""
    return f"Its data is being saved aside. See `{command('doctor')}`."


def hint_right_after(fault: FileFault) -> str:
    """Say what to do about a fault before anything was done about it."""
    if fault.cause == "unwritable":
        return (
            "Free up space, or make the workspace's files writable again: writing then continues "
            "by itself. Nothing saved is lost."
        )
    if fault.cause == "unavailable":
        return (
            "Nothing is lost. Writing continues by itself once the file can be reached; if it "
            "doesn't, restart the daemon."
        )
    return hint_while_saving()


class FileGuard:
    """Remembers which files a connection has open, and detects that the paths lead elsewhere.

    ``fault`` is called by the writer's thread between transactions. The other methods may be
    called by any thread; whoever checkpoints holds ``checkpointing`` meanwhile and then calls
    ``note_checkpoint``, because nothing else may change the database's own file in WAL mode.
    """

    def __init__(self, connection: apsw.Connection, file: Path) -> None:
        """Open the files; raises OSError if that fails."""
        self._connection = connection
        self._file = file
        self._path, self._log_path = str(file), str(log_of(file))
        self._shared_path = str(shared_memory_of(file))
        self.checkpointing = threading.Lock()
        # Kept open as long as the connections are (see read_header).
        self._database = os.open(file, _READ)
        self._identity = os.fstat(self._database)
        self._log: int | None = None
        self._shared: int | None = None
        self._log_identity: os.stat_result | None = None
        self._shared_identity: os.stat_result | None = None
        self._salts = b""
        self._frames = 0
        self._page_bytes = 4_096
        self._known: _Stamp = (0, 0)
        self._header = b""
        try:
            # Not every file system has what a write-ahead log needs.
            with contextlib.suppress(FileNotFoundError):
                self._log = os.open(log_of(file), _READ)
                self._log_identity = os.fstat(self._log)
                self._shared = os.open(shared_memory_of(file), _READ)
                self._shared_identity = os.fstat(self._shared)
            self.note_checkpoint()
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Close the descriptors, once no connection to the database is open any more."""
        for descriptor in (self._database, self._log, self._shared):
            if descriptor is not None:
                with contextlib.suppress(OSError):
                    os.close(descriptor)
        self._log = self._shared = None

    def note_checkpoint(self) -> None:
        """Remember the state of the database's file after a checkpoint of our own."""
        now = os.fstat(self._database)
        header = _read(self._database, _HEADER_BYTES)
        if self._header and header != self._header and not _is_successor(header, self._header):
            # Overwritten during the checkpoint; the next check finds it.
            return
        self._known = (now.st_mtime_ns, now.st_size)
        self._header = header
        if len(self._header) == _HEADER_BYTES:
            size = int.from_bytes(self._header[16:18])
            self._page_bytes = 65_536 if size == 1 else size

    def note_commit(self, frames: int) -> None:
        """Remember the length of the log; 0 after it was emptied."""
        self._frames = frames
        if not frames:
            # Whoever writes the next frame chooses new salts.
            self._salts = b""

    def holds_file(self) -> bool:
        """Check whether the database's path still leads to the open file."""
        try:
            return self._missing() is None
        except OSError:
            return False

    def is_unchanged(self) -> bool:
        """Check, while ``checkpointing`` is held, whether a checkpoint would hit the right file."""
        try:
            found = self._missing() or self._log_moved()
            return found is None and (self._log is None or self._has_known_content())
        except OSError:
            return False

    def is_untouched(self) -> bool:
        """Check whether the path leads to the open file and nobody wrote to it meanwhile."""
        try:
            with self.checkpointing:
                return (
                    self._missing() is None
                    and self._has_known_stamp()
                    and self._has_known_content()
                )
        except OSError:
            return False

    def fault(self, *, thorough: bool = False) -> FileFault | None:
        """Return what happened to the files since they were opened.

        ``thorough`` reads the database's header even if the file's time and size are as known.
        """
        try:
            found = self._find_fault(thorough=thorough)
            if found is None or found.cause != "log_lost":
                return found
            time.sleep(_SECOND_LOOK_S)
            return self._missing() or found
        except (OSError, apsw.Error) as error:
            # As on a drive that is out of reach.
            return FileFault("unavailable", f"The database file can't be reached now: {error}.")

    def _find_fault(self, *, thorough: bool) -> FileFault | None:
        return (
            self._missing()
            or self._log_moved()
            or self._log_changed()
            or self._shared_moved()
            or self._overwritten(thorough=thorough)
        )

    def _missing(self) -> FileFault | None:
        found = stat_or_none(self._path)
        if found is None:
            return FileFault(
                "removed", "The database file was removed while the daemon was running."
            )
        if not os.path.samestat(found, self._identity):
            # A file system may number its files anew; then both numbers change.
            self._identity = os.fstat(self._database)
        if not os.path.samestat(found, self._identity):
            return self._replaced()
        return None

    def _replaced(self) -> FileFault:
        kind = "an" if is_intaglio_header(read_header(self._file)) else "not an"
        return FileFault(
            "replaced",
            "The database file was replaced while the daemon was running. "
            f"The new file is {kind} Intaglio database.",
        )

    def _log_moved(self) -> FileFault | None:
        if self._log is None or self._log_identity is None:
            return None
        found = stat_or_none(self._log_path)
        if found is None:
            return _log_lost("removed")
        if not os.path.samestat(found, self._log_identity):
            self._log_identity = os.fstat(self._log)
        return None if os.path.samestat(found, self._log_identity) else _log_lost("replaced")

    def _log_changed(self) -> FileFault | None:
        if self._log is None or not self._frames:
            return None
        size = os.fstat(self._log).st_size
        if size < self._log_bytes(self._frames):
            return None if self._was_emptied(self._log) else _log_lost("cut short")
        if not self._follows(_read(self._log, _LOG_HEADER_BYTES)[16:24]):
            return _log_lost("overwritten")
        return None

    def _was_emptied(self, log: int) -> bool:
        """Check whether another SQLite program checkpointed and emptied the log.

        The index in the shared memory then says so: the log has fewer frames, or none.
        """
        index = self._read_index()
        frames = int.from_bytes(index[16:20], sys.byteorder)
        salts = index[32 : 32 + _SALTS_BYTES]
        if not index or not self._follows(salts, again=True):
            return False
        with self.checkpointing:
            size = os.fstat(log).st_size
            if size < (self._log_bytes(frames) if frames else 0):
                return False
            if frames and _read(log, _LOG_HEADER_BYTES)[16:24] != salts:
                return False
            if not self._has_committed_content():
                return False
            self._accept_content()
            self.note_commit(frames)
        return True

    def _read_index(self) -> bytes:
        """Return the log's index record, empty if there is none or it never stays the same."""
        if self._shared is None:
            return b""
        for _ in range(_INDEX_ATTEMPTS):
            both = _read(self._shared, 2 * _INDEX_RECORD_BYTES)
            if both[:_INDEX_RECORD_BYTES] == both[_INDEX_RECORD_BYTES:]:
                return both[:_INDEX_RECORD_BYTES]
        return b""

    def _shared_moved(self) -> FileFault | None:
        if self._shared is None or self._shared_identity is None:
            return None
        found = stat_or_none(self._shared_path)
        if found is not None:
            if not os.path.samestat(found, self._shared_identity):
                self._shared_identity = os.fstat(self._shared)
            if os.path.samestat(found, self._shared_identity):
                return None
        return FileFault(
            "log_lost",
            "The database's shared-memory file (-shm) was removed or replaced while the daemon "
            "was running.",
        )

    def _log_bytes(self, frames: int) -> int:
        return _LOG_HEADER_BYTES + frames * (self._page_bytes + _FRAME_HEADER_BYTES)

    def _follows(self, salts: bytes, *, again: bool = False) -> bool:
        """Check whether the log's salts are those after a restart or, unless ``again``, known."""
        known = self._salts
        if len(salts) < _SALTS_BYTES:
            return False
        if known and (again or known != salts):
            restarts = (int.from_bytes(salts[:4]) - int.from_bytes(known[:4])) % 2**32
            if not 0 < restarts <= _MAX_RESTARTS:
                return False
        self._salts = salts
        return True

    def _overwritten(self, *, thorough: bool) -> FileFault | None:
        if not thorough and self._has_known_stamp():
            return None
        if self._log is None or not self.checkpointing.acquire(blocking=False):
            # A checkpoint is changing the file just now; the next check compares again.
            return None
        try:
            if self._has_known_content():
                return None
            if self._has_committed_content():
                # Another SQLite program checkpointed the log.
                self._accept_content()
                return None
        finally:
            self.checkpointing.release()
        return FileFault(
            "overwritten", "The database file was overwritten while the daemon was running."
        )

    def _accept_content(self) -> None:
        self._header = b""
        self.note_checkpoint()

    def _has_known_stamp(self) -> bool:
        now = os.fstat(self._database)
        return (now.st_mtime_ns, now.st_size) == self._known

    def _has_known_content(self) -> bool:
        """Compare the file with what the last checkpoint left; it may have been touched."""
        size = os.fstat(self._database).st_size
        if size != self._known[1] or _read(self._database, _HEADER_BYTES) != self._header:
            return False
        self.note_checkpoint()
        return True

    def _has_committed_content(self) -> bool:
        """Compare the file's header with what the connection reads, its log included."""
        header = _read(self._database, _HEADER_BYTES)
        fields = ((28, "page_count"), (36, "freelist_count"), (40, "schema_version"))
        return _is_successor(header, self._header) and all(
            int.from_bytes(header[at : at + 4]) == pragma(self._connection, name)
            for at, name in fields
        )

    def copy_database(self, target: Path) -> None:
        """Copy the open database file byte for byte; raises OSError."""
        with self.checkpointing:
            _copy(self._database, target)

    def copy_log(self, target: Path) -> None:
        """Copy the open log byte for byte, if there is one; raises OSError."""
        if self._log is not None:
            _copy(self._log, target)

    def holds_log(self) -> bool:
        """Check whether the log's path still leads to the open log."""
        try:
            return self._log is not None and self._log_moved() is None
        except OSError:
            return False


def _log_lost(what: str) -> FileFault:
    return FileFault(
        "log_lost",
        f"The database's write-ahead log (-wal) was {what} while the daemon was running.",
    )


def _is_successor(header: bytes, known: bytes) -> bool:
    """Check whether a header may follow another: SQLite never decrements the change counter."""
    changes = int.from_bytes(header[24:28]) - int.from_bytes(known[24:28])
    return header[:24] == known[:24] and is_intaglio_header(header) and changes % 2**32 < 2**31


def _read(descriptor: int, size: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, size)


def _copy(descriptor: int, target: Path) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    private = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(private, "wb") as stream:
        while block := os.read(descriptor, 1_048_576):
            stream.write(block)
        stream.flush()
        os.fsync(stream.fileno())
