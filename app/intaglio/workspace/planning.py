"""Decides what to do with a target: pure, from what is wanted, what is there and what was."""

from dataclasses import dataclass
from typing import TypeAlias

from intaglio.connect.managed_block import BrokenBlock, ManagedBlock, NoBlock, digest_of
from intaglio.workspace.kept_texts import digest_of_name
from intaglio.workspace.target_files import RefusedFile, TargetFile
from intaglio.workspace.values import BlockTarget, EditConflict, SyncState, TargetRecord


@dataclass(frozen=True, slots=True)
class Leave:
    """Write nothing; the state of the target, and why.

    ``digest`` is that of the block that is there, None if there is none.
    """

    state: SyncState
    reason: str = ""
    hint: str = ""
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class WriteBlock:
    """Write a block; with ``digest``, as one that was edited since what had that digest."""

    body: str
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class RemoveBlock:
    """Take the block out; the state of the target afterwards."""

    after: Leave


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """The user has removed the block from the file, so they don't want it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The block was edited: ask whether the workspace's text or the edit holds."""

    ours: str
    theirs: str


TargetAction: TypeAlias = Leave | WriteBlock | RemoveBlock | SwitchOff | Ask

_NO_FILES = Leave("waiting", "The workspace has none of the files that agents are told.")
REMOVED = Leave(
    "off",
    "You removed the block from the file.",
    "Switch it on to have it written again.",
)
_BY_SWITCH = Leave("off", "It's switched off.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A target as it is: ``body`` is what its block should say.

    ``kept_theirs`` is the edited text of the conflict whose digest is to be compared.
    """

    target: BlockTarget
    body: str
    file: TargetFile
    record: TargetRecord
    conflict: EditConflict | None = None
    kept_theirs: str | None = None


def plan_target(given: Situation) -> TargetAction:
    """Decide what to do with a target."""
    target = given.target
    if target.state == "refused":
        return Leave("refused", target.reason, target.hint, digest=given.record.digest)
    if isinstance(given.file, RefusedFile):
        return _refused(given, given.file)
    block = given.file.block
    return _broken(given, block) if isinstance(block, BrokenBlock) else _found(given, block)


def _found(given: Situation, block: ManagedBlock | NoBlock) -> TargetAction:
    target = given.target
    if target.state != "synced":
        return _removal(block, Leave(target.state, target.reason, target.hint))
    if given.record.off_by == "switch":
        return _removal(block, _BY_SWITCH)
    return _without_block(given) if isinstance(block, NoBlock) else _with_block(given, block)


def _refused(given: Situation, file: RefusedFile) -> Leave:
    target = given.target
    # A folder that comes back starts anew: nobody has removed the block from a file there.
    digest = None if file.is_folder_missing else given.record.digest
    if target.state != "synced":
        return Leave(target.state, target.reason, target.hint, digest=digest)
    return Leave("refused", file.reason, file.hint, digest=digest)


def _broken(given: Situation, block: BrokenBlock) -> Leave:
    return Leave(
        "refused",
        f"{given.target.file} has {block.reason} in line {block.line}.",
        "Remove that comment, or all of Intaglio's block.",
        digest=given.record.digest,
    )


def _removal(block: ManagedBlock | NoBlock, after: Leave) -> TargetAction:
    match block:
        case ManagedBlock(is_edited=True):
            why = "The block in the file was edited, so it stays."
            return Leave(after.state, f"{after.reason} {why}".strip(), "Remove it by hand.")
        case ManagedBlock():
            return RemoveBlock(after)
        case NoBlock():
            return after


def _without_block(given: Situation) -> TargetAction:
    record = given.record
    if record.off_by == "removed":
        return REMOVED
    if not given.body:
        # What was taken out because the last file went is no removal by the user.
        return _NO_FILES
    return SwitchOff() if record.digest is not None else WriteBlock(given.body)


def _with_block(given: Situation, block: ManagedBlock) -> TargetAction:
    body, conflict = given.body, given.conflict
    here = digest_of(block.body)
    if conflict is not None and conflict.restores and not block.is_edited:
        theirs = given.kept_theirs
        if theirs is not None and theirs != body:
            return WriteBlock(theirs, digest=digest_of_name(conflict.base or conflict.ours))
    if not block.is_edited:
        if not body:
            return RemoveBlock(_NO_FILES)
        is_current = block.body == body and len(block.spans) == 1
        return Leave("synced", digest=here) if is_current else WriteBlock(body)
    if block.body == body:
        return WriteBlock(body)
    if _is_decided(given, block):
        return WriteBlock(body) if body else RemoveBlock(_NO_FILES)
    return Ask(body, block.body)


def _is_decided(given: Situation, block: ManagedBlock) -> bool:
    """Whether the user has decided that this very edit may be overwritten."""
    conflict = given.conflict
    if conflict is None or conflict.decision is None or given.kept_theirs != block.body:
        return False
    # Once it was replaced, the same edit is a new one.
    return conflict.is_applied is (conflict.decision == "edit")
