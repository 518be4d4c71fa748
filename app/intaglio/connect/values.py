"""Values of connecting: plans, refusals and results."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from intaglio.base.files.regular_file import read_regular

ConnectionState: TypeAlias = Literal["connected", "partly", "not"]


@dataclass(frozen=True, slots=True)
class ConnectionRefused:
    """Nothing was written: the reason, and what the user can do."""

    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class FileToWrite:
    """A file in our own state folder, written with mode 0600."""

    path: Path
    content: bytes

    def is_there(self) -> bool:
        """Whether the file already has this content."""
        try:
            return read_regular(self.path) == self.content
        except OSError:
            return False


class ConnectionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What disconnecting needs: the inserted texts in order, and the containers created for them.

    ``created`` means that the settings file itself was created; ``containers`` are paths such as
    ``hooks`` and ``hooks/Stop``.
    """

    settings: str
    created: bool
    fragments: tuple[str, ...]
    containers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConnectionPlan:
    """The changes to write: the settings (None: no file) and our own files.

    ``target`` is the real file behind a symbolic link. With ``record`` None, the record is deleted.
    """

    target: Path
    before: bytes | None
    after: bytes | None
    diff: str
    files: tuple[FileToWrite, ...]
    record_file: Path
    record: ConnectionRecord | None
    notes: tuple[str, ...] = ()

    @property
    def changes_settings(self) -> bool:
        """Whether the user's file changes."""
        return self.before != self.after

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.changes_settings or not all(file.is_there() for file in self.files)

    @property
    def token(self) -> str:
        """A digest of the settings' path and of their content before and after.

        It confirms exactly this change: a plan made for other content has another one.
        """
        digests = [_digest(content) for content in (self.before, self.after)]
        return _digest("\n".join([*digests, str(self.target)]).encode("utf-8", "surrogateescape"))


def _digest(content: bytes | None) -> str:
    return "none" if content is None else hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class ConnectionApplied:
    """The plan was applied; ``backup`` is a copy of the previous settings."""

    target: Path
    changed: bool
    backup: Path | None
