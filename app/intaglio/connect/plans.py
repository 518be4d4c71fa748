"""Shared by all connectors: opens the user's settings, makes a plan and applies it."""

import contextlib
import difflib
import hashlib
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import Paths, write_private
from intaglio.connect.hook_files import write_files
from intaglio.connect.user_file import read_target, replace_target
from intaglio.connect.values import (
    ConnectionApplied,
    ConnectionPlan,
    ConnectionRecord,
    ConnectionRefused,
    FileChange,
    FileToWrite,
    ToolsChange,
)

_BOM = "\ufeff"
_KEY_CHARS = 12
_COMMAND_LIMIT_S = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedSettings:
    """The user's current settings; ``text`` is without the byte order mark.

    ``content`` is None if the file doesn't exist; ``record`` is from the last connect. Diffs show
    ``context_lines`` around each change.
    """

    settings: Path
    target: Path
    content: bytes | None
    text: str
    bom: bool
    record_file: Path
    record: ConnectionRecord | None
    context_lines: int

    @property
    def created(self) -> bool:
        """Whether the file was created by connecting, or doesn't exist."""
        return self.content is None or bool(self.record and self.record.created)


def open_settings(
    harness: str, settings: Path, paths: Paths, *, context_lines: int = 3
) -> OpenedSettings | ConnectionRefused:
    """Read the settings and the record of the harness's last connect."""
    found = read_target(settings)
    if isinstance(found, ConnectionRefused):
        return found
    try:
        text = (found.content or b"").decode()
    except UnicodeDecodeError:
        return ConnectionRefused(
            f"{found.target} isn't valid UTF-8.", "Save it as UTF-8, then try again."
        )
    key = hashlib.sha256(str(found.target).encode("utf-8", "surrogateescape")).hexdigest()
    record_file = _records(paths) / f"{harness}-{key[:_KEY_CHARS]}.json"
    return OpenedSettings(
        settings=settings,
        target=found.target,
        content=found.content,
        text=text.removeprefix(_BOM),
        bom=text.startswith(_BOM),
        record_file=record_file,
        record=_read_record(record_file),
        context_lines=context_lines,
    )


def edit_file(
    opened: OpenedSettings, after: str, record: ConnectionRecord | None
) -> FileChange | ConnectionRefused:
    """Plan to change the file to ``after``, and record what disconnecting needs."""
    text = _with_bom(opened, after)
    try:
        content = text.encode()
    except UnicodeEncodeError:
        return ConnectionRefused(
            "The settings would contain a folder name that isn't valid UTF-8.",
            "Set INTAGLIO_STATE_DIR to another folder.",
        )
    unchanged = opened.content is None and not text
    return _change(opened, None if unchanged else content, text, record)


def reduce_file(
    opened: OpenedSettings, rest: str, record: ConnectionRecord | None = None, *, empty: bool
) -> FileChange:
    """Plan to reduce the file to ``rest``, or delete a file we created if it is ``empty``."""
    known = opened.record
    former = known.empty if known and empty else None
    text = _with_bom(opened, rest if former is None else former)
    gone = opened.content is None or bool(known and known.created and empty)
    return _change(opened, None if gone else text.encode(), "" if gone else text, record)


def plan_connection(
    opened: OpenedSettings,
    after: str,
    record: ConnectionRecord | None,
    files: tuple[FileToWrite, ...],
    notes: tuple[str, ...] = (),
) -> ConnectionPlan | ConnectionRefused:
    """Plan to change the settings to ``after``, and record what disconnecting needs."""
    settings = edit_file(opened, after, record)
    if isinstance(settings, ConnectionRefused):
        return settings
    return ConnectionPlan(settings=settings, files=files, notes=notes)


def plan_changes(
    changes: Sequence[FileChange | ConnectionRefused], files: tuple[FileToWrite, ...] = ()
) -> ConnectionPlan | ConnectionRefused:
    """Plan several changes, that of the settings first; refused if one of them is."""
    made: list[FileChange] = []
    for change in changes:
        if isinstance(change, ConnectionRefused):
            return change
        made.append(change)
    return ConnectionPlan(settings=made[0], files=files, others=tuple(made[1:]))


def plan_removal(opened: OpenedSettings, rest: str, *, empty: bool) -> ConnectionPlan:
    """Plan to reduce the settings to ``rest``, or delete a file we created if it is ``empty``."""
    return ConnectionPlan(settings=reduce_file(opened, rest, empty=empty), files=())


def apply(plan: ConnectionPlan) -> ConnectionApplied | ConnectionRefused:
    """Apply the plan: our own files first, backups, then each of the user's files atomically.

    If one of the files that connect the harness can't be written, those before it are put back.
    """
    try:
        write_files(plan.files)
        backups = [_back_up(each) for each in plan.connection if each.changes_file and each.record]
    except OSError as error:
        return _cannot_write(error)
    done: list[FileChange] = []
    for change in plan.connection:
        refused = _apply_change(change)
        if refused:
            return _rolled_back(refused, [*done, change], [each for each in backups if each])
        done.append(change)
    failed = _apply_tools(plan.tools, plan.connection) if plan.tools else None
    return ConnectionApplied(
        plan.settings.target,
        changed=any(edit.changes_file for edit in plan.edits),
        backups=tuple(each for each in backups if each is not None),
        notes=(f"{failed.reason} {failed.hint}",) if failed else (),
    )


def _rolled_back(
    refused: ConnectionRefused, changes: Sequence[FileChange], backups: Sequence[Path]
) -> ConnectionRefused:
    """Put back what was written before the last change, which failed; say what couldn't be."""
    *done, failed = changes
    left: list[str] = []
    for change in reversed(done):
        if change.changes_file and replace_target(change.target, change.after, change.before):
            left.append(str(change.target))
        else:
            _restore_record(change)
    _restore_record(failed)
    if not left:
        return refused
    files = " and ".join(left)
    return ConnectionRefused(
        f"{refused.reason} {files} had been written already, and couldn't be put back.",
        " ".join([refused.hint, *(f"There is a backup: {backup}." for backup in backups)]),
    )


def _restore_record(change: FileChange) -> None:
    with contextlib.suppress(OSError):
        if change.recorded is None:
            change.record_file.unlink(missing_ok=True)
        else:
            write_private(change.record_file, msgspec.json.encode(change.recorded))


def _apply_change(change: FileChange) -> ConnectionRefused | None:
    """Write the record, then replace the file atomically."""
    try:
        if change.is_pending and change.record is not None:
            write_private(change.record_file, msgspec.json.encode(change.record))
    except OSError as error:
        return _cannot_write(error)
    if change.changes_file:
        refused = replace_target(change.target, change.before, change.after)
        if refused:
            return refused
    if change.record is not None:
        return None
    try:
        change.record_file.unlink(missing_ok=True)
    except OSError as error:
        if change.changes_file:
            replace_target(change.target, change.after, change.before)
        return _cannot_write(error)
    return None


def _apply_tools(change: ToolsChange, before: Sequence[FileChange]) -> ConnectionRefused | None:
    """Let the harness's own program make the change; edit the file if it can't.

    ``before`` are the changes just made: one of the same file has changed what this one is of.
    """
    edit = _anew(change, before)
    if isinstance(edit, ConnectionRefused):
        return edit
    if not change.commands:
        return _apply_change(edit)
    found = read_target(edit.target)
    if isinstance(found, ConnectionRefused):
        return found
    if found.content != edit.before:
        return ConnectionRefused(f"{edit.target} was changed in the meantime.", "Try again.")
    try:
        if edit.record is not None:
            write_private(edit.record_file, msgspec.json.encode(edit.record))
    except OSError as error:
        return _cannot_write(error)
    for command in change.commands:
        if not _succeeds(command, change):
            break
    left = change.replan()
    return left if isinstance(left, ConnectionRefused) else _apply_change(left)


def _anew(change: ToolsChange, before: Sequence[FileChange]) -> FileChange | ConnectionRefused:
    """Return the change of the list, planned again if its file was changed just before."""
    edit = change.edit
    if not any(each.changes_file and each.target == edit.target for each in before):
        return edit
    again = change.replan()
    if isinstance(again, ConnectionRefused) or again.record is None or edit.record is None:
        return again
    former = edit.record
    record = msgspec.structs.replace(again.record, created=former.created, empty=former.empty)
    return replace(again, record=record)


def _succeeds(command: tuple[str, ...], change: ToolsChange) -> bool:
    try:
        done = subprocess.run(  # noqa: S603 - the harness's own program
            command,
            env=change.env,
            cwd=change.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_COMMAND_LIMIT_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _cannot_write(error: OSError) -> ConnectionRefused:
    return ConnectionRefused(
        f"Couldn't write Intaglio's own files: {error}.", "Check the state folder."
    )


def recorded_files(harness: str, paths: Paths) -> list[Path]:
    """List the files that have a record of this name: the settings where it was connected."""
    files = sorted(_records(paths).glob(f"{harness}-{'?' * _KEY_CHARS}.json"))
    return [Path(record.settings) for record in map(_read_record, files) if record]


def connected_folders(harness: str, paths: Paths) -> list[Path]:
    """List the configuration folders where a harness was connected."""
    return [file.parent for file in recorded_files(harness, paths)]


def connection_stamp(harness: str, paths: Paths) -> str:
    """Return what differs from one time that a harness was connected to the next; empty if not."""
    files = _records(paths).glob(f"{harness}-{'?' * _KEY_CHARS}.json")
    try:
        return str(max((file.stat().st_mtime_ns for file in files), default=""))
    except OSError:
        return ""


def _records(paths: Paths) -> Path:
    return paths.state / "connect"


def _read_record(file: Path) -> ConnectionRecord | None:
    try:
        return msgspec.json.decode(read_regular(file), type=ConnectionRecord)
    except (OSError, msgspec.DecodeError):
        return None


def _with_bom(opened: OpenedSettings, text: str) -> str:
    return _BOM + text if opened.bom else text


def _change(
    opened: OpenedSettings, content: bytes | None, text: str, record: ConnectionRecord | None
) -> FileChange:
    return FileChange(
        target=opened.target,
        before=opened.content,
        after=content,
        diff=_diff(opened, text),
        record_file=opened.record_file,
        record=record,
        recorded=opened.record,
    )


def _back_up(change: FileChange) -> Path | None:
    if change.before is None:
        return None
    digest = hashlib.sha256(change.before).hexdigest()[:_KEY_CHARS]
    backup = change.record_file.with_name(f"settings-{digest}{change.target.suffix}")
    write_private(backup, change.before)
    return backup


def _diff(opened: OpenedSettings, after: str) -> str:
    before = _with_bom(opened, opened.text)
    name = str(opened.settings)
    lines = difflib.unified_diff(
        before.splitlines(),
        after.splitlines(),
        name,
        name,
        lineterm="",
        n=opened.context_lines,
    )
    return "\n".join(lines)
