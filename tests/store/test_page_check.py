"""All pages of the database file are read again and again, also those that no query reads."""

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from fakes.store import Bench, bench
from fakes.waiting import until
from intaglio.base.errors import UnavailableError
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember
from intaglio.store.health_checks import judge_state
from intaglio.store.page_check import PageCheck, check_tables, list_tables
from intaglio.store.tx import run
from intaglio.store.values import Degraded, Ready

_PAGE_BYTES = 4_096


def page_check(store: Bench, folder: Path, stopped: Callable[[], bool] = bool) -> PageCheck:
    return PageCheck(db=store.db, file=folder / "intaglio.db", clock=store.clock, stopped=stopped)


async def fill(folder: Path) -> None:
    async with bench(folder) as store:
        for number in range(200):
            content = f"Fact {number}: " + "the billing service writes to Postgres " * 10
            await store.ingest.remember(Remember(content=content, actor=Actor("me")))


def page_of(folder: Path, name: str) -> int:
    """Return the last page that belongs to a table or an index."""
    connection = apsw.Connection(str(folder / "intaglio.db"))
    query = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
    root = run(connection, query, (name,)).fetchall()[0][0]
    connection.close()
    assert isinstance(root, int)
    return root


def overwrite(folder: Path, page: int) -> None:
    with (folder / "intaglio.db").open("r+b") as stream:
        stream.seek((page - 1) * _PAGE_BYTES)
        stream.write(b"\xa5" * _PAGE_BYTES)


async def test_a_damaged_page_that_no_query_reads_is_found_and_named(tmp_path: Path) -> None:
    await fill(tmp_path)
    page = page_of(tmp_path, "memory_history")
    async with bench(tmp_path) as store:
        pages = page_check(store, tmp_path)
        overwrite(tmp_path, page)
        await pages.step()
        state = store.db.state
        assert isinstance(state, Degraded)
        assert state.cause == "damaged"
        assert 'the table "memory_history" is damaged' in state.reason
        (issue,) = judge_state(state, 0, pages.fault).issues
        assert (issue.title, issue.action) == ("The database is damaged", "restore")


async def test_damage_that_a_query_met_is_named_afterwards(tmp_path: Path) -> None:
    await fill(tmp_path)
    page = page_of(tmp_path, "memory_history")
    async with bench(tmp_path) as store:
        pages = page_check(store, tmp_path)
        overwrite(tmp_path, page)
        with pytest.raises(UnavailableError):
            await store.db.read(
                lambda tx: tx.rows(tuple[str], "SELECT new_content FROM memory_history")
            )
        await until(lambda: isinstance(store.db.state, Degraded), "the damage is noted")
        await pages.step()
        (issue,) = judge_state(store.db.state, 0, pages.fault).issues
        assert 'the table "memory_history" is damaged' in issue.text


async def test_a_sound_file_is_checked_in_one_step_and_stays_in_use(tmp_path: Path) -> None:
    await fill(tmp_path)
    async with bench(tmp_path) as store:
        pages = page_check(store, tmp_path)
        await pages.step()
        checked = await pages.check()
        assert isinstance(store.db.state, Ready)
        assert (pages.rounds, pages.fault, checked.issues) == (1, "", ())
        assert checked.figures[0].value == pages.checked_at is not None


async def test_writing_meanwhile_is_no_damage(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        pages = page_check(store, tmp_path)
        for number in range(5):
            await store.ingest.remember(Remember(content=f"Fact {number}", actor=Actor("me")))
            await pages.step()
        assert isinstance(store.db.state, Ready)


async def test_a_damaged_full_text_index_is_rebuilt_and_nothing_is_refused(tmp_path: Path) -> None:
    await fill(tmp_path)
    connection = apsw.Connection(str(tmp_path / "intaglio.db"))
    run(connection, "UPDATE memories_fts_data SET block = x'00' WHERE id > 10").fetchall()
    connection.close()
    async with bench(tmp_path) as store:
        await page_check(store, tmp_path).step()
        assert isinstance(store.db.state, Ready)
        tables = list_tables(tmp_path / "intaglio.db")
        assert not check_tables(tmp_path / "intaglio.db", tables, bool, 60).found.index_fault


async def test_a_table_that_is_gone_meanwhile_is_no_damage(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        pages = page_check(store, tmp_path)
        file = tmp_path / "intaglio.db"
        with pytest.raises(apsw.SQLError):
            check_tables(file, ["gone"], bool)
        await store.db.write(lambda tx: tx.execute("CREATE TABLE gone(a)"))
        pages.left = ["gone"]
        await store.db.write(lambda tx: tx.execute("DROP TABLE gone"))
        await pages.step()
        await pages.step()
        assert isinstance(store.db.state, Ready)
        assert pages.rounds == 1


async def test_a_step_checks_one_table_when_the_time_is_used_up(tmp_path: Path) -> None:
    async with bench(tmp_path):
        file = tmp_path / "intaglio.db"
        assert check_tables(file, list_tables(file), bool, 0.0).tables == 1


async def test_a_stop_ends_the_step_and_says_nothing(tmp_path: Path) -> None:
    await fill(tmp_path)
    async with bench(tmp_path) as store:
        pages = page_check(store, tmp_path, stopped=lambda: True)
        assert await pages.step() == 0.0
        assert isinstance(store.db.state, Ready)
