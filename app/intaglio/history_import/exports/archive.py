"""Opens an uploaded export, a zip archive or plain JSON, and streams its conversations.

Nothing is extracted, so that the names of an archive's files lead nowhere. What an archive unpacks
to is counted while it is read, whatever it says about itself.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final

from intaglio.base.errors import IntaglioError
from intaglio.base.files.regular_file import open_regular

PART_BYTES: Final = 65_536
MAX_UNPACKED_BYTES: Final = 16_000_000_000
MAX_RATIO: Final = 200
"""How many times its size a file of an archive may unpack to; conversations have 3 to 20."""

_MAY_REPEAT_BYTES: Final = 50_000_000
# The list of an archive's files, which is read at once: each takes 46 bytes and its name there, and
# 0.7 kB in memory.
_MAX_DIRECTORY_BYTES: Final = 8_000_000
_NAME: Final = re.compile(r"conversations(?:-\d{1,6})?\.json", re.IGNORECASE)
_BLANKS: Final = b" \t\r\n\xef\xbb\xbf"
_ZIP: Final = b"PK"
_KINDS: Final[dict[bytes, str]] = {
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"<": "a web page",
}
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED: Final = 0x1


class UnreadableExportError(IntaglioError):
    """The file isn't an export of conversations, or is broken."""

    code = "unreadable_export"
    title = "Couldn't read the export"


class BrokenExportError(UnreadableExportError):
    """The file is damaged from some place on; what comes before can be read."""


@dataclass(frozen=True, slots=True)
class ConversationFile:
    """A file of conversations and its bytes in order; ``name`` is that in an archive, else empty.

    Iterating ``parts`` raises UnreadableExportError where the file is broken.
    """

    name: str
    parts: Iterator[bytes]


def conversation_files(path: Path) -> Iterator[ConversationFile]:
    """Yield the export's files of conversations; each must be read before the next.

    Raises UnreadableExportError for another file, OSError if it can't be read.
    """
    with open_regular(path) as stream:
        start = stream.read(PART_BYTES).lstrip(_BLANKS)
        if start.startswith(_ZIP):
            yield from _in_archive(stream)
        elif start.startswith((b"[", b"{")):
            stream.seek(0)
            yield ConversationFile("", iter(lambda: stream.read(PART_BYTES), b""))
        else:
            raise _not_an_export(start)


def _not_an_export(start: bytes) -> UnreadableExportError:
    kind = next((name for mark, name in _KINDS.items() if start.startswith(mark)), "neither")
    said = "It's neither a zip archive nor JSON." if kind == "neither" else f"It's {kind}."
    return UnreadableExportError(said, hint="Choose the zip file as you downloaded it.")


def _broken(reason: str) -> BrokenExportError:
    return BrokenExportError(f"The archive is broken: {reason}.", hint="Download the export again.")


def _in_archive(stream: BinaryIO) -> Iterator[ConversationFile]:
    try:
        archive = zipfile.ZipFile(_BoundedReads(stream))
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError) as error:
        raise _broken(str(error)) from error
    with archive:
        found = sorted(_members(archive), key=lambda each: each.filename)
        if not found:
            raise UnreadableExportError(
                "The archive has no conversations.json.",
                hint="Choose the export of ChatGPT or Claude as you downloaded it. If it has "
                "another zip file in it, choose that one.",
            )
        unpacked = _Unpacked()
        for each in found:
            yield ConversationFile(PurePosixPath(each.filename).name, unpacked.of(archive, each))


class _BoundedReads(io.BufferedIOBase):
    """A file that isn't read into memory, whatever size an archive claims for its directory."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = _MAX_DIRECTORY_BYTES + 1 if size is None or size < 0 else size
        if wanted > _MAX_DIRECTORY_BYTES + 1 or len(part := self._stream.read(wanted)) > (
            _MAX_DIRECTORY_BYTES
        ):
            raise UnreadableExportError(
                "The archive has too many files.",
                hint="Unpack it, and choose its conversations.json.",
            )
        return part


def _members(archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    for each in archive.infolist():
        if each.is_dir() or not _NAME.fullmatch(PurePosixPath(each.filename).name):
            continue
        if each.flag_bits & _ENCRYPTED:
            raise UnreadableExportError(
                "The archive has a password.", hint="Unpack it, and choose its conversations.json."
            )
        if each.compress_type not in _METHODS:
            raise UnreadableExportError(
                "The archive is packed in an unusual way.",
                hint="Unpack it, and choose its conversations.json.",
            )
        yield each


@dataclass(slots=True)
class _Unpacked:
    """Unpacks an archive's files and counts the bytes of all of them."""

    total: int = 0

    def of(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
        """Yield a file's bytes."""
        limit = max(member.compress_size * MAX_RATIO, _MAY_REPEAT_BYTES)
        size = 0
        try:
            with archive.open(member) as stream:
                while part := stream.read(PART_BYTES):
                    size += len(part)
                    self.total += len(part)
                    if size > limit or self.total > MAX_UNPACKED_BYTES:
                        raise UnreadableExportError(
                            "The archive unpacks to far more than conversations would.",
                            hint="Unpack it, and look at what is in it.",
                        )
                    yield part
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
            raise _broken(str(error) or "it ends too early") from error
