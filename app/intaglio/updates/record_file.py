"""The file that keeps what is known of updates across restarts."""

import contextlib
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import write_private
from intaglio.updates.values import UpdateRecord

_MAX_BYTES: Final = 20_000


class RecordFile:
    """The record, in memory and in a file; a file that can't be read or written is ignored."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.value = UpdateRecord()

    def load(self, version: str) -> None:
        """Read the file; on the first start, this version's changes count as seen. Blocks."""
        with contextlib.suppress(OSError, msgspec.DecodeError):
            self.value = msgspec.json.decode(
                read_regular(self._file, _MAX_BYTES), type=UpdateRecord
            )
        if not self.value.seen:
            self.save(msgspec.structs.replace(self.value, seen=version))

    def save(self, value: UpdateRecord) -> None:
        """Keep a record. Blocks."""
        self.value = value
        with contextlib.suppress(OSError):
            write_private(self._file, msgspec.json.encode(value))
