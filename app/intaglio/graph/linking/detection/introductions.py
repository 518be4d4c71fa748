"""Finds names that a text introduces: nicknames, abbreviations, renamings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.graph.linking.detection.drafts import BY_ALIAS, Draft, Scanned
from intaglio.graph.linking.detection.introduction_patterns import (
    ALSO,
    CALL_IT,
    CALLS,
    FOR_SHORT,
    HINTS,
    LLAMAMOS,
    LOOSE,
    MEAN_BY,
    MEANS,
    NAME_IS,
    NOW,
    RENAMES,
    WHICH,
)
from intaglio.graph.linking.detection.phrase_finder import (
    ARTICLES,
    PROJECT_WORDS,
    QUOTES,
    PhraseFinder,
    type_of,
)
from intaglio.graph.linking.lexicon.ordinary_words import (
    COMMON_ACRONYMS,
)

_MANY: Final = 6
_LONGEST_INSIDE: Final = 5


@dataclass(slots=True)
class Introduction:
    """A draft of the entity and a draft of its new name."""

    entity: Draft
    alias: Draft


def introductions(scanned: Scanned, drafts: Sequence[Draft]) -> list[Introduction]:
    """Return the names that the text introduces for what it also names otherwise."""
    if not HINTS.search(scanned.text, 0, scanned.tokens[-1].end if scanned.tokens else 0):
        return []
    phrases = PhraseFinder(scanned, drafts)
    found: list[Introduction] = []
    for one in (
        *_also(phrases),
        *_in_parentheses(phrases),
        *_means(phrases),
        *_calls(phrases),
        *_renames(phrases),
    ):
        entity, alias = one
        if entity is None or alias is None or entity.canonical == alias.canonical:
            continue
        if not (entity.last < alias.first or alias.last < entity.first):
            continue
        found.append(Introduction(entity, alias))
        if len(found) == _MANY:
            break
    return found


_Pair = tuple[Draft | None, Draft | None]


def _also(phrases: PhraseFinder) -> Iterator[_Pair]:
    for match in ALSO.finditer(phrases.text):
        alias = phrases.cjk_name_at(match.end()) or phrases.name_at(match.end())
        yield phrases.before(match.start()), alias
    for match in LLAMAMOS.finditer(phrases.text):
        yield phrases.after(match.end()), phrases.name_at(match.start("alias"))
    for match in FOR_SHORT.finditer(phrases.text):
        alias = phrases.name_at(match.start("alias"))
        yield phrases.before(match.start("alias")), alias


def _in_parentheses(phrases: PhraseFinder) -> Iterator[_Pair]:
    scanned = phrases.scanned
    for index, token in enumerate(scanned.tokens):
        if token.text not in {"(", "（"} or not index:
            continue
        last = index + 1
        while (
            last - index <= _LONGEST_INSIDE
            and last < len(scanned.tokens)
            and scanned.low(last) not in {")", "）"}
        ):
            last += 1
        if scanned.low(last) not in {")", "）"} or last == index + 1:
            continue
        entity = phrases.before(token.start)
        inner = scanned.draft(index + 1, last - 1, "unknown", 0.8, BY_ALIAS)
        if entity is not None and _abbreviates(inner.name, entity.name):
            yield entity, inner
        elif entity is not None and _abbreviates(entity.name, inner.name):
            full = phrases.beginning.get(index + 1, inner)
            yield (full if full.last == last - 1 else inner), entity


def _abbreviates(short: str, long: str) -> bool:
    """Tell whether a short name is made of the other's initials or is a part of its letters."""
    if not re.fullmatch(r"[A-Z][A-Za-z0-9-]{1,7}", short) or short.lower() in COMMON_ACRONYMS:
        return False
    words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z](?:[A-Z](?![a-z]))*", long)
    initials = "".join(word[0] for word in words).lower()
    letters = short.lower().replace("-", "")
    capitals = sum(1 for letter in short if letter.isupper())
    if capitals > 1 and len(words) > 1 and letters[0] == initials[0]:
        return _is_within(letters, long.lower()) or letters[:2] == initials[:2]
    if len(words) > 1 and (
        letters == initials or (short.isupper() and initials.startswith(letters[:2]))
    ):
        return True
    return (
        short.isupper()
        and len(long) > len(short) + 2
        and letters[0] == long[:1].lower()
        and _is_within(letters, long.lower())
    )


def _is_within(letters: str, long: str) -> bool:
    position = 0
    for letter in letters:
        position = long.find(letter, position) + 1
        if not position:
            return False
    return True


def _means(phrases: PhraseFinder) -> Iterator[_Pair]:
    for match in MEANS.finditer(phrases.text):
        alias = phrases.before(match.start(), name=True)
        if (
            alias is not None
            and alias.last - alias.first <= 1
            and _may_be_alias(phrases.scanned, alias)
        ):
            entity = phrases.after(match.end())
            named = entity is not None and (
                entity.first in phrases.beginning or phrases.scanned.capital(entity.first)
            )
            if named or not LOOSE.search(match.group()):
                yield entity, alias
    for match in MEAN_BY.finditer(phrases.text):
        first = phrases.token_from(match.start("alias"))
        last = phrases.token_from(match.end("alias")) - 1
        while phrases.scanned.low(first) in ARTICLES:
            first += 1
        if first <= last:
            name = phrases.scanned.draft(first, last, "unknown", 0.8, BY_ALIAS)
            yield phrases.after(match.end()), name


def _may_be_alias(scanned: Scanned, alias: Draft) -> bool:
    token = scanned.tokens[alias.first]
    around = scanned.text[max(0, alias.start - 5) : alias.start]
    return token.initial or token.capital or not QUOTES.isdisjoint(around)


def _calls(phrases: PhraseFinder) -> Iterator[_Pair]:
    scanned = phrases.scanned
    for match in CALLS.finditer(phrases.text):
        entity = phrases.after(match.end())
        if entity is None:
            continue
        following = entity.last + 1
        alias = None
        if following < len(scanned.tokens) and (
            scanned.low(following) in QUOTES or scanned.adjacent(entity.last)
        ):
            alias = phrases.name_at(scanned.tokens[following].start)
        if alias is not None and alias.first <= following + 2 and _is_called(scanned, alias):
            yield entity, alias
        else:
            yield _split(scanned, entity)


def _renames(phrases: PhraseFinder) -> Iterator[_Pair]:
    scanned = phrases.scanned
    for match in CALL_IT.finditer(phrases.text):
        yield phrases.before(match.start()), phrases.name_at(match.end())
    for match in WHICH.finditer(phrases.text):
        yield phrases.before(match.start()), phrases.name_at(match.end())
    for match in NAME_IS.finditer(phrases.text):
        entity = phrases.after(match.end())
        if entity is not None and scanned.low(entity.last + 1) in {"is", "was"}:
            yield entity, phrases.name_at(scanned.tokens[entity.last + 1].end)
    for match in RENAMES.finditer(phrases.text):
        entity = phrases.after(match.end())
        end = entity.last if entity is not None else 0
        end += scanned.low(end + 1) in PROJECT_WORDS
        if entity is not None and scanned.low(end + 1) in {
            "to",
            "into",
            "as",
            "zu",
            "a",
            "en",
        }:
            yield entity, phrases.name_at(scanned.tokens[end + 1].end)
    for match in NOW.finditer(phrases.text):
        entity = phrases.before(match.start())
        if entity is None and scanned.low(phrases.token_from(match.start()) - 1) in {"and", ","}:
            entity = phrases.first
        yield entity, phrases.name_at(match.end())


def _is_called(scanned: Scanned, alias: Draft) -> bool:
    """Tell whether a word is a name: capitalised, quoted, or at the end."""
    after = scanned.low(alias.last + 1)
    return scanned.capital(alias.first) or not after or after in QUOTES or after in {".", ";"}


def _split(scanned: Scanned, phrase: Draft) -> _Pair:
    """Split "ingest worker Moby" into what is called and how."""
    if phrase.last == phrase.first:
        return None, None
    first = phrase.last
    while first - 1 > phrase.first and scanned.capital(first - 1):
        first -= 1
    if not scanned.capital(first):
        return None, None
    entity = scanned.draft(phrase.first, first - 1, type_of(scanned, first - 1), 0.75, BY_ALIAS)
    return entity, scanned.draft(first, phrase.last, "unknown", 0.8, BY_ALIAS)
