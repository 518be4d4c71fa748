"""The database file itself: its schema, its full-text index, and the check of its pages."""

from intaglio.domain.health import HealthCheck
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Loop, Package, Part
from intaglio.store.index_repair.repair import index_repair
from intaglio.store.migrations import EARLIER, Migration, m0054_index_guard
from intaglio.store.page_check import PageCheck


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
