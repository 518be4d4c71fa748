"""Reads and atomically replaces a user's file, following symbolic links."""

import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from intaglio.base.files.regular_file import read_regular
from intaglio.connect.values import ConnectionRefused

MAX_BYTES = 2_000_000
_WRITE_BITS = 0o222


@dataclass(frozen=True, slots=True)
class UserFile:
    """The real file behind a path, and its bytes; None if it doesn't exist."""

    target: Path
    content: bytes | None


def read_target(path: Path) -> UserFile | ConnectionRefused:
    """Find and read the file; refuse a file that can't be replaced safely."""
    try:
        target = path.resolve()
        facts = target.stat()
    except FileNotFoundError:
        return _absent(path)
    except (OSError, RuntimeError) as error:
        return ConnectionRefused(
            f"Couldn't read {path}: {error}.", "Check the path and its permissions."
        )
    return _refuse_file(target, facts) or _read(target)


def _absent(path: Path) -> UserFile | ConnectionRefused:
    if path.is_symlink():
        return ConnectionRefused(
            f"{path} is a link to a file that doesn't exist.",
            "Create the file that it points to, or remove the link.",
        )
    return UserFile(path.parent.resolve() / path.name, None)


def _refuse_file(target: Path, facts: os.stat_result) -> ConnectionRefused | None:
    if not stat.S_ISREG(facts.st_mode):
        return ConnectionRefused(f"{target} isn't a regular file.", "Move it out of the way.")
    if not facts.st_mode & _WRITE_BITS:
        return ConnectionRefused(
            f"{target} is read-only.",
            "Make it writable, or make the change where the file is generated.",
        )
    if not target.parent.stat().st_mode & _WRITE_BITS:
        return ConnectionRefused(f"{target.parent} is read-only.", "Make the folder writable.")
    if facts.st_nlink > 1:
        return ConnectionRefused(
            f"{target} has other hard links; replacing it would separate them.",
            "Replace the hard link with a symbolic one.",
        )
    if facts.st_size > MAX_BYTES:
        return ConnectionRefused(
            f"{target} is larger than {MAX_BYTES} bytes.", "Make the file smaller."
        )
    return None


def _read(target: Path) -> UserFile | ConnectionRefused:
    try:
        return UserFile(target, read_regular(target))
    except OSError as error:
        return ConnectionRefused(f"Couldn't read {target}: {error}.", "Check its permissions.")


def replace_target(
    target: Path, before: bytes | None, after: bytes | None
) -> ConnectionRefused | None:
    """Write ``after`` (None removes the file) if the content is still ``before``."""
    found = read_target(target)
    if isinstance(found, ConnectionRefused):
        return found
    if found.content != before:
        return ConnectionRefused(f"{target} was changed in the meantime.", "Try again.")
    try:
        if after is None:
            target.unlink(missing_ok=True)
        else:
            _replace(target, after)
    except OSError as error:
        return ConnectionRefused(f"Couldn't write {target}: {error}.", "Check its permissions.")
    return None


def _replace(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        _keep_owner_and_mode(target, part)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _keep_owner_and_mode(target: Path, part: Path) -> None:
    if not target.exists():
        return
    facts, own = target.stat(), part.stat()
    if hasattr(os, "chown") and (facts.st_uid, facts.st_gid) != (own.st_uid, own.st_gid):
        os.chown(part, facts.st_uid, facts.st_gid)
    part.chmod(stat.S_IMODE(facts.st_mode))
