"""The groups in which a session's start is told, and why a memory is a constraint."""

from typing import Literal, TypeAlias

ContextGroup: TypeAlias = Literal[
    "rules", "everywhere", "pinned", "decided", "preferences", "changed", "open", "about", "general"
]
"""What a line says: rules of the project or for all projects, what the user pinned, what was
decided or is preferred, what changed lately, what the last session left open, and facts about the
project or in general."""

StatedBasis: TypeAlias = Literal["confirmed", "outright"]
"""The user saved, kept or changed it themself; or said it outright, as a standing limit."""

ConstraintBasis: TypeAlias = Literal["pinned", "confirmed", "outright"]
"""Why a memory is a constraint."""
