"""The database's files are replaced, removed or overwritten under the open database."""

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from fakes.waiting import PATIENCE_S, until
from intaglio.base.clock import Clock, system_clock
from intaglio.base.errors import ConflictError, UnavailableError
from intaglio.daemon.packages import PACKAGES
from intaglio.store.database import Database
from intaglio.store.files.rescue import NotRescued, RescueOutcome, rescue_open
from intaglio.store.tx import ReadTx, WriteTx, run
from intaglio.store.values import DatabaseOptions, Degraded, Ready
from intaglio.store.writer import Writer

APP = Path(__file__).resolve().parents[2] / "app"
JOB = "INSERT INTO jobs(type, subject, created_at) VALUES ('t', ?, 'now')"
NAME = "intaglio.db"
COUNT = 20
PAGE_BYTES = 4_096
SIDE_FILES = ("", "-wal", "-shm")

Fault = Callable[[Path], None]


def options(folder: Path, known: Path | None = None) -> DatabaseOptions:
    return DatabaseOptions(
        folder / NAME, folder / "backups", PACKAGES.schema, readers=2, known=known
    )


@asynccontextmanager
async def opened(folder: Path, known: Path | None = None) -> AsyncGenerator[Database]:
    database = Database(options(folder, known), system_clock, lambda _: None)
    await database.open()
    try:
        yield database
    finally:
        await database.close()


def add(subject: str) -> Callable[[WriteTx], int]:
    return lambda tx: tx.execute(JOB, (subject,))


def subjects(tx: ReadTx) -> list[str]:
    return tx.column(str, "SELECT subject FROM jobs ORDER BY id")


def subjects_in(file: Path) -> list[str]:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        return [row[0] for row in connection.execute("SELECT subject FROM jobs ORDER BY id")]


async def fill(database: Database, first: int = 0) -> list[str]:
    written = [f"job {first + number}" for number in range(COUNT)]
    for subject in written:
        await database.write(add(subject))
    return written


async def cause_after(database: Database) -> str:
    """Wait until the state is final: the data was saved aside, or that failed."""
    await until(
        lambda: isinstance(database.state, Degraded) and "aved" in database.state.reason,
        "a database that says where its data is",
    )
    assert isinstance(database.state, Degraded)
    return database.state.cause


def older(folder: Path) -> Path:
    """Where the tests keep a complete copy from before the last writes."""
    return folder / "older.db"


def swap_by_older_copy(file: Path) -> None:
    shutil.copy(older(file.parent), file.parent / "new")
    (file.parent / "new").replace(file)


def swap_by_same_bytes(file: Path) -> None:
    shutil.copy(file, file.parent / "new")
    (file.parent / "new").replace(file)


def swap_by_foreign_file(file: Path) -> None:
    (file.parent / "new").write_bytes(b"notes of another program")
    (file.parent / "new").replace(file)


def remove(file: Path) -> None:
    file.unlink()


def remove_all(file: Path) -> None:
    for each in file.parent.glob(f"{NAME}*"):
        each.unlink()


def stash(file: Path) -> None:
    away = file.parent / "away"
    away.mkdir()
    for suffix in SIDE_FILES:
        side = file.with_name(NAME + suffix)
        side.replace(away / side.name)


def remove_log(file: Path) -> None:
    file.with_name(f"{NAME}-wal").unlink()


def remove_shared_memory(file: Path) -> None:
    file.with_name(f"{NAME}-shm").unlink()


def overwrite(file: Path) -> None:
    shutil.copyfile(older(file.parent), file)


FAULTS = {
    "replaced": [swap_by_older_copy, swap_by_same_bytes, swap_by_foreign_file],
    "removed": [remove, remove_all, stash],
    "log_lost": [remove_log, remove_shared_memory],
    "overwritten": [overwrite],
}


@pytest.mark.parametrize(
    ("cause", "fault"),
    [(cause, fault) for cause, faults in FAULTS.items() for fault in faults],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
async def test_a_replaced_file_fails_writes_and_its_data_is_rescued(
    tmp_path: Path, cause: str, fault: Fault
) -> None:
    async with opened(tmp_path) as database:
        written = await fill(database)
        shutil.copy((await database.back_up(keep=1)).file, older(tmp_path))
        written += await fill(database, COUNT)
        fault(tmp_path / NAME)
        with pytest.raises(UnavailableError):
            await database.write(add("never acknowledged"))
        assert await cause_after(database) == cause
        with pytest.raises(UnavailableError, match="read-only") as refused:
            await database.write(add("nor this"))
        assert "db restore rescued-" in refused.value.hint
        saved = database.list_copies()[0]
        assert saved.rescued
        assert saved.file.stat().st_mode & 0o777 == 0o600
        assert set(written) <= set(subjects_in(saved.file))
        assert set(written) <= set(await database.read(subjects))

        await database.restore()
        assert isinstance(database.state, Ready)
        await database.write(add("after the restore"))
        assert {*written, "after the restore"} <= set(await database.read(subjects))
    assert not (tmp_path / "intaglio.db.open").exists()
    assert not list((tmp_path / "backups").glob(".open*"))


@pytest.mark.parametrize("fault", [swap_by_older_copy, remove, remove_log, overwrite])
async def test_an_idle_database_is_watched(
    tmp_path: Path, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.store.writer._WATCH_S", 0.05)
    async with opened(tmp_path) as database:
        shutil.copy((await database.back_up(keep=1)).file, older(tmp_path))
        written = await fill(database)
        fault(tmp_path / NAME)
        await cause_after(database)
        assert set(subjects_in(database.list_copies()[0].file)) == set(written)


def checkpoint_by_another_program(file: Path) -> None:
    # Not in this process: closing a connection of its own would release our locks.
    script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA wal_checkpoint')"
    subprocess.run((sys.executable, "-c", script, str(file)), check=True)


async def test_a_file_that_was_only_touched_or_checkpointed_by_others_stays_in_use(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as database:
        await fill(database)
        os.utime(tmp_path / NAME, (1, 1))
        written = await fill(database, COUNT)
        checkpoint_by_another_program(tmp_path / NAME)
        await database.write(add("goes on"))
        assert await database.read(subjects) == [
            *(f"job {number}" for number in range(COUNT)),
            *written,
            "goes on",
        ]


async def test_a_workspace_out_of_reach_for_a_moment_is_used_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.store.writer._WATCH_S", 0.05)
    memory, away = tmp_path / "memory", tmp_path / "away"
    async with opened(memory) as database:
        written = await fill(database)
        memory.rename(away)
        # Looking it up fails otherwise than for a missing file, for root too.
        memory.symlink_to(memory)
        with pytest.raises(UnavailableError, match="can't be reached"):
            await database.write(add("never acknowledged"))
        await until(lambda: isinstance(database.state, Degraded), "a degraded database")
        assert isinstance(database.state, Degraded)
        assert database.state.cause == "unavailable"
        assert set(written) <= set(await database.read(subjects))
        memory.unlink()
        away.rename(memory)
        await until(lambda: isinstance(database.state, Ready), "a database that is used again")
        written += await fill(database, COUNT)
        assert set(written) <= set(await database.read(subjects))
        assert database.list_copies() == []
    async with opened(memory) as database:
        assert isinstance(database.state, Ready)
        assert set(written) <= set(await database.read(subjects))


async def test_files_that_came_back_as_they_were_are_used_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.store.writer._WATCH_S", 0.05)
    async with opened(tmp_path) as database:
        written = await fill(database)
        stash(tmp_path / NAME)
        assert await cause_after(database) == "removed"
        for side in (tmp_path / "away").iterdir():
            side.replace(tmp_path / side.name)
        await until(lambda: isinstance(database.state, Ready), "a database that is used again")
        await database.write(add("goes on"))
    async with opened(tmp_path) as database:
        assert isinstance(database.state, Ready)
        assert {*written, "goes on"} <= set(await database.read(subjects))


async def test_another_file_in_the_place_of_an_unreachable_one_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.store.writer._WATCH_S", 0.05)
    memory, away = tmp_path / "memory", tmp_path / "away"
    async with opened(memory) as database:
        written = await fill(database)
        shutil.copytree(memory, tmp_path / "copy")
        memory.rename(away)
        memory.symlink_to(memory)
        await until(lambda: isinstance(database.state, Degraded), "a degraded database")
        memory.unlink()
        (tmp_path / "copy").rename(memory)
        assert await cause_after(database) == "replaced"
        saved = database.list_copies()[0]
        assert set(written) <= set(subjects_in(saved.file))


async def test_a_file_system_that_numbers_its_files_anew_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def renumbered(found: os.stat_result) -> os.stat_result:
        times = {"st_mtime_ns": found.st_mtime_ns}
        return os.stat_result((found[0], found[1] + 1_000_000, *found[2:]), times)

    real_stat, real_fstat = os.stat, os.fstat

    def stat(path: str) -> os.stat_result:
        return renumbered(real_stat(path))

    def fstat(descriptor: int) -> os.stat_result:
        return renumbered(real_fstat(descriptor))

    async with opened(tmp_path) as database:
        written = await fill(database)
        with monkeypatch.context() as patch:
            patch.setattr(os, "stat", stat)
            patch.setattr(os, "fstat", fstat)
            await database.write(add("goes on"))
        assert {*written, "goes on"} == set(await database.read(subjects))


async def test_a_restart_accepts_the_new_file_and_keeps_the_copy(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        before = await fill(database)
        shutil.copy((await database.back_up(keep=1)).file, older(tmp_path))
        written = await fill(database, COUNT)
        swap_by_older_copy(tmp_path / NAME)
        with pytest.raises(UnavailableError):
            await database.write(add("x"))
        await cause_after(database)
        assert isinstance(database.state, Degraded)
        assert "is an Intaglio database" in database.state.reason
        assert "restart the daemon" in database.state.hint
    async with opened(tmp_path) as database:
        assert isinstance(database.state, Ready)
        assert await database.read(subjects) == before
        saved = database.list_copies()[0]
        assert set(written) <= set(subjects_in(saved.file))


async def test_a_stashed_database_that_came_back_is_whole(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        written = await fill(database)
        stash(tmp_path / NAME)
        with pytest.raises(UnavailableError):
            await database.write(add("x"))
        await cause_after(database)
        # Even without its log.
        (tmp_path / "away" / NAME).replace(tmp_path / NAME)
    async with opened(tmp_path) as database:
        assert isinstance(database.state, Ready)
        assert set(written) <= set(await database.read(subjects))


async def test_no_backup_is_made_of_another_file(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        await fill(database)
        await database.back_up(keep=1)
        good = [each.file.name for each in database.list_backups()]
        shutil.copy(database.list_backups()[0].file, older(tmp_path))
        swap_by_older_copy(tmp_path / NAME)
        with pytest.raises(UnavailableError):
            await database.back_up(keep=1)
        assert [each.file.name for each in database.list_backups()] == good


# What happens to the files of a process that was killed.

KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from typing import Any
from intaglio.base.clock import Clock, system_clock
from intaglio.daemon.packages import PACKAGES
from intaglio.store.database import Database
from intaglio.store.values import DatabaseOptions
async def main():
    folder = Path(sys.argv[1])
    file, backups = folder / "intaglio.db", folder / "backups"
    options = DatabaseOptions(file, backups, PACKAGES.schema, readers=1)
    database = Database(options, system_clock, lambda _: None)
    await database.open()
    for number in range(int(sys.argv[2])):
        work = lambda tx: tx.execute(sys.argv[3], (f"job {number}",))
        await database.write(work)
    if len(sys.argv) > 4:
        await database.back_up(1)
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""


def kill_after_writes(folder: Path, *, back_up: bool = False) -> list[str]:
    more = ("back up",) if back_up else ()
    env = {**os.environ, "PYTHONPATH": str(APP)}
    command = (sys.executable, "-c", KILLED, str(folder), str(COUNT), JOB, *more)
    assert subprocess.run(command, env=env, check=False).returncode == -signal.SIGKILL
    return [f"job {number}" for number in range(COUNT)]


MORE = [pytest.param(each, marks=pytest.mark.slow) for each in (remove, remove_log, overwrite)]


@pytest.mark.parametrize("fault", [swap_by_older_copy, remove_all, *MORE])
async def test_a_fault_after_a_kill_leaves_the_data_in_a_copy(tmp_path: Path, fault: Fault) -> None:
    async with opened(tmp_path / "other") as database:
        shutil.copy((await database.back_up(keep=1)).file, older(tmp_path))
    written = kill_after_writes(tmp_path)
    fault(tmp_path / NAME)
    for _ in range(2):
        # The second one is after another kill.
        database = Database(options(tmp_path), system_clock, lambda _: None)
        assert isinstance(await database.open(), Degraded)
        assert await database.read(subjects) == written
        assert [copy.rescued for copy in database.list_copies()] == [True]
        with pytest.raises(UnavailableError):
            await database.write(add("x"))
    await database.restore()
    assert isinstance(database.state, Ready)
    assert await database.read(subjects) == written
    await database.close()


@pytest.mark.slow
async def test_a_database_behind_a_symbolic_link_is_watched_and_rescued(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    (tmp_path / NAME).symlink_to(disk / NAME)
    written = kill_after_writes(tmp_path)
    (disk / NAME).unlink()
    async with opened(tmp_path) as database:
        assert isinstance(database.state, Degraded)
        assert database.state.cause == "missing"
        assert await database.read(subjects) == written
        await database.restore()
        (tmp_path / NAME).unlink()
        with pytest.raises(UnavailableError):
            await database.write(add("x"))
        assert await cause_after(database) == "removed"


async def test_an_overwriting_that_is_not_done_yet_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = list[RescueOutcome]()

    def before_the_rest_is_written(
        connection: apsw.Connection, folder: Path, clock: Clock, *, thorough: bool
    ) -> RescueOutcome:
        # So small a database is read from the cache otherwise.
        run(connection, "PRAGMA shrink_memory").fetchall()
        outcomes.append(rescue_open(connection, folder, clock, thorough=thorough))
        overwrite(tmp_path / NAME)
        return outcomes[-1]

    monkeypatch.setattr("intaglio.store.files.rescue.rescue_open", before_the_rest_is_written)
    async with opened(tmp_path) as database:
        written = await fill(database)
        copy = (await database.back_up(keep=1)).file
        shutil.copy(copy, older(tmp_path))
    async with opened(tmp_path) as database:
        written += await fill(database, COUNT)
        content = copy.read_bytes()
        (tmp_path / NAME).write_bytes(content[:PAGE_BYTES] + b"\xff" * (len(content) - PAGE_BYTES))
        with pytest.raises(UnavailableError):
            await database.write(add("never acknowledged"))
        assert await cause_after(database) == "overwritten"
        assert isinstance(outcomes[0], NotRescued)
        assert set(written) <= set(subjects_in(database.list_copies()[0].file))


async def test_a_copy_that_the_stop_does_not_wait_for_is_made_by_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered, go_on = threading.Event(), threading.Event()

    def slowly(*given: Any, **named: Any) -> RescueOutcome:  # noqa: ANN401 - passed on as it is
        entered.set()
        go_on.wait(2 * PATIENCE_S)
        return rescue_open(*given, **named)

    monkeypatch.setattr("intaglio.store.files.rescue.rescue_open", slowly)
    database = Database(options(tmp_path), system_clock, lambda _: None)
    await database.open()
    written = await fill(database)
    remove(tmp_path / NAME)
    with pytest.raises(UnavailableError):
        await database.write(add("x"))
    # Without the loop: what it has yet to be told of the fault counts too.
    assert entered.wait(PATIENCE_S)
    left: list[Writer] = []

    def leave(writer: Writer) -> None:
        left.append(writer)

    monkeypatch.setattr("intaglio.store.writer.Writer.stop", leave)
    await database.close()
    monkeypatch.undo()
    async with opened(tmp_path) as again:
        assert isinstance(again.state, Degraded)
        assert set(written) <= set(await again.read(subjects))
        await again.restore()
        assert set(written) <= set(await again.read(subjects))
    go_on.set()
    await asyncio.to_thread(left[0].stop, PATIENCE_S)


async def test_a_killed_database_that_somebody_read_or_moved_opens_as_usual(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "first"
    written = kill_after_writes(folder)
    with closing(sqlite3.connect(folder / NAME)) as connection:
        # Closing the last connection checkpoints and deletes the log.
        assert connection.execute("SELECT count(*) FROM jobs").fetchall() == [(COUNT,)]
    assert not (folder / f"{NAME}-wal").exists()
    # Without the hard links.
    shutil.copytree(folder, tmp_path / "second")
    for each in (folder, tmp_path / "second"):
        async with opened(each) as database:
            assert not isinstance(database.state, Degraded)
            assert await database.read(subjects) == written
            assert database.list_copies() == []


# A database that is missing at the start.


async def test_a_first_start_creates_a_database(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        assert isinstance(database.state, Ready)


async def test_a_missing_database_is_not_an_empty_one(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        written = await fill(database)
        await database.back_up(keep=1)
    (tmp_path / NAME).unlink()
    async with opened(tmp_path) as database:
        assert isinstance(database.state, Degraded)
        assert database.state.cause == "missing"
        assert "create-empty" in database.state.hint
        assert not (tmp_path / NAME).exists()
        with pytest.raises(UnavailableError):
            await database.write(add("x"))
        with pytest.raises(UnavailableError):
            await database.read(subjects)
        with pytest.raises(UnavailableError):
            await database.back_up(keep=1)
        await database.restore()
        assert await database.read(subjects) == written


async def test_a_workspace_that_is_gone_is_not_a_first_start(tmp_path: Path) -> None:
    workspace, known = tmp_path / "workspace", tmp_path / "databases.json"
    async with opened(workspace, known) as database:
        written = await fill(database)
    async with opened(tmp_path / "another", known) as database:
        assert isinstance(database.state, Ready)
    # As where its drive isn't mounted yet.
    workspace.rename(tmp_path / "elsewhere")
    async with opened(workspace, known) as database:
        assert isinstance(database.state, Degraded)
        assert database.state.cause == "missing"
        assert "mount" in database.state.hint
    shutil.rmtree(workspace)
    (tmp_path / "elsewhere").rename(workspace)
    async with opened(workspace, known) as database:
        assert await database.read(subjects) == written
    shutil.rmtree(workspace)
    async with opened(workspace, known) as database:
        await database.create_empty()
        assert await database.read(subjects) == []
    async with opened(workspace, known) as database:
        assert isinstance(database.state, Ready)


@pytest.mark.slow
@pytest.mark.parametrize("links", [True, False])
async def test_the_log_of_a_missing_database_is_kept(tmp_path: Path, *, links: bool) -> None:
    kill_after_writes(tmp_path, back_up=True)
    (tmp_path / NAME).unlink()
    if not links:
        for link in (tmp_path / "backups").glob(".open*"):
            link.unlink()
    log = (tmp_path / f"{NAME}-wal").read_bytes()
    async with opened(tmp_path) as database:
        assert isinstance(database.state, Degraded)
        assert (tmp_path / f"{NAME}-wal").read_bytes() == log
        await database.create_empty()
        assert isinstance(database.state, Ready)
        assert await database.read(subjects) == []
        await database.write(add("a new beginning"))
        kept = [file.read_bytes() for file in (tmp_path / "backups").glob("rescued-*.raw-wal")]
        assert kept == [log]
        assert len(database.list_backups()) == 1
    async with opened(tmp_path) as database:
        assert await database.read(subjects) == ["a new beginning"]


async def test_an_empty_database_is_not_created_beside_an_existing_one(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        written = await fill(database)
        with pytest.raises(ConflictError):
            await database.create_empty()
        assert await database.read(subjects) == written


async def test_damage_that_comes_from_another_file_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.store.writer._WATCH_S", 0.05)

    def corrupt(_: ReadTx) -> None:
        raise apsw.CorruptError("database disk image is malformed")

    async with opened(tmp_path) as database:
        shutil.copy((await database.back_up(keep=1)).file, older(tmp_path))
        written = await fill(database)
        overwrite(tmp_path / NAME)
        with pytest.raises(UnavailableError, match="damaged"):
            await database.read(corrupt)
        await until(lambda: isinstance(database.state, Degraded), "a degraded database")
        assert await cause_after(database) == "overwritten"
        assert set(subjects_in(database.list_copies()[0].file)) == set(written)
