"""Keeps, apart from the workspace, which databases were opened: a missing one isn't a first start.

A workspace that is removed, or on a drive that isn't mounted yet, holds no trace of its database.
"""

import contextlib
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import write_private

_MAX_BYTES: Final = 1_000_000
_MAX_DATABASES: Final = 100


def is_known(record: Path | None, database: Path) -> bool:
    """Whether this database was opened before; False without a record."""
    return record is not None and str(database.absolute()) in _read(record)


def note_opened(record: Path | None, database: Path) -> None:
    """Add the database to the record; of too many, the oldest is dropped."""
    name = str(database.absolute())
    if record is None or name in (known := _read(record)):
        return
    # Without the record, only what the workspace itself shows is missing.
    with contextlib.suppress(OSError):
        write_private(record, msgspec.json.encode([*known, name][-_MAX_DATABASES:]))


def _read(record: Path) -> list[str]:
    try:
        return msgspec.json.decode(read_regular(record, _MAX_BYTES), type=list[str])
    except (OSError, msgspec.DecodeError):
        return []
