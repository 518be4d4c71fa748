"""What is shown of the workspace, and its switches."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from intaglio.base.clock import iso
from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.base.events import Changed, Publish, SettingsChanged
from intaglio.base.settings.editing import SettingsEditor
from intaglio.base.settings.values import Settings, harness_key
from intaglio.lifecycle.projects.project_settings import ProjectSettingEdits
from intaglio.projects.settings import WORKSPACE
from intaglio.store.database import Database
from intaglio.workspace import rows
from intaglio.workspace.files import listed_files
from intaglio.workspace.kept_texts import KeptTexts
from intaglio.workspace.settings import WorkspaceSettings
from intaglio.workspace.sync import SyncReport, WorkspaceSync
from intaglio.workspace.targets import project_of
from intaglio.workspace.values import (
    BlockTarget,
    EditConflict,
    TargetRecord,
    WorkspaceTexts,
)
from intaglio.workspace.watch import WorkspaceWatch

_NO_TARGET: Final = "GET /api/workspace lists the targets."


@dataclass(frozen=True, slots=True)
class ListedWorkspaceFile:
    """A file of the workspace: its size in bytes, and when it was changed; None if it is missing.

    ``path`` is the whole path.
    """

    name: str
    path: str
    size: int | None
    changed: str | None


@dataclass(frozen=True, slots=True)
class ListedTarget:
    """A target with its state, and the inbox item of its conflict if there is one."""

    target: BlockTarget
    record: TargetRecord
    item: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceView:
    """The workspace as it is shown; ``synced`` is when sync last ran."""

    path: Path
    is_enabled: bool
    is_watching: bool
    files: tuple[ListedWorkspaceFile, ...]
    agents: tuple[str, ...]
    targets: tuple[ListedTarget, ...]
    synced: str | None


@dataclass(frozen=True, slots=True)
class ConflictTexts:
    """A conflict with both texts of the block."""

    conflict: EditConflict
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceOverview:
    """Shows the workspace and switches its targets on and off."""

    sync: WorkspaceSync
    watch: WorkspaceWatch
    db: Database
    kept: KeptTexts
    settings: Callable[[], Settings]
    settings_path: Callable[[], Path]
    editor: Callable[[], SettingsEditor]
    projects: ProjectSettingEdits
    publish: Publish

    async def view(self) -> WorkspaceView:
        """Return the workspace as it is now, and its targets as of the last sync."""
        report = self.sync.last or await self.sync.known()
        conflicts = await self.db.read(rows.conflicts)
        texts = await asyncio.to_thread(self.sync.reader.texts)
        files = await asyncio.to_thread(self._files, texts)
        return WorkspaceView(
            path=self.sync.workspace,
            is_enabled=self.settings().of(WorkspaceSettings).sync,
            is_watching=self.watch.is_watching,
            files=tuple(files),
            agents=texts.agents,
            targets=tuple(
                ListedTarget(target, record, _item(record, conflicts.get(record.id)))
                for target, record in report.targets
            ),
            synced=report.at,
        )

    def _files(self, texts: WorkspaceTexts) -> list[ListedWorkspaceFile]:
        folder = self.sync.workspace
        return [_listed(folder, name) for name in listed_files(folder, self.settings_path(), texts)]

    async def switch(self, target_id: str, *, enabled: bool) -> SyncReport:
        """Switch a target on or off and sync; off takes the block out.

        Raises NotFoundError for an unknown target.
        """
        report = await self.sync.sync()
        found = next((each for each in report.targets if each[0].id == target_id), None)
        project = project_of(target_id)
        if found is None and project is None:
            raise NotFoundError("No such target", hint=_NO_TARGET)
        if project is not None:
            await self._switch_project(project, enabled=enabled)
        elif found is not None and found[0].kind == "harness":
            await self._switch_harness(target_id, enabled=enabled)
        if found is not None:
            await self.sync.switch(found[1], enabled=enabled)
        return await self.sync.sync()

    async def _switch_project(self, project: str, *, enabled: bool) -> None:
        is_folder = await asyncio.to_thread(_is_folder, project)
        if not Path(project).is_absolute() or (enabled and not is_folder):
            raise InvalidInputError(
                "The project isn't a folder on this machine",
                hint="Only a project with a folder can have a block.",
            )
        change = [(WORKSPACE, True if enabled else None)]
        await self.projects.change(project, change, confirmed=True)

    async def _switch_harness(self, harness: str, *, enabled: bool) -> None:
        key = f"harness.{harness_key(harness)}.sync"
        change = [(key, None if enabled else False)]
        await asyncio.to_thread(self.editor().change, change, confirmed=True)
        self.publish(SettingsChanged())
        self.publish(Changed("settings", "updated", (key,)))

    async def conflict(self, item: str) -> ConflictTexts | None:
        """Return the conflict of an inbox item with its texts; None if there is none."""
        found = await self.db.read(lambda tx: rows.conflict(tx, item))
        if found is None:
            return None
        ours, theirs = await asyncio.to_thread(
            lambda: (self.kept.body(found.ours), self.kept.body(found.theirs))
        )
        return ConflictTexts(found, ours or "", theirs or "")


def _is_folder(project: str) -> bool:
    """Whether a project's key is the path of a folder, as projects are named."""
    return os.path.normpath(project) == project and os.path.isdir(project)  # noqa: PTH112 - as text


def _item(record: TargetRecord, conflict: EditConflict | None) -> str | None:
    is_open = conflict is not None and record.state == "conflict" and conflict.decision is None
    return conflict.item if conflict is not None and is_open else None


def _listed(folder: Path, name: str) -> ListedWorkspaceFile:
    file = folder / name
    try:
        facts = file.stat()
    except OSError:
        return ListedWorkspaceFile(name, str(file), None, None)
    changed = iso(datetime.fromtimestamp(facts.st_mtime, UTC))
    return ListedWorkspaceFile(name, str(file), facts.st_size, changed)
