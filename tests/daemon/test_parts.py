"""The daemon's small parts on their own: work left behind, and when a copy is due."""

import asyncio
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import structlog.testing

from fakes.waiting import PATIENCE_S
from intaglio.base.background_tasks import BackgroundTasks
from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.base.events import BusEvent, SettingsChanged
from intaglio.base.paths import find_paths
from intaglio.daemon.live_settings import LiveSettings
from intaglio.sections import SECTIONS
from intaglio.store.backup_upkeep import is_due
from intaglio.store.settings import BackupSettings
from intaglio.store.values import Backup

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)


async def fail(error: Exception) -> None:
    raise error


async def test_background_work_is_finished() -> None:
    done: list[int] = []

    async def work() -> None:
        await asyncio.sleep(0.01)
        done.append(1)

    tasks = BackgroundTasks()
    tasks.start(work())
    await tasks.finish(PATIENCE_S)
    assert done == [1]


@pytest.mark.parametrize(
    ("error", "level"), [(UnavailableError("not now"), "info"), (ValueError("x"), "error")]
)
async def test_a_failure_of_background_work_is_logged(error: Exception, level: str) -> None:
    tasks = BackgroundTasks()
    with structlog.testing.capture_logs() as logs:
        tasks.start(fail(error))
        await tasks.finish(PATIENCE_S)
        await asyncio.sleep(0)
    assert [entry["log_level"] for entry in logs] == [level]


async def test_shutdown_waits_a_limited_time_for_background_work() -> None:
    tasks = BackgroundTasks()
    tasks.start(asyncio.sleep(3_600))
    await asyncio.wait_for(tasks.finish(0.05), PATIENCE_S)


@pytest.mark.parametrize(("age", "due"), [(0, False), (23, False), (24, True), (100, True)])
def test_a_backup_is_due_after_a_day(age: int, due: bool) -> None:
    kept = [Backup(Path("a"), 1, iso(NOW - timedelta(hours=age)))]
    assert is_due(kept, NOW) is due


def test_the_first_backup_is_due_at_once() -> None:
    assert is_due([], NOW)


def test_a_backup_from_the_future_does_not_delay_others() -> None:
    ahead = Backup(Path("b"), 1, iso(NOW + timedelta(days=300)))
    assert is_due([ahead], NOW)
    assert not is_due([ahead, Backup(Path("a"), 1, iso(NOW - timedelta(hours=1)))], NOW)


@pytest.mark.skipif(os.name == "nt", reason="folders hold no pipes")
def test_settings_replaced_by_a_pipe_stay_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text("backup: {keep: 3}")
    events: list[BusEvent] = []
    live = LiveSettings(lambda: file, SECTIONS, events.append)
    file.unlink()
    os.mkfifo(file)
    assert live.refresh()
    assert live.current().of(BackupSettings).keep == 3
    assert [problem.key for problem in live.problems()] == [str(file)]


def test_settings_that_did_not_change_are_not_announced(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    events: list[BusEvent] = []
    live = LiveSettings(lambda: file, SECTIONS, events.append)
    assert not live.refresh()
    file.write_text("# nothing yet\n")
    assert not live.refresh()
    file.write_text("backup:\n  keep: 3\n")
    assert live.refresh()
    assert live.current().of(BackupSettings).keep == 3
    assert SettingsChanged() not in events


def test_a_second_save_within_a_tick_of_the_clock_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text("backup:\n  keep: 3\n")
    live = LiveSettings(lambda: file, SECTIONS, lambda _: None)
    status = file.stat()
    part = tmp_path / "part"
    part.write_text("backup:\n  keep: 4\n")
    os.utime(part, ns=(status.st_atime_ns, status.st_mtime_ns))
    part.replace(file)
    assert live.refresh()
    assert live.current().of(BackupSettings).keep == 4


def test_a_file_with_the_first_name_is_read_as_soon_as_it_is_there(tmp_path: Path) -> None:
    paths = find_paths({"INTAGLIO_WORKSPACE": str(tmp_path), "HOME": str(tmp_path)})
    (tmp_path / "AGENT.yaml").write_text("backup:\n  keep: 3\n")
    live = LiveSettings(lambda: paths.settings, SECTIONS, lambda _: None)
    assert live.current().of(BackupSettings).keep == 3
    (tmp_path / "agent.yaml").write_text("backup:\n  keep: 4\n")
    assert live.refresh()
    assert live.current().of(BackupSettings).keep == 4


def test_a_broken_settings_file_keeps_the_former_settings(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text("backup:\n  keep: 3\n")
    live = LiveSettings(lambda: file, SECTIONS, lambda _: None)
    file.write_text("backup: [")
    assert live.refresh()
    assert live.current().of(BackupSettings).keep == 3
    assert live.problems()
