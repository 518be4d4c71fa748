"""Finds what its spelling shows to be a name: files, packages, hosts, variables, identifiers."""

import re
from collections.abc import Iterator
from typing import Final

from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.detection.drafts import BY_FORM, Draft, Scanned
from intaglio.graph.linking.lexicon.given_names import GIVEN_NAMES
from intaglio.graph.linking.lexicon.heads import GENERIC_MODIFIERS, HEADS, LANGUAGE_HEADS
from intaglio.graph.linking.lexicon.known_names import SPELLINGS
from intaglio.graph.linking.lexicon.ordinary_words import (
    COMMON_ACRONYMS,
    ORDINARY_WORDS,
    is_ordinary,
)
from intaglio.graph.linking.lexicon.word_lists import words
from intaglio.graph.linking.tokens import Token

_FORMS: Final[dict[str, tuple[EntityType, float]]] = {
    "file": ("file", 0.9),
    "path": ("file", 0.9),
    "repository": ("project", 0.8),
    "package": ("component", 0.9),
    "host": ("system", 0.8),
    "variable": ("config", 0.9),
}
_CAMEL: Final = re.compile(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[a-z][a-z0-9]+(?:[A-Z][a-z0-9]*)+")
_MIXED: Final = re.compile(r"(?=[A-Za-z]*?(?:[a-z][A-Z]|[A-Z]{2}[a-z]{2}))[A-Za-z0-9]+")
_SNAKE: Final = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_KEBAB: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_COMPOUND: Final = re.compile(r"[A-ZÄÖÜ]\w+(?:-\w+)?-[A-Z]\w+")
_HUMPS: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z](?:[A-Z](?![a-z]))*")
_PACKAGE_CUES: Final = words("identifiers", "package_cues")
_TYPES_AFTER: Final[dict[str, EntityType]] = {
    "repo": "project", "repository": "project", "project": "project", "package": "component",
    "crate": "component", "library": "component", "service": "service", "cluster": "system",
    "bucket": "component", "table": "component", "queue": "component", "topic": "component",
    "branch": "concept", "job": "component", "workflow": "component", "namespace": "system",
    "container": "component", "server": "system", "host": "system", "module": "component",
}  # fmt: skip
# What a programming language or a shell calls by itself.
_KEYWORDS: Final = words("identifiers", "keywords")
_COMPOUNDS: Final = words("identifiers", "compounds")
_CASES: Final = words("identifiers", "cases")
_DECORATORS: Final = words("identifiers", "decorators")
_CODE_ENDINGS: Final = words("identifiers", "code_endings")
_CODE_STARTS: Final = words("identifiers", "code_starts")
_PREFIXES: Final = words("identifiers", "prefixes")
_SHORTEST: Final = 3


def identifiers(scanned: Scanned) -> Iterator[Draft]:
    """Yield the names that are seen from how they are written."""
    for index, token in enumerate(scanned.tokens):
        if token.kind == "word":
            if token.plain:
                continue
            if (
                token.low not in SPELLINGS
                and canonical_name(token.text) not in SPELLINGS
                and len(token.text) >= _SHORTEST
            ):
                type_ = _identifier_type(scanned, index, token)
                if type_ is not None:
                    yield scanned.draft(index, index, type_, 0.8, BY_FORM)
        elif token.kind == "handle":
            type_ = _handle_type(token)
            if type_ is not None:
                name = token.text[1:] if type_ == "person" else token.text
                yield scanned.draft(index, index, type_, 0.9, BY_FORM, name=name)
        elif token.kind in _FORMS:
            type_, confidence = _FORMS[token.kind]
            yield scanned.draft(index, index, type_, confidence, BY_FORM)


def _handle_type(token: Token) -> EntityType | None:
    """Return whom or what a handle names; decorators and groups are neither."""
    name = token.low[1:]
    if name in _DECORATORS or token.code:
        return None
    return "component" if name in SPELLINGS or name.split("-")[0] in SPELLINGS else "person"


def _identifier_type(  # noqa: C901, PLR0911, PLR0912 - one rule after the other
    scanned: Scanned, index: int, token: Token
) -> EntityType | None:
    """Return what an identifier names, None if the word isn't one."""
    text = token.text
    if token.low in COMMON_ACRONYMS or token.low in _COMPOUNDS:
        return None
    if token.low in _CASES or (text[-1] == "s" and token.low[:-1] in COMMON_ACRONYMS):
        return None
    if _COMPOUND.fullmatch(text):
        return _compound_type(token.low)
    camel = _CAMEL.fullmatch(text) is not None
    snake = _SNAKE.fullmatch(text) is not None
    kebab = _KEBAB.fullmatch(text) is not None
    parts = (
        [part.lower() for part in _HUMPS.findall(text)] if camel else re.split("[-_]", token.low)
    )
    head = HEADS.get(parts[-1]) if len(parts) > 1 else None
    if kebab and (parts[0] in _PREFIXES or all(part.isdecimal() for part in parts[1:])):
        head = None
    if head is not None and (camel or snake or kebab):
        return head
    around = _TYPES_AFTER.get(scanned.low(index + 1)) or _TYPES_AFTER.get(scanned.low(index - 1))
    if camel and text[0].isupper() and not token.code and parts[-1] not in _CODE_ENDINGS:
        known = GIVEN_NAMES.isdisjoint(parts) and around is None and parts[0] not in _CODE_STARTS
        return "tool" if known else around or "component"
    if camel or snake:
        return around or "component"
    if _MIXED.fullmatch(text) and not text.isupper() and not text[:-1].isupper():
        return around or "unknown"
    if kebab and _is_package(parts):
        return "component"
    if kebab and parts[-1].endswith(("ing", "ed")) and not token.code:
        return None
    if kebab:
        if around is not None:
            return around
        if parts[-1].isdecimal() and not token.code:
            return "system"
        cued = token.code and token.alone
        cued = cued or any(char.isdecimal() for char in text)
        cued = cued or scanned.low(index - 1) in _PACKAGE_CUES
        return "component" if cued else None
    if (
        token.code
        and token.alone
        and token.low not in ORDINARY_WORDS
        and token.low not in _KEYWORDS
    ):
        return around or "component"
    return None


def _compound_type(low: str) -> EntityType | None:
    """Return what a compound like "Buchungs-API" or "Auth-Service" names."""
    first, *_, last = low.split("-")
    if first in GENERIC_MODIFIERS or first in COMMON_ACRONYMS or first in SPELLINGS:
        return None
    return (LANGUAGE_HEADS | HEADS).get(last)


_FEWEST_PARTS: Final = 3


def _is_package(parts: list[str]) -> bool:
    """Tell whether a name begins with a known tool's: "eslint-plugin-import", "pytest-xdist"."""
    known = SPELLINGS.get(parts[0])
    if known is None or known.certainty != "always" or parts[-1].endswith("ed"):
        return False
    return len(parts) >= _FEWEST_PARTS or not is_ordinary(parts[-1])
