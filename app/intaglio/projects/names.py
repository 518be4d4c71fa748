"""The display name of a project, derived from its key."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType


def is_path(key: str) -> bool:
    """Check whether a project's key is a directory rather than a name."""
    return os.path.isabs(key)  # noqa: PTH117 - as text


def display_name(key: str) -> str:
    """Return the display name of a project: the name of its directory, or its own name.

    ``project/.bare`` and ``project.git`` are both "project".
    """
    if not is_path(key):
        return key
    path = Path(key)
    shown = path.parent if path.name == ".bare" else path
    return shown.name.removesuffix(".git") or key


def distinct_names(
    keys: Iterable[str], given: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """Return the display name of each project, by key; equal ones begin with parent folders.

    ``given`` are the names that the user gave.
    """
    names: dict[str, str] = {}
    left = {key: (*_parents(key), given.get(key) or display_name(key)) for key in keys}
    parts = 1
    while left:
        shown = {key: "/".join(each[-parts:]) for key, each in left.items()}
        count = Counter(shown.values())
        clear = {
            key: name for key, name in shown.items() if count[name] == 1 or parts >= len(left[key])
        }
        names |= clear
        left = {key: each for key, each in left.items() if key not in clear}
        parts += 1
    return names


def _parents(key: str) -> tuple[str, ...]:
    """Return the names of the folders above a project's."""
    if not is_path(key):
        return ()
    path = Path(key)
    return (path.parent if path.name == ".bare" else path).parent.parts[1:]
