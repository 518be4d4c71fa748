"""Which files have a block of Intaglio's, so that they are found without the daemon's database."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import Paths, write_private

_NAME: Final = "instruction-blocks.json"


def blocks_file(paths: Paths) -> Path:
    """Return the file that lists them."""
    return paths.state / _NAME


def known_block_files(paths: Paths) -> list[Path]:
    """Return the files that had a block after the last sync; empty if that isn't known."""
    try:
        found = msgspec.json.decode(read_regular(blocks_file(paths)), type=list[str])
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return []
    return [Path(name) for name in found]


def keep_block_files(listed: Path, files: Iterable[Path]) -> None:
    """Write the list of files with a block, if it differs; raises OSError."""
    wanted = sorted({str(file) for file in files})
    content = msgspec.json.encode(wanted)
    try:
        if read_regular(listed) == content:
            return
    except OSError:
        if not wanted:
            return
    write_private(listed, content)
