"""The lifecycle part of the daemon: forget, restore, erase, and the retention sweep."""

import asyncio
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from intaglio.base.bus import EventBus
from intaglio.base.clock import awake_and_asleep_s
from intaglio.base.errors import UnavailableError
from intaglio.base.events import Resync, StateChanged
from intaglio.base.log import get_logger
from intaglio.commits.upkeep import CommitUpkeep
from intaglio.domain.health import Checked, HealthCheck
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.harness.dispatch import Dispatch
from intaglio.harness.registry import harness_names
from intaglio.inbox.kinds import InboxKinds
from intaglio.kernel import Kernel
from intaglio.lifecycle.clock_guard import ClockGuard, judge_clock
from intaglio.lifecycle.decisions.inbox_decisions import InboxDecisions
from intaglio.lifecycle.duplicates.finding import DuplicateFinder
from intaglio.lifecycle.duplicates.health_check import judge_duplicates
from intaglio.lifecycle.duplicates.repair import DuplicateRepair
from intaglio.lifecycle.duplicates.rows import count_exact
from intaglio.lifecycle.duplicates.settings import DuplicateSettings
from intaglio.lifecycle.external_copies import ExternalCopies
from intaglio.lifecycle.migrations import MIGRATIONS
from intaglio.lifecycle.projects.changes import ProjectEdits
from intaglio.lifecycle.projects.moved_projects import MovedProjects
from intaglio.lifecycle.projects.project_settings import ProjectSettingEdits, settings_issues
from intaglio.lifecycle.removal import RemovalService
from intaglio.lifecycle.session_removal import SessionRemoval
from intaglio.lifecycle.sources import rows as source_rows
from intaglio.lifecycle.sources.execution import RemovalUndo, SourceRemover
from intaglio.lifecycle.sources.service import SourceRemovals
from intaglio.lifecycle.sweep import RetentionSweep
from intaglio.lifecycle.sweep_health import judge_sweep
from intaglio.lifecycle.sweep_repair import sweep_repair
from intaglio.memory.settings import MemorySettings
from intaglio.package import (
    KeptData,
    Loop,
    Package,
    Packages,
    Part,
    SweepStep,
    finding,
    of_snapshot,
    singly,
    while_changing,
)
from intaglio.recall.query import Recall
from intaglio.store.backup import purge_set_aside
from intaglio.store.database import Database
from intaglio.store.files.rescue import purge_rescued
from intaglio.store.settings import RetentionSettings
from intaglio.store.values import Ready

# Startup belongs to new sessions; the sweep can wait.
_FIRST_CHECK_S: Final = 60
_CHECK_INTERVAL_S: Final = 600
_CLOCK_INTERVAL_S: Final = 60
_FOLDERS_INTERVAL_S: Final = 600
_RESUME_INTERVAL_S: Final = 600
# It reads an index of all memories: 300 ms of CPU at 100,000.
_DUPLICATES_FRESH_S: Final = 300.0


def part(kernel: Kernel) -> Part:
    """Wire the removal service and the scheduled sweep."""
    paths = kernel.running.paths

    guard = ClockGuard(paths.clock_mark, kernel.clock, awake_and_asleep_s)

    async def set_aside(before: datetime) -> int:
        replaced = await asyncio.to_thread(purge_set_aside, paths.database, before)
        return replaced + await asyncio.to_thread(purge_rescued, paths.backups, before)

    retention = RetentionSweep(
        db=kernel.database,
        settings=kernel.settings,
        clock=kernel.clock,
        seconds=kernel.monotonic_s,
        pause=asyncio.sleep,
        set_aside=set_aside,
        suspended=lambda: guard.reason,
        steps=kernel.get(Packages).retention,
    )
    remove = RemovalService(
        kernel.database,
        kernel.change_context,
        kernel.frozen,
        lambda: timedelta(days=kernel.settings().of(MemorySettings).tombstone_days),
        kernel.get(Recall).recall,
    )

    decisions = InboxDecisions(
        kernel.database, kernel.change_context, kernel.frozen, kernel.get(InboxKinds)
    )

    async def follow_clock() -> None:
        while True:
            await asyncio.to_thread(guard.check)
            await asyncio.sleep(_CLOCK_INTERVAL_S)

    moved_projects = _make_moved_projects(kernel)
    sources = _make_sources(kernel)

    return Part(
        services=(
            guard,
            retention,
            remove,
            decisions,
            SessionRemoval(kernel.database, kernel.change_context, kernel.frozen, sources.locks),
            sources,
            ExternalCopies(kernel.database, paths.workspace),
            moved_projects.edits,
            moved_projects,
            _make_project_settings(kernel),
        ),
        loops=(
            Loop("clock", follow_clock),
            Loop("retention", partial(_sweep_when_due, kernel, retention, guard)),
            Loop("projects", partial(watch_projects, moved_projects, kernel.bus)),
            Loop("sources", partial(_resume_removals, sources, kernel.bus)),
        ),
        checks=_checks(kernel.database, paths.database, guard, retention),
        repairs=(sweep_repair(retention), _make_duplicate_repair(kernel).declare()),
        prepare=guard.check,
    )


def _checks(
    db: Database, database: Path, guard: ClockGuard, retention: RetentionSweep
) -> tuple[HealthCheck, ...]:
    async def jumped() -> Checked:
        # It may save the time.
        return judge_clock(await asyncio.to_thread(guard.check))

    async def swept() -> Checked:
        return judge_sweep(await retention.last())

    return (
        HealthCheck(
            name="retention",
            domain="storage",
            title="Cleanup",
            reads="Whether the last cleanup could delete all that is past its retention period.",
            run=swept,
        ),
        HealthCheck(
            name="clock",
            domain="clock",
            title="Clock",
            reads="The clock beside a timer that goes on while the machine sleeps: a difference of "
            "more than a day is a jump, and of 60 days if the machine was off.",
            run=jumped,
        ),
        HealthCheck(
            name="project_switches",
            domain="workspace",
            title="Switches of projects",
            reads="Projects where capture is off, or where agents are told nothing.",
            run=finding(partial(db.read, settings_issues)),
        ),
        HealthCheck(
            name="duplicates",
            domain="duplicate",
            title="Duplicates",
            reads="Memories with the words of another of the same agent and project: more than "
            "5 %, and more than 10 %, lower the score.",
            run=while_changing(database, of_snapshot(db, count_exact, judge_duplicates)),
            fresh_s=_DUPLICATES_FRESH_S,
        ),
    )


async def _sweep_when_due(kernel: Kernel, retention: RetentionSweep, guard: ClockGuard) -> None:
    await asyncio.sleep(_FIRST_CHECK_S)
    while True:
        # During a database check a write would wait and block others behind it.
        if isinstance(kernel.database.state, Ready) and not guard.reason:
            try:
                due = retention.due_at(await retention.last())
                if due is None or due <= kernel.clock():
                    await retention.sweep("schedule")
            except UnavailableError as error:
                get_logger("retention").warning("sweep failed", reason=error.detail)
        await asyncio.sleep(_CHECK_INTERVAL_S)


async def _resume_removals(sources: SourceRemovals, bus: EventBus) -> None:
    """Go on with interrupted removals once the database is ready, and again every so often."""
    with bus.listen() as events:
        while True:
            try:
                await sources.resume()
            except UnavailableError as error:
                get_logger("sources").info("removals postponed", reason=error.detail)
            try:
                async with asyncio.timeout(_RESUME_INTERVAL_S):
                    while not isinstance(await events.get(), Resync | StateChanged):
                        pass
            except TimeoutError:
                continue


def _make_sources(kernel: Kernel) -> SourceRemovals:
    return SourceRemovals(
        RemovalUndo(
            SourceRemover(kernel.database, kernel.change_context),
            lambda: timedelta(days=kernel.settings().of(MemorySettings).tombstone_days),
            kernel.get(Dispatch).read_again,
        ),
        kernel.frozen,
        kernel.background,
    )


def _make_moved_projects(kernel: Kernel) -> MovedProjects:
    return MovedProjects(
        ProjectEdits(
            kernel.database,
            kernel.change_context,
            kernel.frozen,
            lambda: kernel.settings().of(RetentionSettings).history_days,
            asyncio.Lock(),
        ),
        asyncio.to_thread,
        asyncio.Lock(),
    )


def _make_duplicate_repair(kernel: Kernel) -> DuplicateRepair:
    return DuplicateRepair(
        db=kernel.database,
        context=kernel.change_context,
        finder=DuplicateFinder(
            db=kernel.database,
            embed=kernel.get(EmbeddingRunner),
            in_thread=asyncio.to_thread,
            seconds=kernel.monotonic_s,
        ),
        settings=lambda: kernel.settings().of(DuplicateSettings),
        retention=lambda: timedelta(days=kernel.settings().of(MemorySettings).tombstone_days),
    )


def _make_project_settings(kernel: Kernel) -> ProjectSettingEdits:
    return ProjectSettingEdits(
        db=kernel.database,
        settings=kernel.settings,
        commits=kernel.get(CommitUpkeep),
        harnesses=harness_names(),
        clock=kernel.clock,
    )


async def watch_projects(moved_projects: MovedProjects, bus: EventBus) -> None:
    """Keep what is known of folders current: of new projects at once, of all regularly."""
    with bus.listen() as events:
        is_due = True
        while True:
            if is_due:
                is_due = not await moved_projects.catch_up()
            try:
                async with asyncio.timeout(_FOLDERS_INTERVAL_S):
                    event = await events.get()
            except TimeoutError:
                is_due = True
            else:
                is_due = await moved_projects.follow(event) or is_due


PACKAGE = Package(
    name="lifecycle",
    tables={
        "sweeps": "the last 50 retention sweeps: when, why, what each step deleted",
        "source_removals": "sources that you took back: a session, import, file, agent or tool, "
        "when, and how many memories",
        "source_removal_items": "of these, the ids of memories, suggestions and sessions, and what "
        "became of each; no text",
    },
    migrations=MIGRATIONS,
    retention=(
        SweepStep(
            "source_removals",
            lambda settings: settings.of(MemorySettings).tombstone_days,
            source_rows.expired,
            singly(source_rows.purge),
            has_period=False,
        ),
    ),
    kept=(
        KeptData(
            "`source_removal_items`",
            "as long as the forgotten memories can be restored; sessions as long as they stay away",
            deleted_by="step `source_removals`",
            settings=("retention.tombstoneDays",),
        ),
        KeptData(
            "`source_removals`",
            "of agents and tools as long as the memories can be restored; of sessions, imports "
            "and files until undone: they don't come back",
            deleted_by="step `source_removals`",
            settings=("retention.tombstoneDays",),
        ),
        KeptData(
            "`sweeps`",
            "the last 50",
            deleted_by="each new one",
        ),
    ),
    make=part,
)
