"""Whatever is written in whatever order, counted facets are those of the table."""

import json
import tempfile
from collections import Counter
from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from fakes.plain_store import plain_store
from intaglio.domain.reader import USER, GroupReader, IsolatedReader, Reader, SharedReader
from intaglio.memory import rows
from intaglio.memory.facet_index import columns
from intaglio.memory.facet_index import index as tallies
from intaglio.memory.facet_index import rows as reading
from intaglio.memory.facet_index.index import FacetIndex
from intaglio.memory.facet_index.values import FacetCounts, Field
from intaglio.memory.filters import Filter, where
from intaglio.memory.values import Stats
from intaglio.store.change_feed import ChangeFeed
from intaglio.store.connection import open_reader, open_writer
from intaglio.store.tx import ReadTx, WriteTx, run

AGENTS, PROJECTS, TYPES = ("default", "ann", "bob"), (None, "/a", "/b"), ("fact", "rule")
WRITERS, SOURCES, SESSIONS = ("anna", "ben"), ("manual", "note"), (None, "s1")
TAGS = ((), ("x",), ("x", "y"), ('q"x', "z"))
TIMES = ("2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z")
IMPORTANCES = (0.0, 0.1, 0.29, 0.3, 0.7, 0.8999999999999999, 0.9, 1.0)
READERS = (
    USER,
    SharedReader(),
    SharedReader("ann", archived=("bob",)),
    IsolatedReader("bob"),
    GroupReader("ann", ("bob",)),
)
ROWS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(TYPES),
        "project": st.sampled_from(PROJECTS),
        "agent_id": st.sampled_from(AGENTS),
        "visibility": st.sampled_from(["global", "private"]),
        "who": st.sampled_from(WRITERS),
        "source_type": st.sampled_from(SOURCES),
        "session_id": st.sampled_from(SESSIONS),
        "pinned": st.sampled_from([0, 1]),
        "importance": st.sampled_from(IMPORTANCES),
        "tags": st.sampled_from(TAGS).map(rows.tags_json),
        "created_at": st.sampled_from(TIMES),
        "is_deleted": st.sampled_from([0, 0, 0, 1]),
        "embedding_model": st.sampled_from([None, 1]),
    }
)
ASKED: dict[str, tuple[object, ...]] = {
    "agent": ("ann",),
    "visibility": ("global", "private"),
    "project": ("", "/a"),
    "exact_project": (True,),
    "global_only": (True,),
    "type": ("rule",),
    "tags": (("x",), ("x", "y"), ("none",)),
    "who": ("anna",),
    "pinned": (True, False),
    "importance_min": (0.3, 0.9),
    "importance_max": (0.3, 0.9),
    "since": (TIMES[1],),
    "until": (TIMES[1],),
    "source_type": ("note",),
    "session_id": ("s1",),
    "forgotten": (True,),
}
EACH: list[tuple[str, object]] = [
    (name, value) for name, values in ASKED.items() for value in values
]


def asking(reader: Reader, asked: list[tuple[str, object]]) -> Filter:
    return replace(Filter(reader=reader), **dict(asked))  # type: ignore[arg-type]  # names of the filter


# Few fields at once: a filter that lets nothing through finds no fault.
FILTERS = st.builds(asking, st.sampled_from(READERS), st.lists(st.sampled_from(EACH), max_size=2))


COLUMNS: dict[Field, str] = {
    "type": "type",
    "project": "project",
    "agent": "agent_id",
    "visibility": "visibility",
    "who": "who",
    "source_type": "source_type",
    "pinned": "pinned",
    "importance": "importance",
    "tags": "tags",
}


def passing(tx: ReadTx, filters: Filter, column: str) -> list[Any]:
    condition, params = where(filters)
    sql = f"SELECT {column} FROM memories m WHERE {condition}"  # noqa: S608 - a condition of constants
    return [value for (value,) in tx.all(sql, params)]


def without(filters: Filter, field: Field) -> Filter:
    match field:
        case "tags":
            return filters
        case "project":
            return replace(filters, project=None, global_only=False)
        case "importance":
            return replace(filters, importance_min=None, importance_max=None)
        case _:
            return replace(filters, **{field: None})  # type: ignore[arg-type]  # names of the filter


def fresh(tx: ReadTx, filters: Filter) -> tuple[int, dict[Field, dict[Any, int]]]:
    """Count in the plainest way there is."""
    counts: dict[Field, dict[Any, int]] = {}
    for field, column in COLUMNS.items():
        values = passing(tx, without(filters, field), column)
        if field == "tags":
            values = [tag for listed in values for tag in json.loads(listed or "[]")]
        if field == "importance":
            values = [sum(value >= tenth / 10 for tenth in range(1, 10)) / 10 for value in values]
        counts[field] = dict(Counter(values))
    return len(passing(tx, filters, "seq")), counts


def told(facets: FacetCounts) -> tuple[int, dict[Field, dict[Any, int]]]:
    return facets.total, {field: dict(counts) for field, counts in facets.counts.items()}


@cache
def empty() -> bytes:
    """Make a database without memories, once; return its file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with plain_store(folder) as tx:
            tx.execute(
                "INSERT INTO embedding_models"
                "(id, provider, model, hash, dimensions, scale, created_at) "
                "VALUES (1, 'local', 'm', 'h', 2, 1.0, 'now')"
            )
        return (folder / "plain.db").read_bytes()


class InStep(RuleBasedStateMachine):
    """Writes, commits told late, old snapshots, pauses and another file, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        # Columns are worn, and read anew, as often as can be.
        self.stack.enter_context(pytest.MonkeyPatch.context()).setattr(columns, "_TOLERATED", 0)
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        self.file = Path(folder) / "plain.db"
        self.now = 0.0
        self.number = 0
        self.commits = ChangeFeed()
        self.tally = FacetIndex(lambda: self.now)
        self.commits.watch("memories", self.tally.record_commit)
        self.old: list[tuple[apsw.Connection, ReadTx]] = []

    @initialize()
    def start(self) -> None:
        self.file.write_bytes(empty())
        self.writer = open_writer(self.file)
        # Each example has its own file, and no crash is looked at here.
        run(self.writer, "PRAGMA synchronous = OFF")
        self.stack.callback(self.writer.close)
        self.commits.follow(self.writer)

    def write(self, sql: str, params: tuple[Any, ...]) -> None:
        run(self.writer, "BEGIN IMMEDIATE")
        WriteTx(self.writer).execute(sql, params)
        run(self.writer, "COMMIT")

    @rule(row=ROWS, count=st.integers(1, 3))
    def remember(self, row: dict[str, Any], count: int) -> None:
        self.commits.notify_committed()
        names = ", ".join(row)
        for _ in range(count):
            self.number += 1
            self.write(
                f"INSERT INTO memories(id, content, content_hash, confidence, updated_at, "  # noqa: S608 - names of columns
                f"updated_by, {names}) VALUES (?, '', randomblob(32), 1, '', '', "
                f"{', '.join('?' * len(row))})",
                (str(self.number), *row.values()),
            )
            self.commits.notify_committed()

    @rule(which=st.integers(0, 5), row=ROWS, told_at_once=st.booleans())
    def change(self, which: int, row: dict[str, Any], *, told_at_once: bool) -> None:
        # Commits are told in their order.
        self.commits.notify_committed()
        kept = {name: value for name, value in row.items() if name != "created_at"}
        names = ", ".join(f"{name} = ?" for name in kept)
        self.write(f"UPDATE memories SET {names} WHERE seq % 6 = ?", (*kept.values(), which))  # noqa: S608 - names of columns
        if told_at_once:
            self.commits.notify_committed()

    @rule(which=st.integers(0, 5))
    def erase(self, which: int) -> None:
        self.commits.notify_committed()
        self.write("DELETE FROM memories WHERE seq % 6 = ?", (which,))
        self.commits.notify_committed()

    @rule()
    def keep_a_snapshot(self) -> None:
        self.old.append(self.snapshot())

    def snapshot(self) -> tuple[apsw.Connection, ReadTx]:
        generation = self.commits.generation
        connection = open_reader(self.file)
        self.stack.callback(connection.close)
        run(connection, "BEGIN")
        run(connection, "SELECT count(*) FROM memories").fetchall()
        return connection, ReadTx(connection, generation)

    @rule(filters=FILTERS)
    def ask_an_old_snapshot(self, filters: Filter) -> None:
        if self.old:
            self.tally.facets(self.old.pop()[1], filters)

    @rule()
    def ask_while_a_commit_is_not_told(self) -> None:
        self.tally.facets(self.snapshot()[1], Filter(reader=USER))

    @rule()
    def let_it_rest(self) -> None:
        self.now += 10_000.0
        self.tally.rest()

    @rule()
    def put_another_file_in_its_place(self) -> None:
        for connection, _ in self.old:
            connection.close()
        self.old.clear()
        self.write("DELETE FROM memories WHERE seq % 2 = 0", ())
        self.commits.notify_replaced()

    @rule(filters=FILTERS)
    def ask_for_statistics(self, filters: Filter) -> None:
        self.commits.notify_committed()
        connection, tx = self.snapshot()
        expected = rows.stats(tx, Filter(reader=filters.reader))
        for _ in range(2):
            assert self.tally.stats(tx, filters.reader) == expected
        connection.close()

    @rule(filters=FILTERS)
    def ask(self, filters: Filter) -> None:
        self.commits.notify_committed()
        connection, tx = self.snapshot()
        assert told(self.tally.facets(tx, filters)) == fresh(tx, filters)
        assert told(self.tally.facets(tx, filters)) == fresh(tx, filters)
        everything = Filter(reader=filters.reader)
        assert told(self.tally.facets(tx, everything)) == fresh(tx, everything)
        assert self.tally.stats(tx, filters.reader) == rows.stats(tx, everything)
        connection.close()

    def teardown(self) -> None:
        self.stack.close()


TestInStep = InStep.TestCase
TestInStep.settings = settings(max_examples=20, stateful_step_count=30)


@pytest.fixture
def store() -> Generator[InStep]:
    machine = InStep()
    machine.start()
    for number in range(3):
        machine.write(INSERT, (str(number), 0.5))
        machine.commits.notify_committed()
    yield machine
    machine.teardown()


def pin(store: InStep) -> None:
    store.write("UPDATE memories SET pinned = pinned + 1 WHERE seq = 1", ())
    store.commits.notify_committed()


def pinned(store: InStep) -> dict[Any, int]:
    _, tx = store.snapshot()
    return dict(store.tally.facets(tx, Filter()).counts["pinned"])


def test_a_value_from_an_old_snapshot_is_not_cached(store: InStep) -> None:
    _, old = store.snapshot()
    pin(store)
    assert dict(store.tally.facets(old, Filter()).counts["pinned"]) == {False: 3}
    assert pinned(store) == {False: 2, True: 1}


def test_rows_changed_after_a_snapshot_are_read_again(store: InStep) -> None:
    assert pinned(store) == {False: 3}
    pin(store)
    _, between = store.snapshot()
    store.write("UPDATE memories SET pinned = 0 WHERE seq = 1", ())
    store.commits.notify_committed()
    assert dict(store.tally.facets(between, Filter()).counts["pinned"]) == {False: 2, True: 1}
    assert pinned(store) == {False: 3}


def test_a_failed_read_keeps_no_old_snapshot(
    store: InStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pinned(store) == {False: 3}
    _, old = store.snapshot()
    pin(store)
    with monkeypatch.context() as patched:
        patched.setattr(reading, "chunk_of", None)
        with pytest.raises(TypeError):
            pinned(store)
    store.tally.facets(old, Filter())
    assert pinned(store) == {False: 2, True: 1}


def stats_of(tally: FacetIndex, tx: ReadTx) -> Stats:
    return tally.stats(tx, USER)


INSERT = (
    "INSERT INTO memories(id, content, content_hash, type, importance, confidence, pinned, who, "
    "agent_id, visibility, source_type, created_at, updated_at, updated_by) "
    "VALUES (?, '', randomblob(32), 'fact', ?, 1, 0, 'w', 'default', 'global', 's', '', '', '')"
)


def test_counting_for_a_reader_needs_no_columns(tmp_path: Path) -> None:
    with plain_store(tmp_path) as tx:
        tx.execute(INSERT, ("1", 0.9))
        assert stats_of(FacetIndex(lambda: 0.0), tx) == Stats(
            total=1, with_embeddings=0, critical=1
        )


def test_a_repeated_count_is_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with plain_store(tmp_path) as tx:
        tx.execute(INSERT, ("1", 0.5))
        tally = FacetIndex(lambda: 0.0)
        first = tally.facets(tx, Filter())
        monkeypatch.setattr(tallies, "facets", None)
        assert tally.facets(tx, Filter()) is first


def test_values_without_memories_are_freed(store: InStep) -> None:
    for number in range(20):
        store.write("UPDATE memories SET who = ?", (f"w{number}",))
        store.commits.notify_committed()
        assert pinned(store) == {False: 3}
    kept = store.tally._columns  # pyright: ignore[reportPrivateUsage] # what is held in memory has no other face
    assert kept is not None
    assert len(kept.who.values) < 10


def test_rows_of_deleted_memories_are_freed(store: InStep) -> None:
    for number in range(3, 23):
        store.write(INSERT, (str(number), 0.5))
        store.write("DELETE FROM memories WHERE id = ?", (str(number - 3),))
        store.commits.notify_committed()
        assert pinned(store) == {False: 3}
    kept = store.tally._columns  # pyright: ignore[reportPrivateUsage] # see above
    assert kept is not None
    assert len(kept.seqs) < 10


def test_many_changes_at_once_rebuild_the_index(tmp_path: Path) -> None:
    with plain_store(tmp_path) as tx:
        tx.execute(INSERT, ("1", 0.5))
        tally = FacetIndex(lambda: 0.0)
        tally.facets(tx, Filter())
        tx.execute(INSERT, ("2", 0.5))
        tally.record_commit(1, frozenset(range(1, 20_000)))
        tx.generation = 1
        assert tally.facets(tx, Filter()).total == 2


@pytest.mark.parametrize("each", [1, 2, 9])
@pytest.mark.parametrize("asked", [(), ("t3",), ("t3", "t4"), ("t3", "none")])
def test_tags_are_counted_however_many_memories_have_the_same(
    tmp_path: Path, each: int, asked: tuple[str, ...]
) -> None:
    with plain_store(tmp_path) as tx:
        for number in range(20 * each):
            first = number % 20
            tx.execute(INSERT, (str(number), 0.5))
            tags = rows.tags_json([f"t{first % 7}", f"t{first % 7 + 1}", f"t{first + 8}"])
            tx.execute("UPDATE memories SET tags = ? WHERE id = ?", (tags, str(number)))
        wanted = Filter(reader=USER, tags=asked)
        assert told(FacetIndex(lambda: 0.0).facets(tx, wanted)) == fresh(tx, wanted)


def test_a_tag_that_a_memory_has_twice_is_counted_once(tmp_path: Path) -> None:
    with plain_store(tmp_path) as tx:
        tx.execute(INSERT, ("1", 0.5))
        tx.execute("UPDATE memories SET tags = ?", (json.dumps(["x", "y", "x"]),))
        counted = FacetIndex(lambda: 0.0).facets(tx, Filter(reader=USER)).counts["tags"]
        assert counted == (("x", 1), ("y", 1))
