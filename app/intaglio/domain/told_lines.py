"""The lines that are told of a past session: who speaks in each, in the same words everywhere."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

ToldKind: TypeAlias = Literal["memory", "said", "proposal", "recap"]
"""What was kept of the user's words, other words of the user, what the agent proposed and the user
accepted, or the agent's closing summary."""

SPEAKERS: Final[Mapping[ToldKind, str]] = {
    "memory": "the user said",
    "said": "the user said",
    "proposal": "the agent proposed, and the user agreed",
    "recap": "the agent's summary",
}
"""The label of each kind; a colon follows."""
