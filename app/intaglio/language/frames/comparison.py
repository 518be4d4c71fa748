"""Compares the frames of a newer and an older statement; pure."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from intaglio.language.frames.lexicon import (
    contrasts,
    implied_nouns,
    is_role,
    light_terms,
    several_usual,
)
from intaglio.language.frames.values import Frame, Value

_MIN_CONTAINED: Final = 5
# A Chinese character is about half a word.
_CHARACTER: Final = 0.5
_EXACT: Final = ("count ", "time", "clock", "period", "size", "share", "money", "number", "version")


@dataclass(frozen=True, slots=True)
class Conflict:
    """A value of the newer statement, and another one of the older that has one of its classes."""

    newer: Value
    older: Value
    classes: frozenset[str]


@dataclass(frozen=True)
class Comparison:
    """What two statements share, and what each has alone.

    ``conflicts`` are values in the place of one another; ``hits`` are values of the older one that
    the newer says don't hold any more, ``equal`` those that both give. ``term_hits`` are terms of
    the older that the newer rejects. ``left_newer`` and ``left_older`` are terms, and values, that
    one has alone and that its values don't imply. ``returned`` is whether the newer gives what the
    older rejects.
    """

    newer: Frame
    older: Frame
    conflicts: tuple[Conflict, ...]
    hits: tuple[Value, ...]
    equal: tuple[Value, ...]
    term_hits: frozenset[str]
    returned: bool
    shared: frozenset[str]
    left_newer: frozenset[str]
    left_older: frozenset[str]
    contrast: bool

    @cached_property
    def weight_newer(self) -> float:
        """How much the newer says alone, in words."""
        return weight(self.left_newer - (light_terms() - self.newer.scopes))

    @cached_property
    def weight_older(self) -> float:
        """How much the older says alone, in words."""
        return weight(self.left_older - (light_terms() - self.older.scopes))

    @cached_property
    def adds_value(self) -> bool:
        """Whether the newer gives a value more than the older: "Postgres 16", "Postgres"."""
        return any(
            value.term in self.left_newer or f"version {value.version}" in self.left_newer
            for value in self.newer.values
            if not value.weak
        )

    @cached_property
    def anchor(self) -> float:
        """How much both say, in words."""
        return weight(self.shared)


def weight(terms: frozenset[str]) -> float:
    """Return how many words some terms are worth."""
    return sum(_CHARACTER if len(term) == 1 and not term.isascii() else 1.0 for term in terms)


def compare(newer: Frame, older: Frame) -> Comparison:
    """Compare the frames of two statements."""
    roles = _roles(newer) & _roles(older)
    conflicts: list[Conflict] = []
    hits: list[Value] = []
    equal: list[Value] = []
    matched_newer: set[int] = set()
    matched_older: set[int] = set()
    held = [value for value in older.values if not (value.rejected or value.denied)]
    for new in newer.values:
        for old in held:
            if _are_equal(new, old):
                matched_newer.add(new.start)
                matched_older.add(old.start)
                if not (new.rejected and old.version and not new.version):
                    (hits if new.rejected else equal).append(old)
    hits = [old for old in hits if not old.weak or conflicts_with_any(old, newer)]
    kept = {id(value) for value in equal}
    for new in newer.values:
        if new.rejected or new.denied or new.start in matched_newer:
            continue
        for old in held:
            if id(old) in kept:
                continue
            classes = _conflicting(new, old)
            if classes and (roles or classes != {"person"}):
                conflicts.append(Conflict(new, old, classes))
                matched_newer.add(new.start)
                matched_older.add(old.start)
    classes = frozenset(name for each in conflicts for name in each.classes) | frozenset(
        name for value in hits for name in value.classes
    )
    terms_newer = set(newer.terms) | _as_terms(newer, matched_newer)
    terms_older = set(older.terms) | _as_terms(older, matched_older)
    shared = terms_newer & terms_older
    pairs = _contained(terms_newer - shared, terms_older - shared)
    shared |= {old for _, old in pairs}
    left_newer = terms_newer - shared - {new for new, _ in pairs} - {""}
    left_older = terms_older - shared - {""}
    left_newer |= {
        f"version {new.version}"
        for new in newer.values
        if new.version and any(_are_equal(new, old) and not old.version for old in held)
    }
    left_newer -= _aside(newer, shared, matched_newer)
    left_older -= _aside(older, shared, matched_older)
    implied = frozenset(noun for name in classes for noun in implied_nouns().get(_base(name), ()))
    counted = frozenset(
        name.removeprefix("count ") for name in classes if name.startswith("count ")
    )
    contrast = _are_contrasted(
        (left_newer - implied) | newer.soft - older.soft,
        (left_older - implied) | older.soft - newer.soft,
    )
    gone = frozenset(term for found in older.rejected for term in found)
    term_hits = (
        frozenset(term for found in newer.rejected if found <= terms_older for term in found) - gone
    )
    return Comparison(
        newer=newer,
        older=older,
        conflicts=tuple(conflicts),
        hits=tuple(hits),
        equal=tuple(equal),
        term_hits=term_hits,
        returned=any(
            _are_equal(new, old)
            for old in older.values
            for new in newer.values
            if (old.rejected or old.denied) and not (new.rejected or new.denied)
        ),
        shared=frozenset(shared - {""})
        | frozenset(value.term for value in equal if value.term)
        | frozenset(each.older.term for each in conflicts if "version" in each.classes),
        left_newer=frozenset(left_newer) - implied - counted,
        left_older=frozenset(left_older) - implied - counted,
        contrast=contrast,
    )


def _aside(frame: Frame, shared: set[str], matched: set[int]) -> set[str]:
    """Return the terms of the clauses at the end that say nothing of what both are about."""
    starts = frame.starts()
    touching = {frame.clauses[at] for term, at in starts.items() if term in shared}
    touching |= {frame.clauses[at] for at in matched}
    if not touching:
        return set()
    last = max(touching)
    return {term for term, at in starts.items() if frame.clauses[at] > last}


def _roles(frame: Frame) -> frozenset[str]:
    return frozenset(term for term in frame.terms if is_role(term))


def _base(name: str) -> str:
    return "time" if name == "time or period" else name


def _are_equal(new: Value, old: Value) -> bool:
    if new.number is not None and new.number == old.number and _is_bare(new) != _is_bare(old):
        return True
    if not new.has_key_of(old):
        return False
    return not (new.version and old.version and new.version != old.version)


def conflicts_with_any(old: Value, newer: Frame) -> bool:
    """Whether the newer gives another value of a class, which bears out an ordinary word."""
    return any(_conflicting(new, old) and not new.rejected for new in newer.values)


def _is_bare(value: Value) -> bool:
    return "number" in value.classes


def _conflicting(new: Value, old: Value) -> frozenset[str]:
    """Return the classes in which two values exclude each other."""
    shared = new.classes_shared_with(old)
    if not shared:
        return frozenset()
    if new.has_key_of(old):
        return frozenset({"version"}) if new.version and old.version != new.version else frozenset()
    return shared


def _as_terms(frame: Frame, matched: set[int]) -> set[str]:
    return {value.term for value in frame.values if value.start not in matched and value.term}


def _contained(newer: set[str], older: set[str]) -> list[tuple[str, str]]:
    """Return the terms of which one is a part of a compound: "rechnung", "rechnungsnummer"."""
    return [
        (new, old)
        for new in newer
        for old in older
        if min(len(new), len(old)) >= _MIN_CONTAINED and (new in old or old in new)
    ]


def _are_contrasted(newer: frozenset[str] | set[str], older: frozenset[str] | set[str]) -> bool:
    groups = contrasts()
    other = {number for term in older for number in groups.get(term, ())}
    return any(number in other for term in newer for number in groups.get(term, ()))


def is_usual_together(conflict: Conflict) -> bool:
    """Whether several values of its classes are usual at once: languages, browsers."""
    return conflict.classes <= several_usual()
