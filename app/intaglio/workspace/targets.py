"""Finds the files that get a block: those of harnesses, of agents, and of chosen projects."""

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from intaglio.base.settings.values import Settings
from intaglio.connect.targets import ConnectionTarget
from intaglio.connect.values import ConnectionRefused
from intaglio.harness.connections import Connection, Connections
from intaglio.projects import settings_rows
from intaglio.projects.names import display_name
from intaglio.projects.settings import WORKSPACE
from intaglio.store.database import Database
from intaglio.workspace.files import AGENTS
from intaglio.workspace.settings import HarnessSyncSettings, WorkspaceSettings
from intaglio.workspace.texts import file_with_secret
from intaglio.workspace.values import BlockTarget, TargetRecord, WorkspaceTexts

PROJECT: Final = "project:"
AGENT: Final = "agent:"
_SHARED: Final = "AGENTS.md"
_CLAUDE: Final = "CLAUDE.md"
_IMPORT: Final = b"@AGENTS.md"
_READ_BYTES: Final = 1_000_000

_Standing: TypeAlias = tuple[Literal["synced", "refused", "off", "disconnected"], str, str]
"""The state of a target, its reason, and what the user can do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetFinder:
    """Finds targets by what is connected and by the settings; ``files`` are the harnesses'.

    ``stamp`` says which connection of a harness it is.
    """

    workspace: Path
    connections: Connections
    files: Mapping[str, ConnectionTarget]
    settings: Callable[[], Settings]
    db: Database
    stamp: Callable[[str], str]

    async def find(self, texts: WorkspaceTexts) -> list[BlockTarget]:
        """Return all targets, each file once."""
        connections = await self.connections.recent()
        projects = await self.db.read(
            lambda tx: settings_rows.projects_with(tx, WORKSPACE, value=True)
        )
        return await asyncio.to_thread(self._find, connections, projects, texts)

    def _find(
        self, connections: Sequence[Connection], projects: Sequence[str], texts: WorkspaceTexts
    ) -> list[BlockTarget]:
        found: list[BlockTarget] = []
        for each in connections:
            standing = self._standing(each)
            file = self.files[each.harness].instructions_file
            if file is not None:
                found.append(
                    self._with(
                        standing,
                        BlockTarget(
                            id=each.harness,
                            kind="harness",
                            label=each.label,
                            file=file,
                            connection=self.stamp(each.harness),
                        ),
                    )
                )
            elif self.files[each.harness].connector.has_agent_workspaces:
                found += [self._with(standing, self._agent(name)) for name in texts.agents]
        standing = _in_projects(texts) if self._is_on and projects else _SYNC_OFF
        for key in projects:
            found += [self._with(standing, target) for target in project_targets(key)]
        return _merged(each for each in found if not self._is_own_file(each))

    @property
    def _is_on(self) -> bool:
        return self.settings().of(WorkspaceSettings).sync

    def _standing(self, connection: Connection) -> _Standing:
        state, settings = connection.state, self.settings()
        if isinstance(state, ConnectionRefused):
            return "refused", state.reason, state.hint
        if state == "not" or connection.is_left_over:
            return "disconnected", f"{connection.label} isn't connected.", ""
        if not self._is_on:
            return _SYNC_OFF
        if not settings.harness(HarnessSyncSettings, connection.harness).sync:
            return "off", f"It's switched off for {connection.label}.", ""
        return _ON

    def _agent(self, name: str) -> BlockTarget:
        return BlockTarget(
            id=f"{AGENT}{name}",
            kind="agent",
            label=f"Agent {name}",
            file=self.workspace / AGENTS / name / "workspace" / _SHARED,
            agent=name,
            within=self.workspace,
            makes_folder=True,
        )

    def _with(self, standing: _Standing, target: BlockTarget) -> BlockTarget:
        state, reason, hint = standing
        return replace(target, state=state, reason=reason, hint=hint)

    def _is_own_file(self, target: BlockTarget) -> bool:
        """Whether a harness reads the workspace's own file, as by a link; it needs no block."""
        real = Path(os.path.realpath(target.file))
        return target.kind != "agent" and real.is_relative_to(os.path.realpath(self.workspace))


_ON: Final[_Standing] = ("synced", "", "")
_SYNC_OFF: Final[_Standing] = ("off", "The setting workspace.sync is off.", "")


def _in_projects(texts: WorkspaceTexts) -> _Standing:
    """Return the standing of projects' files, which others may get to read."""
    name = file_with_secret(texts)
    if name is None:
        return _ON
    reason = f"{name} of the workspace holds a secret, and others may read a project's files."
    return "refused", reason, f"Take the secret out of {name}."


def project_targets(key: str) -> list[BlockTarget]:
    """Return the files of a project; ``key`` is its folder."""
    folder = Path(key)
    shared = BlockTarget(
        id=f"{PROJECT}{key}",
        kind="project",
        label=display_name(key),
        file=folder / _SHARED,
        within=folder,
    )
    if not folder.is_absolute():
        return []
    claude = folder / _CLAUDE
    if not claude.is_file() or claude.is_symlink() or _imports_shared(claude):
        return [shared]
    return [shared, replace(shared, id=f"{shared.id}:{_CLAUDE}", file=claude)]


def _imports_shared(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return _IMPORT in stream.read(_READ_BYTES)
    except OSError:
        return True


def project_of(target_id: str) -> str | None:
    """Return the key of the project that a target belongs to; None if it is no project's."""
    if not target_id.startswith(PROJECT):
        return None
    return target_id.removeprefix(PROJECT).removesuffix(f":{_CLAUDE}")


def _merged(targets: Iterable[BlockTarget]) -> list[BlockTarget]:
    """Return each file once; harnesses that share one are named together."""
    by_file: dict[str, BlockTarget] = {}
    for each in targets:
        real = os.path.realpath(each.file)
        known = by_file.get(real)
        if known is None:
            by_file[real] = each
            continue
        first, second = (each, known) if _rank(each) < _rank(known) else (known, each)
        by_file[real] = replace(first, label=f"{first.label}, {second.label}")
    return list(by_file.values())


def _rank(target: BlockTarget) -> int:
    return ("synced", "refused", "off", "disconnected").index(target.state)


def former_target(record: TargetRecord) -> BlockTarget:
    """Return the target that a record is of, though none such is wanted any more."""
    project = project_of(record.id)
    return BlockTarget(
        id=record.id,
        kind="project" if project else "agent" if record.id.startswith(AGENT) else "harness",
        label=record.id,
        file=Path(record.path),
        state="off",
        within=Path(project) if project else None,
    )
