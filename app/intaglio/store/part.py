"""The database file itself: its schema and its full-text index."""

from intaglio.package import Package

PACKAGE = Package(
    name="store",
    tables={
        "memories_fts": "the full-text index over live rows, maintained by triggers",
        "memories_vocabulary": "the index's terms and the number of rows that contain each",
        "schema_migrations": "the applied migrations with checksum and duration",
    },
)
