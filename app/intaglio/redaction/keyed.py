"""Finds values without a mark of their own, which a provider and a word like *key* introduce.

Names of providers are ordinary words, too (``together``, ``segment``), and many ids look like keys.
So the word stands directly before the value, or an assignment does; a path is neither.
"""

import re
from typing import Final

from intaglio.redaction.entropy import entropy_bits, is_name, is_placeholder
from intaglio.redaction.formats.table import BY_NAME, CompiledKeyed
from intaglio.redaction.spans import Span

_REACH: Final = 64
_LENGTHS: Final = range(15, 130)
_MIN_BITS: Final = 3.0
_CAPITALS: Final = 4
_HEX: Final = re.compile(r"[0-9a-f-]+")
_OPENS: Final = tuple("=:\"'(")
_SLASHES: Final = re.compile(r"/|\\(?![\"'`])")
_DIVIDERS: Final = str.maketrans("", "", "_- ")
# What follows a value that is part of a path, a file name or a call.
_GOES_ON: Final = re.compile(r"[/(\\](?!\\*[\"'`nrt])|\.[A-Za-z][A-Za-z0-9]{1,4}\b")

_START: Final = r"(?:(?<![A-Za-z])|(?<=[a-z0-9])(?=[A-Z]))"
_COMPOUND: Final = (
    r"(?i:(?:api|auth|access|secret|private|license)[ _-]?(?:key|token|secret)|client_?secret)"
)
_STRONG: Final = (
    rf"(?P<word>{_COMPOUND}|{_START}(?i:key|token|secret|pass(?:word|wd|wort)|credential|bearer))"
)
_ANY: Final = (
    rf"(?P<word>{_COMPOUND}|{_START}(?i:key|token|secret|pass(?:word|wd|wort|code|phrase)?|"
    r"credential|bearer|auth|login|license|ingest))"
)
_SUFFIX: Final = r"(?i:s?(?:[_-](?:[0-9]{1,2}|prod|dev|test|staging|live|main|value))?)"
_CLOSE: Final = r"\\{0,3}[\"'`]?[\])]{0,2}"
_OPEN: Final = r"\(?\\{0,3}[\"'`(\[]?\Z"
_IS: Final = r"(?:is|ist|lautet|was|war):?"
_INTRODUCTIONS: Final = tuple(
    re.compile(expression + _OPEN)
    for expression in (
        # api_key = "…", "apiKey": "…", X-Api-Key: …
        rf"{_ANY}{_SUFFIX}{_CLOSE}\s{{0,4}}(?:=>|:=|->|→|=|:)\s{{0,4}}",
        # the key is …, --auth-token …, "token", "…"
        rf"{_STRONG}{_SUFFIX}{_CLOSE}(?:,? | {_IS} )",
        # snyk auth …, --auth …
        r"(?:--|[ ])(?P<word>auth|login|authtoken|add-authtoken|pass|license)[ =]",
        # the key for staging: …
        rf"{_STRONG}{_SUFFIX}(?: [\w.()'-]{{1,20}}){{1,5}}?(?::| =| {_IS}) ",
        r"(?:\A|\s)(?P<word>-[tka]) ",
        r"(?P<word>(?i:client))",
    )
)
_KEYISH: Final = re.compile(
    r"key|token|secret|auth|login|pass|cred|bearer|client|license|ingest|(?:\A|\s)-[tka] "
)
_NOT_KEY: Final = re.compile(
    r"(?:public|publishable|cache|primary|foreign|sort|partition|session|object|row|storage|index|"
    r"group|query|map|content|idempotency|host|event|routing|registry|file|project|issue|dashboard|"
    r"document|redis|shard|hash|lookup|config|board|team|item|next|page|sync|cursor|design)\Z"
)
_ID: Final = re.compile(
    r"id[^a-z]{0,4}\Z|ids?[:=]|hash|commit|sha\d|sha[:=]|digest|trace|event|span|request|deploy|"
    r"build|ray|version|image|zone|public|revision|checksum|fingerprint|etag|artifact|integrity"
)

_MARKS: Final = tuple(sorted({mark for form in BY_NAME for mark in form.marks}))


def find_keyed(text: str, low: str, start: int, end: int) -> Span | None:
    """Return a run of word characters as a secret if the name of its provider introduces it."""
    if end - start not in _LENGTHS or _GOES_ON.match(text, end):
        return None
    begin = max(0, start - _REACH)
    begin = max(begin, low.rfind("\n", begin, start) + 1)
    near = low[begin:start]
    name = near.translate(_DIVIDERS)
    value = text[start:end]
    if not (
        _KEYISH.search(near)
        or (name[-1:] in _OPENS and not _HEX.fullmatch(value))
        or value.startswith(_MARKS)
    ):
        return None
    called: str | None = None
    for form in BY_NAME:
        if form.word in name and form.regex.fullmatch(value):
            if called is None:
                called = _introduction(text[begin:start])
            if _introduces(form, name, near, value, called) and _may_be_key(value):
                return Span(start, end, form.kind)
    return None


def _may_be_key(value: str) -> bool:
    return (
        any(char.isdigit() for char in value) or sum(map(str.isupper, value)) >= _CAPITALS
    ) and not (entropy_bits(value) < _MIN_BITS or is_placeholder(value) or is_name(value))


def _introduction(before: str) -> str:
    """Return how the end of a text calls the value after it a key; empty if it doesn't."""
    for regex in _INTRODUCTIONS:
        match = regex.search(before)
        if match:
            left = before[: match.start("word")].lower().translate(_DIVIDERS)
            mere = match["word"].lower() in ("key", "token")
            if not (mere and _NOT_KEY.search(left)):
                return match[0].lower()
    return ""


def _introduces(form: CompiledKeyed, name: str, near: str, value: str, called: str) -> bool:
    if called:
        return not _ID.search(called.translate(_DIVIDERS))
    after = name[name.rfind(form.word) :]
    if _SLASHES.search(after) or near.endswith(("/", "\\")) or _ID.search(after):
        return False
    return bool(form.marks) or (after[-1:] in _OPENS and not _HEX.fullmatch(value))
