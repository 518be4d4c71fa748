"""What Claude Code's own settings say of its transcripts and its memory."""

from pathlib import Path
from typing import Final

from msgspec import Struct

from intaglio.base.files.regular_file import read_regular
from intaglio.base.json.tolerant import REFUSED, TolerantDecoder

_FILE: Final = "settings.json"
_MAX_BYTES: Final = 1_000_000


class OwnSettings(Struct, rename="camel"):
    """Settings by their names in the file; one with another type counts as not set."""

    cleanup_period_days: float | None = None
    auto_memory_enabled: bool = True
    auto_memory_directory: str = ""


_DECODER: Final = TolerantDecoder(OwnSettings)


def read_own_settings(folder: Path) -> OwnSettings:
    """Return the settings in Claude Code's folder; the defaults if they can't be read."""
    try:
        return _DECODER.decode(read_regular(folder / _FILE, _MAX_BYTES))
    except (OSError, *REFUSED):
        return OwnSettings()
