"""What is counted over the columns: the facets of a filter, and the numbers of a reader."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Final

from intaglio.base.agents.reader import USER, Reader, may_read
from intaglio.memory.facet_index.columns import Column, Columns
from intaglio.memory.facet_index.values import MOST_VALUES, Counts, Facets, Field, Head, Value
from intaglio.memory.facets import in_project
from intaglio.memory.values import Filter, Stats

_TENTHS: Final = tuple(tenth / 10 for tenth in range(10))
# Where a combination of tags has fewer rows than these, one counts faster row by row.
_FEW_ROWS: Final = 4
_HEAD_FIELDS: Final[Mapping[Field, Callable[[Head], Value]]] = {
    "type": lambda head: head.type,
    "agent": lambda head: head.agent_id,
    "visibility": lambda head: head.visibility,
    "source_type": lambda head: head.source_type,
    "pinned": lambda head: head.pinned,
}


def stats(columns: Columns, reader: Reader) -> Stats:
    """Count the live memories that the reader may read."""
    seen = [
        (head, count)
        for head, count in columns.by_head.items()
        if head and not head.forgotten and may_read(reader, head.agent_id, head.visibility)
    ]
    return Stats(
        total=sum(count for _, count in seen),
        with_embeddings=sum(count for head, count in seen if head.embedded),
        critical=sum(count for head, count in seen if head.critical),
    )


def facets(columns: Columns, wanted: Filter, among: AbstractSet[int] | None) -> Facets:
    """Count what passes, each field without its own part of the filter.

    ``among`` are the row numbers to which all is restricted; the caller makes them of what a
    filter asks that columns do not hold (`asks_more`).
    """
    masks = _masks(columns, wanted, among)
    heads = columns.heads.count(_but(masks, "head"))
    projects = columns.projects.count(_but(masks, "project"))
    who = columns.who.count(_but(masks, "who"))
    # One more tag takes no other's place: it narrows.
    tags = _tags(columns.tags, _but(masks, ""))
    tenths = _tenths(columns.importance.count(_but(masks, "importance")))
    counts: dict[Field, Counts] = {
        "project": _most(projects.items()),
        "who": _most(who.items()),
        "tags": _most(tags.items()),
        "importance": _most(tenths.items()),
    }
    for field, value in _HEAD_FIELDS.items():
        found: Counter[Value] = Counter()
        for head, count in heads.items():
            if head is not None and _head_passes(wanted, head, field):
                found[value(head)] += count
        counts[field] = _most(found.items())
    total = sum(count for head, count in heads.items() if head and _head_passes(wanted, head))
    return Facets(total, counts)


def asks_more(wanted: Filter) -> bool:
    """Tell whether a filter asks for what columns do not hold: a session, a time."""
    asked = (wanted.session_id, wanted.since, wanted.until)
    return any(value is not None for value in asked)


def more(wanted: Filter) -> Filter:
    """Return what a filter asks that columns do not hold."""
    return Filter(
        # Who may read what columns do hold; without it an index of the times is enough.
        reader=USER,
        session_id=wanted.session_id,
        since=wanted.since,
        until=wanted.until,
        forgotten=wanted.forgotten,
    )


def _masks(columns: Columns, wanted: Filter, among: AbstractSet[int] | None) -> dict[str, int]:
    """Make a mask of each part of the filter that asks anything; every head is looked at."""
    least, most = wanted.importance_min, wanted.importance_max
    masks = {
        "head": columns.heads.mask(lambda head: head is not None and _head_passes(wanted, head))
    }
    if wanted.project is not None or wanted.global_only:
        masks["project"] = columns.projects.mask(lambda project: in_project(wanted, project))
    if wanted.who is not None:
        masks["who"] = columns.who.mask(lambda who: who == wanted.who)
    if wanted.tags:
        masks["tags"] = columns.tags.mask(frozenset(wanted.tags).issubset)
    if least is not None or most is not None:
        masks["importance"] = columns.importance.mask(
            lambda value: (least is None or value >= least) and (most is None or value <= most)
        )
    if among is not None:
        masks["among"] = int.from_bytes(bytes(map(among.__contains__, columns.seqs)), "little")
    return masks


def _but(masks: Mapping[str, int], part: str) -> int | None:
    """Return the mask of all parts but one."""
    mask: int | None = None
    for name, each in masks.items():
        if name != part:
            mask = each if mask is None else mask & each
    return mask


def _head_passes(wanted: Filter, head: Head, but: Field | None = None) -> bool:
    """Tell whether a head passes all that a filter asks of it, ``but`` for one field."""
    asked: tuple[tuple[Field, Value], ...] = (
        ("type", wanted.type),
        ("agent", wanted.agent),
        ("visibility", wanted.visibility),
        ("source_type", wanted.source_type),
        ("pinned", wanted.pinned),
    )
    return (
        head.forgotten == wanted.forgotten
        and may_read(wanted.reader, head.agent_id, head.visibility)
        and all(
            value is None or field == but or _HEAD_FIELDS[field](head) == value
            for field, value in asked
        )
    )


def _tags(column: Column[tuple[str, ...]], mask: int | None) -> Counter[str]:
    if len(column.values) * _FEW_ROWS > len(column.rows):
        return Counter(chain.from_iterable(column.each(mask)))
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


def _most(counts: Iterable[tuple[Value, int]]) -> Counts:
    """Return the most frequent values; among equals none comes first, then as names are read."""

    def order(item: tuple[Value, int]) -> tuple[int, bool, str]:
        value, count = item
        return -count, value is not None, str(value)

    return tuple(heapq.nsmallest(MOST_VALUES, counts, key=order))
