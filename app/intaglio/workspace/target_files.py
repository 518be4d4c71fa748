"""Reads the files that get a block, and changes them without losing what others save meanwhile."""

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from intaglio.base.errors import ConflictError
from intaglio.base.files.regular_file import SpecialFileError, read_regular
from intaglio.base.files.replacement import is_writable, replace_file
from intaglio.connect.managed_block import (
    BrokenBlock,
    FoundBlock,
    ManagedBlock,
    NoBlock,
    find_block,
    is_blank,
    put_block,
    strip_block,
)
from intaglio.workspace.values import BlockTarget

MAX_BYTES: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class FoundFile:
    """The file of a target: its content, None if there is none, and the block in it."""

    content: bytes | None
    block: FoundBlock


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """The file can't get a block; ``is_folder_missing`` if that is only for its missing folder."""

    reason: str
    hint: str
    is_folder_missing: bool = False


TargetFile: TypeAlias = FoundFile | RefusedFile


class ChangedMeanwhileError(ConflictError):
    """The block isn't the one that was looked at: somebody has saved the file since."""

    code = "block_changed"
    title = "The file has just been changed"


def read_target_file(target: BlockTarget) -> TargetFile:
    """Read the file of a target, unless it can't be changed safely."""
    file = target.file
    try:
        return _refused_place(target) or _refused_file(file) or _read(file)
    except FileNotFoundError:
        if not file.is_symlink():
            return FoundFile(None, NoBlock())
        return RefusedFile(
            f"{file} is a link to a file that doesn't exist.",
            "Create that file, or remove the link.",
        )
    except SpecialFileError as error:
        return RefusedFile(f"{error}.", "Move it out of the way.")
    except (OSError, RuntimeError) as error:
        return RefusedFile(f"{file} can't be read: {error}.", "Check its permissions.")


def _read(file: Path) -> TargetFile:
    content = read_regular(file, MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        return RefusedFile(f"{file} is larger than 2 MB.", "Make it smaller.")
    try:
        content.decode()
    except UnicodeDecodeError:
        return RefusedFile(f"{file} isn't valid UTF-8.", "Save it as UTF-8.")
    return FoundFile(content, find_block(content))


def _refused_place(target: BlockTarget) -> RefusedFile | None:
    file, within = target.file, target.within
    if within is not None and not file.resolve().is_relative_to(within.resolve()):
        return RefusedFile(
            f"{file} is a link that leads out of the folder.", "Replace the link by a file."
        )
    if target.makes_folder or file.parent.is_dir():
        return None
    return RefusedFile(
        f"The folder {file.parent} doesn't exist.",
        "It's written once the folder is there.",
        is_folder_missing=True,
    )


def _refused_file(file: Path) -> RefusedFile | None:
    if not is_writable(file):
        return RefusedFile(
            f"{file} or its folder is read-only.",
            "Make it writable, or switch sync off for it.",
        )
    if sys.platform == "win32" or not file.exists():
        return None
    facts = file.stat()
    if facts.st_uid != os.geteuid():
        return RefusedFile(f"{file} belongs to another user.", "Make it yours.")
    if facts.st_nlink > 1 and file.is_file():
        return RefusedFile(
            f"{file} has other hard links; replacing it would separate them.",
            "Replace the hard link by a symbolic one.",
        )
    return None


def write_block(file: Path, seen: FoundFile, body: str, digest: str | None = None) -> None:
    """Write a block in place of the one that was seen; raises ChangedMeanwhileError, OSError.

    What others change outside of the block meanwhile stays.
    """

    def edited(content: bytes | None) -> bytes:
        _check(file, seen, content)
        return put_block(content, body, digest=digest)

    replace_file(file, edited, limit=MAX_BYTES + 1)


def remove_block(file: Path, seen: FoundFile) -> None:
    """Take the block that was seen out of a file; raises ChangedMeanwhileError and OSError.

    A file that was created for the block and has nothing else is deleted.
    """
    rest = strip_block(seen.content or b"")
    is_new_file = isinstance(seen.block, ManagedBlock) and seen.block.is_new_file
    if is_new_file and is_blank(rest) and not file.is_symlink():
        _delete(file, seen)
        return

    def edited(content: bytes | None) -> bytes | None:
        _check(file, seen, content)
        return None if content is None else strip_block(content)

    replace_file(file, edited, limit=MAX_BYTES + 1)


def _delete(file: Path, seen: FoundFile) -> None:
    """Delete a file, unless somebody saves it at that moment."""
    aside = file.with_name(f".{file.name}.{os.getpid()}.part")
    file.replace(aside)
    if read_regular(aside) != seen.content and not file.exists():
        aside.replace(file)
        raise _changed(file)
    aside.unlink()


def _check(file: Path, seen: FoundFile, content: bytes | None) -> None:
    found = find_block(content or b"")
    match found, seen.block:
        case (NoBlock(), NoBlock()):
            return
        case (ManagedBlock() as now, ManagedBlock() as before) if replace(now, spans=()) == replace(
            before, spans=()
        ):
            return
        case (ManagedBlock() | NoBlock() | BrokenBlock(), _):
            raise _changed(file)


def _changed(file: Path) -> ChangedMeanwhileError:
    return ChangedMeanwhileError(f"{file} has just been changed", hint="It's tried again.")
