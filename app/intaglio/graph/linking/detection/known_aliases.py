"""Finds the names of entities that are known already, in any casing that may mean them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.detection.drafts import BY_ALIAS, Draft, Scanned
from intaglio.graph.linking.detection.people import ASKING, HUMAN, SAYING
from intaglio.graph.linking.lexicon.heads import LONE_HEADS
from intaglio.graph.linking.lexicon.known_names import SPELLINGS
from intaglio.graph.linking.lexicon.ordinary_words import FUNCTION_WORDS, is_ordinary
from intaglio.graph.linking.lexicon.word_lists import words
from intaglio.graph.linking.tokens import Token
from intaglio.graph.linking.values import KnownName

MOST_NAMES: Final = 1_200
_CJK_RUNS: Final = re.compile(r"[\u30a0-\u30ff]{2,16}|[\u3005\u3400-\u9fff]{2,}")
_MOST_RUNS: Final = 12
_LONGEST_CJK: Final = 4
_MOST_CHARS: Final = 24
_MOST_WORDS: Final = 4
_NAMED: Final = frozenset(
    {"word", "handle", "package", "repository", "host", "file", "path", "cjk"}
)
_STATES: Final = words("known_aliases", "states")
_HUMAN_VERBS: Final = SAYING | HUMAN


def canonical_words(scanned: Scanned) -> list[str]:
    """Return the canonical form of each token that may belong to a name, else nothing."""
    words: list[str] = []
    for token in scanned.tokens:
        if token.kind == "word":
            words.append(token.low if token.plain else canonical_name(token.text))
        elif token.kind == "handle":
            words.append(token.low[1:])
        else:
            words.append(token.low if token.kind in _NAMED else "")
    return words


def names_to_look_up(scanned: Scanned, words: Sequence[str]) -> set[str]:
    """Return the words and sequences of words that may be known names; bounded."""
    names: set[str] = set()
    tokens = scanned.tokens
    for index, word in enumerate(words):
        if not word or _is_function_word(tokens[index]):
            continue
        if len(names) >= MOST_NAMES:
            break
        if tokens[index].kind == "cjk":
            names.update(text for _, text in _cjk_pieces(word))
            continue
        if len(word) > 1 and (tokens[index].capital or not is_ordinary(word) or word in LONE_HEADS):
            names.add(word)
        joined, last = word, index
        while last - index + 1 < _MOST_WORDS and last + 1 < len(words):
            if not words[last + 1] or not scanned.adjacent(last):
                break
            last += 1
            joined = f"{joined} {words[last]}"
            if words[last] not in FUNCTION_WORDS:
                names.add(joined)
    return names


def _cjk_pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield what may be a name within Japanese or Chinese text, with its place."""
    for run in islice(_CJK_RUNS.finditer(text), _MOST_RUNS):
        piece = run.group()
        for size in range(min(len(piece), _LONGEST_CJK), 1, -1):
            for start in range(min(len(piece), _MOST_CHARS) - size + 1):
                yield run.start() + start, piece[start : start + size]


def _is_function_word(token: Token) -> bool:
    """Tell whether a word names nothing; in capital letters it may be an acronym."""
    return token.low in FUNCTION_WORDS and not (token.text.isupper() and len(token.text) > 1)


def known_aliases(
    scanned: Scanned, words: Sequence[str], known: Mapping[str, Sequence[KnownName]]
) -> Iterator[Draft]:
    """Yield a draft for each place where a known name stands."""
    if not known:
        return
    for index, word in enumerate(words):
        if not word:
            continue
        if scanned.tokens[index].kind == "cjk":
            yield from _in_cjk(scanned, index, known)
            continue
        joined, last = word, index
        while True:
            names = known.get(joined)
            if names and not _is_function_word(scanned.tokens[index]):
                draft = _draft(scanned, index, last, joined, names)
                if draft is not None:
                    yield draft
            if last - index + 1 >= _MOST_WORDS or last + 1 >= len(words):
                break
            if not words[last + 1] or not scanned.adjacent(last):
                break
            last += 1
            joined = f"{joined} {words[last]}"


def _in_cjk(
    scanned: Scanned, index: int, known: Mapping[str, Sequence[KnownName]]
) -> Iterator[Draft]:
    """Yield a draft for each known name within Japanese or Chinese text."""
    token = scanned.tokens[index]
    for start, piece in _cjk_pieces(token.low):
        names = known.get(piece)
        if names:
            draft = scanned.draft(index, index, names[0].type, 0.8, BY_ALIAS, name=piece)
            draft.start = token.start + start
            draft.end = draft.start + len(piece)
            draft.keys = (draft.canonical,)
            yield draft


def _draft(
    scanned: Scanned, first: int, last: int, canonical: str, names: Sequence[KnownName]
) -> Draft | None:
    if canonical in SPELLINGS and not (first == last and may_stand_for_person(scanned, first)):
        # The rules for people tell where a person has the name of a tool.
        names = [name for name in names if name.type != "person"]
    if not names or (first == last and not _may_mean(scanned, first, canonical, names)):
        return None
    types = {name.type for name in names}
    type_ = names[0].type if len(types) == 1 else "unknown"
    return scanned.draft(first, last, type_, 0.85, BY_ALIAS, canonical=canonical)


def may_stand_for_person(scanned: Scanned, index: int) -> bool:
    """Tell whether a person does what is said here, or is asked, told or worked with."""
    return scanned.low(index + 1) in _HUMAN_VERBS or scanned.low(index - 1) in ASKING


def _may_mean(scanned: Scanned, index: int, canonical: str, names: Sequence[KnownName]) -> bool:
    """Tell whether a single word is a known name here, rather than an ordinary word."""
    token: Token = scanned.tokens[index]
    if token.kind != "word" or token.code:
        return True
    spelling = SPELLINGS.get(canonical)
    if spelling is not None and spelling.certainty != "always":
        # Its own rule decides, unless a project calls something so.
        own = any(name.project for name in names) and token.capital
        return own and (spelling.certainty == "capitalised" or not token.initial)
    if is_ordinary(canonical):
        lone = canonical in LONE_HEADS and _stands_bare(scanned, index, names)
        return lone or any(name.by_user for name in names)
    if not token.capital and all(name.type == "unknown" and not name.by_user for name in names):
        # A word that began a sentence once may be an ordinary one.
        often = any(name.mentions > 1 for name in names)
        return often or _stands_bare(scanned, index, names)
    return True


def _stands_bare(scanned: Scanned, index: int, names: Sequence[KnownName]) -> bool:
    """Tell whether a known part of the project begins a clause without its article."""
    after = scanned.low(index + 1)
    acts = (
        after in _STATES
        or after in FUNCTION_WORDS
        or after.endswith(("s", "ed"))
        or not scanned.is_word(index + 1)
    )
    return acts and scanned.tokens[index].initial and any(name.project for name in names)
