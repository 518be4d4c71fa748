"""The groups of the memory list, and its pages group by group."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from intaglio.domain.memory_types import MEMORY_TYPES
from intaglio.memory import rows
from intaglio.memory.facet_index.values import Group
from intaglio.memory.filters import Filter
from intaglio.memory.listing.paging import GroupField, ListCursor, Sort
from intaglio.memory.values import Memory, MemoryPage
from intaglio.store.tx import ReadTx


@dataclass(frozen=True, slots=True)
class Section:
    """A group of the list: its value, its memories, and the filter that selects them.

    ``name`` identifies it in cursors, ``order`` is its place among the groups.
    """

    value: str | None
    name: str
    order: tuple[int | str, ...]
    group: Group
    filters: Filter


@dataclass(frozen=True, slots=True)
class SectionRows:
    """A group on a page, with how many of the page's memories belong to it."""

    section: Section
    rows: int


def sections(
    filters: Filter,
    field: GroupField,
    groups: Mapping[str | None, Group],
    merged: Mapping[str, str],
) -> list[Section]:
    """Return the groups of the list, in order.

    ``groups`` are by stored value; ``merged`` maps names of projects to their directories. Projects
    are ordered by name, what belongs to none comes last; types have a fixed order.
    """
    if field == "type":
        found = [_type(filters, str(value), group) for value, group in groups.items()]
    else:
        found = _projects(filters, groups, merged)
    return sorted(found, key=lambda each: each.order)


def _type(filters: Filter, value: str, group: Group) -> Section:
    known = MEMORY_TYPES.index(value) if value in MEMORY_TYPES else len(MEMORY_TYPES)
    return Section(value, f"type:{value}", (known, value), group, replace(filters, type=value))


def _projects(
    filters: Filter, groups: Mapping[str | None, Group], merged: Mapping[str, str]
) -> list[Section]:
    stored: dict[str | None, list[str]] = {}
    for value in groups:
        if value is not None:
            stored.setdefault(merged.get(value, value), []).append(value)
    found = [
        _project(filters, key, names, _together([groups[name] for name in names]))
        for key, names in stored.items()
    ]
    return [*found, _project(filters, None, (), groups[None])] if None in groups else found


def _together(groups: Sequence[Group]) -> Group:
    known = [group.seqs for group in groups if group.seqs is not None]
    seqs = tuple(chain.from_iterable(known)) if len(known) == len(groups) else None
    return Group(sum(group.count for group in groups), seqs)


def _project(filters: Filter, key: str | None, names: Sequence[str], group: Group) -> Section:
    if key is None:
        without = replace(filters, project=None, project_aliases=(), global_only=True)
        return Section(None, "project", (1,), group, without)
    # Only what was counted: the list's own filter may select one of several names.
    first, *rest = sorted(names) or [key]
    within = replace(filters, project=first, project_aliases=tuple(rest), exact_project=True)
    return Section(key, f"project:{key}", (0, _last_part(key).casefold(), key), group, within)


def _last_part(key: str) -> str:
    # What the dashboard shows of a project.
    return key.replace("\\", "/").rstrip("/").rpartition("/")[2]


def grouped_page(
    tx: ReadTx, listed: Sequence[Section], sort: Sort, limit: int, cursor: ListCursor | None
) -> tuple[MemoryPage, list[SectionRows]]:
    """Return a page of these groups, one after the other; ``cursor`` is of the page before."""
    memories: list[Memory] = []
    shown: list[SectionRows] = []
    last: Section | None = None
    for section in _from(listed, cursor):
        if len(memories) == limit:
            break
        inside = cursor if cursor and cursor.section == section.name else None
        wanted, few = limit - len(memories), section.group.seqs
        found = rows.page(tx, section.filters, wanted, inside, sort=sort, among=few)
        memories += found.memories
        if found.memories:
            last = section
            shown.append(SectionRows(section, len(found.memories)))
        if found.next_cursor:
            break
    else:
        last = None
    next_cursor = ListCursor.after(memories[-1], sort, last.name).text if last else None
    return MemoryPage(tuple(memories), next_cursor), shown


def _from(listed: Sequence[Section], cursor: ListCursor | None) -> Sequence[Section]:
    if cursor is None:
        return listed
    order = _order_of(cursor.section)
    return [section for section in listed if section.order >= order]


def _order_of(name: str) -> tuple[int | str, ...]:
    group, _, value = name.partition(":")
    if group == "type":
        return _type(Filter(), value, Group(0)).order
    return _project(Filter(), None if name == group else value, (), Group(0)).order
