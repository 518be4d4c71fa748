"""The types of memories: one list for the API, agents, the command line and the dashboard."""

from collections.abc import Mapping
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


TYPE_LABELS: Final[Mapping[MemoryType, str]] = {
    "fact": "Fact",
    "decision": "Decision",
    "preference": "Preference",
    "rule": "Rule",
    "procedural": "Procedure",
    "learning": "Learning",
    "issue": "Issue",
    "semantic": "Knowledge",
    "session_summary": "Session summary",
    "document_chunk": "Document excerpt",
}
"""What people read for each type: in the dashboard, the terminal, Help and notifications."""

ALWAYS_TOLD: Final = "always told"
"""What people read of a constraint, after its type."""

_LABELS: Final[Mapping[str, str]] = dict(TYPE_LABELS.items())
_VALUES: Final[Mapping[str, str]] = {
    label.casefold(): value for value, label in TYPE_LABELS.items()
}


def shown_type(value: str, *, always_told: bool = False) -> str:
    """Return what people read for a type, such as "Decision · always told"."""
    label = _LABELS.get(value, value)
    return f"{label} · {ALWAYS_TOLD}" if always_told else label


def type_named(text: str) -> str:
    """Return the type that a user names by its label or value; an unknown one as it was typed."""
    folded = text.strip().casefold()
    return _VALUES.get(folded, folded if folded in _LABELS else text)


def given_labels(last: str) -> str:
    """List the labels of types that users give, in lower case, for a sentence; as `given_types`."""
    *first, final = (TYPE_LABELS[each].lower() for each in GIVEN_TYPES)
    return f"{', '.join(first)} {last} {final}"


def given_types(last: str) -> str:
    """List the types that users give, for a sentence; ``last`` is the word before the last one."""
    return f"{', '.join(GIVEN_TYPES[:-1])} {last} {GIVEN_TYPES[-1]}"
