"""Packs the objects of many small commits, as git would do by itself now and then.

Nothing is deleted that isn't in a pack.
"""

import os
from typing import Final

from intaglio.git.command import Git
from intaglio.workspace.git.private_directory import PrivateDirectory

_SAMPLE: Final = "17"
_FOLDERS: Final = 256
_MOST_LOOSE: Final = 6_700
_PACK_S: Final = 120.0
_MAX_ANSWER: Final = 100_000


def pack_objects(git: Git, private: PrivateDirectory, most_loose: int = _MOST_LOOSE) -> bool:
    """Pack what the branch reaches, if more objects than that are loose. Blocks."""
    if _loose_objects(private) <= most_loose:
        return False
    git.run(
        private.working_tree(),
        ["repack", "-d", "-l", "-n", "-q"],
        limit_s=_PACK_S,
        max_bytes=_MAX_ANSWER,
    )
    return True


def _loose_objects(private: PrivateDirectory) -> int:
    """Estimate their number as git does: hashes are spread evenly over the folders."""
    folder = private.repository.common_dir / "objects" / _SAMPLE
    try:
        with os.scandir(folder) as entries:
            return sum(1 for _ in entries) * _FOLDERS
    except OSError:
        return 0
