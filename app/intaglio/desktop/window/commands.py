"""Commands from the tray app to a window's process, one JSON line each on its standard input.

Not on the command line, which every user of the machine can read: the link signs in. The end of the
input means that the tray app is gone.
"""

from collections.abc import Iterator
from io import RawIOBase
from typing import BinaryIO, Final, TypeAlias

import msgspec

_MAX_BYTES: Final = 20_000


class ShowWindow(msgspec.Struct, frozen=True, tag="show"):
    """Bring the window to the front; ``url`` is the page to load, None for the current one."""

    url: str | None = None


class CloseWindow(msgspec.Struct, frozen=True, tag="close"):
    """Close the window, as its close button does."""


WindowCommand: TypeAlias = ShowWindow | CloseWindow


def write_command(command: WindowCommand) -> bytes:
    """Encode a command as a line."""
    return msgspec.json.encode(command) + b"\n"


def read_commands(stream: BinaryIO | RawIOBase) -> Iterator[WindowCommand]:
    """Read commands until the input ends; invalid lines are skipped."""
    while line := stream.readline(_MAX_BYTES):
        try:
            yield msgspec.json.decode(line, type=WindowCommand)
        except msgspec.DecodeError:
            continue
