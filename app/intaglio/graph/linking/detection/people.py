"""Finds people: by given names, titles, and the words around a name."""

from collections.abc import Iterator
from typing import Final

from intaglio.graph.linking.detection.drafts import BY_ALIAS, BY_CUE, Draft, Scanned
from intaglio.graph.linking.lexicon.given_names import GIVEN_NAMES, ORDINARY_GIVEN_NAMES
from intaglio.graph.linking.lexicon.heads import HEADS, ORGANIZATION_ENDS
from intaglio.graph.linking.lexicon.known_names import SPELLINGS
from intaglio.graph.linking.lexicon.ordinary_words import (
    COMMON_ACRONYMS,
    FUNCTION_WORDS,
    IMPERATIVES,
    TIMES,
    is_ordinary,
)
from intaglio.graph.linking.lexicon.word_lists import words
from intaglio.graph.linking.tokens import Token

SAYING: Final = words("people", "saying")
_DOING: Final = words("people", "doing")
HUMAN: Final = words("people", "human")
_PERSONAL: Final = words("people", "personal")
_STATES: Final = words("people", "states")
ASKING: Final = words("people", "asking")
_TITLES: Final = words("people", "titles")
_ROLES: Final = words("people", "roles")
_PARTICLES: Final = words("people", "particles")
_MOST_PARTS: Final = 3
_LONGEST_KANJI: Final = 4
_JAPANESE_TITLES: Final = ("さん", "様", "氏", "くん", "先生")
_NO_PERSONS: Final = words("people", "no_persons")
_CHINESE_SURNAMES: Final = words("people", "chinese_surnames")
_CHINESE_VERBS: Final = words("people", "chinese_verbs")


def people(scanned: Scanned) -> Iterator[Draft]:
    """Yield the names of people; a first name alone is a draft, too."""
    skip = -1
    for index, token in enumerate(scanned.tokens):
        if index <= skip:
            continue
        if token.kind == "cjk":
            yield from _in_cjk(scanned, index)
        elif (token.capital and not token.code) or (token.plain and token.low in GIVEN_NAMES):
            last = _person_at(scanned, index)
            if last is not None:
                skip = last
                yield _draft(scanned, index, last)


def _draft(scanned: Scanned, first: int, last: int) -> Draft:
    if scanned.low(first) in _TITLES and last > first:
        # "Dr. Weber" is known as "Weber".
        first += 2 if scanned.low(first + 1) == "." else 1
    aliases: tuple[str, ...] = ()
    if last > first:
        aliases = (scanned.tokens[first].text, scanned.tokens[last].text)
    name = scanned.slice(first, last)
    certain = scanned.low(first) in GIVEN_NAMES and (last > first or _cue(scanned, first, last))
    rank = BY_ALIAS if certain else BY_CUE
    return scanned.draft(first, last, "person", 0.85, rank, name=name, aliases=aliases)


def _person_at(  # noqa: PLR0911 - one rule after the other
    scanned: Scanned, index: int
) -> int | None:
    """Return the last token of the person's name that begins here, None if there is none."""
    token = scanned.tokens[index]
    if token.low in _TITLES and token.capital:
        return _after_title(scanned, index)
    if not token.capital:
        return index if _is_lower_case_name(scanned, index) else None
    if token.text.isupper() and len(token.text) > 1:
        return None
    last = _surname_end(scanned, index)
    given = token.low in GIVEN_NAMES
    if not given and "-" in token.low:
        given = token.low.split("-")[0] in GIVEN_NAMES
    cue = _cue(scanned, index, last)
    if given and last > index and (cue or not token.initial or not _may_begin_sentence(token.low)):
        return last
    if given and token.low not in ORDINARY_GIVEN_NAMES:
        return None if _is_part_of_name(scanned, index) else index
    unlisted = token.low not in SPELLINGS or given
    if (
        cue
        and unlisted
        and token.low not in COMMON_ACRONYMS
        and (given or not is_ordinary(token.low))
    ):
        return last if last > index and not is_ordinary(scanned.low(last)) else index
    return None


def _may_begin_sentence(low: str) -> bool:
    """Tell whether a given name is also a word with which a sentence begins, as "Mark" is."""
    return low in ORDINARY_GIVEN_NAMES and (
        low in IMPERATIVES or low in FUNCTION_WORDS or low in TIMES
    )


def _is_part_of_name(scanned: Scanned, index: int) -> bool:
    """Tell whether a given name names a part of a system: "the Ada gateway"."""
    return scanned.low(index + 1) in HEADS and scanned.adjacent(index)


def _after_title(scanned: Scanned, index: int) -> int | None:
    name = index + 2 if scanned.low(index + 1) == "." else index + 1
    if not scanned.capital(name):
        return None
    return _surname_end(scanned, name)


def _surname_end(scanned: Scanned, index: int) -> int:
    """Return the index of the last word of the surname that follows, or the index itself."""
    last = index
    while True:
        following = last + 1
        while scanned.low(following) in _PARTICLES and scanned.adjacent(following - 1):
            following += 1
        if (
            following - last > _MOST_PARTS
            or not scanned.capital(following)
            or not scanned.adjacent(following - 1)
        ):
            return last
        token = scanned.tokens[following]
        if is_ordinary(token.low):
            return following if last == index and _may_be_surname(scanned, index, token) else last
        if token.low in HEADS or token.low in ORGANIZATION_ENDS or following - index > _MOST_PARTS:
            return last
        last = following


def _may_be_surname(scanned: Scanned, index: int, token: Token) -> bool:
    """Tell whether an ordinary word follows a given name as a surname: "Peter Stone"."""
    low = scanned.low(index)
    return (
        low in GIVEN_NAMES
        and low not in ORDINARY_GIVEN_NAMES
        and low not in SPELLINGS
        and not (token.low in FUNCTION_WORDS or token.low in TIMES or token.low in HEADS)
        and not (scanned.heading or scanned.language == "de" or token.initial)
    )


def _cue(scanned: Scanned, first: int, last: int) -> bool:
    """Tell whether the words around say that a person is meant."""
    acts = scanned.adjacent(last) and _acts(scanned, first, last)
    return acts or _has_role_after(scanned, last)


def _acts(scanned: Scanned, first: int, last: int) -> bool:
    """Tell whether what follows a name is said of people only."""
    after, low = scanned.low(last + 1), scanned.low(first)
    if after in SAYING or after in _PERSONAL:
        return True
    if after in {"is", "was"}:
        return any(
            scanned.low(place) in _ROLES or scanned.low(place) in _STATES
            for place in range(last + 2, last + 6)
        )
    return low in GIVEN_NAMES and after in HUMAN


def _has_role_after(scanned: Scanned, last: int) -> bool:
    """Tell whether a role follows: "Kemal, our designer", "Kemal (CTO)"."""
    return any(scanned.low(place) in _ROLES for place in range(last + 2, last + 5))


def _is_lower_case_name(scanned: Scanned, index: int) -> bool:
    """Tell whether a lower-case word is a given name, as in "ask hannah"."""
    low = scanned.low(index)
    if (
        low not in GIVEN_NAMES
        or low in ORDINARY_GIVEN_NAMES
        or is_ordinary(low)
        or low in SPELLINGS
    ):
        return False
    return (
        scanned.low(index + 1) in SAYING | _DOING
        or scanned.low(index - 1) in ASKING | {"by", "@"}
        or _cue(scanned, index, index)
    )


def _in_cjk(scanned: Scanned, index: int) -> Iterator[Draft]:
    text = scanned.tokens[index].text
    for title in _JAPANESE_TITLES:
        at = text.find(title)
        start = at
        while start > 0 and at - start < _LONGEST_KANJI and "\u4e00" <= text[start - 1] <= "\u9fff":
            start -= 1
        if at > 0 and start < at and text[start:at] not in _NO_PERSONS:
            yield _piece(scanned, index, start, at + len(title), text[start:at])
            return
    for verb in sorted(_CHINESE_VERBS):
        at = text.find(verb)
        for length in (3, 2):
            name = text[at - length : at] if at >= length else ""
            if (
                name
                and name[0] in _CHINESE_SURNAMES
                and (at == length or text[at - length - 1] in "由让叫问是和给")
            ):
                yield _piece(scanned, index, at - length, at, name)
                return


def _piece(scanned: Scanned, index: int, start: int, end: int, name: str) -> Draft:
    draft = scanned.draft(index, index, "person", 0.8, BY_CUE, name=name)
    token = scanned.tokens[index]
    draft.start, draft.end = token.start + start, token.start + end
    return draft
