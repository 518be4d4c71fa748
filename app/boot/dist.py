"""The folder of finished packages: their names, sizes and checksums, and their date."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from boot.process import ROOT, output_of

DIST = ROOT / "dist"
CHECKSUMS = "SHA256SUMS"

# Archives of Python and of Debian can hold no earlier date than 1980.
_EARLIEST = 315532800


def source_date() -> int:
    """Return the date of the source in seconds since 1970, which archives give to all files.

    That is the variable SOURCE_DATE_EPOCH, else the date of the last commit, else 1980.
    """
    told = os.environ.get("SOURCE_DATE_EPOCH") or output_of(
        ["git", "-C", ROOT, "log", "-1", "--format=%ct"]
    )
    return max(int(told), _EARLIEST) if told and told.isdecimal() else _EARLIEST


def clear(pattern: str, folder: Path = DIST) -> None:
    """Remove earlier packages of a kind, and create the folder if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob(pattern):
        file.unlink()


def sha256(file: Path) -> str:
    """Return the hexadecimal SHA-256 of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def write_checksums(folder: Path = DIST) -> Path:
    """Write the checksums of all files of a folder, in the format of ``sha256sum --check``."""
    listed = folder / CHECKSUMS
    files = sorted(file for file in folder.iterdir() if file.is_file() and file != listed)
    text = "".join(f"{sha256(file)}  {file.name}\n" for file in files)
    listed.write_text(text, encoding="utf-8", newline="\n")
    return listed


def describe(files: Iterable[Path]) -> str:
    """Return a line for each file: its name and size."""
    return "\n".join(
        f"dist/{file.relative_to(DIST)}  {file.stat().st_size / 1e6:.1f} MB" for file in files
    )
