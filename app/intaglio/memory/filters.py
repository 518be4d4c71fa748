"""The filters of memories: one table that SQL, in-memory checks, HTTP and dashboard derive from.

A filter is a field of `Filter` with an entry: the attributes it reads, its condition in SQL and as
a predicate, its HTTP parameter, and its label in the dashboard.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from operator import attrgetter, eq, ge, le
from typing import Any, Final, Literal, TypeAlias

from intaglio.domain.memory_types import MemoryStatus
from intaglio.domain.reader import (
    DEFAULT_READER,
    GLOBAL,
    USER,
    VISIBILITIES,
    GroupReader,
    IsolatedReader,
    Reader,
    SharedReader,
    UserReader,
    may_read,
)
from intaglio.memory.values import AS_OLDER, UNVOUCHED_SOURCES, USER_AUTHOR
from intaglio.store.tx import Sql
from intaglio.store.vectors.values import FilterHints, FilterKey, VectorFilter

Condition: TypeAlias = tuple[str, tuple[Sql, ...]]
"""A condition on ``memories m`` and its parameters."""

ParameterKind: TypeAlias = Literal[
    "text", "path", "flag", "share", "moment", "tags", "visibility", "status"
]
"""The type of a parameter: a flag is yes, no or unset; a share is 0 to 1."""


@dataclass(frozen=True, slots=True)
class MemorySet:
    """Memories that another package selects by its own tables; ``key`` is what selects them."""

    key: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class FilterParameter:
    """The HTTP parameter of a filter; ``name`` if it differs from the filter's own."""

    kind: ParameterKind
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterEntry:
    """One filter; ``name`` is that of its field.

    ``reads`` names the attributes it depends on. ``condition`` takes the filter's value,
    ``matches`` the value and those attributes. ``value_in`` returns the value set in a `Filter`,
    or None. ``is_broad`` tells of a value whether nearly all memories have it.
    """

    name: str
    reads: tuple[str, ...]
    condition: Callable[[Any], Condition]
    matches: Callable[..., bool]
    value_in: Callable[["Filter"], Any]
    parameter: FilterParameter | None = None
    label: str = ""
    is_broad: Callable[[Any], bool] = lambda _: False


_Metadata: TypeAlias = Mapping[str, FilterEntry]
"""A field's metadata, which holds its entry."""


def _attribute(name: str) -> Callable[["Filter"], Any]:
    return lambda wanted: getattr(wanted, name)


def _comparison(
    name: str,
    test: Callable[[Any, Any], bool],
    parameter: FilterParameter | None,
    label: str = "",
    column: str = "",
) -> _Metadata:
    """Return the entry of a filter that compares one column with its value."""
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
        matches=holds,
        value_in=_attribute(name),
        parameter=parameter,
        label=label,
    )
    return {"entry": entry}


def reader_condition(reader: Reader) -> Condition:
    """Express `domain.reader.may_read` as an SQL condition on rows ``m``."""
    match reader:
        case UserReader():
            return "1", ()
        case IsolatedReader(agent_id=own):
            return "m.agent_id = ?", (own,)
        case SharedReader(agent_id=own, archived=()):
            return f"(m.visibility = '{GLOBAL}' OR m.agent_id = ?)", (own,)
        case SharedReader(agent_id=own, archived=without):
            return _own_or_listed(
                "m.agent_id NOT IN (SELECT value FROM json_each(?))", own, without
            )
        case GroupReader(agent_id=own, members=members):
            return _own_or_listed("m.agent_id IN (SELECT value FROM json_each(?))", own, members)


def _own_or_listed(others: str, own: str, listed: tuple[str, ...]) -> Condition:
    condition = f"(m.agent_id = ? OR (m.visibility = '{GLOBAL}' AND {others}))"
    return condition, (own, json.dumps(listed))


# A project's key and aliases, and whether memories without a project match too; no key matches
# only those.
_ProjectValue: TypeAlias = tuple[tuple[str, ...], bool]


def _project_value(wanted: "Filter") -> _ProjectValue | None:
    if wanted.global_only:
        return (), True
    if wanted.project is None:
        return None
    return (wanted.project, *wanted.project_aliases), not wanted.exact_project


def _project_condition(value: _ProjectValue) -> Condition:
    keys, or_none = value
    if not keys:
        return "m.project IS NULL", ()
    one_of = "= ?" if len(keys) == 1 else f"IN ({', '.join('?' * len(keys))})"
    if or_none:
        return f"(m.project {one_of} OR m.project IS NULL)", keys
    return f"m.project {one_of}", keys


def _matches_project(value: _ProjectValue, project: str | None) -> bool:
    keys, or_none = value
    return project in keys or (project is None and or_none)


def _without_condition(keys: tuple[str, ...]) -> Condition:
    condition = "(m.project IS NULL OR m.project NOT IN (SELECT value FROM json_each(?)))"
    return condition, (json.dumps(keys),)


def _is_outside(keys: tuple[str, ...], project: str | None) -> bool:
    return project not in keys


def _without(wanted: "Filter") -> tuple[str, ...] | None:
    return wanted.without_projects or None


def _tags_condition(tags: tuple[str, ...]) -> Condition:
    # JSON is parsed only if the tag's text occurs in the column: nearly all rows lack it.
    one = "instr(m.tags, ?) AND EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value = ?)"
    params = [param for tag in tags for param in (json.dumps(tag, ensure_ascii=False), tag)]
    return " AND ".join([one] * len(tags)), tuple(params)


def _has_tags(wanted: tuple[str, ...], actual: tuple[str, ...]) -> bool:
    return all(tag in actual for tag in wanted)


def _tags(wanted: "Filter") -> tuple[str, ...] | None:
    return wanted.tags or None


def _is_about(wanted: MemorySet, entities: tuple[str, ...]) -> bool:
    return wanted.key in entities


def _forgotten_condition(value: bool) -> Condition:  # noqa: FBT001 - the filter's value
    # A literal, not a parameter: SQLite must see that its partial indexes of live rows apply.
    return f"m.is_deleted = {int(value)}", ()


def _visibility_condition(value: str) -> Condition:
    # A literal, so that the partial index of private rows applies.
    return f"m.visibility = '{value}'" if value in VISIBILITIES else "0", ()


def _pinned_condition(value: bool) -> Condition:  # noqa: FBT001 - the filter's value
    # A literal, so that the partial index of pinned rows applies.
    return f"m.pinned = {int(value)}", ()


_STATUS: Final[Mapping[MemoryStatus, str]] = {
    "current": f"(m.valid_until IS NULL AND m.dispute & {AS_OLDER} = 0)",
    "disputed": f"(m.valid_until IS NULL AND m.dispute & {AS_OLDER})",
    "replaced": "m.valid_until IS NOT NULL",
}


def _status_condition(value: MemoryStatus) -> Condition:
    return _STATUS[value], ()


def _has_status(value: MemoryStatus, valid_until: str | None, dispute: int) -> bool:
    if valid_until is not None:
        return value == "replaced"
    return value == ("disputed" if dispute & AS_OLDER else "current")


def _as_of_condition(value: str) -> Condition:
    return "(m.created_at <= ? AND (m.valid_until IS NULL OR m.valid_until > ?))", (value, value)


def _held_at(value: str, created_at: str, valid_until: str | None) -> bool:
    return created_at <= value and (valid_until is None or valid_until > value)


def _vouched_condition(value: bool) -> Condition:  # noqa: FBT001 - the filter's value
    del value
    condition = "(m.source_type NOT IN (?, ?) OR m.who = ? OR m.pinned = 1)"
    return condition, (*UNVOUCHED_SOURCES, USER_AUTHOR)


def _is_vouched(value: bool, source_type: str, who: str, pinned: bool) -> bool:  # noqa: FBT001 - as above
    del value
    return source_type not in UNVOUCHED_SOURCES or who == USER_AUTHOR or pinned


def _vouched(wanted: "Filter") -> bool | None:
    return wanted.vouched or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which memories a reader wants, of those it may read; the default selects all of them.

    ``project`` selects that project and global memories; with ``exact_project`` only the project.
    ``project_aliases`` are other keys of the same project; ``without_projects`` are left out.
    ``agent`` selects one agent's memories and never widens what the reader may read. ``forgotten``
    selects tombstones in place of live memories. ``vouched`` leaves out what agents stored by
    themselves or was read in files, unless the user confirmed it. ``memory_status`` selects what
    holds, or what doesn't; ``as_of`` what held at a time.
    """

    forgotten: bool = field(
        default=False,
        metadata={
            "entry": FilterEntry(
                name="forgotten",
                reads=("forgotten",),
                condition=_forgotten_condition,
                matches=eq,
                value_in=_attribute("forgotten"),
            )
        },
    )
    # The reader's condition comes first: no later part can widen it.
    reader: Reader = field(
        default=DEFAULT_READER,
        metadata={
            "entry": FilterEntry(
                name="reader",
                reads=("agent_id", "visibility"),
                condition=reader_condition,
                matches=may_read,
                value_in=_attribute("reader"),
            )
        },
    )
    project: str | None = field(
        default=None,
        metadata={
            "entry": FilterEntry(
                name="project",
                reads=("project",),
                condition=_project_condition,
                matches=_matches_project,
                value_in=_project_value,
                parameter=FilterParameter("path"),
                label="Project",
            )
        },
    )
    project_aliases: tuple[str, ...] = ()
    exact_project: bool = False
    global_only: bool = False
    without_projects: tuple[str, ...] = field(
        default=(),
        metadata={
            "entry": FilterEntry(
                name="without_projects",
                reads=("project",),
                condition=_without_condition,
                matches=_is_outside,
                value_in=_without,
            )
        },
    )
    agent: str | None = field(
        default=None,
        metadata=_comparison("agent", eq, FilterParameter("text"), "Agent", "agent_id"),
    )
    visibility: str | None = field(
        default=None,
        metadata={
            "entry": FilterEntry(
                name="visibility",
                reads=("visibility",),
                condition=_visibility_condition,
                matches=eq,
                value_in=_attribute("visibility"),
                parameter=FilterParameter("visibility"),
                label="Visibility",
            )
        },
    )
    vouched: bool = field(
        default=False,
        metadata={
            "entry": FilterEntry(
                name="vouched",
                reads=("source_type", "who", "pinned"),
                condition=_vouched_condition,
                matches=_is_vouched,
                value_in=_vouched,
            )
        },
    )
    memory_status: MemoryStatus | None = field(
        default=None,
        metadata={
            "entry": FilterEntry(
                name="memory_status",
                reads=("valid_until", "dispute"),
                condition=_status_condition,
                matches=_has_status,
                value_in=_attribute("memory_status"),
                parameter=FilterParameter("status", "status"),
                label="Status",
                is_broad=partial(eq, "current"),
            )
        },
    )
    as_of: str | None = field(
        default=None,
        metadata={
            "entry": FilterEntry(
                name="as_of",
                reads=("created_at", "valid_until"),
                condition=_as_of_condition,
                matches=_held_at,
                value_in=_attribute("as_of"),
                parameter=FilterParameter("moment"),
                label="As of",
            )
        },
    )
    type: str | None = field(
        default=None, metadata=_comparison("type", eq, FilterParameter("text"), "Type")
    )
    who: str | None = field(
        default=None, metadata=_comparison("who", eq, FilterParameter("text"), "Author")
    )
    pinned: bool | None = field(
        default=None,
        metadata={
            "entry": FilterEntry(
                name="pinned",
                reads=("pinned",),
                condition=_pinned_condition,
                matches=eq,
                value_in=_attribute("pinned"),
                parameter=FilterParameter("flag"),
                label="Pinned",
            )
        },
    )
    importance_min: float | None = field(
        default=None,
        metadata=_comparison(
            "importance_min", ge, FilterParameter("share"), "Importance", "importance"
        ),
    )
    importance_max: float | None = field(
        default=None,
        metadata=_comparison(
            "importance_max", le, FilterParameter("share"), "Importance", "importance"
        ),
    )
    since: str | None = field(
        default=None,
        metadata=_comparison("since", ge, FilterParameter("moment"), "Time", "created_at"),
    )
    until: str | None = field(
        default=None,
        metadata=_comparison("until", le, FilterParameter("moment"), "Time", "created_at"),
    )
    source_type: str | None = field(
        default=None,
        metadata=_comparison("source_type", eq, FilterParameter("text", "sourceType"), "Source"),
    )
    source_path: str | None = field(
        default=None,
        metadata=_comparison("source_path", eq, FilterParameter("path", "sourcePath"), "File"),
    )
    session_id: str | None = field(
        default=None,
        metadata=_comparison("session_id", eq, FilterParameter("text", "sessionId"), "Session"),
    )
    entity: MemorySet | None = field(
        default=None,
        metadata={
            "entry": FilterEntry(
                name="entity",
                reads=("entities",),
                condition=attrgetter("condition"),
                matches=_is_about,
                value_in=_attribute("entity"),
                parameter=FilterParameter("text"),
                label="Entity",
            )
        },
    )
    tags: tuple[str, ...] = field(
        default=(),
        metadata={
            "entry": FilterEntry(
                name="tags",
                reads=("tags",),
                condition=_tags_condition,
                matches=_has_tags,
                value_in=_tags,
                parameter=FilterParameter("tags"),
                label="Tag",
            )
        },
    )


ENTRIES: Final[tuple[FilterEntry, ...]] = tuple(
    each.metadata["entry"] for each in fields(Filter) if "entry" in each.metadata
)
SWITCHES: Final[Mapping[str, str]] = {"global_only": "globalOnly"}
"""Fields that only modify another filter, and their parameters."""

_FACETS: Final = frozenset(each.name for each in fields(FilterKey))
_HINTS: Final = frozenset(each.name for each in fields(FilterHints))


def where(filters: Filter) -> tuple[str, list[Sql]]:
    """Translate a filter to a condition on ``memories m`` and its parameters."""
    parts: list[str] = []
    params: list[Sql] = []
    for entry in ENTRIES:
        value = entry.value_in(filters)
        if value is not None:
            condition, values = entry.condition(value)
            parts.append(condition)
            params.extend(values)
    return " AND ".join(parts), params


def active_filters(filters: Filter) -> Iterator[FilterEntry]:
    """Yield the entries that are set; ``forgotten`` only if it is true."""
    return (
        entry
        for entry in ENTRIES
        if entry.value_in(filters) is not None and (entry.name != "forgotten" or filters.forgotten)
    )


def predicates(filters: Filter, known: frozenset[str]) -> dict[str, Callable[[Any], bool]]:
    """Return a predicate on objects for each filter that is set, by name.

    Includes only filters whose attributes are all in ``known``, the names of the object's
    attributes.
    """
    return {
        entry.name: _test(entry, entry.value_in(filters))
        for entry in ENTRIES
        if known.issuperset(entry.reads) and entry.value_in(filters) is not None
    }


def _test(entry: FilterEntry, value: object) -> Callable[[Any], bool]:
    holds = entry.matches
    match entry.reads:
        case (one,):
            return lambda of: holds(value, getattr(of, one))
        case names:
            return lambda of: holds(value, *(getattr(of, name) for name in names))


def value_predicates(filters: Filter, name: str) -> dict[str, Callable[[Any], bool]]:
    """Return a predicate on values for each filter that is set and reads only this attribute."""
    return {
        entry.name: partial(entry.matches, value)
        for entry in ENTRIES
        if entry.reads == (name,) and (value := entry.value_in(filters)) is not None
    }


def facet_predicate(filters: Filter) -> Callable[[FilterKey], bool]:
    """Return a predicate that tells whether memories with these facets may match; see `where`."""
    each = tuple(predicates(filters, _FACETS).values())
    return lambda facets: all(test(facets) for test in each)


def vector_filter(filters: Filter) -> VectorFilter:
    """Translate a filter to the form that `store` applies in searches."""
    condition, params = where(filters)
    hints = {name: getattr(filters, name) for name in _HINTS}
    rest = (entry for entry in active_filters(filters) if not _FACETS.issuperset(entry.reads))
    return VectorFilter(
        condition=condition,
        params=tuple(params),
        passes=facet_predicate(filters),
        hints=FilterHints(**hints),
        # What few memories fail is checked of those that are found.
        needs_sql=any(
            entry.name not in _HINTS and not entry.is_broad(entry.value_in(filters))
            for entry in rest
        ),
    )


def current_by_default(filters: Filter) -> Filter:
    """Select what holds, unless a filter says what is wanted."""
    if filters.memory_status is None and filters.as_of is None:
        return replace(filters, memory_status="current")
    return filters


def scope_filter(filters: Filter) -> Filter:
    """Return only the reader and project parts of a filter."""
    return Filter(
        reader=filters.reader,
        project=filters.project,
        project_aliases=filters.project_aliases,
        exact_project=filters.exact_project,
        global_only=filters.global_only,
        without_projects=filters.without_projects,
    )


def filter_remainder(filters: Filter, known: frozenset[str]) -> Filter | None:
    """Return the part of a filter that depends on other attributes than these, or None."""
    rest = [entry.name for entry in active_filters(filters) if not known.issuperset(entry.reads)]
    # The reader is checked elsewhere; without it, an index on the rest is enough.
    among = Filter(reader=USER, forgotten=filters.forgotten)
    return replace(among, **{name: getattr(filters, name) for name in rest}) if rest else None
