"""Finds secrets by their own format: tokens, and values that a provider's name introduces.

The text is searched once for runs of word characters that are long enough; each is looked up by its
first characters. So the time hardly depends on the number of formats.
"""

import re
from collections.abc import Iterator

from intaglio.redaction.formats.language import PatternFormat
from intaglio.redaction.formats.table import BY_LENGTH, BY_START, KEY_LENGTH
from intaglio.redaction.keyed import find_keyed
from intaglio.redaction.spans import Span

_RUN = re.compile(r"\b[\w-]{16,}+", re.ASCII)
_ESCAPES = {"\\": 1, "%": 2}
_HEAD = re.compile(r"[A-Za-z0-9_.-]{1,24}\Z")
_DOT = re.compile(r"\.")
_HEAD_REACH = 24
_HYPHENS = 3


def find_tokens(text: str, low: str) -> Iterator[Span]:
    """Yield tokens and keyed values, in order; ``low`` is the text in lower case."""
    done = 0
    for run in _RUN.finditer(text):
        start, end = run.span()
        if start < done:
            continue
        # A hyphen that begins a random part is no beginning of a word.
        while start > max(done, run.start() - _HYPHENS) and text[start - 1] == "-":
            start -= 1
        found = _token_in(text, start, end) or find_keyed(text, low, start, end)
        if found:
            yield found
            done = found.end


def find_pattern(form: PatternFormat, text: str) -> Iterator[Span]:
    """Yield the secrets of one format, in order."""
    for match in form.regex.finditer(text):
        if form.check(match["s"]):
            yield Span(match.start("s"), match.end("s"), form.kind)


def _token_in(text: str, start: int, end: int) -> Span | None:
    """Return the first token that starts in a run, at its start or after a hyphen in it.

    Its dotted head (``hvs.``) may precede the run.
    """
    before = text[start - 1 : start]
    if before == ".":
        for at in _heads(text, start):
            if isinstance(found := _token_at(text, at, inside=False), Span):
                return found
    elif before in _ESCAPES:
        found = _token_at(text, start + _ESCAPES[before], inside=False)
        if isinstance(found, Span):
            return found
    for form in BY_LENGTH.get(end - start, ()):
        if form.regex.fullmatch(text, start, end) and form.check(text[start:end]):
            return Span(start, end, form.kind)
    at = start
    while at < end:
        found = _token_at(text, at, inside=at > start)
        if isinstance(found, Span):
            return found
        # What a format matched without being a secret isn't searched again.
        at = text.find("-", max(at, found), end) + 1 or end
    return None


def _heads(text: str, start: int) -> list[int]:
    """Return where a token may start whose dotted head ends before ``start``."""
    begin = max(0, start - _HEAD_REACH)
    head = _HEAD.search(text, begin, start)
    if head is None:
        return []
    return [
        at
        for at in (
            head.start(),
            *(dot.end() for dot in _DOT.finditer(text, head.start(), start - 1)),
        )
        if at > begin or at == 0
    ]


def _token_at(text: str, at: int, *, inside: bool) -> Span | int:
    """Return the token that starts here, or the end of what isn't one after all."""
    furthest = 0
    key = text[at : at + KEY_LENGTH]
    for form in BY_START.get(key) or BY_START.get(key[:1], ()):
        if inside and not form.inside:
            continue
        match = form.regex.match(text, at)
        if match is None:
            continue
        if form.check(match[0]):
            return Span(at, match.end(), form.kind)
        furthest = max(furthest, match.end())
    return furthest
