"""Finds tools, languages and formats of the list, unless an ordinary word is meant."""

import re
from collections.abc import Iterator
from typing import Final

from intaglio.graph.linking.canonical import STANDARDS, canonical_name
from intaglio.graph.linking.detection.drafts import BY_LIST, Draft, Scanned
from intaglio.graph.linking.detection.longer_names import (
    NOUNS_AFTER,
    goes_on,
    within_capitals,
)
from intaglio.graph.linking.lexicon.known_names import (
    FIRST_WORDS,
    MOST_WORDS,
    SPELLINGS,
    Spelling,
)
from intaglio.graph.linking.lexicon.ordinary_words import (
    FUNCTION_WORDS,
    TIMES,
    is_ordinary,
)
from intaglio.graph.linking.lexicon.word_lists import words
from intaglio.graph.linking.tokens import Token

_USING: Final = words("listed_names", "using")
_CHANGING: Final = words("listed_names", "changing")
_PLACES: Final = words("listed_names", "places")
_CODE_NOUNS: Final = words("listed_names", "code_nouns")
_VERBS_AFTER: Final = words("listed_names", "verbs_after")
_PARTICLES: Final = words("listed_names", "particles")
_DIGITS: Final = re.compile(r"([a-z]{2,20}?)v?(\d{1,2})")
_SHORTEST_LOWER: Final = 2
# In capitals, "EN" and "SP" are other words too.
_SHORTEST_SERIES: Final = 3
_LONGEST_VERSION: Final = 4
_LONGEST_STANDARD: Final = 5


def listed_names(scanned: Scanned) -> Iterator[Draft]:
    """Yield the names of the list, the longest at each place, with a version that follows."""
    tokens, skip = scanned.tokens, -1
    accepted: set[int] = set()
    for index, token in enumerate(tokens):
        if index <= skip or token.kind not in {"word", "host", "file"}:
            continue
        found = _longest(scanned, index)
        last = index if found is None else found[0]
        if _is_standard(scanned, last):
            skip = last + 1
            accepted.update(range(index, skip + 1))
            yield scanned.draft(index, skip, "concept", 0.8, BY_LIST)
            continue
        if found is None:
            continue
        spelling = found[1]
        if not _is_meant(scanned, index, last, spelling, accepted):
            continue
        skip = last
        accepted.update(range(index, last + 1))
        until = _with_version(scanned, last)
        accepted.update(range(last, until + 1))
        thing = spelling.thing
        if until == last and goes_on(scanned, last):
            skip = last + 1
            sure = spelling.certainty == "always" and thing.type != "language"
            type_ = thing.type if sure else "unknown"
            yield scanned.draft(index, last + 1, type_, 0.7, BY_LIST)
            continue
        confidence = 0.95 if spelling.certainty == "always" else 0.85
        draft = scanned.draft(
            index,
            until,
            thing.type,
            confidence,
            BY_LIST,
            name=thing.name,
            canonical=thing.canonical,
        )
        yield draft


def _is_standard(scanned: Scanned, last: int) -> bool:
    """Tell whether a number follows that names a standard of a body or a series: "RFC 7807"."""
    token = scanned.tokens[last]
    return (
        token.low in STANDARDS
        and len(token.text) >= _SHORTEST_SERIES
        and token.text.isupper()
        and _with_version(scanned, last, longest=_LONGEST_STANDARD) > last
    )


def _longest(scanned: Scanned, index: int) -> tuple[int, Spelling] | None:
    tokens = scanned.tokens
    token = tokens[index]
    if token.plain and token.low not in FIRST_WORDS:
        found = SPELLINGS.get(token.low)
        return None if found is None else (index, found)
    first = token.low if token.kind != "word" or token.plain else canonical_name(token.text)
    if token.kind == "word" and first.split(" ", 1)[0] in FIRST_WORDS:
        last = index
        while last - index < MOST_WORDS and last + 1 < len(tokens) and scanned.adjacent(last):
            last += 1
            if tokens[last].kind == "mark" and tokens[last].text not in "&/":
                break
        while last > index:
            spelled = _joined(scanned, index, last)
            spelling = SPELLINGS.get(spelled)
            numbered = tokens[last].kind != "number" or tokens[last].text.split(":")[0] in spelled
            if spelling is not None and numbered:
                return last, spelling
            last -= 1
    spelling = SPELLINGS.get(first) or SPELLINGS.get(token.low) or _with_digits(token)
    if spelling is None and token.text[-1] == "s" and token.text[:-1].isupper():
        spelling = SPELLINGS.get(token.low[:-1])
    return None if spelling is None else (index, spelling)


def _with_digits(token: Token) -> Spelling | None:
    """Return the spelling to which a version is joined: "pg16", "python3"."""
    found = _DIGITS.fullmatch(token.low) if token.low[-1].isdecimal() else None
    if found is None:
        return None
    spelling = SPELLINGS.get(found[1])
    if spelling is None or spelling.certainty != "always":
        return None
    return spelling if spelling.thing.type in {"tool", "language"} else None


def _joined(scanned: Scanned, first: int, last: int) -> str:
    return canonical_name(scanned.slice(first, last)) if last > first else scanned.low(first)


def _with_version(scanned: Scanned, last: int, longest: int = _LONGEST_VERSION) -> int:
    """Return the index of the version that follows a name, or the name's own.

    Its first number has at most ``longest`` digits.
    """
    following = last + 1
    if following >= len(scanned.tokens) or not scanned.adjacent(last):
        return last
    token = scanned.tokens[following]
    if token.kind != "number" or token.start == scanned.tokens[last].end:
        return last
    number = token.text.lstrip("vV")
    return following if len(re.split("[.:]", number)[0]) <= longest else last


def _is_meant(  # noqa: PLR0911 - one rule after the other
    scanned: Scanned, first: int, last: int, spelling: Spelling, accepted: set[int]
) -> bool:
    """Tell whether the name of the list is meant here, rather than an ordinary word."""
    token = scanned.tokens[first]
    if spelling.certainty == "always":
        return last > first or _is_plain_spelling(scanned, first, spelling)
    if len(token.text) == 1:
        return token.text == spelling.written and (
            scanned.low(last + 1) in _CODE_NOUNS
            or (token.initial and scanned.low(last + 1) in {"is", "has", "was"})
            or _in_context(scanned, first)
        )
    versioned = spelling.certainty != "capitalised" or token.capital
    if (versioned and _has_version(scanned, last)) or _before_noun(scanned, last):
        return not (token.initial and scanned.low(last + 1) in _PARTICLES)
    after = scanned.low(last + 1)
    if spelling.certainty == "capitalised":
        return _is_joined(scanned, first, accepted) or _is_capitalised_name(scanned, first, last)
    if token.capital and not token.initial and not scanned.heading:
        return not within_capitals(scanned, first, last)
    possessive = scanned.text[token.end : token.end + 2] in {"'s", "’s"}
    if token.initial and not (token.low in FUNCTION_WORDS or token.low in TIMES):
        if token.capital and possessive:
            return True
        if _with_version(scanned, last) > last and scanned.low(last + 2) in FUNCTION_WORDS:
            return True
    if token.capital:
        told = after in _VERBS_AFTER and scanned.low(last + 2) not in _SEASONAL
        return told or after in {"", "."}
    return _in_context(scanned, first)


_SEASONAL: Final = frozenset({"when", "coming", "over", "here"})


def _is_joined(scanned: Scanned, first: int, accepted: set[int]) -> bool:
    """Tell whether a word is listed beside a known name: "ruff, black and mypy"."""
    return scanned.low(first - 1) in {"and", "or", ",", "/", "+", "&", "und", "et", "y"} and (
        first - 2 in accepted
    )


def _is_capitalised_name(scanned: Scanned, first: int, last: int) -> bool:
    """Tell whether a name is meant that is rarely an ordinary word."""
    token, after = scanned.tokens[first], scanned.low(last + 1)
    if token.capital:
        if not token.initial:
            return not scanned.heading or not is_ordinary(token.low)
        return after in _VERBS_AFTER or not (is_ordinary(token.low) or after in _PARTICLES)
    before = scanned.low(first - 1)
    if before in _USING | _CHANGING:
        return not is_ordinary(token.low) or _is_followed_loosely(scanned, first)
    return after in _VERBS_AFTER and token.initial


def _is_plain_spelling(scanned: Scanned, index: int, spelling: Spelling) -> bool:
    """Refuse short acronyms in lower case that may be ordinary words, like "sas" or "aws"."""
    token = scanned.tokens[index]
    if token.text.isupper() or len(token.text) > _SHORTEST_LOWER or not spelling.written.isupper():
        return True
    after = scanned.low(index + 1)
    return scanned.low(index - 1) in _USING | _PLACES or after in _VERBS_AFTER


def _has_version(scanned: Scanned, last: int) -> bool:
    return _with_version(scanned, last) > last and "." in scanned.tokens[last + 1].text


def _before_noun(scanned: Scanned, last: int) -> bool:
    return scanned.adjacent(last) and scanned.low(last + 1) in NOUNS_AFTER


def _in_context(scanned: Scanned, first: int) -> bool:
    """Tell whether the words before it show that a tool or a language follows."""
    before = scanned.low(first - 1)
    return before in _USING | _CHANGING and _is_followed_loosely(scanned, first)


def _is_followed_loosely(scanned: Scanned, index: int) -> bool:
    """Tell whether no noun follows that the word could describe, as in "use rich messages"."""
    after = scanned.low(index + 1)
    return after in FUNCTION_WORDS or after in NOUNS_AFTER or after in {"everywhere", "daily"}
