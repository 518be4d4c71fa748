"""Builds the workspace's repository for an installation."""

from collections.abc import Callable

from intaglio.base.bus import EventBus
from intaglio.base.clock import Clock
from intaglio.base.paths import Paths
from intaglio.git.command import find_git
from intaglio.workspace.git.exclusions import exclusions_of
from intaglio.workspace.git.operations import WorkspaceRepository
from intaglio.workspace.git.private_directory import remove_old
from intaglio.workspace.git.service import WorkspaceGit
from intaglio.workspace.git.settings import WorkspaceGitSettings


def workspace_git(
    paths: Paths,
    settings: Callable[[], WorkspaceGitSettings],
    bus: EventBus,
    clock: Clock,
    seconds: Callable[[], float],
) -> WorkspaceGit:
    """Return the service; nothing is started. Its git is its own: closing it ends what runs."""
    scratch = paths.state / "git"
    remove_old(scratch)
    repository = WorkspaceRepository(
        git=find_git(),
        workspace=paths.workspace,
        scratch=scratch,
        settings=settings,
        exclusions=exclusions_of(paths),
        clock=clock,
        seconds=seconds,
    )
    return WorkspaceGit(
        repository=repository,
        record_file=paths.state / "workspace-git.json",
        settings=settings,
        bus=bus,
        clock=clock,
    )
