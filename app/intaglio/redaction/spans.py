"""Spans of secrets in a text, and their replacement by markers that never match again."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

MARK = re.compile(r"\[redacted:[a-z0-9-]+\]")
MARK_START = "[redacted:"


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


def replace(text: str, spans: Iterable[Span], label: Label = by_kind) -> str:
    """Replace each span by its marker; spans are in order and don't overlap."""
    pieces: list[str] = []
    done = 0
    for span in spans:
        mark = label(span.kind, text[span.start : span.end])
        pieces += (text[done : span.start], f"{MARK_START}{mark}]")
        done = span.end
    return "".join((*pieces, text[done:]))
