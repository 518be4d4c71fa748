"""Spans of secrets in a text, and their replacement by markers that never match again."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

MARK = re.compile(r"\[redacted:[a-z0-9-]+\]")
MARK_START = "[redacted:"
_ESCAPED = re.compile(r"u[0-9A-Fa-f]{4}|[\"\\/bfnrt]")
_CUT = re.compile(r"(?<!\\)(?:\\\\)*\\u[0-9A-Fa-f]{0,3}\Z")
_CUT_CHARS = 16
_QUOTES = ('"', "'", "`")


Label: TypeAlias = Callable[[str, str], str]
"""Returns what stands in a marker for a secret of a kind: lower-case letters, digits, hyphens."""


def by_kind(kind: str, _: str) -> str:
    """Label a secret by its kind."""
    return kind


@dataclass(frozen=True, slots=True)
class Span:
    """A secret: ``text[start:end]``, and its kind."""

    start: int
    end: int
    kind: str


def lowercase(text: str) -> str:
    """Lower-case without moving a character; the one letter that would grow stays as it is."""
    return text.replace("\u0130", "I").lower()


def between_escapes(text: str, spans: Iterable[Span]) -> list[Span]:
    r"""Narrow spans so that none cuts an escape (``\"``, ``\u00e9``): text may be JSON."""
    narrowed: list[Span] = []
    for span in spans:
        start, end = span.start, span.end
        escaped = _ESCAPED.match(text, start)
        if escaped and _backslashes(text, start) % 2:
            start = escaped.end()
        cut = _CUT.search(text, max(start, end - _CUT_CHARS), end)
        if cut:
            end = cut.start()
        slashes = _backslashes(text, end)
        if slashes and (slashes % 2 or text[end : end + 1] in _QUOTES):
            end -= slashes
        if start < end:
            narrowed.append(Span(start, end, span.kind))
    return narrowed


def _backslashes(text: str, end: int) -> int:
    """Count the backslashes before a place."""
    start = end
    while start and text[start - 1] == "\\":
        start -= 1
    return end - start


def replace(text: str, spans: Iterable[Span], label: Label = by_kind) -> str:
    """Replace each span by its marker; spans are in order and don't overlap."""
    pieces: list[str] = []
    done = 0
    for span in spans:
        mark = label(span.kind, text[span.start : span.end])
        pieces += (text[done : span.start], f"{MARK_START}{mark}]")
        done = span.end
    return "".join((*pieces, text[done:]))
