"""What the model that summarises a conversation is asked to keep, in fixed words."""

from typing import Final

GUIDELINES: Final = (
    "Keep in the summary, in the user's own words: what the user requires, forbids or prefers; "
    "what was decided, and why; what was tried and failed; and what is still open."
)
