"""What a filter says of a memory in memory is what its SQL condition says of its row."""

import json
from collections.abc import Generator
from dataclasses import asdict, fields, make_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.plain_store import plain_store
from intaglio.domain.reader import (
    USER,
    VISIBILITIES,
    GroupReader,
    IsolatedReader,
    SharedReader,
)
from intaglio.graph.memory_filter_rows import of_entity
from intaglio.memory.filters import (
    ENTRIES,
    SWITCHES,
    Filter,
    active_filters,
    facet_predicate,
    filter_remainder,
    predicates,
    scope_filter,
    vector_filter,
    where,
)
from intaglio.store.tx import WriteTx
from intaglio.store.vectors.values import FilterKey

READERS = (
    USER,
    SharedReader(),
    SharedReader("ann", archived=("bob",)),
    SharedReader("ann", archived=("ann",)),
    IsolatedReader("ann"),
    IsolatedReader("nobody"),
    GroupReader("ann", ("bob", "default")),
    GroupReader("nobody", ("ann",)),
    GroupReader("ann", ()),
)
# What an index of vectors knows of a memory.
FACETS = frozenset(field.name for field in fields(FilterKey))
DAYS = ("2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z")
# What occurs of each thing that a filter reads; a new one is added here once, for every test.
VALUES: dict[str, tuple[Any, ...]] = {
    "forgotten": (False, True),
    "agent_id": ("default", "ann", "bob"),
    "visibility": VISIBILITIES,
    "project": (None, "", "/a", "/b"),
    "type": ("fact", "rule"),
    "who": ("ann", "bob"),
    "pinned": (False, True),
    "importance": (0.0, 0.5, 1.0),
    "created_at": DAYS,
    "source_type": ("s", "note"),
    "source_path": (None, "/notes/one.md", "/notes/two.md"),
    "session_id": (None, "one", "two"),
    "tags": ((), ("tea",), ("tea", "five"), ("te",)),
    "entities": ((), ("redis",), ("redis", "ann")),
    "valid_until": (None, *DAYS),
    "dispute": (0, 1, 2, 3),
}
# What a filter may ask beside what occurs.
ELSE: dict[str, st.SearchStrategy[Any]] = {
    "reader": st.sampled_from(READERS),
    "forgotten": st.booleans(),
    "without_projects": st.sampled_from([(), ("/a",), ("", "/b")]),
    "entity": st.sampled_from([None, of_entity("redis"), of_entity("ann")]),
    "memory_status": st.sampled_from([None, "current", "replaced", "disputed"]),
}
# All that a filter may read of a memory.
Memory: Any = make_dataclass("Memory", list(VALUES), frozen=True)
COLUMNS = tuple(
    "is_deleted" if name == "forgotten" else name for name in VALUES if name != "entities"
)
INSERT = (
    "INSERT INTO memories(id, content, content_hash, confidence, updated_at, updated_by, "  # noqa: S608 - names of columns
    f"{', '.join(COLUMNS)}) "
    f"VALUES (?, '', randomblob(32), 1, '', '', {', '.join('?' * len(COLUMNS))})"
)

KNOWN = frozenset(VALUES)
MEMORIES = st.lists(
    st.builds(Memory, **{name: st.sampled_from(values) for name, values in VALUES.items()}),
    max_size=12,
)


ENTITIES = {"redis": 1, "ann": 2}
ENTITY = (
    "INSERT INTO entities(seq, id, agent_id, name, canonical_name, entity_type, origin, "
    "created_at, updated_at) VALUES (?1, ?2, 'default', ?2, ?2, 'tool', 'linker', '', '')"
)
ALIAS = (
    "INSERT INTO entity_aliases(seq, entity, alias, canonical, origin, created_at) "
    "VALUES (?1, ?1, ?2, ?2, 'text', '')"
)
MENTION = "INSERT INTO memory_entity_mentions VALUES (?, ?, ?, ?, 1.0)"


def _wanted(name: str, reads: tuple[str, ...]) -> st.SearchStrategy[Any]:
    if name in ELSE:
        return ELSE[name]
    # A memory of no session has none to ask for: None asks for nothing.
    return st.one_of(
        st.just(getattr(Filter(), name)),
        st.sampled_from([value for value in VALUES[reads[0]] if value is not None]),
    )


FILTERS = st.builds(
    Filter,
    **{entry.name: _wanted(entry.name, entry.reads) for entry in ENTRIES},
    project_aliases=st.sampled_from([(), ("/b",), ("/a", "")]),
    exact_project=st.booleans(),
    global_only=st.booleans(),
)


@pytest.fixture
def store(tmp_path: Path) -> Generator[WriteTx]:
    with plain_store(tmp_path) as tx:
        for name, seq in ENTITIES.items():
            tx.execute(ENTITY, (seq, name))
            tx.execute(ALIAS, (seq, name))
        yield tx


def _put(tx: WriteTx, memories: list[Any]) -> None:
    tx.execute("DELETE FROM memories")
    for number, memory in enumerate(memories):
        values = asdict(memory)
        values["tags"] = json.dumps(memory.tags) if memory.tags else None
        entities = values.pop("entities")
        tx.execute(INSERT, (str(number), *values.values()))
        seq = tx.last_row()
        for place, entity in enumerate(entities):
            tx.execute(MENTION, (seq, place, place + 1, ENTITIES[entity]))


@given(FILTERS, MEMORIES)
@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    max_examples=75,
)
def test_each_predicate_selects_the_same_memories_as_its_sql(
    store: WriteTx, filters: Filter, memories: list[Any]
) -> None:
    _put(store, memories)
    condition, params = where(filters)
    found = store.column(str, f"SELECT m.id FROM memories m WHERE {condition}", params)  # noqa: S608 - a condition of constants
    each = predicates(filters, KNOWN).values()
    passed = [
        str(number) for number, memory in enumerate(memories) if all(test(memory) for test in each)
    ]
    assert sorted(found) == sorted(passed)


@given(FILTERS, MEMORIES)
def test_the_facet_index_loses_no_matching_memory(filters: Filter, memories: list[Any]) -> None:
    let_through = facet_predicate(filters)
    each = predicates(filters, KNOWN).values()
    for memory in memories:
        facets = FilterKey(
            memory.agent_id,
            memory.visibility,
            memory.project,
            memory.type,
            memory.pinned,
            memory.source_type,
        )
        passed = all(test(memory) for test in each)
        facets_tell = all(FACETS.issuperset(entry.reads) for entry in active_filters(filters))
        # The index holds live memories alone.
        if not memory.forgotten and (passed or facets_tell):
            assert let_through(facets) == passed


@given(FILTERS)
def test_a_filter_splits_into_an_indexed_part_and_the_rest(filters: Filter) -> None:
    known = frozenset({"agent_id", "visibility", "project", "type", "forgotten"})
    rest = filter_remainder(filters, known)
    names = {entry.name for entry in active_filters(filters) if not known.issuperset(entry.reads)}
    told = set[str]() if rest is None else {entry.name for entry in active_filters(rest)}
    assert told - {"reader", "forgotten"} == names


def test_every_filter_reads_a_field_or_is_covered_by_another() -> None:
    plain = {entry.name for entry in ENTRIES}
    assert plain | SWITCHES.keys() | {"exact_project", "project_aliases"} == set(
        Filter.__dataclass_fields__
    )
    assert {name for entry in ENTRIES for name in entry.reads} == KNOWN


@pytest.mark.parametrize(
    "filters",
    [
        Filter(tags=("a",)),
        Filter(who="w"),
        Filter(importance_min=0.0),
        Filter(since="2026"),
        Filter(until="2026"),
        Filter(importance_max=0.5),
        Filter(session_id="s"),
        Filter(entity=of_entity("redis")),
        Filter(memory_status="current"),
        Filter(memory_status="replaced"),
        Filter(as_of="2026"),
    ],
    ids=str,
)
def test_filters_that_the_index_does_not_cover_use_sql(filters: Filter) -> None:
    # Nearly all memories hold, so that one which doesn't is left out of what is found.
    asked = (filters.importance_max, filters.session_id, filters.entity, filters.as_of)
    asks_sql = any(each is not None for each in asked) or filters.memory_status == "replaced"
    assert vector_filter(filters).needs_sql == asks_sql


def test_a_filter_without_its_own_part_asks_for_a_place() -> None:
    place = Filter(project="/a", exact_project=True, reader=SharedReader("ann"))
    assert scope_filter(replace(place, type="fact", tags=("tea",))) == place
