"""Removes secrets from text before it is written anywhere.

Formats are in `formats/`, contexts in `contexts.py` and `commands.py`, assignments in
`assignments.py`.
"""

from dataclasses import dataclass

from intaglio.fence.characters import visible
from intaglio.redaction.assignments import find_assignments
from intaglio.redaction.commands import command_passwords, password_files
from intaglio.redaction.contexts import (
    cookies,
    headers,
    key_blocks,
    key_endings,
    logins,
    options,
    phrases,
    putty_keys,
    signatures,
    user_tokens,
)
from intaglio.redaction.formats.table import BY_NEEDLE
from intaglio.redaction.spans import Label, Span, between_escapes, by_kind, lowercase, replace
from intaglio.redaction.tokens import find_pattern, find_tokens

_ROUNDS = 8
_PLACES = (
    logins,
    user_tokens,
    phrases,
    options,
    signatures,
    headers,
    cookies,
    command_passwords,
    password_files,
    find_assignments,
)


@dataclass(frozen=True, slots=True)
class Redacted:
    """Text without its secrets, and the kind of each removed secret."""

    text: str
    found: tuple[str, ...]


def redact(text: str, label: Label = by_kind) -> Redacted:
    """Replace each secret by ``[redacted:<kind>]``; repeating it changes nothing.

    ``label`` chooses what stands for a secret instead of its kind. Linear in the length of the
    text. Placeholders (``${TOKEN}``), public hashes, ids and paths stay. Where an invisible
    character divides a secret, the result is without such characters: an agent never gets them.
    """
    result = _redact(text, label)
    shown = visible(text)
    if shown is text or shown == text:
        return result
    joined = _redact(shown, label)
    return result if visible(result.text) == joined.text else joined


def _redact(text: str, label: Label) -> Redacted:
    found: list[str] = []
    # A replacement may expose the next secret (its neighbour ended at a marker), rarely more than
    # once.
    for _ in range(_ROUNDS):
        before = len(found)
        text = _once(text, found, label)
        if len(found) == before:
            break
    return Redacted(text, tuple(found))


def clean(text: str) -> str:
    """Return the text without its secrets."""
    return redact(text).text


def _once(text: str, found: list[str], label: Label) -> str:
    if "PRIVATE KEY" in text:
        text = _take(text, list(key_blocks(text)), found, label)
        text = _take(text, list(key_endings(text)), found, label)
    if "Private-Lines" in text:
        text = _take(text, list(putty_keys(text)), found, label)
    for form in BY_NEEDLE:
        if any(needle in text for needle in form.needles):
            text = _take(text, list(find_pattern(form, text)), found, label)
    low = lowercase(text)
    for place in (find_tokens, *_PLACES):
        spans = list(place(text, low))
        if spans:
            text = _take(text, spans, found, label)
            low = lowercase(text)
    return text


def _take(text: str, spans: list[Span], found: list[str], label: Label) -> str:
    spans = between_escapes(text, spans)
    found.extend(span.kind for span in spans)
    return replace(text, spans, label) if spans else text
