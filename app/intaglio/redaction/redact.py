"""Removes secrets from text before it is written anywhere.

Formats are in `patterns.py`, contexts in `contexts.py`, assignments in `assignments.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from intaglio.redaction.assignments import assigned
from intaglio.redaction.contexts import cookies, headers, key_blocks, key_endings, logins, options
from intaglio.redaction.entropy import MIN_BITS, bits, is_placeholder
from intaglio.redaction.patterns import RULES, SecretPattern
from intaglio.redaction.spans import Span, lowered, replace

_ROUNDS = 8
_PLACES = (logins, options, headers, cookies, assigned)


@dataclass(frozen=True, slots=True)
class Redacted:
    """Text without its secrets, and the kind of each removed secret."""

    text: str
    found: tuple[str, ...]


def redact(text: str) -> Redacted:
    """Replace each secret by ``[redacted:<kind>]``; repeating it changes nothing.

    Linear in the length of the text. Placeholders (``${TOKEN}``), public hashes, ids and paths
    stay.
    """
    found: list[str] = []
    # A replacement may expose the next secret (its neighbour ended at a marker), rarely more than
    # once.
    for _ in range(_ROUNDS):
        before = len(found)
        text = _once(text, found)
        if len(found) == before:
            break
    return Redacted(text, tuple(found))


def clean(text: str) -> str:
    """Return the text without its secrets."""
    return redact(text).text


def _once(text: str, found: list[str]) -> str:
    if "PRIVATE KEY" in text:
        text = _take(text, list(key_blocks(text)), found)
        text = _take(text, list(key_endings(text)), found)
    for rule in RULES:
        if any(needle in text for needle in rule.needles):
            text = _take(text, list(_tokens(rule, text)), found)
    low = lowered(text)
    for place in _PLACES:
        spans = list(place(text, low))
        if spans:
            text = _take(text, spans, found)
            low = lowered(text)
    return text


def _take(text: str, spans: list[Span], found: list[str]) -> str:
    found.extend(span.kind for span in spans)
    return replace(text, spans) if spans else text


def _tokens(rule: SecretPattern, text: str) -> Iterator[Span]:
    for match in rule.regex.finditer(text):
        value = match["s"]
        if not rule.vary or (bits(value) >= MIN_BITS and not is_placeholder(value)):
            yield Span(match.start("s"), match.end("s"), rule.kind)
