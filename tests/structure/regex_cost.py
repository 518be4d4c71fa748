"""How the time of a regular expression grows with a hostile text, read from its parse tree.

An expression becomes the automaton of its characters: one position per character that it names,
and an edge wherever one may follow another. Time grows faster than the text if a piece of text
can be repeated so that two *loops* share it: each loop goes around on the piece, and the first
leads to the second over it. There are then as many ways to divide the text between both as it
has pieces, and a text that doesn't match makes the matcher try them all. Loops are

- the search itself, which may begin at any character;
- every repeat (a bounded one counts with its bound);
- a reference to a group, which compares as many characters as the group has.

An atomic group or a possessive repeat is left in one way only, so a loop within it never leads to
one outside. One character of lookaround is understood exactly; of longer ones, what must be
there. What is not understood counts as passable, so an expression may be refused wrongly, but
hardly be accepted wrongly.
"""

# The parse tree is private to `re`; nothing public shows it.
import re._constants as op  # noqa: PLC2701
import re._parser as parser  # noqa: PLC2701
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from re import RegexFlag
from typing import Any, NamedTuple

# What each place of a text may cost: the bound of a repeat (a higher one counts as unbounded), and
# the product of those that share characters.
PLACE_BUDGET = 1_024
CHAIN_BUDGET = 4_096

_SAMPLES = "\u00a0\u2028\u200b\u3000\u0301éÉßſKжЖאب٣文かカ한ａＡ１ก\U0001f600"
_SEARCH = 0
_UNROLLED = 8
_FEW_ROUNDS = 8


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


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an expression: how it is passed without a character, and its ends."""

    empty: frozenset[tuple[int, int]]
    first: tuple[tuple[int, int, int], ...] = ()
    last: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Why an expression is slow: two loops that share a text, or too much at one place."""

    reason: str
    shared: str


@dataclass(slots=True)
class Automaton:
    """The characters of one expression and what may follow what."""

    alphabet: str
    letters: list[int] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    atomic: list[int] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    doubled: list[int] = field(default_factory=list)
    groups: int = 0

    @property
    def every(self) -> int:
        """All letters, and the end of the text, which no position has."""
        return (1 << len(self.alphabet) + 1) - 1

    @property
    def letter(self) -> int:
        return (1 << len(self.alphabet)) - 1

    def add(self, letters: int) -> int:
        self.letters.append(letters)
        self.edges.append([])
        self.atomic.append(0)
        self.closed.append(0)
        return len(self.letters) - 1

    def link(
        self,
        ends: Iterable[tuple[int, int, int]],
        starts: Iterable[tuple[int, int, int]],
        again: int = -1,
    ) -> None:
        begins = tuple(starts)
        for source, before, after in ends:
            for target, also_before, also_after in begins:
                behind = before & also_before & self.letters[source]
                ahead = after & also_after & self.letters[target]
                if behind and ahead:
                    self._edge(source, Edge(target, behind, ahead, self.closed[source], again))

    def _edge(self, source: int, edge: Edge) -> None:
        for other in self.edges[source]:
            if other.target == edge.target and other.after & edge.after:
                if other.before & edge.before and other.left == edge.left:
                    self.doubled.append(source)
        self.edges[source].append(edge)


class Builder:
    """Builds the automaton of an expression from its parse tree."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
        tree = parser.parse(text, flags)
        literals = {chr(code) for code in _codes(tree)}
        ascii_letters = {chr(code) for code in range(128)}
        self.automaton = Automaton("".join(sorted(ascii_letters | set(_SAMPLES) | literals)))
        self._every = self.automaton.every
        self._classes: dict[tuple[str, str, int], int] = {}
        self._widths: dict[int, int | None] = {}
        self._nothing = Part(frozenset({(self._every, self._every)}))
        self.automaton.add(self.automaton.letter)
        self.automaton.edges[_SEARCH].append(Edge(_SEARCH, self._every, self._every, 0, 0))
        self.automaton.loops.append(Loop(None, frozenset({_SEARCH}), frozenset({_SEARCH})))
        part = self._sequence(tree, flags | tree.state.flags)
        self.automaton.link([(_SEARCH, self._every, self._every)], part.first)
        self.accepting = self._accepting(part)

    def _accepting(self, part: Part) -> dict[int, int]:
        """For each position, the letters that may follow so that the expression has matched."""
        letters, edges = self.automaton.letters, self.automaton.edges
        ends = dict.fromkeys(range(1, len(letters)), 0)
        for position, before, after in part.last:
            if before & letters[position] == letters[position]:
                ends[position] |= after
        sure = dict.fromkeys(ends, self._every)
        while True:
            better = {
                at: ends[at]
                | sum_of(
                    edge.after
                    for edge in edges[at]
                    if sure.get(edge.target) == self._every and edge.before == letters[at]
                )
                for at in sure
            }
            if better == sure:
                return sure
            sure = better

    def _mask(self, test: Any) -> int:
        return sum(1 << i for i, char in enumerate(self.automaton.alphabet) if test(char))

    def _class(self, kind: Any, value: Any, flags: int) -> int | None:
        """What one node matches if it is a single character, as a set of letters."""
        if kind not in {op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN}:
            return None
        key = (str(kind), str(value), flags)
        if key not in self._classes:
            self._classes[key] = self._letters(kind, value, flags)
        return self._classes[key]

    def _letters(self, kind: Any, value: Any, flags: int) -> int:
        if kind is op.LITERAL:
            return self._mask(lambda char: _same(char, value, flags))
        if kind is op.NOT_LITERAL:
            return self.automaton.letter & ~self._mask(lambda char: _same(char, value, flags))
        if kind is op.ANY:
            return self._mask(lambda char: char != "\n" or flags & RegexFlag.DOTALL)
        found = self._mask(lambda char: any(_inside(char, item, flags) for item in value))
        return self.automaton.letter & ~found if value[0][0] is op.NEGATE else found

    def _sequence(self, nodes: Iterable[Any], flags: int) -> Part:
        part = self._nothing
        for kind, value in nodes:
            part = self._joined(part, self._node(kind, value, flags))
        return part

    def _joined(self, one: Part, two: Part) -> Part:
        self.automaton.link(one.last, two.first)
        return Part(
            frozenset((a & c, b & d) for (a, b), (c, d) in product(one.empty, two.empty)),
            one.first + _through(one.empty, two.first),
            two.last + _through(two.empty, one.last),
        )

    def _either(self, parts: list[Part]) -> Part:
        return Part(
            frozenset().union(*(part.empty for part in parts)),
            tuple(first for part in parts for first in part.first),
            tuple(last for part in parts for last in part.last),
        )

    def _node(self, kind: Any, value: Any, flags: int) -> Part:
        letters = self._class(kind, value, flags)
        if letters is not None:
            position = self.automaton.add(letters)
            whole = (position, self._every, self._every)
            return Part(frozenset(), (whole,), (whole,))
        if kind is op.SUBPATTERN:
            group, added, removed, inner = value
            widest = inner.getwidth()[1]
            self._widths[group] = int(widest) if widest < op.MAXREPEAT else None
            return self._sequence(inner, (flags | added) & ~removed)
        if kind is op.BRANCH:
            return self._either([self._sequence(inner, flags) for inner in value[1]])
        if kind in {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}:
            return self._repeat(kind, value, flags)
        if kind is op.ATOMIC_GROUP:
            begin = len(self.automaton.letters)
            part = self._sequence(value, flags)
            self._close(begin)
            return part
        if kind in {op.ASSERT, op.ASSERT_NOT}:
            return self._look(kind is op.ASSERT, value[0], value[1], flags)
        if kind is op.AT:
            return Part(frozenset(self._place(value, flags)))
        if kind is op.GROUPREF_EXISTS:
            _, yes, no = value
            branches = [self._sequence(yes, flags), self._sequence(no or (), flags)]
            return self._either(branches)
        if kind is op.GROUPREF:
            position = self.automaton.add(self.automaton.letter)
            whole = (position, self._every, self._every)
            self._loop(self._widths.get(value), position, Part(frozenset(), (whole,), (whole,)))
            return Part(self._nothing.empty, (whole,), (whole,))
        if kind is op.FAILURE:
            return Part(frozenset())
        raise NotImplementedError(str(kind))

    def _repeat(self, kind: Any, value: Any, flags: int) -> Part:
        fewest, most, inner = value
        if fewest == most and fewest <= _UNROLLED and len(inner) == 1:
            return self._sequence([*inner] * fewest, flags)
        begin = len(self.automaton.letters)
        part = self._sequence(inner, flags)
        if most is not op.MAXREPEAT and most <= 1:
            looped = part
        else:
            self._loop(None if most is op.MAXREPEAT else int(most), begin, part)
            looped = part
        passable = part.empty | (self._nothing.empty if fewest == 0 else frozenset())
        looped = Part(passable, looped.first, looped.last)
        if kind is op.POSSESSIVE_REPEAT:
            self._close(begin)
            # It took all it could, so what follows is something else.
            other = self._every & ~self._taken(part)
            long = most is op.MAXREPEAT or most > PLACE_BUDGET
            looped = Part(
                frozenset(
                    (before, after & other) if fewest == 0 else (before, after)
                    for before, after in looped.empty
                ),
                looped.first,
                tuple(
                    (at, before, after & other if long else after)
                    for at, before, after in looped.last
                ),
            )
        return looped

    def _taken(self, part: Part) -> int:
        """The letters of which one is a whole round of a repeat."""
        ends = {at for at, before, after in part.last if before == after == self._every}
        return sum_of(
            self.automaton.letters[at]
            for at, before, after in part.first
            if before == after == self._every and at in ends
        )

    def _loop(self, rounds: int | None, begin: int, part: Part) -> None:
        self.automaton.link(part.last, part.first, len(self.automaton.loops))
        positions = frozenset(range(begin, len(self.automaton.letters)))
        begins = frozenset(first for first, _, _ in part.first)
        self.automaton.loops.append(Loop(rounds, positions, begins))

    def _close(self, begin: int) -> None:
        group = 1 << self.automaton.groups
        self.automaton.groups += 1
        for position in range(begin, len(self.automaton.letters)):
            self.automaton.atomic[position] |= group
            self.automaton.closed[position] |= group

    def _look(self, wanted: bool, direction: int, inner: Any, flags: int) -> Part:
        """One character beside the place is known; what is read ahead is a way that ends."""
        single = self._class(*inner[0], flags) if len(inner) == 1 else None
        if single is None and len(inner) == 1 and inner[0][0] is op.BRANCH:
            found = [self._class(*branch[0], flags) for branch in inner[0][1][1] if len(branch) == 1]
            if len(found) == len(inner[0][1][1]) and None not in found:
                single = 0
                for one in found:
                    single |= one or 0
        if single is not None:
            seen = single if wanted else self._every & ~single
            before, after = (seen, self._every) if direction < 0 else (self._every, seen)
            return Part(frozenset({(before, after)}))
        if direction < 0:
            return self._behind(wanted, inner, flags)
        part = self._sequence(inner, flags)
        if not wanted:
            return Part(self._nothing.empty, part.first)
        ahead = 0
        for position, _, after in part.first:
            ahead |= self.automaton.letters[position] & after
        return Part(frozenset({(self._every, self._every if part.empty else ahead)}), part.first)

    def _behind(self, wanted: bool, inner: Any, flags: int) -> Part:
        if not wanted:
            return self._nothing
        count, loops = len(self.automaton.letters), len(self.automaton.loops)
        part = self._sequence(inner, flags)
        behind = 0
        for position, before, _ in part.last:
            behind |= self.automaton.letters[position] & before
        # They are looked at only, so they are no positions of the automaton.
        for position in range(count, len(self.automaton.letters)):
            self.automaton.edges[position].clear()
        del self.automaton.loops[loops:]
        return Part(frozenset({(self._every if part.empty else behind, self._every)}))

    def _place(self, value: Any, flags: int) -> Iterator[tuple[int, int]]:
        newline = self._mask(lambda char: char == "\n")
        end = self._every & ~self.automaton.letter
        word = self._mask(lambda char: _category(char, op.CATEGORY_WORD, flags))
        other = self._every & ~word
        if value is op.AT_BEGINNING and flags & RegexFlag.MULTILINE:
            yield newline, self._every
        elif value in {op.AT_BEGINNING, op.AT_BEGINNING_STRING}:
            yield 0, self._every
        elif value is op.AT_END:
            yield self._every, end | (newline if flags & RegexFlag.MULTILINE else 0)
        elif value is op.AT_END_STRING:
            yield self._every, end
        elif value is op.AT_BOUNDARY:
            yield word, other
            yield other, word
        else:
            yield word, word
            yield other, other


def _meeting(
    one: tuple[Edge, ...], two: tuple[Edge, ...]
) -> Iterator[tuple[Edge, Edge]]:
    """Yield the pairs of edges that share a letter; most edges have a letter of few."""
    by_letters: tuple[dict[int, list[Edge]], dict[int, list[Edge]]] = ({}, {})
    for edges, found in zip((one, two), by_letters, strict=True):
        for edge in edges:
            found.setdefault(edge.after, []).append(edge)
    for left, right in product(*by_letters):
        if left & right:
            yield from product(by_letters[0][left], by_letters[1][right])


def _returns(
    ahead: dict[tuple[int, int], set[tuple[int, int]]], state: tuple[int, int]
) -> bool:
    """Whether a walk from two positions leads through a single one back to both."""
    waiting, seen = [(state, False)], set[tuple[tuple[int, int], bool]]()
    while waiting:
        at, met = waiting.pop()
        for reached in ahead[at]:
            if reached == state and met:
                return True
            following = (reached, met or reached[0] == reached[1])
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return False


def sum_of(masks: Iterable[int]) -> int:
    """Return the letters of all sets."""
    found = 0
    for mask in masks:
        found |= mask
    return found


def _through(
    empty: Iterable[tuple[int, int]], ends: tuple[tuple[int, int, int], ...]
) -> tuple[tuple[int, int, int], ...]:
    found = {
        (position, before & also_before, after & also_after)
        for position, before, after in ends
        for also_before, also_after in empty
    }
    return tuple(found)


def _codes(tree: Any) -> Iterator[int]:
    for kind, value in tree:
        yield from _codes_of(kind, value)


def _codes_of(kind: Any, value: Any) -> Iterator[int]:
    if kind in {op.LITERAL, op.NOT_LITERAL}:
        yield value
    elif kind is op.RANGE:
        yield from value
    elif kind is op.IN:
        yield from _codes(value)
    elif kind is op.SUBPATTERN:
        yield from _codes(value[3])
    elif kind is op.BRANCH:
        for inner in value[1]:
            yield from _codes(inner)
    elif kind in {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}:
        yield from _codes(value[2])
    elif kind is op.ATOMIC_GROUP:
        yield from _codes(value)
    elif kind in {op.ASSERT, op.ASSERT_NOT}:
        yield from _codes(value[1])
    elif kind is op.GROUPREF_EXISTS:
        yield from _codes(value[1])
        yield from _codes(value[2] or ())


def _folds(char: str, flags: int) -> tuple[str, ...]:
    return (char, char.lower(), char.upper()) if flags & RegexFlag.IGNORECASE else (char,)


def _same(char: str, code: int, flags: int) -> bool:
    return chr(code) in _folds(char, flags) or (
        bool(flags & RegexFlag.IGNORECASE) and char.lower() == chr(code).lower()
    )


def _inside(char: str, item: Any, flags: int) -> bool:
    kind, value = item
    if kind is op.LITERAL:
        return _same(char, value, flags)
    if kind is op.RANGE:
        return any(len(c) == 1 and value[0] <= ord(c) <= value[1] for c in _folds(char, flags))
    return kind is op.CATEGORY and _category(char, value, flags)


def _category(char: str, category: Any, flags: int) -> bool:
    if flags & RegexFlag.ASCII and not char.isascii():
        return category in {
            op.CATEGORY_NOT_WORD,
            op.CATEGORY_NOT_DIGIT,
            op.CATEGORY_NOT_SPACE,
        }
    word = char.isalnum() or char == "_"
    return {
        op.CATEGORY_WORD: word,
        op.CATEGORY_NOT_WORD: not word,
        op.CATEGORY_DIGIT: char.isdecimal(),
        op.CATEGORY_NOT_DIGIT: not char.isdecimal(),
        op.CATEGORY_SPACE: char.isspace(),
        op.CATEGORY_NOT_SPACE: not char.isspace(),
    }[category]


@dataclass(slots=True)
class Checker:
    """Looks for loops of an automaton that share a text."""

    automaton: Automaton
    accepting: dict[int, int]
    searched: bool
    indexed: dict[int, tuple[tuple[int, list[Edge]], ...]] = field(default_factory=dict)
    walks: dict[tuple[Loop, int, bool], dict[int, tuple[Edge, ...]]] = field(
        default_factory=dict
    )

    def findings(self) -> Iterator[Finding]:
        loops = self.automaton.loops if self.searched else self.automaton.loops[1:]
        long = [loop for loop in loops if not _short(loop)]
        repeated = frozenset().union(*(loop.positions for loop in long)) - {_SEARCH}
        for source in self.automaton.doubled:
            if source in repeated:
                shown = self._shown(self.automaton.letters[source])
                yield Finding("a repeat within a repeat", shown)
        for first, second in product(long, long):
            shared = self._twice(first) if first == second else self._shared(first, second)
            if shared:
                kind = "search" if _SEARCH in first.positions else "repeat"
                yield Finding(f"a {kind} leads to a repeat of the same text", self._shown(shared))
        cost, shared = self._place_cost(loops)
        if cost > CHAIN_BUDGET:
            yield Finding(f"short repeats cost {cost} at a place", self._shown(shared))

    def _place_cost(self, loops: list[Loop]) -> tuple[int, int]:
        """The most that short repeats cost together, by the longest chain that shares a text."""
        short = [loop for loop in loops if _short(loop)]
        costs = [loop.rounds or 1 for loop in short]
        shared = 0
        for index, loop in enumerate(short):
            for before in range(index):
                if min(loop.rounds or 1, short[before].rounds or 1) < _FEW_ROUNDS:
                    continue
                found = self._shared(short[before], loop)
                if found and costs[before] * (loop.rounds or 1) > costs[index]:
                    costs[index] = costs[before] * (loop.rounds or 1)
                    shared = found
        return max(costs, default=0), shared

    def _shared(self, first: Loop, second: Loop) -> int:
        """The letters that both loops go around on while the first leads to the second."""
        # Each round passes a beginning, so the piece of text may as well begin there.
        for one in first.begins:
            for two in second.positions - {one}:
                found = self._meet(first, one, second, two)
                if found:
                    return found
        return 0

    def _by_letters(self, position: int) -> tuple[tuple[int, list[Edge]], ...]:
        """A position's edges by the letters that they take; many take the same."""
        if position not in self.indexed:
            found: dict[int, list[Edge]] = {}
            for edge in self.automaton.edges[position]:
                found.setdefault(edge.after, []).append(edge)
            self.indexed[position] = tuple(found.items())
        return self.indexed[position]

    def _is_long(self, edge: Edge) -> bool:
        return edge.again >= 0 and not _short(self.automaton.loops[edge.again])

    def _twice(self, loop: Loop) -> int:
        """The letters on which a loop can go around in two ways."""
        around = {at: tuple(self._taken(loop, at, unsure=True)) for at in loop.positions}
        ahead: dict[tuple[int, int], set[tuple[int, int]]] = {}
        waiting = [(begin, begin) for begin in loop.begins]
        while waiting:
            state = waiting.pop()
            if state in ahead:
                continue
            ahead[state] = {
                (a.target, b.target)
                for a, b in _meeting(around.get(state[0], ()), around.get(state[1], ()))
                # A possessive repeat goes on or ends, but never both.
                if (state[0] != state[1] or a.left == b.left) and a.before & b.before
            }
            waiting.extend(ahead[state])
        return sum_of(
            self.automaton.letters[state[0]] & self.automaton.letters[state[1]]
            for state in ahead
            if state[0] != state[1] and _returns(ahead, state)
        )

    def _meet(self, first: Loop, one: int, second: Loop, two: int) -> int:
        automaton = self.automaton
        begin = automaton.letters[one] & automaton.letters[two]
        around_one = self._around(first, one) if begin else {}
        # Where each round passes a place at which all is found, it is found.
        around_two = self._around(second, two, unsure=True) if around_one else {}
        if not around_two:
            return 0
        start = (one, one, two, False)
        seen: dict[tuple[int, int, int, bool], int] = {start: begin}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            behind = seen[state]
            ways = (
                (a, b, c)
                for a in around_one.get(state[0], ())
                for c in around_two.get(state[2], ())
                if a.after & c.after and a.before & c.before & behind
                for mask, edges in self._by_letters(state[1])
                if mask & a.after & c.after
                for b in edges
            )
            for a, b, c in ways:
                if b.left & automaton.atomic[one]:
                    continue
                if not behind & a.before & b.before & c.before:
                    continue
                letters = a.after & b.after & c.after
                if not letters:
                    continue
                # Only a round of a long repeat can go on without end.
                again = state[3] or _short(second) or self._is_long(c)
                if (a.target, b.target, c.target) == (one, two, two) and again:
                    if letters & begin:
                        return letters
                    continue
                reached = (a.target, b.target, c.target, again)
                known = seen.get(reached, 0)
                if letters & ~known:
                    seen[reached] = known | letters
                    waiting.append(reached)
        return 0

    def _around(
        self, loop: Loop, position: int, *, unsure: bool = False
    ) -> dict[int, tuple[Edge, ...]]:
        """The edges that a walk from a position of a loop back to it can take.

        A short loop around this one begins anew only a few times, so such a walk doesn't. If
        ``unsure``, it passes no place at which the expression has matched already.
        """
        known = self.walks.get((loop, position, unsure))
        if known is not None:
            return known
        edges: dict[int, list[Edge]] = {}
        backwards: dict[int, set[int]] = {}
        waiting = [position]
        while waiting:
            at = waiting.pop()
            if at in edges:
                continue
            edges[at] = self._taken(loop, at, unsure=unsure)
            for edge in edges[at]:
                backwards.setdefault(edge.target, set()).add(at)
                waiting.append(edge.target)
        behind = {position} if position in backwards else set()
        waiting = list(behind)
        while waiting:
            fresh = backwards.get(waiting.pop(), set()) - behind
            behind |= fresh
            waiting.extend(fresh)
        found = {
            at: tuple(edge for edge in edges[at] if edge.target in behind) for at in behind
        }
        self.walks[loop, position, unsure] = found
        return found

    def _taken(self, loop: Loop, at: int, *, unsure: bool = False) -> list[Edge]:
        """The edges of a position that stay within a loop."""
        loops = self.automaton.loops
        sure = self.accepting.get(at, 0) if unsure else 0
        return [
            edge._replace(after=edge.after & ~sure) if sure else edge
            for edge in self.automaton.edges[at]
            if edge.target in loop.positions
            and edge.after & ~sure
            and (edge.again < 0 or loops[edge.again].positions <= loop.positions)
        ]

    def _shown(self, letters: int) -> str:
        chars = [c for i, c in enumerate(self.automaton.alphabet) if letters >> i & 1]
        best = sorted(chars, key=lambda char: (not char.isprintable(), not char.isascii()))
        return "".join(best[:6])


def _short(loop: Loop) -> bool:
    return loop.rounds is not None and loop.rounds <= PLACE_BUDGET


@cache
def slow(
    pattern: str | bytes, flags: int, *, searched: bool = True, whole: bool = False
) -> tuple[Finding, ...]:
    """Say why an expression can take more than linear time; nothing if it can't.

    ``searched`` is whether it may begin anywhere in a text, ``whole`` whether it has to match all.
    """
    plain = flags & ~RegexFlag.UNICODE
    builder = Builder(pattern, plain if isinstance(pattern, str) else plain | RegexFlag.ASCII)
    checker = Checker(builder.automaton, {} if whole else builder.accepting, searched)
    return tuple(dict.fromkeys(checker.findings()))
