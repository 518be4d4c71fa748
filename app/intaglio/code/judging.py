"""Judges what became of a memory's place in a working tree; reads files, never waits."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

from intaglio.code.definitions import lines_defining
from intaglio.code.place_lines import block, share_left
from intaglio.code.values import (
    GONE_STATES,
    STATES,
    FoundState,
    MemoryPlace,
    PlaceMark,
    PlaceState,
)
from intaglio.code.working_tree import Absent, FileStat, Unknown, WorkingTree

_CHANGED_BELOW: Final = 0.5
_LEAST_PLACES: Final = 2
_WORD: Final = re.compile(r"[\w$]{1,200}+")
_SEPARATORS: Final = re.compile(r"::|->|[.#]")

MARKS: Final[Mapping[PlaceState, str]] = {
    "moved": "file renamed since",
    "changed": "code changed since",
    "symbol_gone": "symbol gone since",
    "gone": "file gone since",
}
"""What is said of a memory's place, behind its line."""


def judge(place: MemoryPlace, tree: WorkingTree) -> FoundState:
    """Return what became of a place; what can't be read is as it was.

    A file that is as it was when its state was found isn't read.
    """
    found = _judge_at(place, place.path, tree)
    if place.now_path and found.state in GONE_STATES:
        renamed = _judge_at(place, place.now_path, tree)
        if renamed.state == "there" and place.by_path:
            renamed = replace(renamed, state="moved")
        if renamed.state != "gone":
            return renamed
    if found.state == "gone" and not place.by_path:
        # Nobody spoke of the file.
        return replace(found, state="symbol_gone")
    return found


def _judge_at(place: MemoryPlace, path: str, tree: WorkingTree) -> FoundState:
    found = tree.stat(path)
    as_known = place.known_state
    match found:
        case Absent():
            return as_known if tree.is_sparse() else FoundState("gone", place.now_path)
        case FileStat(size, changed_ns) if (size, changed_ns) == (place.size, place.changed_ns):
            if path == place.current_path:
                return as_known
        case FileStat():
            pass
        case Unknown():
            return as_known
    content = tree.read(path)
    if not isinstance(content, bytes):
        return as_known
    lines = content.decode("utf-8", "replace").split("\n")
    state = _state(place, path, lines)
    return FoundState(state, place.now_path, found.size, found.changed_ns)


def _state(place: MemoryPlace, path: str, lines: Sequence[str]) -> PlaceState:
    if not place.symbol:
        return "there" if share_left(place.lines, lines) >= _CHANGED_BELOW else "changed"
    name = last_part(place.symbol)
    defined = lines_defining(path, lines, name)
    if not defined:
        # What still names it may define it in a way that isn't known here.
        is_named = any(name in each and name in _WORD.findall(each) for each in lines)
        return "changed" if is_named else "symbol_gone"
    left = max(share_left(place.lines, block(lines, each)) for each in defined)
    return "there" if left >= _CHANGED_BELOW else "changed"


def last_part(symbol: str) -> str:
    """Return the last part of a qualified name."""
    return _SEPARATORS.split(symbol)[-1]


class _Stated(Protocol):
    """What has a state and a present path: a place on record, or what was found now."""

    @property
    def state(self) -> PlaceState:
        """What became of it."""
        ...

    @property
    def now_path(self) -> str:
        """Where it is now."""
        ...


def mark_of(judged: Iterable[tuple[MemoryPlace, _Stated]]) -> PlaceMark | None:
    """Return what is said of a memory by what became of its places; None if nothing is.

    The files of a symbol that it names without a file stand for each other: the best counts.
    """
    best: dict[str, tuple[MemoryPlace, _Stated]] = {}
    for place, found in judged:
        key = f"{place.path}\n{place.symbol}" if place.by_path else place.symbol
        known = best.get(key)
        if known is None or STATES.index(found.state) < STATES.index(known[1].state):
            best[key] = (place, found)
    if not best:
        return None
    place, worst = max(best.values(), key=lambda each: STATES.index(each[1].state))
    if worst.state == "there":
        return None
    states = [each.state for _, each in best.values()]
    return PlaceMark(
        text=MARKS[worst.state],
        kind=worst.state,
        path=place.path,
        symbol=place.symbol,
        now_path=worst.now_path if worst.state == "moved" else "",
        nothing_left=len(states) >= _LEAST_PLACES and GONE_STATES.issuperset(states),
    )
