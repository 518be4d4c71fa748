"""Finds services and components that are named by what they are: "the payments gateway"."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.detection.drafts import BY_ALIAS, BY_HEAD, Draft, Scanned
from intaglio.graph.linking.lexicon.heads import (
    CJK_HEADS,
    GENERIC_MODIFIERS,
    HEADS,
    LANGUAGE_HEADS,
    LONE_HEADS,
    LOOSE_HEADS,
)
from intaglio.graph.linking.lexicon.known_names import SPELLINGS
from intaglio.graph.linking.lexicon.ordinary_words import (
    FUNCTION_WORDS,
    ORDINARY_WORDS,
    TIMES,
    is_ordinary,
)
from intaglio.graph.linking.lexicon.word_lists import words

_DEFINITE: Final = words("components", "definite")
_INDEFINITE: Final = words("components", "indefinite")
_SAME: Final = words("components", "same")
_MACHINES: Final = words("components", "machines")
_MOST_MODIFIERS: Final = 2
_NEVER_MODIFIERS: Final = FUNCTION_WORDS | TIMES | GENERIC_MODIFIERS
_CJK_HEAD: Final = re.compile("|".join(sorted(CJK_HEADS, key=len, reverse=True)))
_CJK_STOPS: Final = re.compile(r"[的是在把用和由给从与对为让了到将被过\u3040-\u309f]")
_CJK_POINTING: Final = re.compile(r"^.*(?:这个|那个|这|那|该|个|目标|这些|那些|各)")
_FEWEST_CJK: Final = 2
_MOST_CJK: Final = 6
_MOST_IN_TOKEN: Final = 20
_GERMAN_COMPOUND: Final = re.compile(
    r"[A-ZÄÖÜ][a-zäöüß]{3,30}(?:dienst|server|modul|warteschlange|schnittstelle|planer|"
    r"steuerung|verwaltung|rechner|prüfer|leser|sammler|importer|exporter|parser|queue|"
    r"portal|service|worker|gateway|dispatcher|scheduler)"
)


def components(scanned: Scanned) -> Iterator[Draft]:
    """Yield the phrases that end with a head."""
    for index, token in enumerate(scanned.tokens):
        if token.kind == "cjk":
            yield from _in_cjk(scanned, index)
        elif token.kind == "word" and not token.code:
            type_ = HEADS.get(token.low)
            if token.low in {"called", "named"}:
                yield from _called(scanned, index)
            elif type_ is not None:
                yield from _english(scanned, index, type_)
            if scanned.language in {"de", "es", "fr"}:
                yield from _european(scanned, index)


def _english(scanned: Scanned, head: int, type_: EntityType) -> Iterator[Draft]:
    first = head
    while first > 0 and head - first < _MOST_MODIFIERS and _modifies(scanned, first - 1, head):
        first -= 1
    before = scanned.low(first - 1) if first and scanned.adjacent(first - 1) else ""
    if first and "-" in before and scanned.low(first - 2) in _INDEFINITE:
        before = scanned.low(first - 2)
    if before in _SAME and scanned.low(first - 2) in _DEFINITE:
        before = scanned.low(first - 2)
    if scanned.low(first - 2) == "is" and _is_project(scanned, first - 3):
        return
    definite = before in _DEFINITE or _is_possessed(scanned, first)
    if first == head:
        if _stands_alone(scanned, head, definite=definite):
            yield scanned.draft(head, head, type_, 0.7, BY_HEAD)
        return
    if before in _INDEFINITE:
        return
    spellings = [SPELLINGS.get(scanned.low(place)) for place in range(first, head)]
    if all(spellings):
        return
    loose = scanned.low(head) in LOOSE_HEADS
    named = any(
        scanned.capital(place) and not scanned.tokens[place].initial for place in range(first, head)
    )
    if loose and not definite and not named:
        return
    yield scanned.draft(first, head, type_, 0.75 if definite or named else 0.65, BY_HEAD)


def _is_project(scanned: Scanned, index: int) -> bool:
    """Tell whether the project itself is named, which the text goes on to describe."""
    return scanned.project is not None and scanned.low(index) == scanned.project.lower()


def _called(scanned: Scanned, index: int) -> Iterator[Draft]:
    """Yield the lower-case name that stands after what it names: "a box called heron"."""
    before, name = scanned.low(index - 1), scanned.low(index + 1)
    type_ = "system" if before in _MACHINES else HEADS.get(before)
    if type_ is None or not scanned.is_word(index + 1) or scanned.capital(index + 1):
        return
    if scanned.adjacent(index) and name not in FUNCTION_WORDS and name not in SPELLINGS:
        yield scanned.draft(index + 1, index + 1, type_, 0.75, BY_ALIAS)


def _is_possessed(scanned: Scanned, index: int) -> bool:
    """Tell whether a genitive stands before a token: "Helios's scheduler"."""
    if not index:
        return False
    token = scanned.tokens[index - 1]
    return token.capital and scanned.text[token.end : token.end + 2] in {"'s", "\u2019s"}


def _modifies(scanned: Scanned, index: int, head: int) -> bool:
    """Tell whether a word can belong to the name that the head ends."""
    token = scanned.tokens[index]
    if token.kind != "word" or token.code or not scanned.adjacent(index):
        return False
    low = token.low
    if low[0].isdecimal() or (scanned.language in {"de", "es", "fr"} and not token.capital):
        return False
    if (
        low in _NEVER_MODIFIERS
        or low.endswith("ly")
        or (low.endswith(("ing", "ed")) and index < head - 1)
    ):
        return False
    return index == head - 1 or not low.endswith("s") or scanned.low(index - 1) in _DEFINITE


def _stands_alone(scanned: Scanned, head: int, *, definite: bool) -> bool:
    """Tell whether the head alone is a name, as "the dispatcher" is."""
    low = scanned.low(head)
    if low not in LONE_HEADS or low not in HEADS:
        return False
    after = scanned.low(head + 1)
    if definite or scanned.text[max(0, scanned.tokens[head].start - 1)] in "'’":
        return True
    return (
        scanned.tokens[head].initial
        and low not in ORDINARY_WORDS
        and after not in {"is", "pattern"}
    )


def _european(scanned: Scanned, index: int) -> Iterator[Draft]:
    token = scanned.tokens[index]
    if scanned.language == "de":
        if _GERMAN_COMPOUND.fullmatch(token.text):
            kinds = LANGUAGE_HEADS | HEADS
            type_: EntityType | None = next(
                (kinds[head] for head in kinds if token.low.endswith(head)), None
            )
            yield scanned.draft(index, index, type_ or "component", 0.7, BY_HEAD)
        elif token.low in LANGUAGE_HEADS and _named_after(scanned, index):
            yield scanned.draft(index, index + 1, LANGUAGE_HEADS[token.low], 0.7, BY_HEAD)
        return
    if token.low not in LANGUAGE_HEADS:
        return
    last = index + 1
    if not scanned.low(last).startswith("d'"):
        last += 1
    if (
        scanned.is_word(last)
        and scanned.low(last) not in FUNCTION_WORDS
        and scanned.low(index - 1) not in _INDEFINITE
    ):
        yield scanned.draft(index, last, LANGUAGE_HEADS[token.low], 0.7, BY_HEAD)


def _named_after(scanned: Scanned, index: int) -> bool:
    return (
        scanned.capital(index + 1)
        and scanned.adjacent(index)
        and not is_ordinary(scanned.low(index + 1))
    )


def _in_cjk(scanned: Scanned, index: int) -> Iterator[Draft]:
    token = scanned.tokens[index]
    for match in islice(_CJK_HEAD.finditer(token.text), _MOST_IN_TOKEN):
        before = token.text[max(0, match.start() - _MOST_CJK) : match.start()]
        stops = list(_CJK_STOPS.finditer(before))
        modifier = before[stops[-1].end() :] if stops else before
        modifier = _CJK_POINTING.sub("", modifier)
        if len(modifier) < _FEWEST_CJK:
            continue
        draft = scanned.draft(
            index, index, CJK_HEADS[match.group()], 0.7, BY_HEAD, name=modifier + match.group()
        )
        draft.start = token.start + match.start() - len(modifier)
        draft.end = token.start + match.end()
        draft.keys = (draft.canonical,)
        yield draft
