"""The display name of a project, derived from its key."""

import os
from pathlib import Path


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
