"""Changes that agents propose, and an index of the changes that agents made."""

from typing import Final

NAME: Final = "agent changes"

STATEMENTS: Final[tuple[str, ...]] = (
    # JSON: what the agent wants of the memory `memory_id`.
    "ALTER TABLE inbox_items ADD COLUMN change TEXT",
    """
    CREATE INDEX memory_history_by_agents ON memory_history(session_id)
    WHERE actor_type IN ('agent', 'harness') AND event <> 'created'
    """,
)
