"""What is known of updates: checks, their age, the version on disk, and running the manager."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intaglio.base.errors import ConflictError
from intaglio.base.installed_by import InstalledBy
from intaglio.updates.health import judge_updates
from intaglio.updates.record_file import RecordFile
from intaglio.updates.settings import UpdateSettings
from intaglio.updates.sources import VersionQuery
from intaglio.updates.updates import Updates
from intaglio.updates.values import (
    CheckFailed,
    NewestVersion,
    NothingNewer,
    UpdateFailed,
    UpdateRan,
    UserMustUpdate,
    VersionOutcome,
)


@dataclass
class Bench:
    """Updates of version 0.1.0 with a package manager that answers as it is told."""

    folder: Path
    kind: InstalledBy = "uv"
    outcome: VersionOutcome = field(default_factory=NothingNewer)
    settings: UpdateSettings = field(default_factory=UpdateSettings)
    now: datetime = datetime(2026, 11, 27, 12, tzinfo=UTC)
    disk: str | None = "0.1.0"
    failure: str | None = None
    asked: list[VersionQuery | str] = field(default_factory=list[VersionQuery | str])
    ran: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    goes_on: asyncio.Event = field(default_factory=asyncio.Event)

    def make(self) -> Updates:
        async def ask(source: VersionQuery | str, _: object) -> VersionOutcome:
            self.asked.append(source)
            return self.outcome

        async def run(command: tuple[str, ...]) -> str | None:
            self.ran.append(command)
            await self.goes_on.wait()
            return self.failure

        record = RecordFile(self.folder / "updates.json")
        record.load("0.1.0")
        return Updates(
            version="0.1.0",
            kind=self.kind,
            settings=lambda: self.settings,
            clock=lambda: self.now,
            record=record,
            on_disk=lambda: self.disk,
            ask=ask,
            run_command=run,
            changelog=self.folder / "CHANGELOG.md",
        )


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


async def test_a_newer_version_is_known_across_restarts(bench: Bench) -> None:
    bench.outcome = NewestVersion("0.2.0", "https://example.invalid/")
    assert await bench.make().check()
    later = bench.make()
    assert later.is_available
    assert later.latest == "0.2.0"
    assert later.known.url == "https://example.invalid/"


async def test_nothing_newer_means_the_running_version_is_the_newest(bench: Bench) -> None:
    updates = bench.make()
    await updates.check()
    assert (updates.latest, updates.is_available) == ("0.1.0", False)


async def test_a_failed_check_says_why_and_keeps_what_was_known(bench: Bench) -> None:
    bench.outcome = NewestVersion("0.2.0")
    updates = bench.make()
    await updates.check()
    bench.now += timedelta(minutes=1)
    bench.outcome = CheckFailed("uv isn't installed.")
    await updates.check()
    assert updates.known.error == "uv isn't installed."
    assert updates.latest == "0.2.0"
    checked = judge_updates(updates)
    assert checked.penalty == pytest.approx(0.2)
    assert {figure.name: figure.value for figure in checked.figures}["lastError"]


async def test_an_answer_that_is_no_version_is_a_failed_check(bench: Bench) -> None:
    bench.outcome = NewestVersion("9.0 <script>")
    updates = bench.make()
    await updates.check()
    assert (updates.latest, updates.is_available) == (None, False)
    assert updates.known.error == "The answer names no version."


async def test_checks_at_the_same_time_ask_once(bench: Bench) -> None:
    updates = bench.make()
    assert sorted(await asyncio.gather(updates.check(), updates.check())) == [False, True]
    assert len(bench.asked) == 1


async def test_a_check_is_due_once_its_interval_is_over_or_the_clock_was_wrong(
    bench: Bench,
) -> None:
    bench.settings = UpdateSettings(check=True, check_interval=300)
    updates = bench.make()
    assert updates.is_due()
    await updates.check()
    assert not updates.is_due()
    bench.now += timedelta(seconds=300)
    assert updates.is_due()
    bench.now -= timedelta(days=1)
    assert updates.is_due()


async def test_a_clone_asks_nobody_and_says_so(bench: Bench) -> None:
    bench.kind = "clone"
    updates = bench.make()
    assert not await updates.check()
    assert bench.asked == []
    assert "pull" in updates.obstacle


async def test_a_folder_build_reads_the_feed_that_is_set(bench: Bench) -> None:
    bench.kind = "folder"
    updates = bench.make()
    assert "feed" in updates.obstacle
    bench.settings = UpdateSettings(feed="https://example.invalid/feed.json")
    assert updates.obstacle == ""
    await updates.check()
    assert bench.asked == ["https://example.invalid/feed.json"]


def test_another_version_on_disk_means_that_a_restart_is_pending(bench: Bench) -> None:
    updates, found = bench.make(), list[str | None]()
    for bench.disk in ("0.1.0", None, "0.2.0"):
        found.append(updates.pending_version)
    assert found == [None, None, "0.2.0"]
    (issue,) = judge_updates(updates).issues
    assert (issue.id, issue.level) == ("update-restart", "info")


async def test_a_version_that_is_on_disk_is_no_longer_available(bench: Bench) -> None:
    bench.outcome = NewestVersion("0.2.0")
    updates = bench.make()
    await updates.check()
    (issue,) = judge_updates(updates).issues
    assert (issue.id, issue.command) == ("update-available", updates.source.command)
    bench.disk = "0.2.0"
    assert not updates.is_available


async def test_the_manager_is_run_only_once_it_is_confirmed(bench: Bench) -> None:
    updates = bench.make()
    assert isinstance(await updates.run(confirmed=False), UserMustUpdate)
    assert bench.ran == []
    bench.goes_on.set()
    bench.disk = "0.2.0"
    assert await updates.run(confirmed=True) == UpdateRan("0.2.0")
    assert bench.ran == [updates.source.run]
    bench.failure = "No space left"
    assert await updates.run(confirmed=True) == UpdateFailed("No space left")


async def test_a_manager_that_needs_an_administrator_is_never_run(bench: Bench) -> None:
    bench.kind = "deb"
    outcome = await bench.make().run(confirmed=True)
    assert isinstance(outcome, UserMustUpdate)
    assert outcome.command.startswith("sudo apt ")
    assert bench.ran == []


async def test_an_update_goes_on_when_nobody_waits_and_a_second_is_refused(bench: Bench) -> None:
    updates = bench.make()
    waiting = asyncio.ensure_future(updates.run(confirmed=True))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert updates.is_running
    with pytest.raises(ConflictError):
        await updates.run(confirmed=True)
    bench.goes_on.set()
    # The finished one makes way for the next, which ends at once.
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert await updates.run(confirmed=True) == UpdateRan("0.1.0")
    assert len(bench.ran) == 2


async def test_what_is_new_is_seen_from_the_first_start_on(bench: Bench) -> None:
    updates = bench.make()
    assert updates.known.seen == "0.1.0"
    updates.version = "0.2.0"
    await updates.mark_seen()
    assert bench.make().known.seen == "0.2.0"


def test_a_record_that_cannot_be_read_or_written_is_no_obstacle(bench: Bench) -> None:
    (bench.folder / "updates.json").mkdir()
    assert bench.make().known.seen == "0.1.0"
