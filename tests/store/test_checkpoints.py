"""The write-ahead log is folded beside the writer: it stays short, and nobody waits for it."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import apsw
import pytest

from fakes.waiting import wait_for
from intaglio.base.clock import system_clock
from intaglio.daemon.packages import PACKAGES
from intaglio.store.checkpoints import Checkpoints
from intaglio.store.connection import open_beside, open_reader, open_writer
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx, run
from intaglio.store.values import DatabaseOptions

PAGE = 4_096
LONG = 1_200  # pages that are worth a pass
LONGEST = 4_000
SECRET = "Zwetschgenknoedel"  # noqa: S105 - a word that is looked for in files


@contextmanager
def written(folder: Path) -> Generator[tuple[apsw.Connection, Checkpoints]]:
    """A database with one table, and the checkpoints beside its writer."""
    file = folder / "intaglio.db"
    writer = open_writer(file)
    run(writer, "CREATE TABLE texts(text TEXT)")
    checkpoints = Checkpoints(partial(open_beside, file))
    checkpoints.follow(writer)
    try:
        yield writer, checkpoints
    finally:
        checkpoints.stop()
        writer.close()


def write(writer: apsw.Connection, pages: int) -> None:
    run(writer, "INSERT INTO texts VALUES (?)", ("x" * PAGE * pages,))


def files_with(word: str, folder: Path) -> list[str]:
    found = folder.glob("intaglio.db*")
    return [file.name for file in found if word.encode() in file.read_bytes()]


def wait_for_a_short_log(writer: apsw.Connection, checkpoints: Checkpoints) -> None:
    """Write little by little until the log is written from its beginning again."""

    def is_short() -> bool:
        write(writer, 1)
        checkpoints.checkpoint_if_long(writer)
        return checkpoints.pages < LONG

    # A flush takes seconds on a disk that others keep busy.
    wait_for(is_short, "a short log")


def test_a_long_log_is_checkpointed_and_restarted(tmp_path: Path) -> None:
    with written(tmp_path) as (writer, checkpoints):
        write(writer, LONG)
        checkpoints.checkpoint_if_long(writer)
        wait_for_a_short_log(writer, checkpoints)


def test_a_commit_makes_no_checkpoint_itself(tmp_path: Path) -> None:
    with written(tmp_path) as (writer, checkpoints):
        before = (tmp_path / "intaglio.db").stat().st_size
        for _ in range(3):
            write(writer, LONG)
        assert checkpoints.pages >= 3 * LONG
        assert (tmp_path / "intaglio.db").stat().st_size == before


def test_writes_continue_during_a_checkpoint(tmp_path: Path) -> None:
    with written(tmp_path) as (writer, checkpoints):
        with checkpoints.one_at_a_time:
            for _ in range(3):
                write(writer, LONG)
                checkpoints.checkpoint_if_long(writer)
        wait_for_a_short_log(writer, checkpoints)


def test_constant_writing_keeps_the_log_bounded(tmp_path: Path) -> None:
    with written(tmp_path) as (writer, checkpoints):
        for _ in range(400):
            write(writer, 40)
            checkpoints.checkpoint_if_long(writer)
        assert (tmp_path / "intaglio.db-wal").stat().st_size < 2 * LONGEST * PAGE


def refuse() -> apsw.Connection:
    raise apsw.CantOpenError


def broken() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.close()
    return connection


@pytest.mark.parametrize("beside", [refuse, broken])
def test_the_writer_makes_checkpoints_where_no_thread_can(
    tmp_path: Path, beside: Callable[[], apsw.Connection]
) -> None:
    with written(tmp_path) as (writer, _):
        alone = Checkpoints(beside)
        alone.follow(writer)
        for _ in range(400):
            write(writer, 40)
            alone.checkpoint_if_long(writer)
            assert alone.pages < LONGEST + 1_000
        alone.stop()


def test_the_writer_makes_checkpoints_where_threads_run_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", exhausted)
    with written(tmp_path) as (writer, checkpoints):
        for _ in range(400):
            write(writer, 40)
            checkpoints.checkpoint_if_long(writer)
            assert checkpoints.pages < LONGEST + 1_000


def test_the_library_has_no_race_between_a_checkpoint_and_a_commit() -> None:
    """Before 3.51.3 a log that began anew amid a pass could lose commits (sqlite.org/wal.html)."""
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= (3, 51, 3)


def test_a_log_held_by_a_reader_is_checkpointed_afterwards(tmp_path: Path) -> None:
    with written(tmp_path) as (writer, checkpoints):
        reader = open_reader(tmp_path / "intaglio.db")
        run(reader, "BEGIN")
        assert run(reader, "SELECT count(*) FROM texts").fetchall() == [(0,)]
        for _ in range(5):
            write(writer, LONG)
            checkpoints.checkpoint_if_long(writer)
        assert run(reader, "SELECT count(*) FROM texts").fetchall() == [(0,)]
        assert checkpoints.pages >= 5 * LONG
        run(reader, "ROLLBACK")
        reader.close()
        for _ in range(5):
            write(writer, LONG // 2)
            checkpoints.checkpoint_if_long(writer)
        wait_for_a_short_log(writer, checkpoints)


def test_the_checkpoint_connection_cannot_write(tmp_path: Path) -> None:
    with written(tmp_path):
        beside = open_beside(tmp_path / "intaglio.db")
        with pytest.raises(apsw.ReadOnlyError):
            run(beside, "INSERT INTO texts VALUES ('x')")
        beside.close()


def test_closing_leaves_no_thread_and_no_log(tmp_path: Path) -> None:
    with written(tmp_path) as (writer, checkpoints):
        write(writer, LONG)
        checkpoints.checkpoint_if_long(writer)
    assert not [one for one in threading.enumerate() if one.name == "intaglio-checkpoints"]
    assert not (tmp_path / "intaglio.db-wal").exists()


async def test_text_erased_during_a_checkpoint_is_in_no_file(tmp_path: Path) -> None:
    options = DatabaseOptions(
        tmp_path / "intaglio.db", tmp_path / "backups", PACKAGES.schema, readers=1
    )
    database = Database(options, system_clock, lambda _: None)
    await database.open()
    add = "INSERT INTO jobs(type, subject, created_at) VALUES ('t', ?, 'now')"

    def erase(tx: WriteTx) -> None:
        tx.execute("DELETE FROM jobs")
        tx.empty_log_after_commit()

    try:
        for number in range(5):
            text = f"{SECRET} {number} " + "x" * LONG * PAGE
            await database.write(lambda tx, text=text: tx.execute(add, (text,)))  # type: ignore[misc]  # the default is typed
        await database.write(erase)
        await database.write(lambda tx: tx.execute(add, ("after",)))
        assert files_with(SECRET, tmp_path) == []
    finally:
        await database.close()
