"""Whatever the order and the grouping, pages hold each memory once while others change."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.plain_store import plain_store
from intaglio.base.errors import InvalidInputError
from intaglio.memory import rows
from intaglio.memory.facet_index.grouping import SectionRows, grouped_page, sections
from intaglio.memory.facet_index.index import FacetIndex
from intaglio.memory.filters import Filter
from intaglio.memory.listing import order_rows
from intaglio.memory.listing.paging import COLUMNS, GroupField, LiveSort, read_cursor
from intaglio.memory.values import Memory, MemoryPage, NewMemory, Scope, Source
from intaglio.store.tx import ReadTx, Row, Sql, WriteTx

DAYS = tuple(f"2026-01-0{day}T00:00:00.000Z" for day in (1, 2, 3))
# A project that has memories under its name, too, and one whose name holds the cursor's separator.
PROJECTS = (None, "/home/ann/lantern", "lantern", "/srv/a~b:c")
MERGED = {"lantern": "/home/ann/lantern"}
MEMORIES = st.lists(
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(("rule", "fact", "odd~type")),
            "importance": st.sampled_from((0.1, 0.30000000000000004, 0.8)),
            "project": st.sampled_from(PROJECTS),
            "created_at": st.sampled_from(DAYS),
            "updated_at": st.sampled_from(("", *DAYS)),
            "access_count": st.integers(0, 2),
            "pinned": st.booleans(),
        }
    ),
    max_size=12,
)
FILTERS = st.sampled_from(
    (
        Filter(),
        Filter(pinned=True),
        Filter(type="fact"),
        Filter(project="lantern"),
        Filter(who="ann"),
    )
)
# After each page: a memory that is changed, and how.
CHANGES = st.lists(st.tuples(st.integers(0, 11), st.sampled_from(("touch", "forget", "add"))))


@pytest.fixture(scope="module")
def tx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WriteTx]:
    with plain_store(tmp_path_factory.mktemp("paging")) as store:
        yield store


def add(tx: WriteTx, number: int, given: dict[str, Any]) -> str:
    memory = NewMemory(
        content=f"Memory {number}.",
        type="fact",
        importance=0.5,
        confidence=1.0,
        pinned=False,
        tags=(),
        who="ann",
        why=None,
        scope=Scope(),
        source=Source(),
        session_id=None,
        idempotency_key=None,
        runtime_path=None,
        created_at=DAYS[0],
    )
    rows.insert(tx, memory, f"m{number}", str(number).encode())
    for name, value in given.items():
        sql = f"UPDATE memories SET {name} = ? WHERE id = ?"  # noqa: S608 - names of columns
        tx.execute(sql, (int(value) if isinstance(value, bool) else value, f"m{number}"))
    return f"m{number}"


def one_page(
    tx: ReadTx, filters: Filter, sort: LiveSort, group: GroupField | None, cursor: str | None
) -> tuple[MemoryPage, list[SectionRows]]:
    start = read_cursor(cursor, sort, group)
    index = FacetIndex(lambda: 0.0)
    index.facets(tx, filters)
    if group is None:
        return rows.page(tx, filters, 2, start, sort=sort, among=index.few(tx, filters)), []
    groups = index.groups(tx, filters, group)
    return grouped_page(tx, sections(filters, group, groups, MERGED), sort, 2, start)


def pages(
    tx: ReadTx, filters: Filter, sort: LiveSort, group: GroupField | None
) -> Iterator[tuple[MemoryPage, list[SectionRows]]]:
    cursor: str | None = None
    while True:
        found = one_page(tx, filters, sort, group, cursor)
        yield found
        cursor = found[0].next_cursor
        if cursor is None:
            return


@given(
    memories=MEMORIES,
    filters=FILTERS,
    sort=st.sampled_from(get_args(LiveSort)),
    group=st.sampled_from((None, *get_args(GroupField))),
    changes=CHANGES,
    many=st.sampled_from((1, 2_000)),
    tried=st.sampled_from((-12, -10, 500)),
)
def test_pages_hold_each_unchanged_memory_once_and_in_order(  # noqa: PLR0913, PLR0917 - all that is drawn
    tx: WriteTx,
    memories: list[dict[str, Any]],
    filters: Filter,
    sort: LiveSort,
    group: GroupField | None,
    changes: list[tuple[int, str]],
    many: int,
    tried: int,
) -> None:
    filters = replace(filters, exact_project=True)
    with pytest.MonkeyPatch.context() as patch:
        tx.execute("DELETE FROM memories", ())
        # All ways to read a page: sorting what matches, and walking along the order, near or far.
        patch.setattr(rows, "MOST_SORTED", many)
        patch.setattr(order_rows, "TRIED", tried)
        for number, given_values in enumerate(memories):
            add(tx, number, given_values)
        before = {each.id for each in rows.page(tx, filters, 100, None).memories}
        changed = set[str]()
        waiting = iter(changes)
        seen: list[Memory] = []
        headed: list[str | None] = []
        for page, groups in pages(tx, filters, sort, group):
            seen += page.memories
            assert sum(each.rows for each in groups) == (len(page.memories) if group else 0)
            headed += [each.section.value for each in groups for _ in range(each.rows)]
            for number, how in [change] if (change := next(waiting, None)) else []:
                changed.add(apply(tx, number, how, len(memories) + len(changed)))
        steady = [each for each in seen if each.id not in changed]
        assert sorted(each.id for each in steady) == sorted(before - changed)
        in_order(steady, sort, group)
        for memory, head in zip(seen, headed, strict=False):
            value = memory.type if group == "type" else memory.scope.project
            assert head == (MERGED.get(value, value) if group == "project" and value else value)


def apply(tx: WriteTx, number: int, how: str, fresh: int) -> str:
    if how == "add":
        return add(tx, fresh, {"importance": 0.9})
    if how == "touch":
        values = "importance = 0.9, updated_at = '2026-02-01', access_count = 9, type = 'rule'"
    else:
        values = "is_deleted = 1"
    tx.execute(f"UPDATE memories SET {values} WHERE id = ?", (f"m{number}",))  # noqa: S608 - constants
    return f"m{number}"


def in_order(found: list[Memory], sort: LiveSort, group: GroupField | None) -> None:
    """Check that each group is listed once, and sorted."""
    parts: dict[str | None, list[tuple[Any, int]]] = {}
    last: str | None = ""
    for memory in found:
        project = memory.scope.project
        key = {None: "", "type": memory.type, "project": MERGED.get(project or "", project)}[group]
        assert key == last or key not in parts
        parts.setdefault(key, []).append((getattr(memory, COLUMNS[sort]), memory.seq))
        last = key
    for each in parts.values():
        assert each == sorted(each, reverse=True)


@pytest.mark.parametrize(
    ("cursor", "sort", "group"),
    [
        ("newest~2026-01-01T00:00:00.000Z~3", "changed", None),
        ("importance~0.5~3", "used", None),
        ("importance~high~3", "importance", None),
        ("newest~2026~3", "newest", "project"),
        ("newest~2026~3~type:rule", "newest", "project"),
        ("newest~2026~3~type:rule", "newest", None),
        ("2026-01-01T00:00:00.000Z~3", "newest", None),
        ("newest~2026~three", "newest", None),
        ("used~1_0~3", "used", None),
        (f"newest~2026~{1 << 63}", "newest", None),
        (f"used~{1 << 63}~3", "used", None),
        ("importance~nan~3", "importance", None),
    ],
)
def test_a_cursor_of_another_list_is_refused(
    cursor: str, sort: LiveSort, group: GroupField | None
) -> None:
    with pytest.raises(InvalidInputError, match="doesn't belong to this list") as raised:
        read_cursor(cursor, sort, group)
    assert "same sort and group" in raised.value.hint


@pytest.mark.parametrize("sort", get_args(LiveSort))
def test_a_page_of_a_large_store_is_neither_sorted_nor_scanned(tx: WriteTx, sort: LiveSort) -> None:
    tx.execute("DELETE FROM memories")
    for number in range(40):
        add(tx, number, {"project": "p", "updated_at": DAYS[0] if number % 2 else ""})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order_rows, "TRIED", 0)
        sql: list[tuple[str, Sequence[Sql]]] = []
        rows_of = tx.rows

        def noted(kind: type[Row], text: str, of: Sequence[Sql]) -> list[Row]:
            sql.append((text, of))
            return rows_of(kind, text, of)

        patch.setattr(tx, "rows", noted)
        filters = Filter(project="p", exact_project=True)
        found = rows.page(tx, filters, 3, None, sort=sort)
        assert len(found.memories) == 3
        steps = [row for text, of in sql for row in tx.all(f"EXPLAIN QUERY PLAN {text}", of)]
    plans = [str(step[3]) for step in steps]
    assert plans
    assert not [plan for plan in plans if "TEMP B-TREE" in plan or "memories_project" in plan]
