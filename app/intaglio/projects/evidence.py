"""Tells whether a folder is the one that a project had before, by reading files only.

Any folder may be untrusted: no program of it is run, and what an archive can contain (a remote in
its configuration, a name) never suffices to give it another project's memories.
"""

import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, TypeAlias

from intaglio.base.files.regular_file import read_regular
from intaglio.git.finder import is_directory, remote_of
from intaglio.projects.names import display_name, is_path

_MAX_LINE: Final = 4_096
_HASH_CHARS: Final = 32
_CLONED: Final = b"clone: "
_PUBLIC: Final = "public:"

FolderState: TypeAlias = Literal["there", "gone", "gone_with_parent", "unknown"]
"""Whether a folder exists; ``unknown`` if that can't be determined, or for what is no path."""


@dataclass(frozen=True, slots=True)
class FolderEvidence:
    """What identifies a folder, each None if there is none.

    ``remote`` is the address of its repository. ``first_entry`` is a hash of the first line of
    git's log of HEAD: when and by whom this clone was made, which git never sends to anybody; or,
    behind ``public:``, the first commit of a repository that is no clone. ``folder_id`` identifies
    the folder on its disk; moving it within the disk keeps that.
    """

    remote: str | None = None
    first_entry: str | None = None
    folder_id: str | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Why two folders may be one: ``reason`` is what the second one "has" or "is".

    ``certain`` if nothing that was downloaded can have that too.
    """

    certain: bool
    reason: str


def read_evidence(key: str) -> FolderEvidence | None:
    """Read what identifies a project's folder; None for a name, or if the folder isn't there."""
    if not is_path(key):
        return None
    root = Path(key)
    try:
        status = root.stat()
    except (OSError, ValueError):
        return None
    # Some file systems number nothing.
    numbers = f"{status.st_dev}:{status.st_ino}" if status.st_ino else None
    return FolderEvidence(remote_of(root), _first_entry(root), numbers)


def _first_entry(root: Path) -> str | None:
    folder = root / ".git"
    log = (folder if is_directory(folder) else root) / "logs" / "HEAD"
    try:
        line = read_regular(log, _MAX_LINE).partition(b"\n")[0]
    except (OSError, ValueError):
        return None
    if not line:
        return None
    _, _, event = line.partition(b"\t")
    # All that git writes of a commit stands in the commit.
    origin = "" if event.startswith(_CLONED) else _PUBLIC
    return origin + sha256(line).hexdigest()[:_HASH_CHARS]


def folder_state(key: str, folder_id: str | None = None) -> FolderState:
    """Check whether a project's folder is there; a folder that can't be examined isn't gone.

    ``folder_id`` is what it had: a folder whose disk isn't there now is gone with its parent.
    """
    if not is_path(key):
        return "unknown"
    try:
        return "there" if stat.S_ISDIR(Path(key).stat().st_mode) else "gone"
    except (FileNotFoundError, NotADirectoryError):
        return "gone" if _is_on_disk(Path(key).parent, folder_id) else "gone_with_parent"
    except (OSError, ValueError):
        return "unknown"


def _is_on_disk(parent: Path, folder_id: str | None) -> bool:
    """Whether a folder is there on the disk of ``folder_id``: a mount point outlasts its disk."""
    try:
        status = parent.stat()
    except (OSError, ValueError):
        return False
    is_same_disk = folder_id is None or folder_id.startswith(f"{status.st_dev}:")
    return stat.S_ISDIR(status.st_mode) and is_same_disk


def agreement(
    old_key: str, old: FolderEvidence, new_key: str, new: FolderEvidence
) -> Agreement | None:
    """Return why ``new`` may be the folder that ``old`` was, or None.

    A number of a deleted folder may be given to a new one, so it counts only together with the
    log, the remote or the name. Two remotes that differ are two projects, unless the clone is the
    same.
    """
    is_same_folder = _same(old.folder_id, new.folder_id)
    if _same(old.first_entry, new.first_entry):
        is_private = not (old.first_entry or "").startswith(_PUBLIC)
        return Agreement(certain=is_private or is_same_folder, reason="has the same git history")
    # A folder that was a repository and is none now, or the reverse, is another one.
    certain = is_same_folder and old.first_entry is None and new.first_entry is None
    if _same(old.remote, new.remote):
        return Agreement(certain=certain, reason="has the same remote")
    if None not in (old.remote, new.remote) or None not in (old.first_entry, new.first_entry):
        return None
    if display_name(old_key) == display_name(new_key):
        return Agreement(certain=certain and old.remote == new.remote, reason="has the same name")
    return (
        Agreement(certain=False, reason="is the same directory on disk") if is_same_folder else None
    )


def _same(one: str | None, other: str | None) -> bool:
    return one is not None and one == other
