"""Remembers when the workspace was last synced, and since when that fails, over restarts."""

from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import write_private

_MAX_BYTES: Final = 10_000


class SyncRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """When the last sync succeeded, and what fails since when; times are ISO-8601 UTC.

    ``needs_user`` if that doesn't pass by itself; ``stash`` keeps changes that conflicted.
    """

    synced: str | None = None
    failing_since: str | None = None
    failure: str = ""
    needs_user: bool = False
    stash: str = ""


def read_record(file: Path) -> SyncRecord:
    """Read the record; one that is missing or broken is empty."""
    try:
        return msgspec.json.decode(read_regular(file, _MAX_BYTES), type=SyncRecord)
    except (OSError, msgspec.MsgspecError):
        return SyncRecord()


def write_record(file: Path, record: SyncRecord) -> None:
    """Write the record; raises OSError."""
    write_private(file, msgspec.json.encode(record))
