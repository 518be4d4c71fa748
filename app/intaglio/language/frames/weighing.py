"""Weighs what rules find of two statements against what the cross-encoder finds; pure.

Rules know kinds of values and marks of change, the cross-encoder knows other words for them. Each
alone errs on what the other tells: decision record 0126.
"""

from typing import Final

from intaglio.domain.statement_pairs import StatementPair
from intaglio.language.detection import language_of
from intaglio.language.frames.comparison import Comparison
from intaglio.language.frames.decision import Verdict

# Probabilities, chosen on writers whom neither the rules nor the cross-encoder had seen.
_ASKS: Final = 0.65
_RETIRES: Final = 0.97
_CONFIRMS: Final = 0.3
_DENIES: Final = 0.1
# Of fewer words, together, it was fitted on too few pairs to doubt what rules find.
_ENOUGH_WORDS: Final = 16
# What is longer is a document; it was fitted on statements of a sentence.
_MOST_CHARS: Final = 400
_UNSETTLED: Final = frozenset({"tentative", "question"})
_BESIDE: Final = frozenset({"additive", "past", "temporary", "continues"})
_OUTRIGHT: Final = frozenset({"ended", "instead", "rejects_next", "rejects_previous"})
_REJECTS: Final = _OUTRIGHT | {"change"}


def can_read(pair: StatementPair) -> bool:
    """Whether the cross-encoder reads a pair better than rules: short texts in English."""
    return all(
        len(text) <= _MOST_CHARS and language_of(text) == "en" for text in (pair.older, pair.newer)
    )


def weigh(
    found: Comparison, verdict: Verdict | None, likely: float, *, older_is_constraint: bool
) -> Verdict | None:
    """Return what follows for the older statement.

    ``verdict`` is what rules alone decide, ``likely`` the probability (0 to 1) that both contradict
    each other.
    """
    marks = found.newer.marks
    if verdict == "replaces":
        # What says outright that something no longer holds takes effect at once.
        is_doubted = likely < _CONFIRMS and not marks & _OUTRIGHT and _may_doubt(found)
        return "uncertain" if is_doubted else "replaces"
    if marks & _UNSETTLED:
        return verdict
    if likely >= _ASKS:
        is_plain = bool(marks & _REJECTS) and not marks & _BESIDE
        is_sure = likely >= _RETIRES and is_plain and not older_is_constraint
        return "replaces" if is_sure else "uncertain"
    if verdict == "uncertain" and likely < _DENIES and not older_is_constraint:
        return "both_true" if _may_doubt(found) else verdict
    return verdict


def _may_doubt(found: Comparison) -> bool:
    """Whether it may doubt what rules find: not of a few words, nor of one that is exchanged."""
    newer, older = ({*frame.words} for frame in (found.newer, found.older))
    is_exchange = max(len(newer - older), len(older - newer)) <= 1
    return len(found.newer.words) + len(found.older.words) >= _ENOUGH_WORDS and not is_exchange
