"""Finds other proper names: capitalised words that are no ordinary ones, and acronyms."""

import re
from collections.abc import Collection, Iterator
from typing import Final

from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.detection.drafts import BY_CAPITALS, BY_CUE, Draft, Scanned
from intaglio.graph.linking.lexicon.heads import HEADS, ORGANIZATION_ENDS
from intaglio.graph.linking.lexicon.known_names import SPELLINGS
from intaglio.graph.linking.lexicon.ordinary_words import (
    COMMON_ACRONYMS,
    FUNCTION_WORDS,
    PLACES,
    TIMES,
    is_ordinary,
)
from intaglio.graph.linking.lexicon.word_lists import words
from intaglio.graph.linking.tokens import MOST_CHARS

_ORGANIZATION_CUES: Final = words("proper_names", "organization_cues")
_BEFORE_NAMES: Final = _ORGANIZATION_CUES | {"herr", "frau", "projekt", "project", "team"}
_PLACE_CUES: Final = words("proper_names", "place_cues")
_IN_PLACES: Final = words("proper_names", "in_places")
_LAST_WORDS: Final = ORGANIZATION_ENDS | HEADS.keys()
_MOVING: Final = words("proper_names", "moving")
_KEPT: Final = words("proper_names", "kept")
_ACRONYM: Final = re.compile(r"[A-Z][A-Z0-9]{1,5}")
_MOST_WORDS: Final = 5
_CONNECTING: Final = frozenset({"of", "and", "&", "de", "van", "von", "for"})
_NAME_VERBS: Final = words("proper_names", "name_verbs")
_BEFORE_ACRONYMS: Final = words("proper_names", "before_acronyms")
_FEWEST_WORDS: Final = 3
_SHORT: Final = 3
_CAPITALISED: Final = 0.8
_SHOUTED: Final = 0.6


def proper_names(  # noqa: C901 - one rule after the other
    scanned: Scanned, listed: Collection[int]
) -> Iterator[Draft]:
    """Yield names seen from their capitals; ``listed`` tokens belong to names of the list."""
    tokens, skip = scanned.tokens, -1
    shouted = _is_shouted(scanned)
    for index, token in enumerate(tokens):
        if index <= skip or token.kind != "word" or token.code or not token.text[0].isupper():
            continue
        if index in listed or (index - 1 in listed and scanned.adjacent(index - 1)):
            continue
        last = _last_word(scanned, index)
        first = index
        while first <= last and _is_weak(scanned, first):
            first += 1
        if first > last:
            continue
        while (
            last > first
            and is_ordinary(scanned.low(last))
            and scanned.low(last) not in _LAST_WORDS
            and not _is_compound(scanned, last - 1)
        ):
            last -= 1
        if scanned.low(last + 1) == "team" and scanned.adjacent(last):
            yield scanned.draft(first, last + 1, "organization", 0.7, BY_CUE)
            skip = last + 1
            continue
        skip = last
        if scanned.low(first - 1) == "." and scanned.low(first - 2) in {"st", "ste"}:
            first -= 2
        draft = _acronym(scanned, first, shouted=shouted) if last == first else None
        if draft is None and not shouted:
            draft = _name(scanned, first, last)
        if draft is not None:
            yield draft


def _is_compound(scanned: Scanned, index: int) -> bool:
    """Tell whether a word is like the first one of "Eleven-Hour Rule"."""
    first, dash, second = scanned.tokens[index].text.partition("-")
    return bool(dash) and first.istitle() and second.istitle()


def _is_shouted(scanned: Scanned) -> bool:
    words = [token.text for token in scanned.tokens if token.kind == "word" and len(token.text) > 1]
    upper = sum(1 for word in words if word.isupper())
    return len(words) >= _FEWEST_WORDS and upper > _SHOUTED * len(words)


def is_heading(scanned: Scanned) -> bool:
    """Tell whether nearly all words of a text are capitalised, so that capitals say nothing."""
    words = [
        token
        for token in scanned.tokens
        if token.kind == "word" and (len(token.text) > _SHORT or token.low not in FUNCTION_WORDS)
    ]
    colon = scanned.text.find(":")
    if colon > 0 and "," in scanned.text[colon:MOST_CHARS]:
        return False
    return len(words) > _FEWEST_WORDS and sum(
        1 for token in words if token.capital
    ) > _CAPITALISED * len(words)


def _last_word(scanned: Scanned, first: int) -> int:
    last = first
    while last + 1 < len(scanned.tokens) and last - first < _MOST_WORDS and scanned.adjacent(last):
        if scanned.capital(last + 1):
            last += 1
        elif (
            scanned.low(last + 1) in _CONNECTING
            and scanned.capital(last + 2)
            and scanned.adjacent(last + 1)
            and scanned.tokens[last + 2].plain
            and not is_ordinary(scanned.low(last + 2))
            and scanned.low(last + 1) in {"&", "of"}
        ):
            last += 2
        else:
            break
    return last


def _is_weak(scanned: Scanned, index: int) -> bool:
    """Tell whether a capitalised word can't begin a name here."""
    token = scanned.tokens[index]
    if token.low in FUNCTION_WORDS or token.low in TIMES or token.low in _BEFORE_NAMES:
        return True
    return (
        token.initial
        and is_ordinary(token.low)
        and not (
            scanned.capital(index + 1)
            and scanned.adjacent(index)
            and scanned.low(index + 1) in HEADS
        )
    )


def _acronym(scanned: Scanned, index: int, *, shouted: bool) -> Draft | None:
    token = scanned.tokens[index]
    if shouted or not _ACRONYM.fullmatch(token.text) or token.low in COMMON_ACRONYMS:
        return None
    if is_ordinary(token.low):
        return None
    before, after = scanned.low(index - 1), scanned.low(index + 1)
    named = (
        before in _BEFORE_ACRONYMS or after in _NAME_VERBS or (after in HEADS and after != "index")
    )
    if not named and scanned.language in {"en", "de", "es", "fr"}:
        return None
    return scanned.draft(index, index, "unknown", 0.5, BY_CAPITALS)


def _name(scanned: Scanned, first: int, last: int) -> Draft | None:
    type_ = _type_by_words(scanned, first, last)
    if type_ is None and scanned.heading:
        return None
    if type_ is None and scanned.language == "de":
        return None
    if scanned.tokens[first].text.isupper() and last == first:
        return None
    if type_ is None and last == first:
        return _single(scanned, first)
    aliases: tuple[str, ...] = ()
    if last > first and scanned.low(last) in _LAST_WORDS:
        shorter = scanned.slice(first, last - 1)
        if last - 1 > first or not is_ordinary(scanned.low(first)):
            aliases = (shorter,)
    words = [scanned.low(place) for place in range(first, last + 1)]
    if type_ is None and all(is_ordinary(low) or low in COMMON_ACRONYMS for low in words):
        return None
    return scanned.draft(first, last, type_ or "unknown", 0.7, BY_CAPITALS, aliases=aliases)


def _type_by_words(scanned: Scanned, first: int, last: int) -> EntityType | None:
    before = scanned.low(first - 1)
    low = scanned.low(last)
    if last > first and low in ORGANIZATION_ENDS and not is_ordinary(scanned.low(first)):
        return "organization"
    if last > first and low in HEADS:
        return HEADS[low]
    if before in _ORGANIZATION_CUES or (
        before == "is" and scanned.low(first - 2) in _ORGANIZATION_CUES
    ):
        return "organization"
    if before in {"in", "near", "from"} and any(
        scanned.low(place) in _PLACE_CUES for place in range(max(0, first - 4), first)
    ):
        return "concept"
    return None


def _single(  # noqa: PLR0911 - one rule after the other
    scanned: Scanned, index: int
) -> Draft | None:
    """Return a draft of a single capitalised word, if it is more likely a name than not."""
    token = scanned.tokens[index]
    if (
        token.low in HEADS
        or is_ordinary(token.low)
        or len(token.text) < _SHORT
        or token.low in SPELLINGS
        or token.low in COMMON_ACRONYMS
        or token.low.removesuffix("s") in COMMON_ACRONYMS
    ):
        return None
    if "-" in token.low and all(is_ordinary(part) for part in token.low.split("-")):
        return None
    if scanned.low(index - 1) in _MOVING and token.low in PLACES:
        return None
    if scanned.low(index - 1) in _IN_PLACES and scanned.adjacent(index - 1):
        before = {scanned.low(place) for place in range(max(0, index - 5), index - 1)}
        if before.isdisjoint(_KEPT):
            return None
    in_list = scanned.low(index - 1) == ":" and scanned.low(index + 1) in {",", "and", "or"}
    if not token.initial or in_list:
        return scanned.draft(index, index, "unknown", 0.65, BY_CAPITALS)
    after = scanned.low(index + 1)
    acted = after.endswith("ed") and not token.low.endswith("s")
    possessive = scanned.text[token.end : token.end + 2] in {"'s", "’s"}
    if ((acted or after in _NAME_VERBS) and scanned.adjacent(index)) or possessive:
        return scanned.draft(index, index, "unknown", 0.6, BY_CAPITALS)
    return None
