"""The 1-bit index of the vectors in memory: arrays and bit counts, no SQL; needs numpy."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from intaglio.store.vectors.filter_columns import FilterColumns, Mask
from intaglio.store.vectors.values import (
    FilterHints,
    FilterKey,
    Passes,
    VectorColumns,
    VectorEntry,
)

Words: TypeAlias = npt.NDArray[np.uint64]
Numbers: TypeAlias = npt.NDArray[np.int64]
_KeyValues: TypeAlias = tuple[str, str, str | None, str, int, str]
Distances: TypeAlias = npt.NDArray[np.uint16]

_BLOCK: Final = 16_384
_INITIAL_CAPACITY: Final = 1_024
_GROWTH: Final = 1.25
_WORD_BITS: Final = 64
# Below this share of the rows, gathering the matching ones is cheaper than scanning all.
_SPARSE: Final = 8
# This multiple of the wanted candidates is rescored with the query's components.
_WEIGHED: Final = 4
# This many rows are converted to floats at a time. All rows of a query would take megabytes, and a
# heap shared by many threads stays as large as at its peak.
_RESCORE_BATCH: Final = 256
# Rows of equal distance at the cut are included, up to this multiple of the wanted number.
_TIES: Final = 2


@dataclass(frozen=True, slots=True)
class Nearest:
    """Candidates as pairs of row numbers: memories, and their vectors."""

    seqs: Numbers
    vector_ids: Numbers


def codes_of(rows: npt.NDArray[np.int8] | npt.NDArray[np.float32]) -> Words:
    """Return the signs of stored rows (n x dimensions) as 64-bit words (n x words)."""
    bits = np.packbits(rows >= 0, axis=1)
    short = -bits.shape[1] % 8
    return np.pad(bits, ((0, 0), (0, short))).view(np.uint64)


def cosines(vector: Sequence[float], rows: Sequence[bytes]) -> list[float]:
    """Return the cosines of a vector and stored rows."""
    query = _unit(vector)
    found: list[float] = []
    for start in range(0, len(rows), _RESCORE_BATCH):
        part = rows[start : start + _RESCORE_BATCH]
        levels = np.frombuffer(b"".join(part), np.int8).reshape(len(part), -1).astype(np.float32)
        lengths = np.sqrt(np.einsum("ij,ij->i", levels, levels))
        found += ((levels @ query) / np.maximum(lengths, 1e-9)).tolist()
    return found


class _GroupByValues(dict[_KeyValues, int]):
    """The group of each combination of a `FilterKey`'s fields as they are stored."""

    def __init__(self, group: Callable[[FilterKey], int]) -> None:
        super().__init__()
        self._group = group

    def __missing__(self, values: _KeyValues) -> int:
        agent, visibility, project, type_, pinned, source = values
        key = FilterKey(agent, visibility, project, type_, pinned=bool(pinned), source_type=source)
        found = self[values] = self._group(key)
        return found


class BinaryIndex:
    """The sign bits of every vector, word by word, and the memory of each.

    Not thread-safe: the caller locks. Slots are dense: a removed one is filled by the last. ``slot
    by seq`` is an array, since row numbers of memories are dense too.
    """

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self._words = -(-dimensions // _WORD_BITS)
        self._count = 0
        self._codes = np.zeros((self._words, _INITIAL_CAPACITY), np.uint64)
        self._seqs = np.zeros(_INITIAL_CAPACITY, np.int64)
        self._vector_ids = np.zeros(_INITIAL_CAPACITY, np.int64)
        self._groups = np.zeros(_INITIAL_CAPACITY, np.int32)
        self._slots = np.full(_INITIAL_CAPACITY, -1, np.int32)
        self._filter_columns = FilterColumns(_INITIAL_CAPACITY)
        self._facets: list[FilterKey] = []
        self._group_of: dict[FilterKey, int] = {}
        self._group_by_values = _GroupByValues(self._group)

    def __len__(self) -> int:
        return self._count

    @property
    def bytes(self) -> int:
        """The size of the arrays in bytes, including spare capacity."""
        arrays = (self._codes, self._seqs, self._vector_ids, self._groups, self._slots)
        return sum(each.nbytes for each in arrays) + self._filter_columns.nbytes

    def seqs(self) -> list[int]:
        """List the memories that have a vector here."""
        return [int(seq) for seq in self._seqs[: self._count]]

    def seq_at(self, place: int) -> int:
        """Return the memory at a position below the length."""
        return int(self._seqs[place])

    def put(self, entries: Sequence[VectorEntry]) -> None:
        """Add vectors, replacing those that these memories had."""
        if not entries:
            return
        rows = np.frombuffer(b"".join(entry.row for entry in entries), np.int8)
        codes = codes_of(rows.reshape(len(entries), self.dimensions))
        self._grow(len(entries), max(entry.seq for entry in entries))
        slots = [self._slot(entry.seq) for entry in entries]
        self._codes[:, slots] = codes.T
        self._vector_ids[slots] = [entry.vector_id for entry in entries]
        self._groups[slots] = [self._group(entry.key) for entry in entries]
        self._filter_columns.put(slots, entries)

    def append(self, columns: VectorColumns) -> None:
        """Add vectors of memories that have none here; a third of the time that `put` takes."""
        count = len(columns.seqs)
        self._grow(count, max(columns.seqs))
        slots = slice(self._count, self._count + count)
        rows = np.frombuffer(b"".join(columns.rows), np.int8)
        self._codes[:, slots] = codes_of(rows.reshape(count, self.dimensions)).T
        self._seqs[slots] = columns.seqs
        self._vector_ids[slots] = columns.vector_ids
        self._slots[self._seqs[slots]] = np.arange(slots.start, slots.stop)
        self._groups[slots] = list(map(self._group_by_values.__getitem__, columns.keys))
        self._filter_columns.fill(slots, columns)
        self._count += count

    def _slot(self, seq: int) -> int:
        slot = int(self._slots[seq])
        if slot < 0:
            slot = self._count
            self._count += 1
            self._slots[seq] = slot
            self._seqs[slot] = seq
        return slot

    def _group(self, facets: FilterKey) -> int:
        group = self._group_of.setdefault(facets, len(self._facets))
        if group == len(self._facets):
            self._facets.append(facets)
        return group

    def _grow(self, more: int, highest_seq: int) -> None:
        capacity = self._seqs.size
        if self._count + more > capacity:
            grown = max(self._count + more, int(capacity * _GROWTH))
            self._codes = _widened(self._codes, grown)
            self._seqs = _lengthened(self._seqs, grown, 0)
            self._vector_ids = _lengthened(self._vector_ids, grown, 0)
            self._groups = _lengthened(self._groups, grown, 0)
            self._filter_columns.grow(grown)
        if highest_seq >= self._slots.size:
            grown = max(highest_seq + 1, int(self._slots.size * _GROWTH))
            self._slots = _lengthened(self._slots, grown, -1)

    def remove(self, seqs: Iterable[int]) -> None:
        """Remove memories; unknown ones are ignored."""
        for seq in seqs:
            slot = int(self._slots[seq]) if seq < self._slots.size else -1
            if slot < 0:
                continue
            last = self._count - 1
            moved = int(self._seqs[last])
            self._codes[:, slot] = self._codes[:, last]
            self._vector_ids[slot] = self._vector_ids[last]
            self._groups[slot] = self._groups[last]
            self._filter_columns.move(last, slot)
            self._seqs[slot] = moved
            self._slots[moved] = slot
            self._slots[seq] = -1
            self._count = last

    def matching_slots(self, passes: Passes, hints: FilterHints) -> Mask | None:
        """Return which slots a filter may match; None for all. Evaluates the filter once per group.

        A few may be included that don't match, but no matching one is left out.
        """
        allowed = np.fromiter(map(passes, self._facets), np.bool_, len(self._facets))
        coarse = None if allowed.all() else allowed[self._groups[: self._count]]
        fine = self._filter_columns.matching_slots(hints, self._count)
        if coarse is None or fine is None:
            return fine if coarse is None else coarse
        return coarse & fine

    def slots_of(self, memories: "array[int]") -> Mask:
        """Return which slots belong to these memories."""
        seqs = np.frombuffer(memories, np.int64) if memories else np.zeros(0, np.int64)
        known = seqs[(seqs >= 0) & (seqs < self._slots.size)]
        slots = self._slots[known]
        mask = np.zeros(self._count, np.bool_)
        mask[slots[slots >= 0]] = True
        return mask

    def nearest(self, vector: Sequence[float], mask: Mask | None, wanted: int) -> Nearest:
        """Return at most ``wanted`` candidates, by signs alone and then by the query's components.

        Four times as many are chosen by Hamming distance, which is cheap, and ordered by the sum of
        the query's components with each row's signs, which is far more precise. Only slots in the
        mask take part, so a filter never reduces the number of results below what exists.
        """
        query = _unit(vector)
        code = codes_of(query[np.newaxis, :])[0]
        codes = self._codes[:, : self._count]
        if mask is None:
            chosen = _choose(_distances(codes, code), wanted * _WEIGHED)
        else:
            chosen = _among(codes, code, mask, wanted * _WEIGHED)
        if chosen.size > wanted:
            chosen = chosen[_rescored(codes[:, chosen], query, wanted)]
        return Nearest(self._seqs[chosen], self._vector_ids[chosen])


def _widened(codes: Words, capacity: int) -> Words:
    grown = np.zeros((codes.shape[0], capacity), np.uint64)
    grown[:, : codes.shape[1]] = codes
    return grown


def _lengthened(
    numbers: npt.NDArray[np.signedinteger], capacity: int, fill: int
) -> npt.NDArray[np.signedinteger]:
    grown = np.full(capacity, fill, numbers.dtype)
    grown[: numbers.size] = numbers
    return grown


def _distances(codes: Words, code: Words) -> Distances:
    """Count the differing bits of each column, block by block to stay in the CPU cache."""
    count = codes.shape[1]
    distances = np.empty(count, np.uint16)
    block = min(_BLOCK, count)
    differing = np.empty(block, np.uint64)
    ones = np.empty(block, np.uint8)
    for start in range(0, count, block or 1):
        stop = min(start + block, count)
        part = distances[start:stop]
        part[:] = 0
        for word, wanted in zip(codes, code, strict=True):
            np.bitwise_xor(word[start:stop], wanted, out=differing[: stop - start])
            np.bitwise_count(differing[: stop - start], out=ones[: stop - start])
            np.add(part, ones[: stop - start], out=part)
    return distances


def _among(codes: Words, code: Words, mask: Mask, wanted: int) -> npt.NDArray[np.intp]:
    some = np.flatnonzero(mask)
    if some.size <= wanted:
        return some
    if some.size * _SPARSE < mask.size:
        return some[_choose(_distances(codes[:, some], code), wanted)]
    distances = _distances(codes, code)
    # Greater than any distance: more than ``wanted`` rows match, so the cut lies below.
    distances[~mask] = codes.shape[0] * _WORD_BITS + 1
    return _choose(distances, wanted)


def _choose(distances: Distances, wanted: int) -> npt.NDArray[np.intp]:
    """Return the positions of the smallest distances; a histogram finds the cut without sorting."""
    if distances.size <= wanted:
        return np.arange(distances.size)
    counts = np.cumsum(np.bincount(distances))
    cut = int(np.searchsorted(counts, wanted))
    if counts[cut] > wanted * _TIES:
        below = np.flatnonzero(distances < cut)
        at = np.flatnonzero(distances == cut)[: wanted * _TIES - below.size]
        return np.concatenate([below, at])
    return np.flatnonzero(distances <= cut)


def _rescored(codes: Words, query: npt.NDArray[np.float32], wanted: int) -> npt.NDArray[np.intp]:
    """Return the positions of the columns whose signs agree best with the query's components."""
    signs = np.ascontiguousarray(codes.T).view(np.uint8)
    agreement = np.empty(len(signs), np.float32)
    for start in range(0, len(signs), _RESCORE_BATCH):
        part = slice(start, start + _RESCORE_BATCH)
        bits = np.unpackbits(signs[part], axis=1, count=query.size)
        np.matmul(bits.astype(np.float32), query, out=agreement[part])
    return np.argpartition(agreement, -wanted)[-wanted:]


def _unit(vector: Sequence[float]) -> npt.NDArray[np.float32]:
    query = np.asarray(vector, np.float32)
    return np.asarray(query / np.linalg.norm(query), np.float32)
