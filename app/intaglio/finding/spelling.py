"""Corrects a typing error: a word that is nowhere, to one that is one edit away.

That is a word of something kept or, without one, an ordinary word of a developer's English.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from intaglio.commits import search_rows as commits
from intaglio.finding.question import AskedQuestion
from intaglio.graph.linking.lexicon.ordinary_words import FUNCTION_WORDS, ORDINARY_WORDS
from intaglio.language.tokens import fold
from intaglio.store import fts
from intaglio.store.tx import ReadTx
from intaglio.transcripts import rows as transcripts

_SHORTEST: Final = 5
_LONGEST: Final = 16
_LOOKED_AT: Final = 6
_MOST_CORRECTED: Final = 2
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_ORDINARY: Final = ORDINARY_WORDS - FUNCTION_WORDS
_COUNTED: Final[tuple[Callable[[ReadTx, Collection[str]], Mapping[str, int]], ...]] = (
    fts.count_terms,
    transcripts.count_terms,
    commits.count_terms,
)


@dataclass(frozen=True, slots=True)
class SpellingError:
    """Which word of a question is nowhere, and what was meant.

    ``is_kept`` is set if something kept has what was meant; else it is a guess.
    """

    word: str
    meant: str
    is_kept: bool = True


def is_spelled_as(question: AskedQuestion, marked: Collection[str]) -> bool:
    """Whether each word of a question begins one that was found, so that there is no error."""
    found = [fold(each) for each in marked]
    return all(any(each.startswith(fold(word)) for each in found) for word in question.words)


def spelling_errors(
    tx: ReadTx, question: AskedQuestion, marked: Collection[str]
) -> list[SpellingError]:
    """Return the words that no memory, message or commit has, and what they are but for one letter.

    What something else was found by, such as a project, is no error: ``marked``. At most two, each
    at about 10 ms; the first letter counts as right.
    """
    found: list[SpellingError] = []
    starts = [fold(each) for each in marked]
    for word in question.words[:_LOOKED_AT]:
        if any(each.startswith(fold(word)) for each in starts):
            continue
        error = _error(tx, word)
        if error is not None:
            found.append(error)
        if len(found) == _MOST_CORRECTED:
            break
    return found


def corrected(question: AskedQuestion, errors: Collection[SpellingError]) -> AskedQuestion:
    """Return the question with what was meant."""
    meant = {each.word: each.meant for each in errors}
    text, last = question.text, question.words[-1]
    for word, other in meant.items():
        text = text.replace(word, other)
    return replace(
        question,
        text=text,
        words=tuple(meant.get(word, word) for word in question.words),
        start=meant.get(last, question.start) if question.start else "",
    )


def _error(tx: ReadTx, word: str) -> SpellingError | None:
    """Return what was meant by a word; None if it is no error, or like nothing."""
    asked = fold(word)
    if not (asked.isascii() and asked.isalpha() and _SHORTEST <= len(asked) <= _LONGEST):
        return None
    if any(count(tx, tx.index_terms(word)) for count in _COUNTED):
        return None
    variants = sorted({*_variants(asked)})
    kept = _most_frequent(tx, variants)
    if kept:
        return SpellingError(word, kept)
    if asked in ORDINARY_WORDS:
        return None
    ordinary = [each for each in variants if each in _ORDINARY]
    return SpellingError(word, ordinary[0], is_kept=False) if len(ordinary) == 1 else None


def _most_frequent(tx: ReadTx, variants: Sequence[str]) -> str:
    """Return the spelling that most of what is kept has; "" if nothing has any."""
    terms = dict(zip(variants, tx.index_terms(" ".join(variants)), strict=True))
    counts: dict[str, int] = {}
    for count in _COUNTED:
        for term, number in count(tx, {*terms.values()}).items():
            counts[term] = counts.get(term, 0) + number
    known = [each for each in variants if terms[each] in counts]
    # Of those with the same stem, a missing letter is likelier than a wrong or an additional one.
    return max(known, key=lambda each: (counts[terms[each]], len(each), each), default="")


def _variants(word: str) -> Iterator[str]:
    """Generate what is one edit away, with the same first letter: about 50 for each letter."""
    for at in range(1, len(word) + 1):
        before, after = word[:at], word[at:]
        yield from (before + letter + after for letter in _LETTERS)
        if after:
            yield before + after[1:]
            yield from (before + letter + after[1:] for letter in _LETTERS)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
