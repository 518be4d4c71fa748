"""The database file itself: its schema and its full-text index."""

from intaglio.package import KeptData, Package
from intaglio.store.migrations import EARLIER

PACKAGE = Package(
    name="store",
    tables={
        "memories_fts": "the full-text index over live rows (the view `live_memories`), maintained "
        "by triggers",
        "memories_vocabulary": "the index's terms and the number of rows that contain each",
        "schema_migrations": "the applied migrations with checksum and duration",
    },
    migrations=EARLIER,
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
)
