"""The daily backup and the weekly restore test: when they are due, and what keeps them away."""

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from intaglio.base.clock import Clock, iso, parse_moment
from intaglio.base.errors import UnavailableError
from intaglio.base.installation import command
from intaglio.base.log import get_logger
from intaglio.base.settings.values import Settings
from intaglio.domain.health import Checked, Figure
from intaglio.domain.issues import Issue
from intaglio.store.database import Database
from intaglio.store.restore_test import RestoreTest, RestoreTests, newest_of
from intaglio.store.settings import BackupSettings
from intaglio.store.values import Backup, Ready

_FIRST_CHECK_S: Final = 30.0
# After the machine slept for days, a backup is due at once.
_CHECK_INTERVAL_S: Final = 60.0
_RETRY_AFTER_S: Final = 3_600.0
_FIRST_TEST_S: Final = 600.0
_INTERVAL: Final = timedelta(days=1)
OVERDUE: Final = timedelta(hours=48)
"""From this age on, the newest backup is too old."""
_PATIENCE_S: Final = 900.0
_PAGE: Final = "/status#backups"


def is_due(backups: Sequence[Backup], now: datetime) -> bool:
    """Whether there is no backup from the last day.

    A backup dated in the future, made while the clock was wrong, doesn't count.
    """
    times = (parse_moment(backup.created_at) for backup in backups)
    return not any(at is not None and timedelta() <= now - at < _INTERVAL for at in times)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupState:
    """The backups, and how it is with making them.

    ``failure`` is why the last attempt failed, empty if it didn't; ``waited_s`` for how long the
    daemon has run, awake, while a backup was due.
    """

    is_enabled: bool
    backups: Sequence[Backup]
    tested: RestoreTest | None
    failure: str = ""
    waited_s: float = 0.0

    @property
    def newest(self) -> Backup | None:
        """The newest one."""
        return newest_of(self.backups)


@dataclass(slots=True, kw_only=True)
class BackupUpkeep:
    """Makes backups in ``folder`` and tests them.

    While ``suspended`` gives a reason, backups are made, and none is deleted. ``seconds`` stand
    still while the machine sleeps.
    """

    db: Database
    folder: Path
    tests: RestoreTests
    settings: Callable[[], Settings]
    clock: Clock
    seconds: Callable[[], float]
    suspended: Callable[[], str]
    _failure: str = ""
    _tried_s: float | None = None
    _due_since_s: float | None = None
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self) -> None:
        """Make a backup each day and test one each week, for as long as the daemon runs."""
        begun_s = self.seconds()
        await asyncio.sleep(_FIRST_CHECK_S)
        while True:
            await self.make_due()
            if self.seconds() - begun_s > _FIRST_TEST_S:
                await self.test_due()
            await asyncio.sleep(_CHECK_INTERVAL_S)

    async def make_due(self) -> None:
        """Make a backup if one is due; an hour after a failure it is tried again."""
        backups = await asyncio.to_thread(self.db.list_backups)
        if not self._wanted.enabled or not is_due(backups, self.clock()):
            self._due_since_s, self._failure, self._tried_s = None, "", None
            return
        now_s = self.seconds()
        if self._due_since_s is None:
            self._due_since_s = now_s
        if not isinstance(self.db.state, Ready):
            return
        if self._tried_s is not None and now_s - self._tried_s < _RETRY_AFTER_S:
            return
        self._tried_s = now_s
        try:
            made = await self.make()
            get_logger("backup").info("backup made", file=made.file.name, bytes=made.bytes)
        except UnavailableError as error:
            get_logger("backup").warning("backup failed", reason=error.detail)

    async def make(self) -> Backup:
        """Make a backup now. Raises UnavailableError."""
        async with self._making:
            keep = None if self.suspended() else self._wanted.keep
            try:
                made = await self.db.back_up(keep)
            except UnavailableError as error:
                self._failure = error.detail
                raise
            self._failure, self._due_since_s, self._tried_s = "", None, None
            return made

    async def test_due(self) -> None:
        """Test the newest backup if a test is due."""
        backups = await asyncio.to_thread(self.db.list_backups)
        if not await asyncio.to_thread(self.tests.is_due, backups):
            return
        try:
            await self.tests.test(backups)
        except UnavailableError as error:
            get_logger("backup").info("restore test postponed", reason=error.detail)

    async def test(self, name: str | None = None) -> RestoreTest:
        """Test a backup now, the newest one unless it is named; raises as `RestoreTests.test`."""
        return await self.tests.test(await asyncio.to_thread(self.db.list_backups), name)

    @property
    def _wanted(self) -> BackupSettings:
        return self.settings().of(BackupSettings)

    async def state(self) -> BackupState:
        """Return the backups, and how it is with making them."""
        backups = await asyncio.to_thread(self.db.list_backups)
        since_s = self._due_since_s
        return BackupState(
            is_enabled=self._wanted.enabled,
            backups=backups,
            tested=await asyncio.to_thread(self.tests.last),
            failure=self._failure or await asyncio.to_thread(_folder_fault, self.folder),
            waited_s=0.0 if since_s is None else self.seconds() - since_s,
        )

    async def check(self) -> Checked:
        """Return what is wrong with the backups."""
        return judge_backups(await self.state(), self.clock())


def judge_backups(state: BackupState, now: datetime) -> Checked:
    """Judge the backups.

    A backup that is due is no fault as long as the daemon may be about to make it: right after the
    start, and after the machine slept for days.
    """
    newest = state.newest
    made = parse_moment(newest.created_at) if newest else None
    is_old = made is None or now - made > OVERDUE
    issues: list[Issue] = []
    if not state.is_enabled:
        issues.append(
            Issue(
                "backups_off",
                "info",
                "Backups are switched off",
                "If the disk fails, what was saved since the last backup is lost.",
                page="/settings/backup.enabled",
            )
        )
    elif state.failure:
        issues.append(
            Issue(
                "backup_failed",
                "warn",
                "Backups can't be made",
                f"{state.failure.rstrip('.')}. Free up space or mend the folder's permissions, "
                "then run",
                command=command("db backup"),
                page=_PAGE,
            )
        )
    elif is_old and state.waited_s > _PATIENCE_S:
        issues.append(
            Issue(
                "backup",
                "warn",
                "No backup yet" if made is None else "Backup is overdue",
                "Backups are made daily. To make one now, run",
                command=command("db backup"),
                page=_PAGE,
            )
        )
    tested = state.tested
    if tested is not None and tested.fault and newest and newest.file.name == tested.backup:
        issues.append(
            Issue(
                "backup_test",
                "warn",
                "The newest backup can't be restored",
                f"{tested.fault} Older ones are kept. To make a new one, run",
                command=command("db backup"),
                page=_PAGE,
            )
        )
    return Checked(
        issues=tuple(issues),
        figures=_figures(state, made, now),
        penalty=0.5 * sum(issue.level != "info" for issue in issues),
        line=_line(state),
    )


def _figures(state: BackupState, made: datetime | None, now: datetime) -> tuple[Figure, ...]:
    newest, tested = state.newest, state.tested
    age_h = None if made is None else round((now - made) / timedelta(hours=1), 1)
    return (
        Figure("backupCount", "Backups", len(state.backups)),
        Figure("newestBackupAt", "Newest backup", iso(made) if made else None, "moment"),
        Figure("newestBackupAge", "Age of the newest backup", age_h, "hours"),
        Figure("newestBackupBytes", "Size of the newest backup", _size(newest), "bytes"),
        Figure("restoreTestedAt", "Last restore test", tested.at if tested else None, "moment"),
        Figure("restoreTestPassed", "It passed", not tested.fault if tested else None),
    )


def _line(state: BackupState) -> str:
    if not state.backups:
        return "The first one is made soon"
    count = len(state.backups)
    made = "1 backup" if count == 1 else f"{count:,} backups"
    tested = "; the last restore test passed" if state.tested else ""
    return f"{made}{tested}"


def _folder_fault(folder: Path) -> str:
    """Say why no backup can be written there; empty if one can, or if the folder will be made.

    A workspace that can't be written at all is an issue of its own.
    """
    if not folder.exists() or not os.access(folder.parent, os.W_OK | os.X_OK):
        return ""
    if not folder.is_dir():
        return f"{folder} is no folder."
    return "" if os.access(folder, os.W_OK | os.X_OK) else f"{folder} is read-only."


def _size(backup: Backup | None) -> int | None:
    return backup.bytes if backup else None
