"""A statement as a frame: its typed values, the terms of its subject, and its marks."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Value:
    """A value from token ``start`` to ``end``: for each class that it is of, its key there.

    ``term`` is what it is if it isn't taken for a value. It is ``weak`` if it is an ordinary word,
    ``modifies`` if it only describes the noun behind it, ``rejected`` if the statement says that it
    doesn't hold any more, and ``denied`` if it stands anywhere behind a "not". ``number`` is a
    number as written.
    """

    classes: Mapping[str, str]
    start: int
    end: int
    term: str
    weak: bool = False
    modifies: bool = False
    rejected: bool = False
    denied: bool = False
    version: str = ""
    number: float | None = None

    def has_key_of(self, other: "Value") -> bool:
        """Whether both are the same value of a class."""
        return any(other.classes.get(name) == key for name, key in self.classes.items())

    def classes_shared_with(self, other: "Value") -> frozenset[str]:
        """Return the classes that both are values of."""
        return frozenset(self.classes.keys() & other.classes.keys())


@dataclass(frozen=True, slots=True)
class Frame:
    """A statement as it is compared with others.

    ``words`` are its folded tokens, and ``clauses`` the number of the clause of each. ``terms`` are
    the words that tell its subject, each with its first token, ``starts`` those and the values and
    the words of compounds; ``soft`` are those that fit anything, and ``verbs`` those of them that
    may be a name in another place, each with its token. ``parts`` are, of a term that several words
    are, the terms of each word: what else "turn timer" says if only "turn" is shared; ``written``
    are the stems of the words that stand for a synonym. ``aside`` are the terms of reasons and of
    when something holds, ``universal`` those of what it holds for all of, and ``scopes`` those of
    what something is for. ``rejected`` are terms that it says no longer hold, one set each time,
    and ``outright`` those of them that were the choice before. ``marks`` are its roles of
    ``marks.txt``, ``past_clauses`` the clauses that tell how something was, ``places`` the
    environments that it names. It is ``conditional`` if it holds under a condition only.
    """

    words: tuple[str, ...]
    clauses: tuple[int, ...]
    values: tuple[Value, ...]
    terms: Mapping[str, int]
    starts: Mapping[str, int]
    soft: frozenset[str]
    verbs: Mapping[str, int]
    parts: Mapping[str, Mapping[str, int]]
    written: Mapping[str, str]
    aside: frozenset[str]
    universal: frozenset[str]
    past_clauses: frozenset[int]
    scopes: frozenset[str]
    rejected: tuple[frozenset[str], ...]
    outright: tuple[frozenset[str], ...]
    marks: frozenset[str]
    places: frozenset[str]
    conditional: bool
