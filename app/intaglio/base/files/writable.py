"""Whether the database's folder can be written at all."""

import os
from pathlib import Path


def read_only_reason(database: Path) -> str:
    """Say why nothing can be written to the database or beside it; empty if it can.

    Permissions don't bind root; a file system that is mounted read-only does.
    """
    folder = next(each for each in database.absolute().parents if each.exists())
    if not os.access(folder, os.W_OK | os.X_OK):
        return "The workspace is read-only."
    if database.exists() and not os.access(database, os.W_OK):
        return "The database file is read-only."
    return ""
