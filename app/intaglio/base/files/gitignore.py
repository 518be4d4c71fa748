"""``memory/.gitignore``: keeps the database, its side files and backups out of the user's Git.

Git can't merge them, and what removes or stashes untracked files (``git stash -u``, ``git clean``)
would take them from under the daemon. The dated summaries in the same folder stay visible to Git.
"""

import contextlib
import os
from pathlib import Path
from typing import Final

from intaglio.base.files.regular_file import read_regular

_MAX_BYTES: Final = 100_000
_HEAD: Final = """\
# Written by Intaglio: its database isn't for Git, which can't merge it and could remove it.
# The dated Markdown files aren't named here. You can add lines; Intaglio never changes this file.
"""


def ignored(database: Path, backups: Path, lock: str = "intaglio.lock") -> tuple[str, ...]:
    """List the patterns: the file itself, the database, its side files, its lock and backups.

    The file names itself, or ``git stash -u`` would take it, and the database the next time.
    """
    name = database.name
    side = ("-wal", "-shm", "-journal", ".open", ".restoring", ".broken-*", ".*")
    files = (".gitignore", name, *(f"{name}{suffix}" for suffix in side), lock)
    return (*(f"/{file}" for file in files), f"/{backups.name}/")


def write_gitignore(database: Path, backups: Path) -> None:
    """Create the file beside the database if there is none; a user's own is left as it is.

    A folder that can't be written has none.
    """
    content = _HEAD + "".join(f"{line}\n" for line in ignored(database, backups))
    with contextlib.suppress(OSError):
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = database.with_name(".gitignore")
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content.encode())


def missing_patterns(database: Path, backups: Path) -> list[str]:
    """Return the patterns that a user's own file lacks; empty if there is no file.

    Patterns are compared as text: one that covers several of ours counts as lacking them.
    """
    try:
        content = read_regular(database.with_name(".gitignore"), _MAX_BYTES)
    except OSError:
        return []
    present = {line.strip().lstrip("/") for line in content.decode("utf-8", "replace").splitlines()}
    return [line for line in ignored(database, backups) if line.lstrip("/") not in present]
