"""The short name of a project, from the key that its memories carry."""

import os
from pathlib import Path


def is_path(key: str) -> bool:
    """Tell whether a project's key is a directory, not a mere name."""
    return os.path.isabs(key)  # noqa: PTH117 - as text


def display_name(key: str) -> str:
    """Return what people call a project: the name of its directory, or the name that it is.

    ``project/.bare`` and ``project.git`` are both "project".
    """
    if not is_path(key):
        return key
    path = Path(key)
    shown = path.parent if path.name == ".bare" else path
    return shown.name.removesuffix(".git") or key
