"""Columns for finer filters in the binary index: names, time, importance.

A mask of them never leaves out a matching row; it may include a few others.
"""

import json
import re
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from intaglio.store.vectors.values import FilterHints, VectorColumns, VectorEntry

Mask: TypeAlias = npt.NDArray[np.bool_]

_WORD_BITS: Final = 64
_WORD: Final = 2**_WORD_BITS - 1
_WORDS: Final = 2
_UNKNOWN: Final = 0
_LATEST: Final = 2**32 - 1
# Only in this form does text order equal time order; other forms are left to SQL.
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_MOMENT_CHARS: Final = 19


def bits_of(names: Sequence[str]) -> tuple[int, int]:
    """Return two of 128 bits for each name, as two 64-bit words: a Bloom filter of the names."""
    bits = 0
    for name in names:
        number = hash(name)
        bits |= 1 << (number & 127) | 1 << (number >> 7 & 127)
    return bits & _WORD, bits >> _WORD_BITS


def seconds_of(moments: Sequence[str]) -> npt.NDArray[np.uint32]:
    """Return stored timestamps as seconds since 1970, truncated; 0 if one can't be parsed."""
    cut = [moment[:_MOMENT_CHARS] if _MOMENT.match(moment) else "" for moment in moments]
    try:
        found = np.array(cut, "datetime64[s]")
    except ValueError:
        # One of them is an impossible date.
        found = np.array([_checked(moment) for moment in cut], "datetime64[s]")
    seconds = found.astype(np.int64)
    return np.where((seconds > 0) & (seconds <= _LATEST), seconds, _UNKNOWN).astype(np.uint32)


def _checked(moment: str) -> str:
    try:
        np.datetime64(moment, "s")
    except ValueError:
        return ""
    return moment


class _WordsByNames(dict[tuple[str | None, str], tuple[int, int]]):
    """The words of each combination of tags, as JSON, and an author."""

    def __missing__(self, names: tuple[str | None, str]) -> tuple[int, int]:
        tags, who = names
        tagged: list[str] = json.loads(tags) if tags else []
        found = self[names] = bits_of((*tagged, _by(who)))
        return found


class FilterColumns:
    """The columns of all slots; the binary index that owns them assigns the slots."""

    def __init__(self, capacity: int) -> None:
        self._names = np.zeros((_WORDS, capacity), np.uint64)
        self._seconds = np.zeros(capacity, np.uint32)
        self._importance = np.zeros(capacity, np.float32)

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return self._names.nbytes + self._seconds.nbytes + self._importance.nbytes

    def grow(self, capacity: int) -> None:
        """Grow to this many slots."""
        more = capacity - self._seconds.size
        self._names = np.pad(self._names, ((0, 0), (0, more)))
        self._seconds = np.pad(self._seconds, (0, more))
        self._importance = np.pad(self._importance, (0, more))

    def put(self, slots: Sequence[int], entries: Sequence[VectorEntry]) -> None:
        """Write the values of these entries."""
        known: dict[tuple[tuple[str, ...], str], tuple[int, int]] = {}
        for entry in entries:
            if (entry.tags, entry.who) not in known:
                known[entry.tags, entry.who] = bits_of((*entry.tags, _by(entry.who)))
        names = [known[entry.tags, entry.who] for entry in entries]
        self._names[:, slots] = np.array(names, np.uint64).T
        self._seconds[slots] = seconds_of([entry.created_at for entry in entries])
        self._importance[slots] = [entry.importance for entry in entries]

    def fill(self, slots: slice, columns: VectorColumns) -> None:
        """Write the values of consecutive slots."""
        words = _WordsByNames()
        names = [words[pair] for pair in zip(columns.tags, columns.who, strict=True)]
        self._names[:, slots] = np.array(names, np.uint64).T
        self._seconds[slots] = seconds_of(columns.created_at)
        self._importance[slots] = columns.importance

    def move(self, slot: int, to: int) -> None:
        """Copy a slot's values to another slot."""
        self._names[:, to] = self._names[:, slot]
        self._seconds[to] = self._seconds[slot]
        self._importance[to] = self._importance[slot]

    def matching_slots(self, hints: FilterHints, count: int) -> Mask | None:
        """Return which of the first slots may match; None for all."""
        parts = [*self._named(hints, count), *self._timed(hints, count)]
        if hints.importance_min is not None:
            # Rounded down once more than the stored number, so that no row is lost.
            least = np.nextafter(np.float32(hints.importance_min), np.float32(-np.inf))
            parts.append(self._importance[:count] >= least)
        return np.logical_and.reduce(parts) if parts else None

    def _named(self, hints: FilterHints, count: int) -> list[Mask]:
        who = () if hints.who is None else (_by(hints.who),)
        wanted = (np.uint64(word) for word in bits_of((*hints.tags, *who)))
        return [
            (self._names[place, :count] & word) == word for place, word in enumerate(wanted) if word
        ]

    def _timed(self, hints: FilterHints, count: int) -> list[Mask]:
        seconds = self._seconds[:count]
        unknown = seconds == _UNKNOWN
        parts: list[Mask] = []
        first, last = seconds_of([hints.since or "", hints.until or ""])
        if first != _UNKNOWN:
            parts.append((seconds >= first) | unknown)
        if last != _UNKNOWN:
            parts.append((seconds <= last) | unknown)
        return parts


def _by(who: str) -> str:
    # Names of authors and tags share the bits, so they need different texts.
    return f"\x00{who}"
