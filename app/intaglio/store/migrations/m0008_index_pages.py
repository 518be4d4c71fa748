"""The full-text index in smaller pages and fewer segments: what leaves it is looked for there."""

from typing import Final

NAME: Final = "index pages"

STATEMENTS: Final[tuple[str, ...]] = (
    # Segments that are written from now on have them; the others are as good, only slower.
    "INSERT INTO memories_fts(memories_fts, rank) VALUES ('pgsz', 1000)",
    # Merging on request begins where two segments are of about one size, in place of four.
    "INSERT INTO memories_fts(memories_fts, rank) VALUES ('usermerge', 2)",
)
