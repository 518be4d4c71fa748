"""Replaces a file of the user atomically, without losing what somebody else saves meanwhile.

Where the system can exchange two files in one step (Linux), the new file is swapped in and what
comes out is compared with what was read. If an editor has saved in between, the change is made
again to what it saved. Elsewhere the file is compared just before it is replaced.
"""

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from intaglio.base.errors import ConflictError
from intaglio.base.files.exchange import exchange, wait_for_writers
from intaglio.base.files.regular_file import read_regular

ContentEdit: TypeAlias = Callable[[bytes | None], bytes | None]
"""From the content of a file to its new content; None where there is no file."""

_MAX_ROUNDS: Final = 200
# An editor may rename the old file away before it writes the new one.
_APPEARS_WITHIN_S: Final = 0.2
_LOOK_EVERY_S: Final = 0.02
_NEW_MODE: Final = 0o600


class UnwritableFileError(ConflictError):
    """The file or its folder can't be written."""

    code = "file_not_writable"
    title = "The file can't be written"


class BusyFileError(ConflictError):
    """Another program doesn't stop writing the file."""

    code = "file_busy"
    title = "Another program is writing the file"


@dataclass(frozen=True, slots=True)
class ReplacedFile:
    """What the file held before and after; both are the same if nothing had to be written."""

    before: bytes | None
    after: bytes | None


def replace_file(
    file: Path, edit: ContentEdit, *, limit: int = -1, exchanges: bool = sys.platform == "linux"
) -> ReplacedFile:
    """Change a file's content by ``edit``, which is called again whenever somebody saved meanwhile.

    A symbolic link stays, and its target is replaced. Mode, owner and extended attributes stay; a
    new file is readable by its owner only. At most ``limit`` bytes are read. Raises what ``edit``
    raises, with the file as somebody saved it last, and UnwritableFileError, BusyFileError or
    OSError.
    """
    target = Path(os.path.realpath(file))
    _check_writable(target)
    return _Replacement(target, edit, limit, exchanges).run()


def is_writable(file: Path) -> bool:
    """Whether a file could be replaced."""
    try:
        _check_writable(Path(os.path.realpath(file)))
    except (OSError, UnwritableFileError):
        return False
    return True


def _check_writable(target: Path) -> None:
    folder = next(each for each in target.parents if each.exists())
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UnwritableFileError(
            f"The folder {folder} is read-only", hint="Allow writing to it, then try again."
        )
    # Renaming would replace even a file that its owner has made read-only.
    if target.exists() and not (os.access(target, os.W_OK) and target.stat().st_mode & 0o222):
        raise UnwritableFileError(
            f"{target} is read-only", hint="Allow writing to it, then try again."
        )


class _Replacement:
    """One replacement: ``base`` is what the change is made to, ``placed`` what is in place."""

    def __init__(self, target: Path, edit: ContentEdit, limit: int, exchanges: bool) -> None:  # noqa: FBT001 - one caller
        self._target = target
        self._edit = edit
        self._limit = limit
        self._exchanges = exchanges

    def run(self) -> ReplacedFile:
        self._wait_for_writers(self._target)
        base = placed = self._read_when_there()
        for _ in range(_MAX_ROUNDS):
            new = self._edited(base, placed)
            if new is None or new == placed:
                return ReplacedFile(base, new)
            if placed is None:
                if self._create(new):
                    return ReplacedFile(base, new)
                base = placed = self._read_when_there()
                continue
            found, is_in_place = self._swap(new, placed)
            if found == placed:
                self._flush_folder()
                return ReplacedFile(base, new)
            if found is None:
                base = placed = self._read_when_there()
            elif is_in_place:
                # Somebody saved, and ours is in place of theirs.
                base, placed = found, new
            else:
                base = placed = found
        raise BusyFileError(f"{self._target} changes all the time", hint="Try again in a moment.")

    def _edited(self, base: bytes | None, placed: bytes | None) -> bytes | None:
        try:
            return self._edit(base)
        except BaseException:
            if base is not None and base != placed:
                # Ours is in place of what somebody saved, and must not stay.
                self._give_back(base, placed)
            raise

    def _give_back(self, saved: bytes, ours: bytes | None) -> None:
        for _ in range(_MAX_ROUNDS):
            found, is_in_place = self._swap(saved, ours)
            if found == ours or found is None or not is_in_place:
                return
            saved, ours = found, saved

    def _wait_for_writers(self, file: Path) -> None:
        """Wait while somebody writes in place; a file that came out of its place is put back."""
        if self._exchanges and not wait_for_writers(file):
            if file != self._target:
                exchange(file, self._target)
            raise BusyFileError(
                f"Another program is writing {self._target}", hint="Close it there, then try again."
            )

    def _read_when_there(self) -> bytes | None:
        until = time.monotonic() + _APPEARS_WITHIN_S
        while True:
            found = self._read()
            # An editor that writes in place empties the file first.
            if found or time.monotonic() > until:
                return found
            time.sleep(_LOOK_EVERY_S)

    def _read(self) -> bytes | None:
        try:
            return read_regular(self._target, self._limit)
        except FileNotFoundError:
            return None

    def _create(self, new: bytes) -> bool:
        """Create the file unless somebody else has."""
        self._target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = self._write_part(new)
        try:
            return self._link(part)
        finally:
            part.unlink(missing_ok=True)
            self._flush_folder()

    def _link(self, part: Path) -> bool:
        try:
            os.link(part, self._target)
        except FileExistsError:
            return False
        except OSError:
            # A file system without hard links.
            if self._target.exists():
                return False
            part.replace(self._target)
        return True

    def _swap(self, new: bytes, placed: bytes | None) -> tuple[bytes | None, bool]:
        """Put the new content in place of ``placed``.

        Returns what was there, None if there was no file, and whether the new content is in place:
        an exchange puts it in place of what somebody saves at that moment, too.
        """
        part = self._write_part(new)
        try:
            found = self._read()
            if found != placed:
                return found, False
            if self._exchanges:
                try:
                    self._exchanges = exchange(part, self._target)
                except FileNotFoundError:
                    return None, False
            if self._exchanges:
                self._wait_for_writers(part)
                return read_regular(part, self._limit), True
            part.replace(self._target)
            return found, True
        finally:
            part.unlink(missing_ok=True)

    def _write_part(self, content: bytes) -> Path:
        """Write a file beside the target, with its mode and owner."""
        name = f".{self._target.name}.{os.getpid()}.{os.urandom(4).hex()}.part"
        part = self._target.with_name(name)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _NEW_MODE)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
                stream.flush()
                self._take_over(part)
                os.fsync(stream.fileno())
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return part

    def _take_over(self, part: Path) -> None:
        with contextlib.suppress(FileNotFoundError):
            was = self._target.stat()
            if sys.platform != "win32":
                own = part.stat()
                if (own.st_uid, own.st_gid) != (was.st_uid, was.st_gid):
                    with contextlib.suppress(OSError):
                        os.chown(part, was.st_uid, was.st_gid)
            with contextlib.suppress(OSError):
                shutil.copystat(self._target, part)
            os.utime(part)

    def _flush_folder(self) -> None:
        """Make the renaming itself last, where a folder can be flushed."""
        with contextlib.suppress(OSError):
            descriptor = os.open(self._target.parent, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
