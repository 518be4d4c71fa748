"""Texts that agents may be led to store: planted instructions, and ordinary facts."""

from pathlib import Path
from typing import Final, NamedTuple

_FILE: Final = Path(__file__).with_suffix(".tsv")


class StoredText(NamedTuple):
    """A text of the labelled set.

    ``label`` is planted or fact. ``seen`` is whether rules were made for it; the others were
    written before any rule and aren't looked at when rules are changed.
    """

    label: str
    seen: bool
    language: str
    text: str


def stored_texts() -> list[StoredText]:
    """Return the labelled set."""
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return [StoredText(label, seen == "seen", *rest) for label, seen, *rest in rows]
