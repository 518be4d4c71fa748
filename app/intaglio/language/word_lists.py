"""Reads word lists, which are data: the shared ones in ``data/``, and other files of that form.

A file holds lines of words that blanks separate. ``[name]`` begins a section, and a line that
begins with ``# `` is a comment.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

DATA: Final = Path(__file__).parent / "data"


@cache
def sections(path: Path) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of each section of a file, in order; those before the first are of ""."""
    found: dict[str, list[str]] = {}
    lines = found.setdefault("", [])
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]") and line[1:-1].replace("_", "").isalpha():
            lines = found.setdefault(line[1:-1], [])
        elif line and not line.startswith("# "):
            lines.append(line)
    return {name: tuple(lines) for name, lines in found.items() if name or lines}


@cache
def word_list(name: str, *wanted: str, folder: Path = DATA) -> frozenset[str]:
    """Return the words of ``folder/name.txt``: of these sections, or of all of them.

    Raises KeyError if a section is missing. The file is read once, when it is first asked for.
    """
    found = sections(folder / f"{name}.txt")
    return frozenset(
        word for each in wanted or found for line in found[each] for word in line.split()
    )
