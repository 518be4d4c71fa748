"""Compares the frames of a newer and an older statement; pure."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from intaglio.language.frames.lexicon import (
    base_form,
    contrasts,
    derived_endings,
    implied_nouns,
    is_group,
    is_part,
    is_role,
    is_word,
    light_terms,
    one_of_a_project,
    several_usual,
    tool_classes,
)
from intaglio.language.frames.values import Frame, Value

_MIN_CONTAINED: Final = 5
# A Chinese character is about half a word.
_CHARACTER: Final = 0.5
_PERSON: Final = frozenset({"person"})
_MEASURED: Final = frozenset({"clock", "time", "period", "time or period", "size"})
_ABOUT: Final = 0.07
_SEVERAL: Final = 2
_TAIL: Final = 3
_NEAR: Final = 2
_PARTICIPLES: Final = ("ed", "en", "ing")
_HALF_DAYS: Final = frozenset({720.0, 1_440.0})


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
    the older that the newer rejects, ``named_hits`` those that are no common word and were the
    choice before. ``left_newer`` and ``left_older`` are terms, and values, that one has alone and
    that its values don't imply; ``implied_newer`` what the newer says of what they imply;
    ``incidental_newer`` and ``incidental_older`` what else each has alone that doesn't tell which
    thing is meant. ``returned`` is whether the newer gives what the older rejects, ``modified``
    whether a form of a verb describes what both share in each ("the landing page", "the launch
    page"), and ``described`` whether one does in either.
    """

    newer: Frame
    older: Frame
    conflicts: tuple[Conflict, ...]
    hits: tuple[Value, ...]
    equal: tuple[Value, ...]
    term_hits: frozenset[str]
    named_hits: frozenset[str]
    returned: bool
    shared: frozenset[str]
    left_newer: frozenset[str]
    left_older: frozenset[str]
    implied_newer: frozenset[str]
    incidental_newer: frozenset[str]
    incidental_older: frozenset[str]
    contrast: bool
    modified: bool
    described: bool

    @cached_property
    def weight_newer(self) -> float:
        """How much the newer says alone, in words."""
        return weight(self.left_newer - (light_terms() - self.newer.scopes))

    @cached_property
    def weight_older(self) -> float:
        """How much the older says alone, in words."""
        return weight(self.left_older - (light_terms() - self.older.scopes))

    @cached_property
    def do_otherwise(self) -> bool:
        """Whether each has a verb or a quality that the other lacks: "omit", "provide"."""
        newer, older = self.newer.verbs.keys(), self.older.verbs.keys()
        return bool(newer - older - self.older.soft) and bool(older - newer - self.newer.soft)

    @cached_property
    def given(self) -> int:
        """How many different values the newer gives in the place of others."""
        return len({frozenset(each.newer.classes.items()) for each in self.conflicts})

    @cached_property
    def given_of_a_kind(self) -> int:
        """How many different values of one kind the newer gives in the place of others."""
        kinds: dict[str, set[frozenset[tuple[str, str]]]] = {}
        for each in self.conflicts:
            for name in each.classes:
                kinds.setdefault(name, set()).add(frozenset(each.newer.classes.items()))
        return max(map(len, kinds.values()), default=0)

    @cached_property
    def narrows(self) -> bool:
        """Whether the newer says that only one of several values of the older holds."""
        if "only" not in self.newer.marks:
            return False
        kept = {id(value) for value in self.equal}
        return any(
            one.classes_shared_with(other)
            for one in self.equal
            for other in self.older.values
            if id(other) not in kept and not (other.rejected or other.weak)
        )

    @cached_property
    def chooses(self) -> bool:
        """Whether the newer alone says which of several ways: "a manual toggle", "its own"."""
        return any(
            value.term in self.left_newer and value.number is None and not value.version
            for value in self.newer.values
        )

    @cached_property
    def adds_value(self) -> bool:
        """Whether the newer gives a value more than the older: "Postgres 16", "Postgres"."""
        return any(
            value.term in self.left_newer or f"version {value.version}" in self.left_newer
            for value in self.newer.values
            if not value.weak
        )

    @cached_property
    def anchors(self) -> bool:
        """Whether both name the same thing for certain: one that isn't like many others."""
        classes = {name for each in self.conflicts for name in each.classes}
        if self.shared - light_terms() or classes & one_of_a_project():
            return True
        few = len(self.left_newer) < _SEVERAL and len(self.left_older) < _SEVERAL
        return len(self.shared) >= _SEVERAL or few

    @cached_property
    def anchor(self) -> float:
        """How much both say, in words; two linters are about the same thing without any."""
        classes = frozenset(name for each in self.conflicts for name in each.classes)
        return weight(self.shared) or float(bool(classes & one_of_a_project()))


def weight(terms: frozenset[str]) -> float:
    """Return how many words some terms are worth."""
    return sum(_CHARACTER if len(term) == 1 and not term.isascii() else 1.0 for term in terms)


def compare(newer: Frame, older: Frame) -> Comparison:
    """Compare the frames of two statements."""
    values = _Matching(newer, older)
    values.match()
    terms_newer = _as_terms(newer, values.matched_newer) | newer.terms.keys()
    terms_older = _as_terms(older, values.matched_older) | older.terms.keys()
    compounds_newer = _take_apart(newer, terms_newer, terms_older)
    compounds_older = _take_apart(older, terms_older, terms_newer)
    shared = terms_newer & terms_older
    shared |= (newer.aside & terms_older) | (older.aside & terms_newer)
    pairs = _of_one_origin(newer, older, terms_newer, terms_older)
    shared |= {old for _, old in pairs}
    left_newer = (terms_newer | values.added_versions()) - shared - {new for new, _ in pairs}
    left_older = terms_older - shared
    left_newer -= _aside(newer, shared, values.matched_newer) | {""} | _people(older)
    left_older -= _aside(older, shared, values.matched_older) | {""}
    implied = values.implied()
    contrast = _are_contrasted(
        compounds_newer | (left_newer - implied) | (newer.soft - older.soft),
        compounds_older | (left_older - implied) | (older.soft - newer.soft),
    )
    incidental_newer = _incidental(newer, left_newer - implied, values, shared)
    incidental_older = _incidental(older, left_older - implied, values, shared)
    gone = frozenset(term for found in older.rejected for term in found)
    rejected, outright = (
        frozenset(term for found in zones if found <= terms_older for term in found) - gone
        for zones in (newer.rejected, newer.outright)
    )
    return Comparison(
        newer=newer,
        older=older,
        conflicts=tuple(values.conflicts),
        hits=tuple(values.hits),
        equal=tuple(values.equal),
        term_hits=rejected,
        named_hits=frozenset(
            term
            for term in outright
            if not (is_group(term) and not _is_choice(older, term)) and not _is_label(older, term)
        ),
        returned=values.returned(),
        shared=frozenset(shared - {""}) | values.shared_terms(),
        left_newer=frozenset(left_newer) - implied - incidental_newer,
        left_older=frozenset(left_older) - implied - incidental_older,
        implied_newer=frozenset(left_newer) & implied,
        incidental_newer=incidental_newer,
        incidental_older=incidental_older,
        contrast=contrast,
        modified=_are_modified(newer, older, shared),
        described=_is_described(newer, older, shared) or _is_described(older, newer, shared),
    )


@dataclass(slots=True)
class _Matching:
    """Which values of two statements are equal, exclude each other, or are rejected."""

    newer: Frame
    older: Frame
    conflicts: list[Conflict] = field(default_factory=list[Conflict])
    hits: list[Value] = field(default_factory=list[Value])
    equal: list[Value] = field(default_factory=list[Value])
    matched_newer: set[int] = field(default_factory=set[int])
    matched_older: set[int] = field(default_factory=set[int])

    def match(self) -> None:
        for new in self.newer.values:
            for old in filter(_holds, self.older.values):
                if _are_equal(new, old):
                    self._add_equal(new, old)
        equal = {value.start for value in self.equal}
        matched = frozenset(self.matched_newer)
        for new in filter(_holds, self.newer.values):
            for old in filter(_holds, self.older.values):
                if new.start not in matched and old.start not in equal:
                    self._add_conflict(new, old)
        self._find_outdated()
        # An ordinary word is a value only beside another one.
        named = "instead" in self.newer.marks
        self.hits = [
            old
            for old in self.hits
            if (named and old.term) or not old.weak or self._is_borne_out(old)
        ]

    def _find_outdated(self) -> None:
        """Take for rejected what a change repeats before it gives another value of its kind.

        "Turns out 30 minutes annoyed everybody, sessions live 4 hours."
        """
        if "change" not in self.newer.marks or len(self.equal) != 1 or self.hits:
            return
        [old] = self.equal
        clauses, past = self.newer.clauses, self.newer.past_clauses
        kept = next(each for each in self.newer.values if _holds(each) and _are_equal(each, old))
        for new in filter(_holds, self.newer.values):
            classes = _conflicting(new, old)
            later = new.start > kept.start or clauses[kept.start] in past
            if (
                classes
                and later
                and (clauses[new.start] != clauses[kept.start] or self._hands_over(new, kept))
                and not (new.weak or new.start in self.matched_newer)
            ):
                self.hits.append(old)
                self.equal.clear()
                self.conflicts.append(Conflict(new, old, classes))
                self._mark(new, old)
                return

    def _hands_over(self, new: Value, kept: Value) -> bool:
        people = "person" in new.classes and "person" in kept.classes
        return people and self.newer.marks >= {"moves", "to"} and new.start > kept.start

    def _add_equal(self, new: Value, old: Value) -> None:
        self._mark(new, old)
        if new.rejected and new.version == old.version:
            self.hits.append(old)
        elif _holds(new):
            self.equal.append(old)

    def _add_conflict(self, new: Value, old: Value) -> None:
        classes = _conflicting(new, old)
        if classes and (classes != _PERSON or _roles(self.newer) & _roles(self.older)):
            self.conflicts.append(Conflict(new, old, classes))
            self._mark(new, old)

    def _mark(self, new: Value, old: Value) -> None:
        self.matched_newer.add(new.start)
        self.matched_older.add(old.start)

    def _is_borne_out(self, old: Value) -> bool:
        return any(_conflicting(new, old) and not new.rejected for new in self.newer.values)

    def added_versions(self) -> set[str]:
        """Return the versions that the newer adds to what the older names without one."""
        return {
            f"version {new.version}"
            for new in self.newer.values
            for old in filter(_holds, self.older.values)
            if new.version and not old.version and _are_equal(new, old)
        }

    def implied(self) -> frozenset[str]:
        """Return the nouns that the conflicting values imply, and what they count."""
        classes = {name for each in self.conflicts for name in each.classes}
        classes |= {name for value in self.hits for name in value.classes}
        nouns = {noun for name in classes for noun in implied_nouns().get(_base(name), ())}
        return frozenset(nouns | {name.removeprefix("count ") for name in classes})

    def returned(self) -> bool:
        """Whether the newer gives what the older rejects."""
        return any(
            _are_equal(new, old)
            for old in self.older.values
            if not _holds(old)
            for new in filter(_holds, self.newer.values)
        )

    def shared_terms(self) -> frozenset[str]:
        """Return the terms of the values that both give; of a version, of what it is one."""
        versions = (each.older.term for each in self.conflicts if "version" in each.classes)
        return frozenset({*(value.term for value in self.equal), *versions} - {""})


def _holds(value: Value) -> bool:
    return not (value.rejected or value.denied)


def _are_modified(newer: Frame, older: Frame, shared: set[str]) -> bool:
    return all(
        any(
            frame.terms.get(term, -1) - at == 1
            for verb, at in frame.verbs.items()
            if verb not in other.verbs
            for term in shared
        )
        for frame, other in ((newer, older), (older, newer))
    )


def _people(frame: Frame) -> set[str]:
    """Return the terms of its people, for where they aren't known for people."""
    return {base_form(value.term) for value in frame.values if "person" in value.classes}


def _is_label(older: Frame, term: str) -> bool:
    """Whether it only tells which of several: "rack 2"."""
    number = term.rpartition(" ")[2]
    labelled = any(other.startswith(f"{term} ") for other in older.terms)
    return labelled or (number != term and (number.isdigit() or len(number) == 1))


def _is_choice(older: Frame, term: str) -> bool:
    """Whether it stands behind a preposition, where choices do: "in the repository"."""
    at = older.terms.get(term, 0)
    return any(is_word("prepositions", word) for word in older.words[max(0, at - _NEAR) : at])


def _is_described(frame: Frame, other: Frame, shared: set[str]) -> bool:
    """Whether a participle before what both share tells which is meant: "rotated backups"."""
    starts = {at for term, at in frame.terms.items() if term in shared}
    return any(
        at + 1 in starts
        and frame.words[at].endswith(_PARTICIPLES)
        and verb not in other.verbs
        and not (at and is_word("before_ing", frame.words[at - 1]))
        for verb, at in frame.verbs.items()
    )


def _incidental(
    frame: Frame, left: set[str] | frozenset[str], values: "_Matching", shared: set[str]
) -> frozenset[str]:
    """Return what of what is left doesn't tell which thing is meant.

    What it holds for all of, how, and the tool that what both share is usually done with.
    """
    if not left:
        return frozenset()
    is_newer = frame is values.newer
    found = left & frame.universal
    ends = [(each.newer if is_newer else each.older).end for each in values.conflicts]
    if ends and not values.hits:
        end = min(ends)
        late = {term for term in left if frame.terms.get(term, -1) >= end}
        found |= {term for term in late if _is_in_tail(frame, frame.terms[term], end)}
    tools = [value for value in frame.values if value.term in left]
    if tools:
        other = values.older if is_newer else values.newer
        kinds = {name for each in other.values for name in each.classes}
        common = {at for term, at in frame.starts.items() if term in shared}
        found |= {
            value.term
            for value in tools
            if value.end not in common and not value.classes.keys() & kinds
            if any(
                shared & implied_nouns().get(name, frozenset())
                for name in value.classes.keys() & tool_classes()
            )
        }
    return frozenset(found)


def _is_in_tail(frame: Frame, at: int, end: int) -> bool:
    """Whether the nearest preposition behind a value says how: "at nine after the standup"."""
    for word in reversed(frame.words[max(end, at - _TAIL) : at]):
        if is_word("tail_prepositions", word):
            return True
        if is_word("prepositions", word):
            return False
    return False


def _aside(frame: Frame, shared: set[str], matched: set[int]) -> set[str]:
    """Return the terms of the clauses at the end that say nothing of what both are about."""
    starts = frame.starts
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
    if not any(_same_key(name, new, old) for name in new.classes_shared_with(old)):
        return False
    return not (new.version and old.version and new.version != old.version)


def _same_key(name: str, new: Value, old: Value) -> bool:
    one, other = new.classes[name], old.classes[name]
    if one == other or name not in _MEASURED or not (new.number and old.number):
        return one == other
    apart = abs(float(one) - float(other))
    if name == "clock":
        # "Six in the evening" and 18:00.
        return apart in _HALF_DAYS
    # A year and twelve months, 1 GB and 1,024 MB: in other units, about the same is the same.
    units = float(one) / new.number, float(other) / old.number
    return units[0] != units[1] and apart <= _ABOUT * max(float(one), float(other))


def _is_bare(value: Value) -> bool:
    return "number" in value.classes


def _conflicting(new: Value, old: Value) -> frozenset[str]:
    """Return the classes in which two values exclude each other."""
    shared = new.classes_shared_with(old)
    if not shared:
        return frozenset()
    if any(_same_key(name, new, old) for name in shared):
        return frozenset({"version"}) if new.version and old.version != new.version else frozenset()
    if any(is_part(new.classes[name], old.classes[name]) for name in shared):
        return frozenset()
    if not (new.term or old.term) and shared <= tool_classes():
        # "Make" and "please" are tools, too.
        return frozenset()
    return shared


def _as_terms(frame: Frame, matched: set[int]) -> set[str]:
    return {value.term for value in frame.values if value.start not in matched and value.term}


def _take_apart(frame: Frame, terms: set[str], others: set[str]) -> set[str]:
    """Put the words of a compound in its place, if the others lack it; return the compounds."""
    found = frame.parts.keys() & terms - others
    terms -= found
    for term in found:
        terms.update(frame.parts[term])
    return found


def _of_one_origin(
    one: Frame, other: Frame, newer: set[str], older: set[str]
) -> list[tuple[str, str]]:
    """Return the terms of which one is a part of a compound, or that come from one word.

    "Rechnung" and "rechnungsnummer", "detector" and "detection".
    """
    shared = newer & older
    return [
        (new, old)
        for new in newer - shared
        for old in older - shared
        if _are_of_one_origin(new, old)
        or _are_of_one_origin(one.written.get(new, new), other.written.get(old, old))
    ]


def _are_of_one_origin(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if long.endswith(short) and is_word("opposite_prefixes", long.removesuffix(short)):
        return False
    return (
        min(len(one), len(other)) >= _MIN_CONTAINED
        and (one + other).isalpha()
        and (one in other or other in one or _derived(one, other))
    )


def _derived(one: str, other: str) -> bool:
    common = 0
    while common < min(len(one), len(other)) and one[common] == other[common]:
        common += 1
    return common >= _MIN_CONTAINED and {one[common:], other[common:]} <= derived_endings()


def _are_contrasted(newer: frozenset[str] | set[str], older: frozenset[str] | set[str]) -> bool:
    groups = contrasts()
    other = {number for term in older for number in groups.get(term, ())}
    return any(number in other for term in newer for number in groups.get(term, ()))


def is_usual_together(conflict: Conflict) -> bool:
    """Whether several values of its classes are usual at once: languages, browsers."""
    return conflict.classes <= several_usual()
