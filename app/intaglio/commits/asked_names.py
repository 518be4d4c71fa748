"""Tells which files and which names of code a prompt names; pure, linear in the text."""

import re
from dataclasses import dataclass
from typing import Final

_MAX_READ: Final = 20_000
_MAX_PATHS: Final = 40
_MAX_NAMES: Final = 60
_LONGEST: Final = 200
_SHORTEST_NAME: Final = 3
_SHORTEST_PLAIN: Final = 4
# What code and output write without a blank: names, paths, calls, positions, names of tests.
_RUN: Final = re.compile(r"[A-Za-z0-9_$./\\:~@#+-]{2,400}+\(?")
_QUOTED: Final = re.compile(r"`{1,2}([^`\n]{2,120})`")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][\w$]{0,120}")
_SEPARATOR: Final = re.compile(r"::|->|[.:#]")
# A name that stands out from prose: an inner capital, an underscore, or digits after letters.
_IN_CODE: Final = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|^_|[A-Z]{2}[a-z]|[a-z]\d")
_FILE: Final = re.compile(r"[\w.+@$-]{1,100}\.[A-Za-z][A-Za-z0-9+]{0,9}")
_BEFORE: Final = ",:;#-+"
_AFTER: Final = ".,:;#-+"


@dataclass(frozen=True, slots=True)
class AskedNames:
    """The files and the names of code in a prompt, in their order.

    ``paths`` may be whole, the end of a path, or a file's name. ``names`` are functions, classes,
    tests and the like, qualified ones as they are written.
    """

    paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is named."""
        return bool(self.paths or self.names)


def asked_names(prompt: str) -> AskedNames:
    """Return what a prompt names, in its prose as well as in pasted code and output."""
    text = prompt[:_MAX_READ]
    paths: dict[str, None] = {}
    names: dict[str, None] = {}
    for found in _RUN.finditer(text):
        _read(found.group(), paths, names)
    for found in _QUOTED.finditer(text):
        name = found.group(1).strip().removesuffix("()")
        if _IDENTIFIER.fullmatch(name) and len(name) >= _SHORTEST_PLAIN:
            names[name] = None
    return AskedNames(tuple(paths)[:_MAX_PATHS], tuple(names)[:_MAX_NAMES])


def _read(run: str, paths: dict[str, None], names: dict[str, None]) -> None:
    """Add what a run of characters names."""
    is_call = run.endswith("(")
    word = run.rstrip("(").lstrip(_BEFORE).rstrip(_AFTER)
    if not word or "://" in word or len(word) > _LONGEST:
        return
    word = word.replace("\\", "/")
    # tests/test_a.py::TestB::test_c, src/a.py:12:5, a.c:function
    head, *rest = re.split(r"::|:", word)
    if _FILE.fullmatch(head.rpartition("/")[2]):
        # Whether "a.run" is a file or a method, only the project knows.
        paths[_shortened(head)] = None
        for name in rest:
            _add_name(name, names, is_call=False)
    parts = [part for part in _SEPARATOR.split(word) if part]
    if len(parts) > 1 and all(_IDENTIFIER.fullmatch(part) for part in parts):
        names[word] = None
    else:
        _add_name(word, names, is_call=is_call)


def _add_name(word: str, names: dict[str, None], *, is_call: bool) -> None:
    if not _IDENTIFIER.fullmatch(word) or len(word) < _SHORTEST_NAME:
        return
    if is_call or _IN_CODE.search(word):
        names[word] = None


def _shortened(path: str) -> str:
    """Return a path without what stands before it in output: ``./``, and ``a/`` of a diff."""
    if path.startswith(("a/", "b/")):
        return path[2:]
    return path.removeprefix("./")
