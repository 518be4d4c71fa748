"""The types of memories: one list for the API, agents, the command line and the dashboard."""

from typing import Final, Literal, TypeAlias, get_args

GivenType: TypeAlias = Literal[
    "fact", "decision", "preference", "rule", "procedural", "learning", "issue", "semantic"
]
"""The types that users and agents give a memory."""

OwnType: TypeAlias = Literal["session_summary", "document_chunk"]
"""The types that only the daemon gives."""

MemoryStatus: TypeAlias = Literal["current", "replaced", "disputed"]
"""Whether a memory holds, was replaced by a newer one, or is denied by one that isn't decided on.

Of a contradiction that waits in the inbox, the older memory is disputed.
"""
MemoryType: TypeAlias = Literal[GivenType, OwnType]

GIVEN_TYPES: Final[tuple[GivenType, ...]] = get_args(GivenType)
MEMORY_TYPES: Final[tuple[MemoryType, ...]] = (*GIVEN_TYPES, *get_args(OwnType))


def given_types(last: str) -> str:
    """List the types that users give, for a sentence; ``last`` is the word before the last one."""
    return f"{', '.join(GIVEN_TYPES[:-1])} {last} {GIVEN_TYPES[-1]}"
