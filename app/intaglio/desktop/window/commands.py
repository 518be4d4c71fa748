"""What the tray tells a window's process through its standard input, one JSON line each.

Not on the command line, which every user of the machine can read: the address signs in. The end of
the input means that the tray is gone.
"""

from collections.abc import Iterator
from io import RawIOBase
from typing import BinaryIO, Final, TypeAlias

import msgspec

_MOST_BYTES: Final = 20_000


class ShowWindow(msgspec.Struct, frozen=True, tag="show"):
    """Come forward; ``url`` is where to go, or None to stay on the page that is open."""

    url: str | None = None


class CloseWindow(msgspec.Struct, frozen=True, tag="close"):
    """Close the window, as its own button does."""


WindowCommand: TypeAlias = ShowWindow | CloseWindow


def write_command(command: WindowCommand) -> bytes:
    """Write an order as a line."""
    return msgspec.json.encode(command) + b"\n"


def read_commands(stream: BinaryIO | RawIOBase) -> Iterator[WindowCommand]:
    """Read orders until the input ends; a line that is none is passed over."""
    while line := stream.readline(_MOST_BYTES):
        try:
            yield msgspec.json.decode(line, type=WindowCommand)
        except msgspec.DecodeError:
            continue
