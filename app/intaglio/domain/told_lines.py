"""The lines that are told of a past session: who speaks in each, in the same words everywhere."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

ToldKind: TypeAlias = Literal[
    "memory",
    "said",
    "proposal",
    "proposed",
    "answered",
    "recap",
    "asked",
    "edited",
    "open",
    "closing",
]
"""What was kept of the user's words, other words of the user, what the agent proposed and the user
accepted as it was, what it proposed and the user answered in words of their own, which follow, or
the agent's closing summary. Of where a session stood: what the user asked last, the
edited files, what the agent called open, and what it said last."""

SPEAKERS: Final[Mapping[ToldKind, str]] = {
    "memory": "the user said",
    "said": "the user said",
    "proposal": "the agent proposed, and the user agreed",
    "proposed": "the agent proposed",
    "answered": "the user answered",
    "recap": "the agent's summary",
    "asked": "the user asked",
    "edited": "edited files",
    "open": "open, the agent said",
    "closing": "the agent said last",
}
"""The label of each kind; a colon follows."""
