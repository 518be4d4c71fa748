"""What the tray app last noted of its keyboard shortcuts, for the daemon to show in Settings."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
import psutil
from msgspec import Meta

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import Paths, write_private
from intaglio.base.process.kill import MAX_PID

_MAX_BYTES = 10_000
_NAME = "shortcuts.json"

WORKS = ""


class ShortcutState(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of a shortcut, and why they don't work; ``problem`` is empty if they do."""

    keys: str
    problem: str = WORKS


class _Record(msgspec.Struct, frozen=True, kw_only=True):
    pid: Annotated[int, Meta(ge=1, le=MAX_PID)]
    shortcuts: dict[str, ShortcutState]


def _file(paths: Paths) -> Path:
    return paths.runtime / _NAME


def write_shortcuts(paths: Paths, pid: int, shortcuts: Mapping[str, ShortcutState]) -> None:
    """Note the states by the keys of their settings; raises OSError."""
    record = _Record(pid=pid, shortcuts=dict(shortcuts))
    write_private(_file(paths), msgspec.json.encode(record))


def remove_shortcuts(paths: Paths) -> None:
    """Remove the note: the tray app quits."""
    _file(paths).unlink(missing_ok=True)


def read_shortcuts(paths: Paths) -> Mapping[str, ShortcutState] | None:
    """Return the states by the keys of their settings; None if no tray app runs."""
    try:
        record = msgspec.json.decode(read_regular(_file(paths), _MAX_BYTES), type=_Record)
    except (OSError, msgspec.DecodeError):
        return None
    return record.shortcuts if psutil.pid_exists(record.pid) else None
