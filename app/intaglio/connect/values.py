"""Values of connecting: plans, refusals and results."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from intaglio.base.files.regular_file import read_regular

ConnectionState: TypeAlias = Literal["connected", "partly", "not"]

ToolsState: TypeAlias = Literal[
    "registered", "included", "outdated", "missing", "declined", "foreign", "unsupported"
]
"""Whether agents have our tools; ``included``: connecting brings them along.

``foreign``: the user has another MCP server of our name; ``unsupported``: there is no list.
"""


@dataclass(frozen=True, slots=True)
class ConnectionRefused:
    """Nothing was written: the reason, and what the user can do."""

    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class Concern:
    """What keeps hooks that are in the settings from running, and what the user can do."""

    text: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeCommand:
    """How a harness would run our hook of a session's start: the command, its input, its variables.

    ``env`` is added to the environment. The reply to the event is on its standard output.
    """

    argv: tuple[str, ...]
    stdin: bytes
    env: Mapping[str, str] = field(default_factory=dict[str, str])


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
    ``hooks`` and ``hooks/Stop``. ``declined`` means that the user wanted nothing inserted.
    ``empty`` is what the file held if that was nothing: blanks, or an object without members.
    """

    settings: str
    created: bool
    fragments: tuple[str, ...]
    containers: tuple[str, ...]
    declined: bool = False
    empty: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A change of one of the user's files; content None means that there is no file.

    ``target`` is the real file behind a symbolic link. ``recorded`` is the record that there is,
    ``record`` the one to write; with None, it is deleted.
    """

    target: Path
    before: bytes | None
    after: bytes | None
    diff: str
    record_file: Path
    record: ConnectionRecord | None
    recorded: ConnectionRecord | None = None

    @property
    def changes_file(self) -> bool:
        """Whether the user's file changes."""
        return self.before != self.after

    @property
    def is_pending(self) -> bool:
        """Whether there is anything to write: the file, or a record of what the user chose."""
        return self.changes_file or (self.record is not None and self.record != self.recorded)

    @property
    def token(self) -> str:
        """A digest of the file's path and of its content before and after."""
        digests = [_digest(content) for content in (self.before, self.after)]
        return _digest("\n".join([*digests, str(self.target)]).encode("utf-8", "surrogateescape"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsChange:
    """A change of the harness's list of MCP servers.

    ``commands`` are those of the harness's own program that make the change, empty if it isn't
    installed; they run in ``folder`` with the variables ``env``. ``replan`` plans the same change
    of the file as it is then.
    """

    edit: FileChange
    commands: tuple[tuple[str, ...], ...]
    env: Mapping[str, str] = field(repr=False)
    folder: Path
    replan: "Callable[[], FileChange | ConnectionRefused]"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionPlan:
    """The changes to write: the settings, our own files, and the list of MCP servers if any.

    ``others`` are changes of further files of the user: either all of them and the settings are
    written, or none. ``notes`` say what keeps the connection from working, or what was missing from
    it.
    """

    settings: FileChange
    files: tuple[FileToWrite, ...]
    others: tuple[FileChange, ...] = ()
    tools: ToolsChange | None = None
    notes: tuple[str, ...] = ()

    @property
    def edits(self) -> tuple[FileChange, ...]:
        """The changes of the user's files."""
        return (*self.connection, self.tools.edit) if self.tools else self.connection

    @property
    def connection(self) -> tuple[FileChange, ...]:
        """The changes that connect the harness, without those of the list of MCP servers."""
        return (self.settings, *self.others)

    @property
    def diff(self) -> str:
        """The diffs of the changes that connect the harness, one after another."""
        return "\n".join(change.diff for change in self.connection if change.diff)

    @property
    def connects(self) -> bool:
        """Whether the settings will have hooks that aren't there yet."""
        return self.settings.changes_file and self.settings.after is not None

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        pending = any(edit.is_pending for edit in self.edits)
        return pending or not all(file.is_there() for file in self.files)

    @property
    def token(self) -> str:
        """A digest that confirms exactly these changes: a plan made for other content differs."""
        return _digest("\n".join(edit.token for edit in self.edits).encode())


def _digest(content: bytes | None) -> str:
    return "none" if content is None else hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class ConnectionApplied:
    """The plan was applied; ``backups`` are copies of the files as they were, settings first.

    ``changed`` says whether any of the user's files was. ``notes`` say what couldn't be done.
    """

    target: Path
    changed: bool
    backups: tuple[Path, ...]
    notes: tuple[str, ...] = ()
