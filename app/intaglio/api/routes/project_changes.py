"""Changes of whole projects: move, merge, rename, archive; detected moves; and undoing each."""

import asyncio
import json
import os
from typing import Annotated, Final

from litestar import Controller, get, post
from litestar.params import JSONBody, QueryParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.rate_limits import modify_rate, previewed_rate
from intaglio.api.request_context import AnyRequest, actor_of, project_of
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from intaglio.kernel import Kernel
from intaglio.lifecycle.projects.changes import ProjectEdits, checked_name
from intaglio.lifecycle.projects.contents import ProjectHoldings
from intaglio.lifecycle.projects.moved_projects import MovedProjects
from intaglio.memory.values import AGENT_ACTORS, Actor
from intaglio.projects import rows
from intaglio.projects.evidence import folder_state
from intaglio.projects.names import is_path
from intaglio.projects.values import ProjectChange
from intaglio.wire import projects as wire

ProjectChangeLimit = Annotated[int, QueryParameter(ge=1, le=500)]
_AUTONOMOUS: Final = AGENT_ACTORS | {"pipeline"}
_BODY_BYTES: Final = 50_000


class ProjectChangesController(Controller):
    """Changes of whole projects, which are the user's decision."""

    tags = ("projects",)

    @get("/api/projects/moves", operation_id="listProjectMoves", opt=declare(Access.BROWSER))
    async def moves(self, services: Services) -> wire.ProjectMoves:
        """List projects whose directory may have moved, and moves that were detected lately."""
        arrivals = services.get(MovedProjects)
        return wire.ProjectMoves(
            possible=[convert(each, wire.PossibleMove) for each in await arrivals.offers()],
            detected=[
                wire.DetectedMove(
                    id=each.change.id,
                    project=each.change.project,
                    target=each.change.target or "",
                    memories=_memories(each.change),
                    moved_at=each.change.created_at,
                    returned=each.returned,
                )
                for each in await arrivals.moved()
            ],
        )

    @get("/api/projects/changes", operation_id="listProjectChanges", opt=declare(Access.BROWSER))
    async def changes(
        self, services: Services, *, limit: ProjectChangeLimit = 50
    ) -> wire.ProjectChangeList:
        """List the latest changes of whole projects, newest first."""
        found = await services.get(ProjectEdits).changes(limit)
        return wire.ProjectChangeList(changes=[_row(each) for each in found])

    @post(
        "/api/projects/changes",
        operation_id="changeProject",
        status_code=200,
        opt=declare(Access.BROWSER, rate=previewed_rate, body_bytes=_BODY_BYTES),
    )
    async def change(
        self, services: Services, request: AnyRequest, data: JSONBody[wire.ProjectChangeRequest]
    ) -> wire.ProjectChangeReply:
        """Move, merge, rename or archive a project, or with `preview` tell what would happen.

        Everything of it moves: memories, forgotten ones, sessions, inbox items and entities.
        """
        actor = _person(request, data.changed_by)
        key = await _existing(services, data.project)
        target = await _target(services, data, key)
        edits = services.get(ProjectEdits)
        found = await edits.preview(key, target)
        name = checked_name(data.name or "") if data.kind == "rename" else None
        made = None
        if not data.preview:
            made = await _apply(edits, data, key, target, name, actor)
        there = await asyncio.to_thread(folder_state, key)
        return wire.ProjectChangeReply(
            id=None if made is None else made.id,
            kind=data.kind,
            project=key,
            target=target,
            name=name,
            exists=there == "there",
            contents=_inventory(found),
        )

    @post(
        "/api/projects/changes/undo",
        operation_id="undoProjectChange",
        status_code=200,
        opt=declare(Access.BROWSER, rate=modify_rate, body_bytes=_BODY_BYTES),
    )
    async def undo(
        self, services: Services, request: AnyRequest, data: JSONBody[wire.ProjectUndoRequest]
    ) -> wire.ProjectChangeRow:
        """Undo a change, or the latest one.

        What was moved goes back if it still is where it was put; what was added since stays.
        """
        undone = await services.get(ProjectEdits).undo(data.id, _person(request, data.changed_by))
        return _row(undone)


def _person(request: AnyRequest, name: str | None) -> Actor:
    actor = actor_of(request, name)
    if actor.type in _AUTONOMOUS:
        raise ForbiddenError(
            "Only the user changes whole projects",
            hint="Ask the user to open Projects in the dashboard.",
        )
    return actor


async def _existing(services: Kernel, text: str) -> str:
    """Return the key of a project that has something; its folder may be gone."""
    given = await asyncio.to_thread(_spellings, text)
    stored = [services.database.as_stored(each) for each in given]
    edits = services.get(ProjectEdits)
    for key in stored:
        if not (await edits.preview(key, None)).is_empty:
            return key
    named = await project_of(services, text.strip())
    known = await services.database.read(rows.known)
    if named is not None and (named in known or not (await edits.preview(named, None)).is_empty):
        return named
    raise NotFoundError(f"There is no project {text!r}", hint="Use the path or name of a project.")


def _spellings(text: str) -> list[str]:
    """Return a path as it was typed and as the disk has it: that of a gone folder is in no tree."""
    path = os.path.expanduser(text.strip())  # noqa: PTH111 - as text
    if not is_path(path) or "\x00" in path:
        return []
    return [os.path.normpath(path), os.path.realpath(path)]


async def _target(services: Kernel, data: wire.ProjectChangeRequest, key: str) -> str | None:
    """Return the key of the other project; raises InvalidInputError if it can't be that."""
    if data.kind not in {"move", "merge", "keep_apart"}:
        if data.target is not None:
            raise InvalidInputError(f"{data.kind} takes no target", hint="Omit target.")
        return None
    if not (data.target or "").strip():
        raise InvalidInputError(f"{data.kind} needs a target", hint="Send the other project.")
    text = (data.target or "").strip()
    if data.kind == "merge":
        target = await _existing(services, text)
    else:
        target = await project_of(services, text) or ""
    if target == key:
        raise InvalidInputError(
            "Both are the same project", hint="A repository and its folders are one project."
        )
    if data.kind == "move":
        await _check_move(services, target)
    return target


async def _check_move(services: Kernel, target: str) -> None:
    if not is_path(target):
        raise InvalidInputError(
            f"{target!r} is no path", hint="A project moves to a directory: use its path."
        )
    if (await services.get(ProjectEdits).preview(target, None)).has_memories:
        raise ConflictError(f"{target} has memories already", hint="Merge the projects instead.")


async def _apply(
    edits: ProjectEdits,
    data: wire.ProjectChangeRequest,
    key: str,
    target: str | None,
    name: str | None,
    actor: Actor,
) -> ProjectChange | None:
    match data.kind:
        case "move" | "merge":
            return await edits.move(data.kind, key, target or "", actor)
        case "rename":
            return await edits.rename(key, name, actor)
        case "archive" | "unarchive":
            return await edits.archive(key, actor, archived=data.kind == "archive")
        case "keep_apart":
            return await edits.keep_apart(key, target or "", actor)


def _inventory(found: ProjectHoldings) -> wire.ProjectCounts:
    return convert(found, wire.ProjectCounts, open=found.open_items)


def _row(change: ProjectChange) -> wire.ProjectChangeRow:
    return convert(
        change,
        wire.ProjectChangeRow,
        name=json.loads(change.detail).get("name"),
        memories=_memories(change),
        detected=change.is_detected,
    )


def _memories(change: ProjectChange) -> int:
    return int(json.loads(change.detail).get("memories", 0))
