"""The daemon's own part: sign-in, status, events, backups and the dashboard's files."""

import asyncio
from typing import Final

from intaglio.api.event_stream import Streams
from intaglio.api.gate.rate_limiter import RateLimiter
from intaglio.api.gate.sign_in import SignIn
from intaglio.api.gate.sign_in_page import SignInPages
from intaglio.api.log_stream import LogStreams
from intaglio.api.signet.runtime_claims import RuntimeClaims
from intaglio.api.status.process_stats import ProcessMeter
from intaglio.base.files.gitignore import write_gitignore
from intaglio.base.paths import home_folder
from intaglio.daemon.job_worker import JobWorker
from intaglio.daemon.live_settings import LiveSettings
from intaglio.daemon.process_checks import ProcessChecks
from intaglio.daemon.settings_check import judge_settings
from intaglio.domain.health import Checked, HealthCheck
from intaglio.inference.malloc_tuning import return_memory
from intaglio.kernel import Kernel
from intaglio.lifecycle.clock_guard import ClockGuard
from intaglio.logs.daemon_log import DaemonLog
from intaglio.logs.files import LogFiles
from intaglio.package import KeptData, Loop, Package, Packages, Part
from intaglio.store.backup_upkeep import BackupUpkeep
from intaglio.store.restore_test import RestoreTests

_TRIM_INTERVAL_S: Final = 60.0


async def _trim_heap() -> None:
    # Even under load: an untrimmed heap keeps growing for hours (decision record 0029).
    while True:
        await asyncio.sleep(_TRIM_INTERVAL_S)
        await asyncio.to_thread(return_memory)


def part(kernel: Kernel) -> Part:
    """Wire the services of the process itself."""
    running, settings = kernel.running, kernel.get(LiveSettings)

    pages = SignInPages(running.paths.state, home_folder)
    log = DaemonLog(LogFiles(running.paths.log_file))

    def prepare() -> None:
        write_gitignore(running.paths.database, running.paths.backups)
        pages.clear()

    async def close() -> None:
        await asyncio.to_thread(pages.clear)

    async def settings_check() -> Checked:
        return judge_settings(kernel.setting_problems())

    upkeep = _backups(kernel)
    meter = ProcessMeter(running.paths.workspace, kernel.monotonic_s)

    return Part(
        services=(
            SignIn(running.install, kernel.clock, kernel.monotonic_s),
            pages,
            RateLimiter(kernel.monotonic_s),
            RuntimeClaims(kernel.monotonic_s),
            upkeep,
            Streams(kernel.bus, running.stopping),
            meter,
            log,
            LogStreams(log, kernel.clock, running.stopping),
        ),
        loops=(
            Loop("settings", settings.watch),
            Loop("jobs", lambda: kernel.get(JobWorker).run()),
            Loop("free memory", _trim_heap),
            Loop("backups", upkeep.run),
        ),
        checks=(
            HealthCheck(
                name="settings",
                domain="workspace",
                title="Settings",
                reads="Settings that are invalid.",
                run=settings_check,
            ),
            HealthCheck(
                name="backups",
                domain="backups",
                title="Backups",
                reads="The age of the newest backup (too old after 48 hours), whether the last one "
                "could be made, and the weekly test that the newest one can be restored.",
                run=upkeep.check,
            ),
            *ProcessChecks(
                meter=meter,
                database=running.paths.database,
                state=lambda: kernel.database.state,
            ).declare(),
        ),
        prepare=prepare,
        close=close,
    )


def _backups(kernel: Kernel) -> BackupUpkeep:
    paths = kernel.running.paths
    tests = RestoreTests(
        folder=paths.state / "restore-test",
        file=paths.state / "restore-test.json",
        schema=kernel.get(Packages).schema,
        clock=kernel.clock,
        stopped=kernel.running.stopping.is_set,
    )
    return BackupUpkeep(
        db=kernel.database,
        folder=paths.backups,
        tests=tests,
        settings=kernel.settings,
        clock=kernel.clock,
        seconds=kernel.monotonic_s,
        suspended=lambda: kernel.get(ClockGuard).reason,
    )


PACKAGE = Package(
    name="daemon",
    kept=(
        KeptData(
            "`restore-test.json`",
            "the last restore test: which backup, when, how many memories, what was wrong",
            deleted_by="the next one",
        ),
        KeptData(
            "`daemon.log`",
            "six files of 5 MB; `daemon.out` holds one start",
            deleted_by="each new one",
        ),
    ),
    make=part,
)
