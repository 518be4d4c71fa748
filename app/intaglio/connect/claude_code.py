"""Connects Claude Code: plans the change of its settings, applies it, and takes it back."""

import difflib
import hashlib
import os
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import msgspec

from intaglio.base.install import Install
from intaglio.base.paths import Paths, write_private
from intaglio.connect.files import hook_files, write_files
from intaglio.connect.hook_entries import Wiring, entries, is_ours
from intaglio.connect.json_spans import Value
from intaglio.connect.settings_text import Added, IsOurs, check, is_wired, ours_in, undo, with_ours
from intaglio.connect.target import Found, read_target, replace_target
from intaglio.connect.values import Applied, Plan, Record, Refused, State

_BOM = "\ufeff"


def settings_file(home: Path, env: Mapping[str, str] = os.environ) -> Path:
    """Name the user's settings of Claude Code."""
    configured = env.get("CLAUDE_CONFIG_DIR", "").strip()
    return (Path(configured) if configured else home / ".claude") / "settings.json"


def plan_connect(
    settings: Path, paths: Paths, install: Install, python: str, *, curl: bool | None = None
) -> Plan | Refused:
    """Plan to add our hooks; nothing is written yet.

    ``python`` runs the hook program. ``curl`` says whether curl can be used (None: look for it).
    """
    has_curl = shutil.which("curl") is not None if curl is None else curl
    opened = _open(settings, paths)
    if isinstance(opened, Refused):
        return opened
    found, text, record_file, record = opened
    wanted = entries(Wiring(paths.hooks, python, curl=has_curl))
    ours = _ours(paths)
    body = text.removeprefix(_BOM)
    added = Added(body)
    if not is_wired(body, wanted, ours):
        added = with_ours(_undone(body, paths, record), wanted)
        record = Record(
            settings=str(settings.absolute()),
            created=found.content is None or bool(record and record.created),
            fragments=added.fragments,
            containers=added.containers,
        )
    after = (_BOM if text.startswith(_BOM) else "") + added.text
    try:
        content = after.encode()
    except UnicodeEncodeError:
        return Refused(
            f"The name of {paths.hooks!r} or {python!r} is no UTF-8, so settings cannot hold it.",
            "Set INTAGLIO_STATE_DIR to another folder.",
        )
    return Plan(
        target=found.target,
        before=found.content,
        after=content,
        diff=_diff(settings, text, after),
        files=hook_files(paths, install),
        record_file=record_file,
        record=record,
        notes=_notes(after),
    )


def plan_disconnect(settings: Path, paths: Paths) -> Plan | Refused:
    """Plan to take our hooks out; the files in our own folder stay for sessions that still run."""
    opened = _open(settings, paths)
    if isinstance(opened, Refused):
        return opened
    found, text, record_file, record = opened
    rest = _undone(text.removeprefix(_BOM), paths, record)
    after = (_BOM if text.startswith(_BOM) else "") + rest
    gone = found.content is None or bool(record and record.created and rest.strip() in {"", "{}"})
    return Plan(
        target=found.target,
        before=found.content,
        after=None if gone else after.encode(),
        diff=_diff(settings, text, "" if gone else after),
        files=(),
        record_file=record_file,
        record=None,
    )


def apply(plan: Plan) -> Applied | Refused:
    """Carry the plan out: our own files first, a backup, then the user's file at once."""
    backup: Path | None = None
    try:
        write_files(plan.files)
        if plan.changes_settings and plan.record is not None:
            backup = _back_up(plan)
            write_private(plan.record_file, msgspec.json.encode(plan.record))
    except OSError as error:
        return Refused(f"Our own files cannot be written: {error}.", "Check the state folder.")
    if plan.changes_settings:
        refused = replace_target(plan.target, plan.before, plan.after)
        if refused:
            return refused
    if plan.record is None:
        plan.record_file.unlink(missing_ok=True)
    return Applied(plan.target, changed=plan.changes_settings, backup=backup)


def state(settings: Path, paths: Paths, install: Install, python: str) -> State | Refused:
    """Tell whether Claude Code is connected as a plan made now would connect it."""
    plan = plan_connect(settings, paths, install, python)
    if isinstance(plan, Refused):
        return plan
    if not plan.changed:
        return "connected"
    text = (plan.before or b"").decode().removeprefix(_BOM)
    return "partly" if ours_in(text, _ours(paths)) else "not"


def connected_folders(paths: Paths) -> list[Path]:
    """List the configuration folders that were connected; transcripts lie below them."""
    records = map(_read_record, sorted((paths.state / "connect").glob("claude-code-*.json")))
    return [Path(record.settings).parent for record in records if record]


def _open(settings: Path, paths: Paths) -> tuple[Found, str, Path, Record | None] | Refused:
    found = read_target(settings)
    if isinstance(found, Refused):
        return found
    try:
        text = (found.content or b"").decode()
    except UnicodeDecodeError:
        return Refused(f"{found.target} is not UTF-8.", "Save it as UTF-8, then run this again.")
    root = check(text.removeprefix(_BOM))
    if isinstance(root, Refused):
        return root
    key = hashlib.sha256(str(found.target).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    record_file = paths.state / "connect" / f"claude-code-{key}.json"
    return found, text, record_file, _read_record(record_file)


def _read_record(file: Path) -> Record | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Record)
    except (OSError, msgspec.DecodeError):
        return None


def _ours(paths: Paths) -> IsOurs:
    return partial(is_ours, hooks=paths.hooks)


def _undone(text: str, paths: Paths, record: Record | None) -> str:
    ours = _ours(paths)
    if not ours_in(text, ours):
        return text
    if record is None:
        return undo(text, ours, (), None)
    return undo(text, ours, record.fragments, record.containers)


def _back_up(plan: Plan) -> Path | None:
    if plan.before is None:
        return None
    name = f"settings-{hashlib.sha256(plan.before).hexdigest()[:12]}.json"
    backup = plan.record_file.with_name(name)
    write_private(backup, plan.before)
    return backup


def _diff(settings: Path, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), str(settings), str(settings), lineterm=""
    )
    return "\n".join(lines)


def _notes(text: str) -> tuple[str, ...]:
    """Say what in the settings keeps our hooks from running."""
    body = text.removeprefix(_BOM)
    root = check(body)
    if not isinstance(root, Value):
        return ()
    return tuple(
        "disableAllHooks is true in these settings: Claude Code runs no hooks."
        for member in root.members
        if member.key == "disableAllHooks" and body[member.value.start :].startswith("true")
    )
