"""Remembers across restarts which issues the user was notified of."""

from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import write_private

_MAX_BYTES: Final = 20_000


class _Saved(msgspec.Struct, frozen=True):
    ids: list[str]


class NotifiedIssues:
    """Ids of issues in a file; None before the first start of the app.

    Errors on saving are ignored: then a notification is repeated after a restart.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self.ids = self._read()

    def replace(self, ids: frozenset[str]) -> None:
        """Remember these issues only."""
        if ids == self.ids:
            return
        self.ids = ids
        try:
            write_private(self._file, msgspec.json.encode(_Saved(sorted(ids))))
        except OSError:
            return

    def _read(self) -> frozenset[str] | None:
        try:
            saved = msgspec.json.decode(read_regular(self._file, _MAX_BYTES), type=_Saved)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError):
            return frozenset()
        return frozenset(saved.ids)
