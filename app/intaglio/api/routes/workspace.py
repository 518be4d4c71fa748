"""/api/workspace: the workspace's files, where they are written to, and conflicts."""

from typing import Annotated

from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.rate_limits import admin_rate
from intaglio.api.services import Services
from intaglio.base.errors import NotFoundError
from intaglio.kernel import Kernel
from intaglio.memory_files.service import MemoryFiles
from intaglio.wire import workspace as wire
from intaglio.workspace.overview import ListedTarget, ListedWorkspaceFile, WorkspaceOverview
from intaglio.workspace.sync import SyncReport, WorkspaceSync

TargetPath = Annotated[str, PathParameter(max_length=4_096)]
ConflictItem = Annotated[str, PathParameter(max_length=200)]


class WorkspaceController(Controller):
    """The workspace, and the files that its own are written to."""

    tags = ("workspace",)

    @get("/api/workspace", operation_id="getWorkspace", opt=declare(Access.PROGRAM))
    async def workspace(self, services: Services) -> wire.WorkspaceState:
        """Return the workspace's files, and the state of each file that they are written to."""
        return await _state(services)

    @post(
        "/api/workspace/sync",
        operation_id="syncWorkspace",
        status_code=200,
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def sync(self, services: Services) -> wire.SyncResult:
        """Sync now."""
        return _result(await services.get(WorkspaceSync).sync())

    @post(
        "/api/harnesses/regenerate",
        operation_id="regenerateHarnesses",
        status_code=200,
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def regenerate(self, services: Services) -> wire.SyncResult:
        """Write the workspace's files to the harnesses' files of instructions, as syncing does."""
        return _result(await services.get(WorkspaceSync).sync())

    @get(
        "/api/workspace/targets/{target:path}",
        operation_id="previewSync",
        # It shows what is in a file of the user.
        opt=declare(Access.BROWSER),
    )
    async def preview(self, services: Services, target: TargetPath) -> wire.SyncPreview:
        """Show what a sync would change in a target's file."""
        found = await services.get(WorkspaceSync).preview(target.removeprefix("/"))
        if found is None:
            raise NotFoundError("No such target", hint="GET /api/workspace lists the targets.")
        one, diff = found
        return wire.SyncPreview(id=one.id, path=str(one.file), diff=diff)

    @post(
        "/api/workspace/targets/{target:path}",
        operation_id="switchSync",
        status_code=200,
        opt=declare(Access.BROWSER, rate=admin_rate),
    )
    async def switch(
        self, services: Services, target: TargetPath, data: JSONBody[wire.SyncSwitch]
    ) -> wire.WorkspaceState:
        """Switch a target on or off; off takes the block out of its file.

        `project:` and a project's folder switches its own files on, which no other target does.
        """
        overview = services.get(WorkspaceOverview)
        await overview.switch(target.removeprefix("/"), enabled=data.enabled)
        return await _state(services)

    @get(
        "/api/workspace/conflicts/{item:str}",
        operation_id="getWorkspaceConflict",
        # It shows what is in a file of the user.
        opt=declare(Access.BROWSER),
    )
    async def conflict(self, services: Services, item: ConflictItem) -> wire.WorkspaceConflict:
        """Return both texts of an edited block, by the id of its inbox item."""
        found = await services.get(WorkspaceOverview).conflict(item)
        if found is None:
            raise NotFoundError(
                "No such conflict", hint="GET /api/inbox lists those that are open."
            )
        return wire.WorkspaceConflict(
            item=found.conflict.item,
            target=found.conflict.target,
            path=found.conflict.path,
            ours=found.ours,
            theirs=found.theirs,
            file=", ".join(found.conflict.files),
        )


async def _state(services: Kernel) -> wire.WorkspaceState:
    view = await services.get(WorkspaceOverview).view()
    read = await services.get(MemoryFiles).counts()
    return wire.WorkspaceState(
        path=str(view.path),
        enabled=view.is_enabled,
        watching=view.is_watching,
        files=[_file(each, read.get(each.path, 0)) for each in view.files],
        agents=list(view.agents),
        targets=[_target(each) for each in view.targets],
        synced=view.synced,
    )


def _file(file: ListedWorkspaceFile, read: int) -> wire.WorkspaceFile:
    return wire.WorkspaceFile(
        name=file.name,
        exists=file.size is not None,
        size=file.size or 0,
        changed=file.changed,
        read=read,
    )


def _target(each: ListedTarget) -> wire.SyncTarget:
    return wire.SyncTarget(
        id=each.target.id,
        label=each.target.label,
        path=str(each.target.file),
        state=each.record.state,
        synced=each.record.synced_at,
        reason=each.record.reason,
        hint=each.record.hint,
        item=each.item,
    )


def _result(report: SyncReport) -> wire.SyncResult:
    """Say what a sync did; it isn't a success if a file was refused."""
    lines = [
        f"{target.label}: {record.state}{f' ({record.reason})' if record.reason else ''}"
        for target, record in report.targets
        if record.state != "disconnected"
    ]
    refused = [target.label for target, record in report.targets if record.state == "refused"]
    conflicts = sum(record.state == "conflict" for _, record in report.targets)
    count = len(report.written)
    message = f"Wrote {count} file{'' if count == 1 else 's'}." if count else "Nothing to write."
    if refused:
        message += f" Refused: {', '.join(refused)}."
    if conflicts:
        message += f" Edited blocks that wait in the inbox: {conflicts}."
    return wire.SyncResult(
        success=not refused,
        message=message,
        output="\n".join(lines),
        written=list(report.written),
    )
