"""Disconnects every agent, as `intaglio disconnect` does, wherever it was connected."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import Paths
from intaglio.connect.instructions import plan_block_removal
from intaglio.connect.plans import apply, recorded_files
from intaglio.connect.targets import ConnectionTarget
from intaglio.connect.tools.mcp_servers import McpServers
from intaglio.connect.values import ConnectionPlan, ConnectionRefused, FileChange
from intaglio.uninstall.values import UninstallItem, UninstallProblem, UninstallStep

_MENTION: Final = b"intaglio"
_Plan: TypeAlias = ConnectionPlan | ConnectionRefused


@dataclass(frozen=True, slots=True)
class _Place:
    """A file that may have something of ours, and how its change is planned."""

    file: Path
    plan: Callable[[], _Plan]


def disconnect_steps(targets: Mapping[str, ConnectionTarget]) -> list[UninstallStep]:
    """Return the steps that take us out of each file of an agent that has anything of ours.

    A plan is made again when its step runs: the file may have changed since the preview.
    """
    steps: list[UninstallStep] = []
    for target in targets.values():
        for place in _places(target):
            step = _step(target, place)
            if step is not None:
                steps.append(step)
    return steps


def _step(target: ConnectionTarget, place: _Place) -> UninstallStep | None:
    label = target.connector.label
    act = partial(_take_out, label, place)
    plan = _planned(place)
    if isinstance(plan, ConnectionRefused):
        refusal = _refusal(label, place, plan)
        return UninstallStep((), act, (refusal,)) if _may_have_ours(target, place.file) else None
    files = tuple(dict.fromkeys(str(edit.target) for edit in plan.edits if edit.changes_file))
    known = tuple(UninstallProblem(label, note) for note in plan.notes)
    has_record = any(edit.recorded is not None for edit in plan.edits)
    if not files and not known and not has_record:
        return None
    return UninstallStep(
        (UninstallItem("agent", label, files, _note(plan)),) if files else (), act, known
    )


def _note(plan: ConnectionPlan) -> str:
    made = [edit.target.name for edit in plan.edits if edit.changes_file and edit.after is None]
    if not made:
        return ""
    return f"{' and '.join(made)} {'was' if len(made) == 1 else 'were'} made for it"


def _take_out(label: str, place: _Place) -> tuple[UninstallProblem, ...]:
    plan = _planned(place)
    if isinstance(plan, ConnectionRefused):
        return (_refusal(label, place, plan),)
    done = apply(plan)
    if isinstance(done, ConnectionRefused):
        return (_refusal(label, place, done),)
    return tuple(UninstallProblem(label, note) for note in (*plan.notes, *done.notes))


def _planned(place: _Place) -> _Plan:
    try:
        return place.plan()
    except OSError as error:
        reason = f"It can't be read: {error.strerror or error}."
        return ConnectionRefused(reason, "Check its permissions.")


def _refusal(label: str, place: _Place, refused: ConnectionRefused) -> UninstallProblem:
    return UninstallProblem(label, refused.reason, refused.hint, file=str(place.file))


def _places(target: ConnectionTarget) -> Iterator[_Place]:
    """Yield the agent's settings, and those that were connected where a variable named them."""
    usual = _Place(target.settings, target.plan_disconnect)
    yield usual
    name, paths = target.connector.name, target.paths
    for file in recorded_files(name, paths):
        if file != target.settings.absolute():
            yield _Place(file, partial(target.connector.plan_disconnect, file, paths))
    lists = recorded_files(f"{name}.mcp", paths)
    servers = target.connector.mcp_servers(target.home(), target.env)
    if not isinstance(servers, McpServers):
        servers = None
    if isinstance(_planned(usual), ConnectionRefused):
        # Disconnecting is all or nothing; what is in other files can go all the same.
        if target.instructions_file is not None:
            block = partial(_plan_block, target.instructions_file, paths)
            yield _Place(target.instructions_file, block)
        if servers is not None and servers.file != target.settings:
            yield _Place(servers.file, partial(_plan_list, servers, paths))
    for file in lists if servers is not None else ():
        if servers is not None and file != servers.file.absolute():
            other = replace(servers, file=file)
            yield _Place(file, partial(_plan_list, other, paths))


def _plan_list(servers: McpServers, paths: Paths) -> _Plan:
    """Plan to remove our server from a list, without the help of the agent's program."""
    change = replace(servers, add=(), remove=()).plan_removal(paths)
    if isinstance(change, ConnectionRefused):
        return change
    return ConnectionPlan(settings=change.edit, files=())


def _plan_block(file: Path, paths: Paths) -> _Plan:
    change = plan_block_removal(file, paths)
    if isinstance(change, FileChange):
        return ConnectionPlan(settings=change, files=())
    return ConnectionRefused(change or "It has no block of Intaglio's.", "")


def _may_have_ours(target: ConnectionTarget, file: Path) -> bool:
    """Whether settings that can't be changed were connected, or name us."""
    if file.absolute() in recorded_files(target.connector.name, target.paths):
        return True
    with contextlib.suppress(OSError):
        return _MENTION in read_regular(file).lower()
    return False
