"""Possessive repeats of groups that CPython before 3.11.5 matches wrongly (gh-106052).

There, a round that fails leaves the repeat at the place that the matcher recorded last, not at the
place where the round began: ``(?:ab?c)*+`` takes all of "aca". Characters record no place; all else
records where it is tried, and a greedy repeat where its end is tried. So a round is right only if
nothing in it can fail once a later place than its beginning may be recorded. An atomic group around
a greedy repeat, ``(?>(?:ab?c)*)``, means the same and is right everywhere.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

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
    parse,
)

# Few expressions have one, and parsing takes long.
_OF_A_GROUP: Final = re.compile(r"\)(?:[*+?]|\{[0-9,]{1,12}\})\+")


class _State(NamedTuple):
    """What a round has done: taken characters, recorded a later place, failed after that."""

    taken: bool = False
    recorded: bool = False
    wrong: bool = False


def wrong_repeats(pattern: str | bytes, flags: int) -> int:
    """Count the possessive repeats of an expression that old interpreters match wrongly."""
    text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
    if not _OF_A_GROUP.search(text):
        return 0
    return sum(
        _after(node.part, _State()).wrong
        for node in _nodes(parse(pattern, flags).root)
        if isinstance(node, Repeat) and node.possessive and not _is_letter(node.part)
    )


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    match node:
        case Sequence(parts) | Branch(parts):
            for part in parts:
                yield from _nodes(part)
        case Repeat(part=part) | Atomic(part) | Look(part=part):
            yield from _nodes(part)
        case _:
            pass


def _is_letter(node: Node) -> bool:
    match node:
        case Letters():
            return True
        case Sequence((only,)):
            return _is_letter(only)
        case _:
            return False


def _after(node: Node, state: _State) -> _State:  # noqa: PLR0911 - one for each kind
    """Return the state of a round after a node."""
    match node:
        case Letters() | Reference():
            return _State(taken=True, recorded=state.recorded, wrong=state.wrong or state.recorded)
        case Place():
            return state._replace(wrong=state.wrong or state.recorded)
        case Sequence(parts):
            for part in parts:
                state = _after(part, state)
            return state
        case Branch(parts):
            begun = state._replace(recorded=state.recorded or state.taken)
            ends = [_after(part, begun) for part in parts]
            return _State(*(any(of_one) for of_one in zip(*ends, strict=True)))
        case Repeat(part=part, fewest=fewest, possessive=possessive) if _is_letter(part):
            recorded = state.recorded or state.taken
            return _State(
                taken=True,
                recorded=recorded or not possessive,
                wrong=state.wrong or (fewest > 0 and recorded),
            )
        case Repeat(part=part, fewest=fewest):
            recorded = state.recorded or state.taken or fewest > 1
            inner = _after(part, state._replace(recorded=recorded))
            return _State(taken=True, recorded=True, wrong=inner.wrong if fewest else state.wrong)
        case Atomic(part):
            inner = _after(part, state._replace(recorded=state.recorded or state.taken))
            return inner._replace(recorded=True)
        case Look():
            # Whether it holds or not, it may leave the place where it has read to.
            return state._replace(recorded=True, wrong=True)
