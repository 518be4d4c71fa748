"""Commands from the tray app to the window process, one JSON line each on its standard input.

Not on the command line, which every user of the machine can read: the link signs in. The end of the
input means that the tray app is gone.
"""

from collections.abc import Iterator
from io import RawIOBase
from typing import BinaryIO, Final, TypeAlias

import msgspec

from intaglio.desktop.window.definitions import WindowKind

_MAX_BYTES: Final = 20_000


class ShowWindow(msgspec.Struct, frozen=True, tag="show"):
    """Bring a window to the front, opening it if need be.

    ``url`` is the page to load. With ``keeps_page`` an open window stays at its page.
    """

    kind: WindowKind
    url: str
    keeps_page: bool = False


class KeepReady(msgspec.Struct, frozen=True, tag="keep_ready"):
    """Keep a hidden window ready, or give its memory back and exit with the last open window."""

    ready: bool


class CloseWindows(msgspec.Struct, frozen=True, tag="close"):
    """Close every window, as their close buttons do, and exit."""


WindowCommand: TypeAlias = ShowWindow | KeepReady | CloseWindows


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
