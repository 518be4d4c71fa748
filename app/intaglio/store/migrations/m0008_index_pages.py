"""Smaller pages and fewer segments of the full-text index, which make deleting faster."""

from typing import Final

NAME: Final = "index pages"

STATEMENTS: Final[tuple[str, ...]] = (
    # Applies to new segments; existing ones stay valid, only slower.
    "INSERT INTO memories_fts(memories_fts, rank) VALUES ('pgsz', 1000)",
    # Merging on request starts with two segments of similar size instead of four.
    "INSERT INTO memories_fts(memories_fts, rank) VALUES ('usermerge', 2)",
)
