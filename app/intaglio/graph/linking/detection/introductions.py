"""Finds names that a text introduces: nicknames, abbreviations, renamings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.entity_kinds import EntityType
from intaglio.graph.linking.detection.drafts import BY_ALIAS, Draft, Scanned
from intaglio.graph.linking.lexicon.heads import HEADS
from intaglio.graph.linking.lexicon.ordinary_words import (
    COMMON_ACRONYMS,
    FUNCTION_WORDS,
    IMPERATIVES,
    is_ordinary,
)
from intaglio.graph.linking.lexicon.word_set import word_set

_ALSO: Final = re.compile(
    (
        r"(?:,\s|\s\(|（|\s)(?:(?:aka|a\.k\.a\.|alias|also known as|also called|"
        r"also referred to as|or just|or simply|or,? for short,|nicknamed|better known as|"
        r"internally known as|known internally as|called internally|short:|in short|"
        r"formerly known as|formerly|previously known as|previously called|codenamed|"
        r"code-named|auch bekannt als|auch|kurz:?|intern|genannt|abgekürzt|"
        r"también conocido como|también llamado|o simplemente|apodado|dit|dite|aussi appelé|"
        r"aussi connu sous le nom de|surnommé|alias)\s|"
        r"(?:通称|略称|別名|简称|又名|也叫|俗称|愛称)[「“]?)"
    ),
    re.IGNORECASE,
)
_MEANS: Final = re.compile(
    (
        r"\s(?:means|stands for|is short for|is shorthand for|refers to|"
        r"is our (?:nick)?name for|is (?:the|our|my|an?|just) (?:nickname|shorthand|short name|"
        r"abbreviation|acronym|alias|codename|code name|name|other name|internal name) (?:of|"
        r"for)|is what (?:we|they|people|everyone) calls?|is how we call|=|==|steht für|"
        r"bedeutet|meint|significa|es la abreviatura de|signifie|veut dire)\s|(?:は|"
        r"とは)?(?=\s?[A-Z])のことです"
    ),
    re.IGNORECASE,
)
_CALLS: Final = re.compile(
    (
        r"\b(?:we|i|they|everyone|everybody|people|folks|the team|team|devs|us|it's|let's|"
        r"always|just|also|usually|internally|please|and)\s(?:(?:all|just|always|also|"
        r"usually|internally|now|still|often)\s)?(?:call|calls|called|nicknamed|nickname|"
        r"dubbed|named|refer to)\s|(?:^|(?<=[.!?]\s)|\bplease\s)(?:call|nickname)\s|"
        r"\b(?:wir nennen|nennen wir|on appelle|on surnomme|nous appelons|llamamos a|"
        r"le decimos a)\s"
    ),
    re.IGNORECASE,
)
_RENAMES: Final = re.compile(r"\b(?:rename|renamed|renaming)\s", re.IGNORECASE)
_NOW: Final = re.compile(
    (
        r"\s(?:(?:is|was|has been|got|gets|were|are)\s(?:now\s|internally\s|recently\s|just\s|"
        r"since\s|also\s)?(?:renamed|called|named|known as|nicknamed|referred to as|rebranded|"
        r"dubbed)\s(?:to\s|as\s)?|goes by\s(?:the name\s)?(?:of\s)?|heißt\s(?:(?:bei uns|jetzt|"
        r"intern|nun|auch)\s){0,2}|se llama\s(?:ahora\s)?|s'appelle\s(?:désormais\s|"
        r"maintenant\s)?)"
    ),
    re.IGNORECASE,
)
_NAME_IS: Final = re.compile(
    r"\b(?:nickname|codename|code name|alias|abbreviation|acronym|short name|internal name|pet name"
    r"|shorthand) (?:for|of)\s",
    re.IGNORECASE,
)
_CALL_IT: Final = re.compile(
    r"\s?[,(（;–—]\s?(?:(?:and|but|so)\s)?(?:we|i|they|everyone|everybody|people|the team)\s"
    r"(?:all\s|just\s|usually\s|always\s|internally\s|also\s)?(?:call|calls|named|nicknamed)\s"
    r"(?:it|him|her|that|this|them)\s(?:just\s|simply\s)?",
    re.IGNORECASE,
)
_WHICH: Final = re.compile(
    r",?\s(?:which|that|what)\s(?:we|everyone|everybody|people|they|i|the team|most of us)\s"
    r"(?:all\s|just\s|usually\s|always\s|internally\s)?(?:call|calls|nicknamed|named)\s",
    re.IGNORECASE,
)
_LOOSE: Final = re.compile(r"means|=|bedeutet|meint|significa|signifie|veut dire", re.IGNORECASE)
_MEAN_BY: Final = re.compile(
    (
        r"\b(?:by|when (?:i|we) say|if (?:i|we) say|"
        r"with)\s[\"“'‘`]?(?P<alias>[\w.-]{2,30}(?: [\w-]{1,20}){0,2}?)[\"”'’`]?,?\s(?:i|"
        r"we)\s(?:always\s)?(?:mean|meant)\s"
    ),
    re.IGNORECASE,
)
_LLAMAMOS: Final = re.compile(
    r"\b(?:llamamos|apodamos|decimos)\s[\"“«]?(?P<alias>[\w-]{2,30})[\"”»]?\sa(?:l|\sla|\slos)?\s",
    re.IGNORECASE,
)
_CJK_NAME: Final = re.compile(r"[\u3005\u30a0-\u30ff\u3400-\u9fff]{2,10}(?=[）)」』”、，。\s])")
_FOR_SHORT: Final = re.compile(
    r"(?P<alias>[\w.-]{2,30}(?: [A-Z]\w{1,20})?)[\"”'’`]?\)?,?\s(?:for short|para abreviar)\b"
)
_MANY: Final = 6
_LONGEST_INSIDE: Final = 5
_DESCRIBED: Final = (
    HEADS.keys()
    - word_set(
        """
        app api package library lib platform system component module cli plugin bot agent
        """
    )
) | word_set(
    """
    database db cluster repo machine box monolith script laptop
    """
)
_MOST_PHRASE: Final = 4
_QUOTES: Final = frozenset("\"“”„'‘’`«»「」()（）,")
_SKIPPED: Final = word_set(
    """
    the as to it intern internally now jetzt auch nur always simply just also también ahora
    désormais
    """
)
_PARTS: Final = word_set("instance database machine script repo table host box")
_CLOSING: Final = frozenset("\"”“'’`»」")
_ARTICLES: Final = word_set(
    """
    the our this that my a an its their der die das den dem unser unsere unseren el la los las le
    les l nuestro nuestra notre nos
    """
)
_HINTS: Final = re.compile(
    (
        r"\(|（|\b(?:call|calls|called|nick|dubbed|named|rename|renam|aka|a\.k\.a|alias|known|"
        r"short|means|mean|stands|refers?|just|simply|former|previously|goes by|codename|"
        r"code-name|nennen|heißt|genannt|kurz|auch|steht für|bedeutet|llama|conocid|apodad|"
        r"significa|appel|surnomm|dit|signifie|veut dire)|=|称|名|也叫|のこと"
    ),
    re.IGNORECASE,
)


@dataclass(slots=True)
class Introduction:
    """A draft of the entity and a draft of its new name."""

    entity: Draft
    alias: Draft


def introductions(scanned: Scanned, drafts: Sequence[Draft]) -> list[Introduction]:
    """Return the names that the text introduces for what it also names otherwise."""
    if not _HINTS.search(scanned.text, 0, scanned.tokens[-1].end if scanned.tokens else 0):
        return []
    phrases = _Phrases(scanned, drafts)
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


class _Phrases:
    """Finds the phrase that ends or begins at a place of the text."""

    def __init__(self, scanned: Scanned, drafts: Sequence[Draft]) -> None:
        self.scanned = scanned
        self.text = scanned.text[: scanned.tokens[-1].end] if scanned.tokens else ""
        self.ending: dict[int, Draft] = {}
        self.beginning: dict[int, Draft] = {}
        for draft in drafts:
            for table, place in ((self.ending, draft.last), (self.beginning, draft.first)):
                longer = table.get(place)
                if longer is None or draft.last - draft.first > longer.last - longer.first:
                    table[place] = draft
        self.first = min(drafts, key=lambda each: each.start, default=None)
        self.starts = [token.start for token in scanned.tokens]

    def token_from(self, offset: int) -> int:
        """Return the index of the first token at or after an offset."""
        low, high = 0, len(self.starts)
        while low < high:
            middle = (low + high) // 2
            if self.starts[middle] < offset:
                low = middle + 1
            else:
                high = middle
        return low

    def before(self, offset: int, *, name: bool = False) -> Draft | None:
        """Return the phrase that ends before an offset; any word may be a name."""
        last = self.token_from(offset) - 1
        while last >= 0 and self.scanned.low(last) in _QUOTES:
            last -= 1
        if last < 0:
            return None
        if last in self.ending:
            return self.ending[last]
        return self.phrase_until(last, name=name)

    def phrase_until(self, last: int, *, name: bool) -> Draft | None:
        scanned = self.scanned
        shouted = scanned.is_word(last) and scanned.tokens[last].text.isupper()
        if not scanned.is_word(last) or (scanned.low(last) in FUNCTION_WORDS and not shouted):
            return None
        first = last
        while first > 0 and last - first + 1 < _MOST_PHRASE and scanned.is_word(first - 1):
            low = scanned.low(first - 1)
            if not scanned.adjacent(first - 1) or low in FUNCTION_WORDS or low in _ARTICLES:
                break
            if low in IMPERATIVES and scanned.tokens[first - 1].initial:
                break
            first -= 1
        if name:
            return scanned.draft(first, last, "unknown", 0.8, BY_ALIAS)
        return self.described(first, last)

    def goes_on(self, last: int) -> bool:
        """Tell whether a noun follows that says what the name before it is a part of."""
        low = self.scanned.low(last + 1)
        return self.scanned.adjacent(last) and (low in HEADS or low in _PARTS)

    def described(self, first: int, last: int) -> Draft | None:
        """Return a draft of a description; a single word must be one of the field."""
        low = self.scanned.low(last)
        if first == last and not (low in _DESCRIBED or self.scanned.capital(last)):
            return None
        return self.scanned.draft(first, last, _type_of(self.scanned, last), 0.7, BY_ALIAS)

    def after(self, offset: int) -> Draft | None:
        """Return the phrase that begins at or after an offset."""
        scanned, first = self.scanned, self.token_from(offset)
        while scanned.low(first) in _QUOTES or scanned.low(first) in _ARTICLES:
            first += 1
        known = self.beginning.get(first)
        if known is not None and not self.goes_on(known.last):
            return known
        last = first
        while (
            last - first < _MOST_PHRASE
            and scanned.is_word(last)
            and scanned.low(last) not in FUNCTION_WORDS
            and (last == first or scanned.adjacent(last - 1))
        ):
            last += 1
        last -= 1
        return None if last < first else self.described(first, last)

    def cjk_name_at(self, offset: int) -> Draft | None:
        """Return the new name in Japanese or Chinese that begins at an offset within a token."""
        found = _CJK_NAME.match(self.text, offset)
        if found is None:
            return None
        index = self.token_from(offset + 1) - 1
        token = self.scanned.tokens[index]
        draft = self.scanned.draft(index, index, "unknown", 0.8, BY_ALIAS, name=found.group())
        if token.kind != "cjk" or found.end() > token.end:
            return None
        draft.start, draft.end, draft.keys = found.start(), found.end(), (draft.canonical,)
        return draft

    def name_at(self, offset: int) -> Draft | None:
        """Return the new name that stands at or after an offset."""
        scanned, first = self.scanned, self.token_from(offset)
        quoted = False
        while scanned.low(first) in _QUOTES or scanned.low(first) in _SKIPPED:
            quoted = quoted or scanned.low(first) in _QUOTES
            first += 1
        token = scanned.tokens[first] if first < len(scanned.tokens) else None
        if token is None or token.kind not in {"word", "package", "repository", "cjk"}:
            return None
        last = first
        closing = first + 1
        while quoted and closing - first < _LONGEST_INSIDE and scanned.is_word(closing):
            closing += 1
        if quoted and scanned.low(closing) in _CLOSING:
            return scanned.draft(first, closing - 1, "unknown", 0.8, BY_ALIAS)
        while (
            last - first < _MOST_PHRASE - 1 and scanned.adjacent(last) and scanned.capital(last + 1)
        ):
            last += 1
        if (
            last == first
            and (token.low in FUNCTION_WORDS or (is_ordinary(token.low) and not token.capital))
            and not quoted
        ):
            return None
        return scanned.draft(first, last, "unknown", 0.8, BY_ALIAS)


def _type_of(scanned: Scanned, last: int) -> EntityType:
    return HEADS.get(scanned.low(last), "unknown")


_Pair = tuple[Draft | None, Draft | None]


def _also(phrases: _Phrases) -> Iterator[_Pair]:
    for match in _ALSO.finditer(phrases.text):
        alias = phrases.cjk_name_at(match.end()) or phrases.name_at(match.end())
        yield phrases.before(match.start()), alias
    for match in _LLAMAMOS.finditer(phrases.text):
        yield phrases.after(match.end()), phrases.name_at(match.start("alias"))
    for match in _FOR_SHORT.finditer(phrases.text):
        alias = phrases.name_at(match.start("alias"))
        yield phrases.before(match.start("alias")), alias


def _in_parentheses(phrases: _Phrases) -> Iterator[_Pair]:
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
    words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", long)
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


def _means(phrases: _Phrases) -> Iterator[_Pair]:
    for match in _MEANS.finditer(phrases.text):
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
            if named or not _LOOSE.search(match.group()):
                yield entity, alias
    for match in _MEAN_BY.finditer(phrases.text):
        first = phrases.token_from(match.start("alias"))
        last = phrases.token_from(match.end("alias")) - 1
        while phrases.scanned.low(first) in _ARTICLES:
            first += 1
        if first <= last:
            name = phrases.scanned.draft(first, last, "unknown", 0.8, BY_ALIAS)
            yield phrases.after(match.end()), name


def _may_be_alias(scanned: Scanned, alias: Draft) -> bool:
    token = scanned.tokens[alias.first]
    around = scanned.text[max(0, alias.start - 5) : alias.start]
    return token.initial or token.capital or not _QUOTES.isdisjoint(around)


def _calls(phrases: _Phrases) -> Iterator[_Pair]:
    scanned = phrases.scanned
    for match in _CALLS.finditer(phrases.text):
        entity = phrases.after(match.end())
        if entity is None:
            continue
        following = entity.last + 1
        alias = None
        if following < len(scanned.tokens) and (
            scanned.low(following) in _QUOTES or scanned.adjacent(entity.last)
        ):
            alias = phrases.name_at(scanned.tokens[following].start)
        if alias is not None and alias.first <= following + 2 and _is_called(scanned, alias):
            yield entity, alias
        else:
            yield _split(scanned, entity)


def _renames(phrases: _Phrases) -> Iterator[_Pair]:
    scanned = phrases.scanned
    for match in _CALL_IT.finditer(phrases.text):
        yield phrases.before(match.start()), phrases.name_at(match.end())
    for match in _WHICH.finditer(phrases.text):
        yield phrases.before(match.start()), phrases.name_at(match.end())
    for match in _NAME_IS.finditer(phrases.text):
        entity = phrases.after(match.end())
        if entity is not None and scanned.low(entity.last + 1) in {"is", "was"}:
            yield entity, phrases.name_at(scanned.tokens[entity.last + 1].end)
    for match in _RENAMES.finditer(phrases.text):
        entity = phrases.after(match.end())
        if entity is not None and scanned.low(entity.last + 1) in {
            "to",
            "into",
            "as",
            "zu",
            "a",
            "en",
        }:
            yield entity, phrases.name_at(scanned.tokens[entity.last + 1].end)
    for match in _NOW.finditer(phrases.text):
        entity = phrases.before(match.start())
        if entity is None and scanned.low(phrases.token_from(match.start()) - 1) in {"and", ","}:
            entity = phrases.first
        yield entity, phrases.name_at(match.end())


def _is_called(scanned: Scanned, alias: Draft) -> bool:
    """Tell whether a word is a name: capitalised, quoted, or at the end."""
    after = scanned.low(alias.last + 1)
    return scanned.capital(alias.first) or not after or after in _QUOTES or after in {".", ";"}


def _split(scanned: Scanned, phrase: Draft) -> _Pair:
    """Split "ingest worker Moby" into what is called and how."""
    if phrase.last == phrase.first:
        return None, None
    first = phrase.last
    while first - 1 > phrase.first and scanned.capital(first - 1):
        first -= 1
    if not scanned.capital(first):
        return None, None
    entity = scanned.draft(phrase.first, first - 1, _type_of(scanned, first - 1), 0.75, BY_ALIAS)
    return entity, scanned.draft(first, phrase.last, "unknown", 0.8, BY_ALIAS)
