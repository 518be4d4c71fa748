"""The values of the workspace: its texts, the targets that they are written to, and conflicts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

MOST_SHOWN: Final = 8_000
"""The most characters of a difference that an item shows."""

TOPIC: Final = "workspace"
"""The topic of the bus on which changes of targets are told."""

TargetKind: TypeAlias = Literal["harness", "agent", "project"]
SyncState: TypeAlias = Literal["synced", "waiting", "conflict", "refused", "off", "disconnected"]
OffBy: TypeAlias = Literal["switch", "removed"]
"""Who switched a target off: the user by its switch, or by removing the block from the file."""

EditChoice: TypeAlias = Literal["workspace", "edit"]


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """A file of the workspace that is there and can't be told: its name, and why."""

    name: str
    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class WorkspaceTexts:
    """The contents of the workspace's files by name, without those that are missing or empty.

    Names are relative to the workspace, with slashes. ``agents`` are the names of agents.
    """

    contents: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    unreadable: tuple[UnreadableFile, ...] = ()
    agents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockTarget:
    """A file outside the workspace's own that gets a block.

    ``state`` says whether it gets one: ``synced`` if it does, else why it doesn't; with
    ``refused``, the block that is there stays. ``agent`` is whose texts it gets, None for those of
    all agents. ``within`` is the folder that links must not lead out of. ``makes_folder``: the
    file's folder is created if it is missing. ``connection`` differs each time that the harness is
    connected.
    """

    id: str
    kind: TargetKind
    label: str
    file: Path
    agent: str | None = None
    state: Literal["synced", "refused", "off", "disconnected"] = "synced"
    reason: str = ""
    hint: str = ""
    within: Path | None = None
    makes_folder: bool = False
    connection: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRecord:
    """What is known of a target from before.

    ``digest`` is that of the block as it was written last, None if there should be none.
    ``connection`` is the target's at that time.
    """

    id: str
    path: str
    digest: str | None = None
    state: SyncState = "waiting"
    reason: str = ""
    hint: str = ""
    off_by: OffBy | None = None
    synced_at: str | None = None
    connection: str = ""


@dataclass(frozen=True, slots=True)
class TakenFile:
    """A file of the workspace that an edit was written to: what it held before and after.

    Both are names of kept texts; ``before`` is None where there was no file.
    """

    file: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditConflict:
    """An edit of a block that the inbox asks about; the texts are names of kept texts.

    ``base`` is what had been written, None if that isn't known, ``ours`` what the workspace says,
    ``theirs`` what stands in the block. ``files`` are those of the workspace that the edit is of.
    ``is_applied``: what was decided is carried out, so the edit stands in the workspace's files, or
    was replaced by their text. ``restores`` asks for it back. ``shown`` is what differs, for
    people, without secrets. ``earlier`` are edits that were replaced and couldn't be put back,
    ``kept`` the same of files of the workspace. ``taken`` are the files that the edit was written
    to.
    """

    item: str
    target: str
    path: str
    files: tuple[str, ...]
    base: str | None
    ours: str
    theirs: str
    decision: EditChoice | None = None
    is_applied: bool = False
    restores: bool = False
    shown: str = ""
    earlier: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    taken: tuple[TakenFile, ...] = ()

    @property
    def is_to_take_back(self) -> bool:
        """Whether the edit still stands in the workspace's files, and isn't to any more."""
        return self.decision != "edit" and bool(self.taken)
