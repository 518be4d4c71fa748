"""Finds what its spelling shows to be a name: files, packages, hosts, variables, identifiers."""

import re
from collections.abc import Iterator
from typing import Final

from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.detection.drafts import BY_FORM, Draft, Scanned
from intaglio.graph.linking.lexicon.heads import HEADS, LANGUAGE_HEADS
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
_DECORATORS: Final = words("identifiers", "decorators")
_USING: Final = words("identifiers", "using")
_SHORTEST: Final = 3
_SURE: Final = 0.8
# What only code names so far may be anything: a state, a field, a line of a log.
_IN_CODE: Final = 0.3


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
                found = _identifier_type(scanned, index, token)
                if found is not None:
                    yield scanned.draft(index, index, *found, BY_FORM)
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


def _identifier_type(  # noqa: PLR0911 - one rule after the other
    scanned: Scanned, index: int, token: Token
) -> tuple[EntityType, float] | None:
    """Return what an identifier names, and how surely; None if the word isn't one."""
    text = token.text
    if token.low in COMMON_ACRONYMS or token.low in _COMPOUNDS:
        return None
    if _COMPOUND.fullmatch(text):
        # "Buchungs-API", "Auth-Service"
        type_ = (LANGUAGE_HEADS | HEADS).get(token.low.rpartition("-")[2])
        return None if type_ is None else (type_, _SURE)
    camel = _CAMEL.fullmatch(text) is not None
    cased = camel or _SNAKE.fullmatch(text) is not None
    kebab = _KEBAB.fullmatch(text) is not None
    parts = (
        [part.lower() for part in _HUMPS.findall(text)] if camel else re.split("[-_]", token.low)
    )
    around = _TYPES_AFTER.get(scanned.low(index + 1)) or _TYPES_AFTER.get(scanned.low(index - 1))
    head = HEADS.get(parts[-1]) if len(parts) > 1 and (cased or kebab) else None
    if head is not None:
        return head, _SURE
    if kebab and parts[-1].endswith(("ing", "ed")) and not token.code:
        return None
    if around is not None and (cased or kebab):
        return around, _SURE
    if cased or (_MIXED.fullmatch(text) and not text.isupper() and not text[:-1].isupper()):
        used = scanned.low(index - 1) in _USING
        return ("tool" if used else "component" if cased else "unknown"), (
            _SURE if used and not token.code else _IN_CODE
        )
    if kebab and _is_package(parts):
        return "component", _SURE
    if kebab:
        cued = (token.code and token.alone) or scanned.low(index - 1) in _PACKAGE_CUES
        return ("component", _SURE) if cued or any(map(str.isdecimal, text)) else None
    ordinary = token.low in ORDINARY_WORDS or token.low in _KEYWORDS
    if token.code and token.alone and not ordinary:
        return around or "component", _IN_CODE if around is None else _SURE
    return None


_FEWEST_PARTS: Final = 3


def _is_package(parts: list[str]) -> bool:
    """Tell whether a name begins with a known tool's: "eslint-plugin-import", "pytest-xdist"."""
    known = SPELLINGS.get(parts[0])
    if known is None or known.certainty != "always" or parts[-1].endswith("ed"):
        return False
    return len(parts) >= _FEWEST_PARTS or not is_ordinary(parts[-1])
