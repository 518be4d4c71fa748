"""Backups are made when they are due, tested by restoring them, and judged without false alarms."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fakes.store import Bench, bench
from intaglio.base.errors import NotFoundError, UnavailableError
from intaglio.base.settings.values import Settings
from intaglio.daemon.packages import PACKAGES
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember
from intaglio.store.backup_upkeep import BackupState, BackupUpkeep, judge_backups
from intaglio.store.restore_test import RestoreTests
from intaglio.store.settings import BackupSettings

NEVER = BackupState(is_enabled=True, backups=(), tested=None)


def backup_upkeep(store: Bench, folder: Path, *, enabled: bool = True) -> BackupUpkeep:
    tests = RestoreTests(
        folder=folder / "restore-test",
        file=folder / "restore-test.json",
        schema=PACKAGES.schema,
        clock=store.clock,
        stopped=bool,
    )
    return BackupUpkeep(
        db=store.db,
        folder=folder / "backups",
        tests=tests,
        settings=lambda: Settings().having(BackupSettings(enabled=enabled)),
        clock=store.clock,
        seconds=lambda: store.clock().timestamp(),
        suspended=str,
    )


async def keep(store: Bench, *contents: str) -> None:
    for content in contents:
        await store.ingest.remember(Remember(content=content, actor=Actor("me")))


def block(folder: Path) -> None:
    """Put a file in the place of the folder, which not even root can write then."""
    (folder / "backups").rename(folder / "away")
    (folder / "backups").write_text("in the way")


def unblock(folder: Path) -> None:
    (folder / "backups").unlink()
    (folder / "away").rename(folder / "backups")


async def issues(upkeep: BackupUpkeep) -> list[str]:
    return [each.id for each in (await upkeep.check()).issues]


async def test_a_backup_is_made_once_a_day(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        upkeep = backup_upkeep(store, tmp_path)
        for hours in (0, 23, 1):
            store.clock.forward(hours=hours)
            await upkeep.make_due()
        assert len(store.db.list_backups()) == 2


async def test_backups_that_can_no_longer_be_made_are_named_and_backing_up_mends_it(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as store:
        upkeep = backup_upkeep(store, tmp_path)
        block(tmp_path)
        await upkeep.make_due()
        (issue,) = (await upkeep.check()).issues
        assert (issue.id, issue.level) == ("backup_failed", "warn")
        assert "db backup" in issue.command
        unblock(tmp_path)
        await upkeep.make()
        assert await issues(upkeep) == []


async def test_backups_that_are_deleted_are_made_again_at_once(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        upkeep = backup_upkeep(store, tmp_path)
        await upkeep.make_due()
        for backup in store.db.list_backups():
            backup.file.unlink()
        await upkeep.make_due()
        assert len(store.db.list_backups()) == 1


async def test_a_folder_that_cannot_be_written_is_named_before_a_backup_is_due(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as store:
        upkeep = backup_upkeep(store, tmp_path)
        block(tmp_path)
        assert await issues(upkeep) == ["backup_failed"]
        unblock(tmp_path)
        assert await issues(upkeep) == []


async def test_a_failed_backup_is_tried_again_an_hour_later(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        upkeep = backup_upkeep(store, tmp_path)
        block(tmp_path)
        await upkeep.make_due()
        unblock(tmp_path)
        await upkeep.make_due()
        assert len(store.db.list_backups()) == 0
        store.clock.forward(hours=2)
        await upkeep.make_due()
        assert len(store.db.list_backups()) == 1


async def test_an_old_backup_is_no_alarm_right_after_waking(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        upkeep = backup_upkeep(store, tmp_path)
        await upkeep.make_due()
        store.clock.forward(days=21)
        assert await issues(upkeep) == []
        await upkeep.make_due()
        assert (await upkeep.check()).issues == ()


async def test_an_old_backup_is_an_issue_once_the_daemon_had_time_to_make_another(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as store:
        made = await store.db.back_up(3)
        late = BackupState(is_enabled=True, backups=(made,), tested=None, waited_s=1_000)
        now = store.clock()
        assert judge_backups(late, now + timedelta(hours=47)).issues == ()
        (issue,) = judge_backups(late, now + timedelta(hours=49)).issues
        assert issue.id == "backup"


def test_a_fresh_installation_without_a_backup_is_well() -> None:
    assert judge_backups(NEVER, datetime(2026, 1, 31, tzinfo=UTC)).issues == ()


async def test_backups_that_the_user_switched_off_need_nobody(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        upkeep = backup_upkeep(store, tmp_path, enabled=False)
        await upkeep.make_due()
        (issue,) = (await upkeep.check()).issues
        assert (issue.id, issue.level) == ("backups_off", "info")


async def test_the_newest_backup_is_restored_into_a_temporary_folder_each_week(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as store:
        await keep(store, "One", "Two")
        upkeep = backup_upkeep(store, tmp_path)
        made = await upkeep.make()
        await upkeep.test_due()
        tested = upkeep.tests.last()
        assert tested is not None
        assert (tested.backup, tested.fault, tested.memories) == (made.file.name, "", 2)
        assert not upkeep.tests.folder.exists()
        assert not upkeep.tests.is_due([made])
        store.clock.forward(days=8)
        assert upkeep.tests.is_due([made])


async def test_a_backup_that_cannot_be_restored_is_named_and_a_new_one_mends_it(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as store:
        await keep(store, *(f"Fact {number} " + "of many words " * 30 for number in range(100)))
        upkeep = backup_upkeep(store, tmp_path)
        made = await upkeep.make()
        await upkeep.test_due()
        size = made.file.stat().st_size
        with made.file.open("r+b") as stream:
            stream.seek(size // 3)
            stream.write(b"\xa5" * (size // 2))
        # What changes after it was made is tested again at once.
        await upkeep.test_due()
        (issue,) = (await upkeep.check()).issues
        assert (issue.id, issue.level) == ("backup_test", "warn")
        store.clock.forward(minutes=1)
        await upkeep.make()
        await upkeep.test_due()
        assert await issues(upkeep) == []
        assert len(store.db.list_backups()) == 2


async def test_a_test_of_an_unknown_backup_is_refused(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        upkeep = backup_upkeep(store, tmp_path)
        with pytest.raises(NotFoundError):
            await upkeep.test()
        with pytest.raises(NotFoundError):
            await upkeep.test("../intaglio.db")


async def test_a_test_that_has_no_room_says_nothing_of_the_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(tmp_path) as store:
        upkeep = backup_upkeep(store, tmp_path)
        await upkeep.make()
        monkeypatch.setattr("intaglio.store.restore_test._ROOM", 1e12)
        with pytest.raises(UnavailableError):
            await upkeep.test()
        assert upkeep.tests.last() is None
