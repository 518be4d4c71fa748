"""Smaller pages of the full-text index: what leaves it is looked for within a page."""

from typing import Final

NAME: Final = "index pages"

STATEMENTS: Final[tuple[str, ...]] = (
    # Segments that are written from now on have them; the others are as good, only slower.
    "INSERT INTO memories_fts(memories_fts, rank) VALUES ('pgsz', 1000)",
)
