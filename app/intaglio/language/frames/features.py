"""What a comparison shows, in numbers: what the score of contradiction is fitted on; pure."""

from typing import Final

from intaglio.language.frames.comparison import Comparison, is_usual_together, weight
from intaglio.language.frames.lexicon import (
    is_group,
    is_word,
    light_terms,
    light_things,
)
from intaglio.language.frames.values import Frame

_MOST: Final = 4.0
_NEAR: Final = 2
_LONG: Final = 60.0
_MEASURES: Final = frozenset(
    {"time", "period", "time or period", "size", "share", "money", "clock", "hours", "length"}
)
_NEWER_MARKS: Final = (
    *("change", "ended", "instead", "rejects_next", "rejects_previous", "denies", "constraint"),
    *(
        "only",
        "exclusive",
        "additive",
        "past",
        "temporary",
        "continues",
        "soft_constraint",
        "moves",
    ),
)
_OLDER_MARKS: Final = (
    *("denies", "rejects_next", "past", "additive", "only", "exclusive"),
    *("soft_constraint", "temporary", "vague"),
)


def features(found: Comparison, *, asked: bool, constraint: bool) -> dict[str, float]:
    """Return what two statements have to do with each other, by name; most are 0 or 1.

    ``asked`` is whether the rules would ask, ``constraint`` whether the older is a constraint.
    """
    return {
        "asked": float(asked),
        "older constraint": float(constraint),
        **_of_words(found),
        **_of_values(found),
        **_of_left(found),
        **_of_marks(found),
    }


def _of_words(found: Comparison) -> dict[str, float]:
    newer, older = found.newer, found.older
    names = [term for term in found.shared if not is_group(term) and term not in light_terms()]
    verbs = newer.verbs.keys() & older.verbs.keys()
    lengths = sorted((len(newer.words), len(older.words)))
    return {
        "anchor": min(found.anchor, _MOST),
        "anchored": float(found.anchor >= 1),
        "shared names": min(float(len(names)), _MOST),
        "shared groups": min(float(len(found.shared) - len(names)), _MOST),
        "shared verbs": min(float(len(verbs)), _MOST),
        "share": weight(found.shared)
        / max(1.0, weight(found.shared) + found.weight_newer + found.weight_older),
        "heads": float(bool(_head(newer)) and _head(newer) == _head(older)),
        "head newer shared": float(_head(newer) in found.shared),
        "head older shared": float(_head(older) in found.shared),
        **_of_predicates(newer, older),
        "longer": lengths[1] / max(1, lengths[0]) - 1,
        "length": min(sum(lengths) / _LONG, 1.0),
        "cjk": float(any(len(term) == 1 and not term.isascii() for term in newer.terms)),
        "clauses": min(newer.clauses[-1] if newer.clauses else 0, _MOST) / _MOST,
    }


def _of_predicates(newer: Frame, older: Frame) -> dict[str, float]:
    one, other = newer.predicates, older.predicates
    return {
        "predicates shared": min(float(len(one & other)), _MOST),
        "same predicate": float(bool(one & other)),
        "other predicate": float(bool(one) and bool(other) and not one & other),
        "soft shared": min(float(len(newer.soft & older.soft)), _MOST),
    }


def _head(frame: Frame) -> str:
    starts = sorted((at, term) for term, at in frame.terms.items())
    return starts[0][1] if starts else ""


def _of_values(found: Comparison) -> dict[str, float]:
    sure = [each for each in found.conflicts if not (each.newer.modifies or each.older.modifies)]
    classes = {name for each in sure for name in each.classes}
    free = [each for each in found.conflicts if each not in sure]
    weak = any(each.newer.weak and each.older.weak for each in sure)
    return {
        "conflict": float(bool(sure)),
        "one conflict": float(found.given == 1 and bool(sure)),
        "many conflicts": float(found.given > 1),
        "modifying conflict": float(bool(free)),
        "weak conflict": float(weak),
        "usual together": float(bool(sure) and all(map(is_usual_together, sure))),
        "measure": float(bool(classes & _MEASURES)),
        "count": float(any(name.startswith("count ") for name in classes)),
        "number": float("number" in classes),
        "person": float("person" in classes),
        "version": float("version" in classes),
        "hit": float(bool(found.hits)),
        "name hit": float(bool(found.named_hits)),
        "term hit": float(bool(found.term_hits)),
        "returned": float(found.returned),
        "narrows": float(found.narrows),
        "equal": min(float(len(found.equal)), _MOST),
        "adds value": float(found.adds_value),
        "values newer": float(any(value.term in found.left_newer for value in found.newer.values)),
        "values older": float(any(value.term in found.left_older for value in found.older.values)),
    }


def _of_left(found: Comparison) -> dict[str, float]:
    newer, older = found.newer, found.older
    before_newer, scoped_newer = _narrowing(newer, found.left_newer, found.shared)
    before_older, scoped_older = _narrowing(older, found.left_older, found.shared)
    least, most = sorted((found.weight_newer, found.weight_older))
    things = light_things()
    return {
        "left newer": min(found.weight_newer, _MOST),
        "left older": min(found.weight_older, _MOST),
        "least left": min(least, _MOST),
        "most left": min(most, _MOST),
        "nothing left newer": float(not found.weight_newer),
        "nothing left older": float(not found.weight_older),
        "before shared newer": float(before_newer),
        "before shared older": float(before_older),
        "scope newer": float(scoped_newer or bool(found.left_newer & newer.scopes)),
        "scope older": float(scoped_older or bool(found.left_older & older.scopes)),
        "two things": float(bool(found.left_newer & things and found.left_older & things)),
        "contrast": float(found.contrast),
        "modified": float(found.modified),
        "do otherwise": float(found.do_otherwise),
        "places": float(newer.places != older.places),
        "conditional": float(newer.conditional),
        "older conditional": float(older.conditional),
    }


def _narrowing(frame: Frame, left: frozenset[str], shared: frozenset[str]) -> tuple[bool, bool]:
    """Return whether a word alone stands before what both share, and whether one is a scope."""
    starts = frame.starts
    common = {at for term, at in starts.items() if term in shared}
    alone = [starts[term] for term in left - light_terms() if term in starts]
    return (
        any(common & {at + 1, at + _NEAR} for at in alone),
        any(
            is_word("prepositions", word)
            for at in alone
            for word in frame.words[max(0, at - _NEAR) : at]
        ),
    )


def _of_marks(found: Comparison) -> dict[str, float]:
    newer, older = found.newer.marks, found.older.marks
    negative = frozenset({"rejects_next", "rejects_previous", "ended", "denies"})
    return {
        **{f"newer {mark}": float(mark in newer) for mark in _NEWER_MARKS},
        **{f"older {mark}": float(mark in older) for mark in _OLDER_MARKS},
        "one denies": float(bool(newer & negative) != bool(older & negative)),
    }
