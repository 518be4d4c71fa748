"""The automaton of a regular expression: a position for each character, and what may follow it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Final, NamedTuple, TypeAlias, assert_never

from structure.regexes.tree import (
    Atomic,
    Branch,
    Letters,
    Look,
    Node,
    Place,
    Reference,
    Repeat,
    Sequence,
    Tree,
)

# What each place of a text may cost: the bound of a repeat (a higher one counts as unbounded).
PLACE_BUDGET: Final = 1_024
SEARCH: Final = 0
"""The position that stands for what a search passes before the expression begins."""
_UNROLLED: Final = 8

End: TypeAlias = tuple[int, int, int]
"""A position at which a part begins or ends, and the letters that may be before and after it."""


class Edge(NamedTuple):
    """One character may follow another.

    What both have to be, the atomic groups that are left, and the loop that begins anew.
    """

    target: int
    before: int
    after: int
    left: int
    again: int = -1


class Loop(NamedTuple):
    """A repeat: its most rounds, none if it has no bound, its positions, and those it begins at."""

    rounds: int | None
    positions: frozenset[int]
    begins: frozenset[int]

    @property
    def is_short(self) -> bool:
        """Whether it costs a part of the budget at a place, and not the length of the text."""
        return self.rounds is not None and self.rounds <= PLACE_BUDGET


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an expression: how it is passed without a character, and its ends."""

    empty: frozenset[tuple[int, int]]
    first: tuple[End, ...] = ()
    last: tuple[End, ...] = ()


@dataclass(slots=True)
class Automaton:
    """The characters of one expression and what may follow what.

    ``sure`` are the letters that may follow each position so that the expression has matched;
    ``doubled`` the positions that lead to another in two ways.
    """

    every: int
    letters: list[int] = field(default_factory=list[int])
    edges: list[list[Edge]] = field(default_factory=list[list[Edge]])
    loops: list[Loop] = field(default_factory=list[Loop])
    atomic: list[int] = field(default_factory=list[int])
    doubled: list[int] = field(default_factory=list[int])
    sure: dict[int, int] = field(default_factory=dict[int, int])

    def add(self, letters: int) -> int:
        """Add a position of these letters."""
        self.letters.append(letters)
        self.edges.append([])
        self.atomic.append(0)
        return len(self.letters) - 1

    def link(self, ends: Iterable[End], starts: Iterable[End], again: int = -1) -> None:
        """Let each start follow each end."""
        begins = tuple(starts)
        for source, before, after in ends:
            for target, also_before, also_after in begins:
                behind = before & also_before & self.letters[source]
                ahead = after & also_after & self.letters[target]
                if behind and ahead:
                    self._edge(source, Edge(target, behind, ahead, self.atomic[source], again))

    def _edge(self, source: int, edge: Edge) -> None:
        if any(
            other.target == edge.target
            and other.after & edge.after
            and other.before & edge.before
            and other.left == edge.left
            for other in self.edges[source]
        ):
            self.doubled.append(source)
        self.edges[source].append(edge)


def automaton(tree: Tree) -> Automaton:
    """Build the automaton of an expression."""
    builder = _Builder(tree.letters, tree.every)
    made = builder.made
    whole = (made.add(tree.letters), tree.every, tree.every)
    made.edges[SEARCH].append(Edge(SEARCH, tree.letters, tree.letters, 0, 0))
    made.loops.append(Loop(None, frozenset({SEARCH}), frozenset({SEARCH})))
    part = builder.part(tree.root)
    made.link([whole], part.first)
    made.sure = _sure(made, part)
    return made


def _sure(made: Automaton, part: Part) -> dict[int, int]:
    ends = dict.fromkeys(range(1, len(made.letters)), 0)
    for position, before, after in part.last:
        if before & made.letters[position] == made.letters[position]:
            ends[position] |= after
    sure = dict.fromkeys(ends, made.every)
    while True:
        better = {
            at: ends[at]
            | union(
                edge.after
                for edge in made.edges[at]
                if sure.get(edge.target) == made.every and edge.before == made.letters[at]
            )
            for at in sure
        }
        if better == sure:
            return sure
        sure = better


@dataclass(slots=True)
class _Builder:
    letters: int
    every: int
    made: Automaton = field(init=False)
    groups: int = 0

    def __post_init__(self) -> None:
        self.made = Automaton(self.every)

    @property
    def nothing(self) -> Part:
        return Part(frozenset({(self.every, self.every)}))

    def part(self, node: Node) -> Part:  # noqa: PLR0911 - one for each kind
        """Add the positions of a node."""
        match node:
            case Letters(mask):
                return self._position(mask)
            case Sequence(parts):
                return self._sequence(parts)
            case Branch(parts):
                return _either([self.part(each) for each in parts])
            case Repeat():
                return self._repeat(node)
            case Atomic(inner):
                begin = len(self.made.letters)
                part = self.part(inner)
                self._close(begin)
                return part
            case Look():
                return self._look(node) if node.ahead else self._behind(node)
            case Place(sides):
                return Part(frozenset(sides))
            case Reference(longest):
                begin = len(self.made.letters)
                part = self._position(self.letters)
                self._loop(longest, begin, part)
                return Part(self.nothing.empty, part.first, part.last)
            case _:
                assert_never(node)

    def _position(self, letters: int) -> Part:
        whole = (self.made.add(letters), self.every, self.every)
        return Part(frozenset(), (whole,), (whole,))

    def _sequence(self, parts: Iterable[Node]) -> Part:
        found = self.nothing
        for node in parts:
            part = self.part(node)
            self.made.link(found.last, part.first)
            found = Part(
                frozenset((a & c, b & d) for (a, b), (c, d) in product(found.empty, part.empty)),
                found.first + _through(found.empty, part.first),
                part.last + _through(part.empty, found.last),
            )
        return found

    def _repeat(self, node: Repeat) -> Part:
        if node.fewest == node.most and node.fewest <= _UNROLLED:
            return self._sequence([node.part] * node.fewest)
        begin = len(self.made.letters)
        part = self.part(node.part)
        if node.most is None or node.most > 1:
            self._loop(node.most, begin, part)
        if node.fewest == 0:
            part = Part(part.empty | self.nothing.empty, part.first, part.last)
        if node.possessive:
            self._close(begin)
            part = self._greedy(node, part)
        return part

    def _greedy(self, node: Repeat, part: Part) -> Part:
        """A possessive repeat takes all it can, so what follows it is something else."""
        ends = {at for at, before, after in part.last if before == after == self.every}
        taken = union(
            self.made.letters[at]
            for at, before, after in part.first
            if before == after == self.every and at in ends
        )
        other = self.every & ~taken
        skipped = other if node.fewest == 0 else self.every
        long = node.most is None or node.most > PLACE_BUDGET
        behind = other if long else self.every
        return Part(
            frozenset((before, after & skipped) for before, after in part.empty),
            part.first,
            tuple((at, before, after & behind) for at, before, after in part.last),
        )

    def _loop(self, rounds: int | None, begin: int, part: Part) -> None:
        self.made.link(part.last, part.first, len(self.made.loops))
        positions = frozenset(range(begin, len(self.made.letters)))
        begins = frozenset(first for first, _, _ in part.first)
        self.made.loops.append(Loop(rounds, positions, begins))

    def _close(self, begin: int) -> None:
        group = 1 << self.groups
        self.groups += 1
        for position in range(begin, len(self.made.letters)):
            self.made.atomic[position] |= group

    def _look(self, node: Look) -> Part:
        """What is read ahead is a way that ends; its first character is known."""
        single = _one_letter(node.part)
        if single is not None:
            seen = single if node.wanted else self.every & ~single
            return Part(frozenset({(self.every, seen)}))
        part = self.part(node.part)
        if not node.wanted or part.empty:
            return Part(self.nothing.empty, part.first)
        seen = union(self.made.letters[at] & after for at, _, after in part.first)
        return Part(frozenset({(self.every, seen)}), part.first)

    def _behind(self, node: Look) -> Part:
        """What is read behind has a fixed length; its last character is known."""
        single = _one_letter(node.part)
        if single is not None:
            seen = single if node.wanted else self.every & ~single
            return Part(frozenset({(seen, self.every)}))
        if not node.wanted:
            return self.nothing
        aside = _Builder(self.letters, self.every)
        part = aside.part(node.part)
        seen = union(aside.made.letters[at] & before for at, before, _ in part.last)
        return Part(frozenset({(self.every if part.empty else seen, self.every)}))


def _one_letter(node: Node) -> int | None:
    """Return the letters of a part that is one character."""
    match node:
        case Letters(letters):
            return letters
        case Sequence((only,)):
            return _one_letter(only)
        case Branch(parts):
            found = [_one_letter(each) for each in parts]
            known = [each for each in found if each is not None]
            return union(known) if len(known) == len(found) else None
        case _:
            return None


def _either(parts: list[Part]) -> Part:
    return Part(
        frozenset(empty for part in parts for empty in part.empty),
        tuple(first for part in parts for first in part.first),
        tuple(last for part in parts for last in part.last),
    )


def _through(empty: Iterable[tuple[int, int]], ends: tuple[End, ...]) -> tuple[End, ...]:
    passed = tuple(empty)
    found = (
        (position, before & also_before, after & also_after)
        for position, before, after in ends
        for also_before, also_after in passed
    )
    return tuple(dict.fromkeys(found))


def union(masks: Iterable[int]) -> int:
    """Return the letters of all sets."""
    found = 0
    for each in masks:
        found |= each
    return found
