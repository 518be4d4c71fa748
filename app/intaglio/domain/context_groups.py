"""The groups in which a session's start is told, and why a memory is a constraint."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

ContextGroup: TypeAlias = Literal[
    "pinned",
    "rules",
    "everywhere",
    "decided",
    "preferences",
    "changed",
    "open",
    "learned",
    "about",
    "general",
]
"""What a line says: what the user pinned, rules of the project or for all projects, what was
decided or is preferred, what changed lately, what the last session left open, what was tried and
learned, and facts about the project or in general."""

HEADINGS: Final[Mapping[ContextGroup, str]] = {
    "pinned": "Pinned by the user",
    "rules": "Rules for this project",
    "everywhere": "Rules for all projects",
    "decided": "Decided",
    "preferences": "Preferences",
    "changed": "Changed lately",
    "open": "Still open",
    "learned": "Lessons learned",
    "about": "About this project",
    "general": "In general",
}
"""The headings of a session's start, in their order."""

StatedBasis: TypeAlias = Literal["confirmed", "outright"]
"""The user saved, kept or changed it themself; or said it outright, as a standing limit."""

ConstraintBasis: TypeAlias = Literal["pinned", "confirmed", "outright"]
"""Why a memory is a constraint."""
