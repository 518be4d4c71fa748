"""What connecting decides, as values: a plan, a refusal, what was done."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

ConnectionState: TypeAlias = Literal["connected", "partly", "not"]


@dataclass(frozen=True, slots=True)
class ConnectionRefused:
    """Nothing was written: why, and what the user can do."""

    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class FileToWrite:
    """A file of our own state folder, written 0600."""

    path: Path
    content: bytes

    def is_there(self) -> bool:
        """Tell whether the file holds this already."""
        try:
            return self.path.read_bytes() == self.content
        except OSError:
            return False


class ConnectionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What disconnect needs: the inserted texts in their order, the containers made for them.

    ``created`` says that the settings file itself was made; ``containers`` are paths such as
    ``hooks`` and ``hooks/Stop``.
    """

    settings: str
    created: bool
    fragments: tuple[str, ...]
    containers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConnectionPlan:
    """What will be written: the settings (None = the file is absent), and files of our own.

    ``target`` is the real file behind a symbolic link. ``record`` None means that it is dropped.
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
        """Whether the user's file becomes another one."""
        return self.before != self.after

    @property
    def changed(self) -> bool:
        """Whether anything has to be written at all."""
        return self.changes_settings or not all(file.is_there() for file in self.files)


@dataclass(frozen=True, slots=True)
class ConnectionApplied:
    """The plan was carried out; ``backup`` is the copy of the settings as they were."""

    target: Path
    changed: bool
    backup: Path | None
