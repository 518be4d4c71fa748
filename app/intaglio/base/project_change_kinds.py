"""The kinds of changes of a whole project."""

from typing import Literal, TypeAlias

ProjectChangeKind: TypeAlias = Literal[
    "move", "merge", "rename", "archive", "unarchive", "keep_apart"
]
