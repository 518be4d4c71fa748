"""The database file itself: its schema, its full-text index, and the check of its pages."""

import asyncio
from typing import Final

from intaglio.domain.health import Checked, HealthCheck
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Loop, Package, Part, of_snapshot, while_changing
from intaglio.store import orphans
from intaglio.store.health_checks import (
    database_size,
    judge_index,
    judge_orphans,
    judge_state,
)
from intaglio.store.memory_index import difference
from intaglio.store.memory_index_repair import index_repair
from intaglio.store.migrations import EARLIER, Migration, m0054_index_guard
from intaglio.store.page_check import PageCheck

# They read much.
_INDEX_FRESH_S: Final = 20.0
_ORPHANS_FRESH_S: Final = 45.0


def part(kernel: Kernel) -> Part:
    """Wire the check of the database file's pages."""
    pages = PageCheck(
        db=kernel.database,
        file=kernel.running.paths.database,
        clock=kernel.clock,
        stopped=kernel.running.stopping.is_set,
    )
    return Part(
        services=(pages,),
        loops=(Loop("page check", pages.run),),
        repairs=(index_repair(kernel.database),),
        checks=(
            *_checks(kernel, pages),
            HealthCheck(
                name="database_pages",
                domain="storage",
                title="Pages of the database file",
                reads="All pages of the file, again and again. One that is damaged makes the "
                "database read-only until a backup is restored.",
                run=pages.check,
            ),
        ),
    )


def _checks(kernel: Kernel, pages: PageCheck) -> tuple[HealthCheck, ...]:
    db, file = kernel.database, kernel.running.paths.database

    async def state() -> Checked:
        size = await asyncio.to_thread(database_size, file)
        return judge_state(db.state, size, pages.fault)

    return (
        HealthCheck(
            name="database",
            domain="storage",
            title="Database",
            reads="The state of the database: one that is damaged, out of reach, replaced or on a "
            "full disk is only read.",
            run=state,
        ),
        HealthCheck(
            name="search_index",
            domain="index",
            title="Search index",
            reads="The rows of the full-text index beside the memories. Any difference is out of "
            "step; one of more than a tenth lowers the score.",
            run=while_changing(file, of_snapshot(db, difference, judge_index)),
            fresh_s=_INDEX_FRESH_S,
        ),
        HealthCheck(
            name="orphan_rows",
            domain="storage",
            title="Orphan rows",
            reads="Rows that refer to rows which are gone. Intaglio leaves none.",
            run=while_changing(file, of_snapshot(db, orphans.count, judge_orphans)),
            fresh_s=_ORPHANS_FRESH_S,
            deadline_s=20.0,
        ),
    )


PACKAGE = Package(
    name="store",
    tables={
        "memories_fts": "the full-text index over live rows (the view `live_memories`), maintained "
        "by triggers",
        "memories_vocabulary": "the index's terms and the number of rows that contain each",
        "schema_migrations": "the applied migrations with checksum and duration",
    },
    migrations=(
        *EARLIER,
        Migration(54, m0054_index_guard.NAME, m0054_index_guard.STATEMENTS),
    ),
    kept=(
        KeptData(
            "`schema_migrations`",
            "forever, one row per migration",
        ),
        KeptData(
            "databases set aside by a restore, copies saved aside (`rescued-…`)",
            "90 days",
            deleted_by="step `set_aside`",
            settings=("retention.setAsideDays",),
        ),
        KeptData(
            "backups",
            "the newest seven, and a few older ones",
            deleted_by="each new one",
            settings=("backup.keep",),
        ),
    ),
    make=part,
)
