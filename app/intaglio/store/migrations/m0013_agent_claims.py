"""An index for what agents claimed in a session."""

from typing import Final

NAME: Final = "agent claims"

STATEMENTS: Final[tuple[str, ...]] = (
    # What the user said has a message.
    "CREATE INDEX inbox_claims ON inbox_evidence(session_id) WHERE message_id IS NULL",
)
