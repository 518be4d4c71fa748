"""Disconnects every agent, as `intaglio disconnect` does, wherever it was connected."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import Paths
from intaglio.connect.block_files import known_block_files
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
    """A file that may have something of ours, how its change is planned, and whether it has.

    ``has_ours`` is asked only if the change can't be planned.
    """

    file: Path
    plan: Callable[[], _Plan]
    has_ours: Callable[[], bool]


def disconnect_steps(targets: Mapping[str, ConnectionTarget], paths: Paths) -> list[UninstallStep]:
    """Return the steps that take us out of each file of an agent that has anything of ours.

    A plan is made again when its step runs: the file may have changed since the preview.
    """
    of_agents = [
        _step(target.connector.label, place)
        for target in targets.values()
        for place in _places(target)
    ]
    # Those of all projects are the agents' own.
    usual = {target.instructions_file for target in targets.values()}
    of_projects = [
        _step(f"Instructions in {file.parent.name}", _block_place(file, paths))
        for file in known_block_files(paths)
        if file not in usual and file.is_file()
    ]
    return [step for step in (*of_agents, *of_projects) if step is not None]


def _step(label: str, place: _Place) -> UninstallStep | None:
    act = partial(_take_out, label, place)
    plan = _planned(place)
    if isinstance(plan, ConnectionRefused):
        refusal = _refusal(label, place, plan)
        return UninstallStep((), act, (refusal,)) if place.has_ours() else None
    files = tuple(dict.fromkeys(str(edit.target) for edit in plan.edits if edit.changes_file))
    known = tuple(UninstallProblem(label, note) for note in plan.notes)
    has_record = any(edit.recorded is not None for edit in plan.edits)
    if not files and not known and not has_record:
        return None
    items = (UninstallItem("agent", label, files, _note(plan)),) if files else ()
    return UninstallStep(items, act, known)


def _note(plan: ConnectionPlan) -> str:
    made = [edit.target.name for edit in plan.edits if edit.changes_file and edit.after is None]
    return f"created for Intaglio: {', '.join(made)}" if made else ""


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
    name, paths = target.connector.name, target.paths
    usual = _Place(target.settings, target.plan_disconnect, partial(_may_have_ours, target))
    yield usual
    for file in recorded_files(name, paths):
        if file != target.settings.absolute():
            plan = partial(target.connector.plan_disconnect, file, paths)
            yield _Place(file, plan, lambda: True)
    is_refused = isinstance(_planned(usual), ConnectionRefused)
    # Disconnecting is all or nothing; what is in other files can go all the same.
    if is_refused and target.instructions_file is not None:
        yield _block_place(target.instructions_file, paths)
    servers = target.connector.mcp_servers(target.home(), target.env)
    if not isinstance(servers, McpServers):
        return
    lists = set(recorded_files(f"{name}.mcp", paths)) - {servers.file.absolute()}
    if is_refused and servers.file != target.settings:
        lists.add(servers.file)
    for file in sorted(lists):
        plan = partial(_plan_list, replace(servers, file=file, add=(), remove=()), paths)
        yield _Place(file, plan, partial(_mentions_us, file))


def _plan_list(servers: McpServers, paths: Paths) -> _Plan:
    """Plan to remove our server from a list, without the help of the agent's program."""
    change = servers.plan_removal(paths)
    if isinstance(change, ConnectionRefused):
        return change
    return ConnectionPlan(settings=change.edit, files=())


def _block_place(file: Path, paths: Paths) -> _Place:
    def plan() -> _Plan:
        change = plan_block_removal(file, paths)
        if isinstance(change, FileChange):
            return ConnectionPlan(settings=change, files=())
        return ConnectionRefused(change or "It has no block of Intaglio's.", "")

    return _Place(file, plan, lambda: plan_block_removal(file, paths) is not None)


def _may_have_ours(target: ConnectionTarget) -> bool:
    """Whether settings that can't be changed were connected, or name us."""
    file = target.settings.absolute()
    return file in recorded_files(target.connector.name, target.paths) or _mentions_us(file)


def _mentions_us(file: Path) -> bool:
    with contextlib.suppress(OSError):
        return _MENTION in read_regular(file).lower()
    return False
