"""How far a transcript was read: a text that the harness owns, where a byte offset was."""

from typing import Final

NAME: Final = "transcript positions"

STATEMENTS: Final[tuple[str, ...]] = (
    # Empty at the start. For a file of lines, it's still the byte offset.
    "ALTER TABLE sessions ADD COLUMN transcript_position TEXT NOT NULL DEFAULT ''",
    "UPDATE sessions SET transcript_position = transcript_offset WHERE transcript_offset > 0",
    "ALTER TABLE sessions DROP COLUMN transcript_offset",
)
