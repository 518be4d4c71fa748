"""Filters of memories: one table, from which every way to ask, apply and show a filter is derived.

A filter is a field of `Filter` and its entry: what of a memory decides, the condition in SQL, the
same as a predicate in memory, its parameter over HTTP, and its label in the dashboard.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from operator import eq, ge, le
from typing import Any, Final, Literal, TypeAlias

from intaglio.base.agents.reader import (
    DEFAULT_READER,
    EVERYONES,
    USER,
    GroupReader,
    IsolatedReader,
    Reader,
    SharedReader,
    UserReader,
    may_read,
)
from intaglio.store.tx import Sql
from intaglio.store.vectors.values import FilterHints, FilterKey, VectorFilter

Condition: TypeAlias = tuple[str, tuple[Sql, ...]]
"""A condition on ``memories m`` and its parameters."""

ParameterKind: TypeAlias = Literal["text", "path", "flag", "share", "moment", "tags", "visibility"]
"""What a parameter may be: a flag is yes, no or not asked; a share is 0 to 1."""


@dataclass(frozen=True, slots=True)
class FilterParameter:
    """How a filter is asked over HTTP; ``name`` where it is not the filter's own."""

    kind: ParameterKind
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterEntry:
    """One filter; ``name`` is that of its field.

    ``reads`` names what of a memory decides. ``condition`` takes what is asked, ``holds`` that and
    what it reads of a memory. ``asked`` returns what is asked, None for nothing.
    """

    name: str
    reads: tuple[str, ...]
    condition: Callable[[Any], Condition]
    holds: Callable[..., bool]
    asked: Callable[["Filter"], Any]
    parameter: FilterParameter | None = None
    label: str = ""


_Metadata: TypeAlias = Mapping[str, FilterEntry]
"""The entry of a field, where `fields` finds it."""


def _asked_as(name: str) -> Callable[["Filter"], Any]:
    return lambda wanted: getattr(wanted, name)


def _compared(
    name: str,
    test: Callable[[Any, Any], bool],
    parameter: FilterParameter | None,
    label: str = "",
    column: str = "",
) -> _Metadata:
    """Return the entry of a filter that compares one column with what is asked."""
    column = column or name
    sign = {eq: "=", ge: ">=", le: "<="}[test]

    def condition(value: Sql) -> Condition:
        return f"m.{column} {sign} ?", (value,)

    def holds(value: object, actual: object) -> bool:
        return test(actual, value)

    entry = FilterEntry(
        name=name,
        reads=(column,),
        condition=condition,
        holds=holds,
        asked=_asked_as(name),
        parameter=parameter,
        label=label,
    )
    return {"entry": entry}


def _readable(reader: Reader) -> Condition:
    """Write `base.agents.reader.may_read` as a condition."""
    match reader:
        case UserReader():
            return "1", ()
        case IsolatedReader(agent_id=own):
            return "m.agent_id = ?", (own,)
        case SharedReader(agent_id=own, without=()):
            return f"(m.visibility = '{EVERYONES}' OR m.agent_id = ?)", (own,)
        case SharedReader(agent_id=own, without=without):
            return _own_or("m.agent_id NOT IN (SELECT value FROM json_each(?))", own, without)
        case GroupReader(agent_id=own, members=members):
            return _own_or("m.agent_id IN (SELECT value FROM json_each(?))", own, members)


def _own_or(others: str, own: str, listed: tuple[str, ...]) -> Condition:
    condition = f"(m.agent_id = ? OR (m.visibility = '{EVERYONES}' AND {others}))"
    return condition, (own, json.dumps(listed))


# A project's key and aliases, and whether what belongs to no project counts too; no key for only
# that.
_Place: TypeAlias = tuple[tuple[str, ...], bool]


def _place(wanted: "Filter") -> _Place | None:
    if wanted.global_only:
        return (), True
    if wanted.project is None:
        return None
    return (wanted.project, *wanted.project_aliases), not wanted.exact_project


def _in_place(place: _Place) -> Condition:
    keys, or_none = place
    if not keys:
        return "m.project IS NULL", ()
    one_of = "= ?" if len(keys) == 1 else f"IN ({', '.join('?' * len(keys))})"
    if or_none:
        return f"(m.project {one_of} OR m.project IS NULL)", keys
    return f"m.project {one_of}", keys


def _is_in_place(place: _Place, project: str | None) -> bool:
    keys, or_none = place
    return project in keys or (project is None and or_none)


def _tagged(tags: tuple[str, ...]) -> Condition:
    # A row is read as JSON only where the tag may be in it: nearly all have none of these.
    one = "instr(m.tags, ?) AND EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value = ?)"
    params = [param for tag in tags for param in (json.dumps(tag, ensure_ascii=False), tag)]
    return " AND ".join([one] * len(tags)), tuple(params)


def _has_tags(wanted: tuple[str, ...], actual: tuple[str, ...]) -> bool:
    return all(tag in actual for tag in wanted)


def _tags(wanted: "Filter") -> tuple[str, ...] | None:
    return wanted.tags or None


def _is_forgotten(value: bool) -> Condition:  # noqa: FBT001 - what is asked
    # Not as a parameter: the indexes are of live rows, which SQLite has to see.
    return f"m.is_deleted = {int(value)}", ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which memories a reader may see and wants; None asks for all that it may see.

    ``project`` selects that project and global memories; with ``exact_project`` only it. What was
    kept under one of ``project_aliases`` is of the same project.
    ``agent`` is whose memories are wanted, which never widens what the reader may see.
    ``forgotten`` asks for tombstones in the place of live memories.
    """

    forgotten: bool = field(
        default=False,
        metadata={
            "entry": FilterEntry(
                name="forgotten",
                reads=("forgotten",),
                condition=_is_forgotten,
                holds=eq,
                asked=_asked_as("forgotten"),
            )
        },
    )
    # What the reader may see comes first: no later part of a condition can widen it.
    reader: Reader = field(
        default=DEFAULT_READER,
        metadata={
            "entry": FilterEntry(
                name="reader",
                reads=("agent_id", "visibility"),
                condition=_readable,
                holds=may_read,
                asked=_asked_as("reader"),
            )
        },
    )
    project: str | None = field(
        default=None,
        metadata={
            "entry": FilterEntry(
                name="project",
                reads=("project",),
                condition=_in_place,
                holds=_is_in_place,
                asked=_place,
                parameter=FilterParameter("path"),
                label="Project",
            )
        },
    )
    project_aliases: tuple[str, ...] = ()
    exact_project: bool = False
    global_only: bool = False
    agent: str | None = field(
        default=None, metadata=_compared("agent", eq, FilterParameter("text"), "Agent", "agent_id")
    )
    visibility: str | None = field(
        default=None,
        metadata=_compared("visibility", eq, FilterParameter("visibility"), "Visibility"),
    )
    type: str | None = field(
        default=None, metadata=_compared("type", eq, FilterParameter("text"), "Type")
    )
    who: str | None = field(
        default=None, metadata=_compared("who", eq, FilterParameter("text"), "Who")
    )
    pinned: bool | None = field(
        default=None, metadata=_compared("pinned", eq, FilterParameter("flag"), "Pinned")
    )
    importance_min: float | None = field(
        default=None,
        metadata=_compared(
            "importance_min", ge, FilterParameter("share"), "Importance", "importance"
        ),
    )
    importance_max: float | None = field(
        default=None,
        metadata=_compared(
            "importance_max", le, FilterParameter("share"), "Importance", "importance"
        ),
    )
    since: str | None = field(
        default=None,
        metadata=_compared("since", ge, FilterParameter("moment"), "Time", "created_at"),
    )
    until: str | None = field(
        default=None,
        metadata=_compared("until", le, FilterParameter("moment"), "Time", "created_at"),
    )
    source_type: str | None = field(
        default=None,
        metadata=_compared("source_type", eq, FilterParameter("text", "sourceType"), "Source"),
    )
    session_id: str | None = field(
        default=None,
        metadata=_compared("session_id", eq, FilterParameter("text", "sessionId"), "Session"),
    )
    tags: tuple[str, ...] = field(
        default=(),
        metadata={
            "entry": FilterEntry(
                name="tags",
                reads=("tags",),
                condition=_tagged,
                holds=_has_tags,
                asked=_tags,
                parameter=FilterParameter("tags"),
                label="Tag",
            )
        },
    )


ENTRIES: Final[tuple[FilterEntry, ...]] = tuple(
    each.metadata["entry"] for each in fields(Filter) if "entry" in each.metadata
)
SWITCHES: Final[Mapping[str, str]] = {"global_only": "globalOnly"}
"""Filters that only say how another one is meant, and their parameters."""

_FACETS: Final = frozenset(each.name for each in fields(FilterKey))
_FINER: Final = frozenset(each.name for each in fields(FilterHints))


def where(filters: Filter) -> tuple[str, list[Sql]]:
    """Write a filter as a condition on ``memories m`` and its parameters."""
    parts: list[str] = []
    params: list[Sql] = []
    for entry in ENTRIES:
        value = entry.asked(filters)
        if value is not None:
            condition, values = entry.condition(value)
            parts.append(condition)
            params.extend(values)
    return " AND ".join(parts), params


def asked(filters: Filter) -> Iterator[FilterEntry]:
    """Yield the filters that are asked, beside whether live or forgotten memories are."""
    return (
        entry
        for entry in ENTRIES
        if entry.asked(filters) is not None and (entry.name != "forgotten" or filters.forgotten)
    )


def predicates(filters: Filter, known: frozenset[str]) -> dict[str, Callable[[Any], bool]]:
    """Return for each filter that is asked what tells whether an object passes it.

    Only of filters that read what is ``known``: the names of the object's attributes.
    """
    return {
        entry.name: _test(entry, entry.asked(filters))
        for entry in ENTRIES
        if known.issuperset(entry.reads) and entry.asked(filters) is not None
    }


def _test(entry: FilterEntry, value: object) -> Callable[[Any], bool]:
    holds = entry.holds
    match entry.reads:
        case (one,):
            return lambda of: holds(value, getattr(of, one))
        case names:
            return lambda of: holds(value, *(getattr(of, name) for name in names))


def value_predicates(filters: Filter, name: str) -> dict[str, Callable[[Any], bool]]:
    """Return for each filter that reads this attribute alone what tells of its value."""
    return {
        entry.name: partial(entry.holds, value)
        for entry in ENTRIES
        if entry.reads == (name,) and (value := entry.asked(filters)) is not None
    }


def passes(filters: Filter) -> Callable[[FilterKey], bool]:
    """Return what tells whether memories with some facets may pass; `where` as a predicate."""
    each = tuple(predicates(filters, _FACETS).values())
    return lambda facets: all(test(facets) for test in each)


def vector_filter(filters: Filter) -> VectorFilter:
    """Return the filter as `store` applies it: nobody between reads what is in there."""
    condition, params = where(filters)
    told = {name: getattr(filters, name) for name in _FINER}
    rest = (entry for entry in asked(filters) if not _FACETS.issuperset(entry.reads))
    return VectorFilter(
        condition=condition,
        params=tuple(params),
        passes=passes(filters),
        hints=FilterHints(**told),
        needs_sql=any(entry.name not in _FINER for entry in rest),
    )


def in_its_place(filters: Filter) -> Filter:
    """Return what a filter asks of reader and project alone."""
    return Filter(
        reader=filters.reader,
        project=filters.project,
        project_aliases=filters.project_aliases,
        exact_project=filters.exact_project,
        global_only=filters.global_only,
    )


def beyond(filters: Filter, known: frozenset[str]) -> Filter | None:
    """Return what a filter asks that attributes of these names do not tell; None for nothing."""
    rest = [entry.name for entry in asked(filters) if not known.issuperset(entry.reads)]
    # Who may read is known; without it an index of the rest is enough.
    among = Filter(reader=USER, forgotten=filters.forgotten)
    return replace(among, **{name: getattr(filters, name) for name in rest}) if rest else None
