"""What connecting and disconnecting mean for the file of instructions that a harness reads."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from intaglio.base.paths import Paths
from intaglio.connect.managed_block import (
    BrokenBlock,
    ManagedBlock,
    NoBlock,
    find_block,
    is_blank,
    strip_block,
)
from intaglio.connect.plans import open_settings, reduce_file
from intaglio.connect.values import ConnectionRecord, ConnectionRefused, FileChange

INSTRUCTION_FILES: Final = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md")
"""The files of the workspace that agents are told, in the order in which they are written."""

_RECORD: Final = "instructions"


def sync_note(file: Path, paths: Paths) -> str | None:
    """Say that files of the workspace will be written to ``file``; None if there are none."""
    found = [name for name in INSTRUCTION_FILES if (paths.workspace / name).is_file()]
    if not found:
        return None
    return (
        f"Once it's connected, {', '.join(found)} of {paths.workspace} will be written to a marked "
        f"block of {file}, and kept current there. The setting workspace.sync switches that off."
    )


def plan_block_removal(file: Path, paths: Paths) -> FileChange | str | None:
    """Plan to take our block out of ``file``, which is deleted if it was created for it.

    Return why the block stays, a sentence or two, or None if there is none.
    """
    opened = open_settings(_RECORD, file, paths)
    if isinstance(opened, ConnectionRefused):
        return None if not file.exists() else f"{opened.reason} Its block stays. {opened.hint}"
    content = opened.content or b""
    match find_block(content):
        case NoBlock():
            return None
        case BrokenBlock(line, reason):
            return f"{file} keeps Intaglio's block: it has {reason} in line {line}. Remove it."
        case ManagedBlock(is_edited=True):
            return f"{file} keeps Intaglio's block, because it was edited. Remove it by hand."
        case ManagedBlock(is_new_file=is_new_file):
            rest = strip_block(content)
            record = ConnectionRecord(
                settings=str(file), created=is_new_file, fragments=(), containers=()
            )
            text = rest.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
            return reduce_file(replace(opened, record=record), text, empty=is_blank(rest))
