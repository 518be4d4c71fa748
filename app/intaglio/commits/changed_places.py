"""Reads from a patch which named places of the code a commit changed; pure."""

import re
from collections.abc import Collection, Iterable
from typing import Final

MAX_SYMBOLS: Final = 60
_MAX_NAME: Final = 80
_MIN_NAME: Final = 3
_READ: Final = 200
_NAME: Final = re.compile(r"[^\W\d]\w{2,79}")
_DEFINES: Final = re.compile(
    r"\b(?:def|class|fn|func|fun|function|struct|enum|trait|interface|impl|module|type|const|"
    r"macro_rules!|define|protocol|object|record|namespace|let|var|static)\s{1,4}([^\W\d]\w{1,79})"
)
_CALLED: Final = re.compile(r"([^\W\d]\w{1,79})\s{0,2}\(")
_HUNK_END: Final = " @@ "
_KEYWORDS: Final = """
and async await bool break case catch char class const continue def default delete double elif else
enum except export extends extern final float for foreach from func function goto impl import inline
int interface let long match mut namespace new not null operator override package pass print private
protected pub public raise return self short signed sizeof static str string struct super switch
this throw throws trait try type typedef typename union unsigned use using var virtual void while
with yield
"""
_NOT_NAMES: Final = frozenset(_KEYWORDS.split())


def changed_places(lines: Iterable[bytes], expected: Collection[bytes]) -> dict[str, list[str]]:
    """Return the names of the functions, classes and the like that each commit of a patch changed.

    The patch is that of `git diff-tree --stdin -p -U0`: before a commit's part, a line has its
    hash, which is one of ``expected``. A hunk's header names the place that it is in; changed lines
    name what they define.
    """
    found: dict[str, dict[str, None]] = {}
    names: dict[str, None] = {}
    for line in lines:
        if line in expected:
            names = found.setdefault(line.decode(), {})
        elif len(names) >= MAX_SYMBOLS:
            continue
        elif line.startswith(b"@@ "):
            _, _, place = line[:_READ].decode("utf-8", "replace")[3:].partition(_HUNK_END)
            names.update(dict.fromkeys(_names_of_place(place)))
        elif line[:1] in {b"+", b"-"} and not line.startswith((b"+++ ", b"--- ")):
            text = line[1:_READ].decode("utf-8", "replace")
            names.update(dict.fromkeys(filter(_is_name, _DEFINES.findall(text))))
    return {name: [*places][:MAX_SYMBOLS] for name, places in found.items()}


def _names_of_place(place: str) -> list[str]:
    """Return the first name that a line defines or calls, or else its first word."""
    found = [
        match
        for pattern in (_DEFINES, _CALLED)
        for match in pattern.finditer(place)
        if _is_name(match[1])
    ]
    if found:
        return [min(found, key=lambda match: match.start(1))[1]]
    return [each for each in _NAME.findall(place) if _is_name(each)][:1]


def _is_name(text: str) -> bool:
    return _MIN_NAME <= len(text) <= _MAX_NAME and text not in _NOT_NAMES
