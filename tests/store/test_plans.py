"""How SQLite compiles statements: once, and so that it uses partial indexes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import apsw
import pytest

from fakes.store import lay_down
from intaglio.domain.reader import USER
from intaglio.inbox import rows as inbox
from intaglio.inbox.values import ItemFilter, ItemStatus
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.store.connection import open_reader, open_writer
from intaglio.store.tx import WriteTx, run

BOUND = "SELECT seq FROM memories WHERE project = ? AND created_at > ? ORDER BY seq LIMIT ?"


def opened(folder: Path, *, reader: bool = False) -> apsw.Connection:
    file = folder / "intaglio.db"
    lay_down(file)
    return open_reader(file) if reader else open_writer(file)


def trace(
    connection: apsw.Connection, mask: int, note: Callable[[dict[str, Any]], None] | None
) -> None:
    """Call a function with each event; apsw's own stub isn't fully typed."""
    start = cast("Callable[..., None]", connection.trace_v2)  # pyright: ignore[reportUnknownMemberType] - see above
    start(mask, note)


@pytest.mark.parametrize("reader", [True, False])
def test_a_statement_is_compiled_once_whatever_is_bound(tmp_path: Path, *, reader: bool) -> None:
    connection = opened(tmp_path, reader=reader)
    counted: list[int] = []

    def note(event: dict[str, Any]) -> None:
        counted.append(event["stmt_status"]["SQLITE_STMTSTATUS_REPREPARE"])

    trace(connection, apsw.SQLITE_TRACE_PROFILE, note)
    for number in range(1, 5):
        run(connection, BOUND, (f"/work/{number}", f"2026-01-0{number}", number)).fetchall()
    connection.close()
    assert counted == [0, 0, 0, 0]


def plan_of(connection: apsw.Connection, work: Callable[[WriteTx], object]) -> str:
    """Return how SQLite runs the statements of a function."""
    statements: list[str] = []

    def note(event: dict[str, Any]) -> None:
        statements.append(event["sql"])

    tx = WriteTx(connection)
    trace(connection, apsw.SQLITE_TRACE_STMT, note)
    work(tx)
    trace(connection, 0, None)
    return "\n".join(
        str(step[3])
        for sql in statements
        for step in tx.all(f"EXPLAIN QUERY PLAN {sql}", [None] * sql.count("?"))
    )


@pytest.mark.parametrize("status", ["open", "done"])
def test_a_page_of_the_inbox_is_read_in_the_order_of_its_index(
    tmp_path: Path, status: ItemStatus
) -> None:
    connection = opened(tmp_path)
    wanted = ItemFilter(reader=USER, status=status)
    plan = plan_of(connection, lambda tx: inbox.page(tx, wanted, 10, None))
    connection.close()
    assert f"inbox_{status}" in plan
    assert "TEMP B-TREE" not in plan


def test_private_memories_are_found_by_their_index(tmp_path: Path) -> None:
    connection = opened(tmp_path)
    wanted = Filter(agent="ada", visibility="private")
    plan = plan_of(connection, lambda tx: memories.count(tx, wanted))
    connection.close()
    assert "memories_private" in plan
