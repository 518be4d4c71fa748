"""How the time of a regular expression grows with a hostile text, read from its parse tree.

Time grows faster than the text if a piece of text can be repeated so that two *loops* of the
automaton share it: each goes around on the piece, and the first leads to the second over it. There
are then as many ways to divide the text between both as it has pieces, and a text that doesn't
match makes the matcher try them all. Loops are

- the search itself, which may begin at any character;
- every repeat (what a bounded one may cost is bounded);
- a reference to a group, which compares as many characters as the group has.

An atomic group or a possessive repeat is left in one way only, so a loop within it never leads to
one outside. One character of lookaround is understood exactly; of longer ones, what must be there.
What isn't understood counts as passable, so an expression may be refused wrongly, but hardly be
accepted wrongly.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Final

from structure.regexes.automaton import SEARCH, Automaton, Edge, Loop, automaton, union
from structure.regexes.tree import parse

# What short repeats that share characters may cost together at a place that rarely occurs.
_CHAIN_BUDGET: Final = 4_096
_FEW_ROUNDS: Final = 8
_SHOWN: Final = 6

_Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """Why an expression is slow, and some letters on which it is."""

    reason: str
    shared: str


@cache
def slow(
    pattern: str | bytes, flags: int, *, searched: bool = True, whole: bool = False
) -> tuple[Finding, ...]:
    """Say why an expression can take more than linear time; nothing if it can't.

    ``searched`` is whether it may begin anywhere in a text, ``whole`` whether it has to match all.
    """
    tree = parse(pattern, flags)
    made = automaton(tree)
    if whole:
        made.sure = {}
    loops = made.loops if searched else made.loops[1:]
    found = _Checker(made, loops).findings()
    return tuple(dict.fromkeys(Finding(why, _shown(tree.alphabet, on)) for why, on in found))


def _shown(alphabet: str, letters: int) -> str:
    chars = [char for at, char in enumerate(alphabet) if letters >> at & 1]
    best = sorted(chars, key=lambda char: (not char.isprintable(), not char.isascii()))
    return "".join(best[:_SHOWN])


@dataclass(slots=True)
class _Checker:
    """Looks for loops of an automaton that share a text."""

    made: Automaton
    loops: list[Loop]
    _walks: dict[tuple[Loop, int, bool], dict[int, tuple[Edge, ...]]] = field(
        default_factory=dict[tuple[Loop, int, bool], dict[int, tuple[Edge, ...]]]
    )
    _indexed: dict[int, tuple[tuple[int, list[Edge]], ...]] = field(
        default_factory=dict[int, tuple[tuple[int, list[Edge]], ...]]
    )

    def findings(self) -> Iterator[tuple[str, int]]:
        """Yield each reason with the letters that it is about."""
        long = [loop for loop in self.loops if not loop.is_short]
        repeated = {at for loop in long for at in loop.positions if at != SEARCH}
        for source in self.made.doubled:
            if source in repeated:
                yield "a repeat within a repeat", self.made.letters[source]
        for first, second in product(long, long):
            shared = self._twice(first) if first == second else self._shared(first, second)
            if shared:
                kind = "search" if SEARCH in first.positions else "repeat"
                yield f"a {kind} leads to a repeat of the same text", shared
        cost, shared = self._place_cost()
        if cost > _CHAIN_BUDGET:
            yield f"short repeats cost {cost} at a place", shared

    def _place_cost(self) -> tuple[int, int]:
        """Return the most that short repeats cost together, by the longest chain that shares."""
        short = [
            (loop, loop.rounds)
            for loop in self.loops
            if loop.is_short and loop.rounds is not None and loop.rounds >= _FEW_ROUNDS
        ]
        costs = [rounds for _, rounds in short]
        letters = 0
        for index, (loop, rounds) in enumerate(short):
            for before in range(index):
                shared = self._shared(short[before][0], loop)
                if shared and costs[before] * rounds > costs[index]:
                    costs[index] = costs[before] * rounds
                    letters = shared
        return max(costs, default=0), letters

    def _shared(self, first: Loop, second: Loop) -> int:
        """Return letters on which both loops go around while the first leads to the second."""
        # Each round passes a beginning, so the piece of text may as well begin there.
        for one in first.begins:
            for two in second.positions - {one}:
                found = self._meet(first, one, second, two)
                if found:
                    return found
        return 0

    def _meet(self, first: Loop, one: int, second: Loop, two: int) -> int:
        begin = self.made.letters[one] & self.made.letters[two]
        around_one = self._around(first, one) if begin else {}
        # Where each round passes a place at which all is found, it is found.
        around_two = self._around(second, two, unsure=True) if around_one else {}
        if not around_two:
            return 0
        start = (one, one, two, False)
        seen: dict[tuple[int, int, int, bool], int] = {start: begin}
        waiting: list[tuple[int, int, int, bool]] = [start]
        while waiting:
            state = waiting.pop()
            behind = seen[state]
            ways = (
                (a, b, c)
                for a in around_one.get(state[0], ())
                for c in around_two.get(state[2], ())
                if a.after & c.after and a.before & c.before & behind
                for letters, edges in self._by_letters(state[1])
                if letters & a.after & c.after
                for b in edges
            )
            for a, b, c in ways:
                if b.left & self.made.atomic[one] or not behind & a.before & b.before & c.before:
                    continue
                letters = a.after & b.after & c.after
                # Only a round of a long repeat can go on without end.
                again = state[3] or second.is_short or self._is_long(c)
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

    def _twice(self, loop: Loop) -> int:
        """Return letters on which a loop can go around in two ways."""
        around = {at: tuple(self._taken(loop, at, unsure=True)) for at in loop.positions}
        ahead: dict[_Pair, set[_Pair]] = {}
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
        return union(
            self.made.letters[one] & self.made.letters[two]
            for one, two in ahead
            if one != two and _returns(ahead, (one, two))
        )

    def _around(
        self, loop: Loop, position: int, *, unsure: bool = False
    ) -> dict[int, tuple[Edge, ...]]:
        """Return the edges that a walk from a position of a loop back to it can take."""
        known = self._walks.get((loop, position, unsure))
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
        behind: set[int] = {position} if position in backwards else set()
        waiting = list(behind)
        while waiting:
            fresh = backwards.get(waiting.pop(), set[int]()) - behind
            behind |= fresh
            waiting.extend(fresh)
        found = {at: tuple(edge for edge in edges[at] if edge.target in behind) for at in behind}
        self._walks[loop, position, unsure] = found
        return found

    def _taken(self, loop: Loop, at: int, *, unsure: bool) -> list[Edge]:
        """Return the edges of a position that stay within a loop.

        A short loop around it begins anew only a few times, so no walk without end does. If
        ``unsure``, only those that pass no place at which the expression has matched already.
        """
        sure = self.made.sure.get(at, 0) if unsure else 0
        return [
            edge._replace(after=edge.after & ~sure) if sure else edge
            for edge in self.made.edges[at]
            if edge.target in loop.positions
            and edge.after & ~sure
            and (edge.again < 0 or self.made.loops[edge.again].positions <= loop.positions)
        ]

    def _by_letters(self, position: int) -> tuple[tuple[int, list[Edge]], ...]:
        """Return a position's edges by the letters that they take; many take the same."""
        if position not in self._indexed:
            found: dict[int, list[Edge]] = {}
            for edge in self.made.edges[position]:
                found.setdefault(edge.after, []).append(edge)
            self._indexed[position] = tuple(found.items())
        return self._indexed[position]

    def _is_long(self, edge: Edge) -> bool:
        return edge.again >= 0 and not self.made.loops[edge.again].is_short


def _meeting(one: tuple[Edge, ...], two: tuple[Edge, ...]) -> Iterator[tuple[Edge, Edge]]:
    """Yield the pairs of edges that share a letter; most edges have one of few."""
    by_letters: tuple[dict[int, list[Edge]], dict[int, list[Edge]]] = ({}, {})
    for edges, found in zip((one, two), by_letters, strict=True):
        for edge in edges:
            found.setdefault(edge.after, []).append(edge)
    for left, right in product(*by_letters):
        if left & right:
            yield from product(by_letters[0][left], by_letters[1][right])


def _returns(ahead: dict[_Pair, set[_Pair]], state: _Pair) -> bool:
    """Tell whether a walk from two positions leads through a single one back to both."""
    waiting, seen = [(state, False)], set[tuple[_Pair, bool]]()
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
