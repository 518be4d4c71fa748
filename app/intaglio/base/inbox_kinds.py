"""The kinds of inbox items, and what the user can decide about each.

A new kind is one more name in `ItemKind` and one more entry of `ACTIONS`. What its actions do is in
`lifecycle/decisions/inbox_decisions.py`.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

ItemKind: TypeAlias = Literal[
    "suggestion",
    "contradiction",
    "possible_merge",
    "wider_scope",
    "proposed_change",
    "agent_changes",
]
"""A suggested memory, two memories that contradict each other, two entities that may be one, a
memory of a project that may apply to all projects, a change of a memory that an agent proposes, or
all changes that an agent made in a session."""

Speaker: TypeAlias = Literal["user", "agent"]
"""Who said something: the user, or an agent that claims it by itself."""

UserAction: TypeAlias = Literal[
    "keep",
    "drop",
    "keep_both",
    "newer_wins",
    "merge",
    "keep_apart",
    "all_projects",
    "this_project",
    "apply",
    "reject",
    "keep_changes",
    "undo_changes",
]
"""What the user decides; dropping the proposal of a contradiction forgets the newer memory."""

ClosingAction: TypeAlias = Literal[
    "said_again", "withdrawn", "expired", "memory_gone", "memory_changed"
]
"""Why an item was closed without the user: said again and kept, taken back, too old, or moot."""

ItemAction: TypeAlias = UserAction | ClosingAction

ACTIONS: Final[Mapping[ItemKind, tuple[UserAction, ...]]] = {
    "suggestion": ("keep", "drop"),
    "contradiction": ("keep_both", "newer_wins", "drop"),
    "possible_merge": ("merge", "keep_apart"),
    "wider_scope": ("all_projects", "this_project"),
    "proposed_change": ("apply", "reject"),
    "agent_changes": ("keep_changes", "undo_changes"),
}

KINDS: Final = tuple(ACTIONS)
USER_ACTIONS: Final[tuple[UserAction, ...]] = tuple(
    dict.fromkeys(action for actions in ACTIONS.values() for action in actions)
)
