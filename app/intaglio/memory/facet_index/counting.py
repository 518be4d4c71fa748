"""Counts over the columns: the facets of a filter, and a reader's statistics."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields
from functools import partial
from itertools import chain
from typing import Any, Final

from intaglio.domain.reader import Reader, may_read
from intaglio.memory.facet_index.columns import Column, Columns
from intaglio.memory.facet_index.values import (
    MOST_VALUES,
    FacetCounts,
    FacetValue,
    Field,
    Group,
    MemoryAttributes,
    ValueCounts,
)
from intaglio.memory.filters import Filter, filter_remainder, predicates, value_predicates
from intaglio.memory.listing.paging import GroupField
from intaglio.memory.values import Stats

_TENTHS: Final = tuple(tenth / 10 for tenth in range(10))
# With fewer rows per distinct combination of tags than this, counting row by row is faster.
_FEW_ROWS: Final = 4
_HEAD_FIELDS: Final[Mapping[Field, Callable[[MemoryAttributes], FacetValue]]] = {
    "type": lambda head: head.type,
    "agent": lambda head: head.agent_id,
    "visibility": lambda head: head.visibility,
    "source_type": lambda head: head.source_type,
    "pinned": lambda head: head.pinned,
}
_HEAD: Final = frozenset(each.name for each in fields(MemoryAttributes))
_COLUMNS: Final[Mapping[str, Callable[[Columns], Column[Any]]]] = {
    "project": lambda columns: columns.projects,
    "who": lambda columns: columns.who,
    "tags": lambda columns: columns.tags,
    "importance": lambda columns: columns.importance,
}


def stats(columns: Columns, reader: Reader) -> Stats:
    """Count the live memories that the reader may read."""
    readable = [
        (head, count)
        for head, count in columns.by_head.items()
        if head and not head.forgotten and may_read(reader, head.agent_id, head.visibility)
    ]
    return Stats(
        total=sum(count for _, count in readable),
        with_embeddings=sum(count for head, count in readable if head.embedded),
        critical=sum(count for head, count in readable if head.critical),
    )


def facets(columns: Columns, filters: Filter, among: AbstractSet[int] | None) -> FacetCounts:
    """Count matching memories, each field without its own part of the filter.

    ``among`` restricts everything to these row numbers; the caller computes them for filters on
    attributes that the columns don't have (`remaining_filter`).
    """
    masks = _masks(columns, filters, among)
    heads = columns.heads.count(_combined_except(masks, "head"))
    projects = columns.projects.count(_combined_except(masks, "project"))
    who = columns.who.count(_combined_except(masks, "who"))
    # Choosing one more tag narrows the result; it doesn't replace another tag.
    tags = _tags(columns.tags, _combined_except(masks, ""))
    tenths = _tenths(columns.importance.count(_combined_except(masks, "importance")))
    counts: dict[Field, ValueCounts] = {
        "project": _most_frequent(projects.items()),
        "who": _most_frequent(who.items()),
        "tags": _most_frequent(tags.items()),
        "importance": _most_frequent(tenths.items()),
    }
    for field, value in _HEAD_FIELDS.items():
        passes = _head_test(filters, field)
        found: Counter[FacetValue] = Counter()
        for head, count in heads.items():
            if head is not None and passes(head):
                found[value(head)] += count
        counts[field] = _most_frequent(found.items())
    passes = _head_test(filters)
    total = sum(count for head, count in heads.items() if head and passes(head))
    return FacetCounts(total, counts)


def groups(
    columns: Columns, filters: Filter, field: GroupField, among: AbstractSet[int] | None, most: int
) -> dict[str | None, Group]:
    """Count the matching memories by project or type; ``among`` as for `facets`.

    Of up to ``most`` matches, the row numbers are returned, too.
    """
    mask = _combined_except(_masks(columns, filters, among), "")
    counts: dict[str | None, int] = Counter()
    if field == "project":
        counts = columns.projects.count(mask)
    else:
        for head, count in columns.heads.count(mask).items():
            counts[head.type if head else None] += count
    if mask is None or sum(counts.values()) > most:
        return {value: Group(count) for value, count in counts.items()}
    rows: dict[str | None, list[int]] = {}
    values = columns.projects.row_values(mask)
    if field == "type":
        values = (head.type if head else None for head in columns.heads.row_values(mask))
    for value, seq in zip(values, columns.seqs_in(mask), strict=True):
        rows.setdefault(value, []).append(seq)
    return {value: Group(len(seqs), tuple(seqs)) for value, seqs in rows.items()}


def few(columns: Columns, filters: Filter, most: int) -> tuple[int, ...] | None:
    """Return the row numbers of the matching memories unless there are more than ``most``."""
    mask = _combined_except(_masks(columns, filters, None), "")
    if mask is None or mask.bit_count() > most:
        return None
    return tuple(columns.seqs_in(mask))


def remaining_filter(filters: Filter) -> Filter | None:
    """Return the part of a filter that the columns can't evaluate (session, time), or None."""
    return filter_remainder(filters, _HEAD | frozenset(_COLUMNS))


def _masks(columns: Columns, filters: Filter, among: AbstractSet[int] | None) -> dict[str, int]:
    """Build a mask for each part of the filter that is set, and always one for the head."""
    passes = _head_test(filters)
    masks = {"head": columns.heads.mask(lambda head: head is not None and passes(head))}
    for name, column_of in _COLUMNS.items():
        tests = tuple(value_predicates(filters, name).values())
        if tests:
            masks[name] = column_of(columns).mask(partial(_passes_all, tests))
    if among is not None:
        masks["among"] = int.from_bytes(bytes(map(among.__contains__, columns.seqs)), "little")
    return masks


def _passes_all(tests: Iterable[Callable[[Any], bool]], value: object) -> bool:
    return all(test(value) for test in tests)


def _combined_except(masks: Mapping[str, int], part: str) -> int | None:
    """Combine the masks of all parts except one."""
    mask: int | None = None
    for name, each in masks.items():
        if name != part:
            mask = each if mask is None else mask & each
    return mask


def _head_test(filters: Filter, but: Field | None = None) -> Callable[[MemoryAttributes], bool]:
    """Return a predicate on heads for all parts of the filter, ``but`` one field."""
    each = tuple(test for name, test in predicates(filters, _HEAD).items() if name != but)
    return lambda head: all(test(head) for test in each)


def _tags(column: Column[tuple[str, ...]], mask: int | None) -> Counter[str]:
    if len(column.values) * _FEW_ROWS > len(column.rows):
        return Counter(chain.from_iterable(column.row_values(mask)))
    each: Counter[str] = Counter()
    for tags, count in column.count(mask).items():
        for tag in tags:
            each[tag] += count
    return each


def _tenths(counts: Mapping[float, int]) -> Counter[float]:
    each: Counter[float] = Counter()
    for value, count in counts.items():
        each[max((tenth for tenth in _TENTHS if tenth <= value), default=0.0)] += count
    return each


def _most_frequent(counts: Iterable[tuple[FacetValue, int]]) -> ValueCounts:
    """Return the most frequent values; ties are ordered by name, None first."""

    def order(item: tuple[FacetValue, int]) -> tuple[int, bool, str]:
        value, count = item
        return -count, value is not None, str(value)

    return tuple(heapq.nsmallest(MOST_VALUES, counts, key=order))
