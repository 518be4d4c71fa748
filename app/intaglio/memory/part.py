"""Memories in the daemon: their id source, facet counts and timeline."""

import asyncio
from datetime import timedelta
from typing import Final

from intaglio.domain.health import HealthCheck
from intaglio.kernel import Kernel
from intaglio.memory import health_rows, replacement, retention_rows
from intaglio.memory.facet_index.index import FacetIndex
from intaglio.memory.health_checks import judge_changes, judge_counts
from intaglio.memory.migrations import MIGRATIONS
from intaglio.memory.settings import MemorySettings
from intaglio.package import (
    KeptData,
    Loop,
    Package,
    Part,
    SweepStep,
    of_snapshot,
    singly,
)
from intaglio.store.settings import RetentionSettings

_LOOK_EVERY_S: Final = 60.0
_RECENT: Final = timedelta(days=7)
# They read all memories, and their figures change slowly.
_COUNTS_FRESH_S: Final = 20.0


def part(kernel: Kernel) -> Part:
    """Wire the facet index; it follows each commit and is released when unused."""
    tally = FacetIndex(kernel.monotonic_s)
    kernel.database.watch("memories", tally.record_commit)

    async def release() -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            await asyncio.to_thread(tally.rest)

    return Part(
        services=(tally,),
        loops=(Loop("facet index cleanup", release),),
        checks=_checks(kernel),
    )


def _checks(kernel: Kernel) -> tuple[HealthCheck, ...]:
    db, clock = kernel.database, kernel.clock
    return (
        HealthCheck(
            name="memories",
            domain="storage",
            title="Memories",
            reads="The memories, and how many of all are forgotten: more than 30 % lower the "
            "score until the cleanup deletes them.",
            run=of_snapshot(db, health_rows.count, judge_counts),
        ),
        HealthCheck(
            name="changes",
            domain="mutation",
            title="Changes of memories",
            reads="Memories that were forgotten and restored in the last 7 days: more than five "
            "restored ones lower the score, as the wrong ones were forgotten.",
            run=of_snapshot(
                db,
                lambda tx: health_rows.recent_changes(tx, clock() - _RECENT),
                judge_changes,
            ),
            fresh_s=_COUNTS_FRESH_S,
        ),
    )


PACKAGE = Package(
    name="memory",
    tables={
        "memories": "one row per memory, forgotten ones included; by which one it was replaced, "
        "and when, and whether an open contradiction is about it",
        "memory_history": "every change, by its memory's row number, or by its id once that row "
        "is deleted; the `created` entry shows the original content",
        "forgotten": "hashes of forgotten sources and contents, with their time; no text",
    },
    migrations=MIGRATIONS,
    on_forget=(replacement.follow_forgotten,),
    on_restore=(replacement.follow_restored,),
    on_erase=(replacement.follow_erased,),
    retention=(
        SweepStep(
            "tombstones",
            lambda s: s.of(MemorySettings).tombstone_days,
            retention_rows.expired,
            retention_rows.purge_tombstones,
        ),
        SweepStep(
            "history",
            lambda s: s.of(RetentionSettings).history_days,
            retention_rows.expired_history,
            retention_rows.purge_changes,
        ),
        SweepStep(
            "forgotten",
            lambda s: s.of(RetentionSettings).forgotten_days,
            retention_rows.expired_hashes,
            singly(retention_rows.purge_hash),
        ),
    ),
    kept=(
        KeptData(
            "live memories: `memories`, `memories_fts`, `memories_vocabulary`, `live_memories`,"
            " with their idempotency keys",
            "forever",
            deleted_by="you",
        ),
        KeptData(
            "tombstones in `memories`",
            "30 days after forgetting",
            deleted_by="step `tombstones`",
            settings=("retention.tombstoneDays",),
        ),
        KeptData(
            "`memory_history`",
            "180 days, also for deleted memories",
            deleted_by="step `history`",
            settings=("retention.historyDays",),
        ),
        KeptData(
            "`forgotten`",
            "forever, about 100 bytes per deleted memory",
            deleted_by="step `forgotten`",
            settings=("retention.forgottenDays",),
        ),
    ),
    make=part,
)
