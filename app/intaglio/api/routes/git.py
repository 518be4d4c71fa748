"""/api/git: the repository of the workspace. Replies are 200 even if git refuses (contract 9)."""

import asyncio
import re
from typing import Final

from litestar import Controller, get, post
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.base.events import Changed, SettingsChanged
from intaglio.base.settings.declaration import Scalar
from intaglio.base.settings.editing import SettingsEditor
from intaglio.fence.characters import visible
from intaglio.kernel import Kernel
from intaglio.redaction.redact import clean
from intaglio.wire import workspace as wire
from intaglio.workspace.git.operations import PullDone, PushDone
from intaglio.workspace.git.repository_state import GitProblem
from intaglio.workspace.git.service import SyncDone, WorkspaceGit
from intaglio.workspace.git.settings import WorkspaceGitSettings

_KEYS: Final = {
    "enabled": "git.enabled",
    "auto_commit": "git.autoCommit",
    "auto_sync": "git.autoSync",
    "sync_interval": "git.syncInterval",
    "remote": "git.remote",
    "branch": "git.branch",
}
"""The setting behind each field of the configuration."""

_NAME: Final = re.compile(r"[^\x00-\x20\x7f~^:?*\[\\-][^\x00-\x20\x7f~^:?*\[\\]*")
_MAX_NAME: Final = 200


class WorkspaceGitController(Controller):
    """The repository of the workspace."""

    tags = ("workspace",)

    @get("/api/git/status", operation_id="getGitStatus", opt=declare(Access.PROGRAM))
    async def status(self, services: Services) -> wire.GitStatus:
        """Return how the workspace's repository stands; nothing is fetched.

        `problem` says what keeps it from being committed or synced, or what was left out.
        """
        service = services.get(WorkspaceGit)
        found, record = await service.status()
        settings = services.settings().of(WorkspaceGitSettings)
        told = found.problem
        syncs = settings.enabled and settings.auto_sync
        if syncs:
            # That of a pull by hand was its answer, and may have passed.
            told = told or record.failure
        if settings.enabled:
            told = told or service.left_out_text()
        return wire.GitStatus(
            is_repo=found.is_repository,
            has_credentials=found.auth is not None,
            auto_sync=syncs,
            auth_method=found.auth,
            branch=found.branch or None,
            remote=visible(found.remote) or None,
            last_sync=record.synced,
            uncommitted_changes=found.uncommitted,
            unpushed_commits=found.unpushed,
            unpulled_commits=found.unpulled,
            problem=visible(told),
        )

    @post(
        "/api/git/pull",
        operation_id="pullWorkspace",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def pull(self, services: Services) -> wire.GitResult:
        """Fetch the remote's branch and fast-forward to it; nothing is merged.

        Changes that aren't committed stay: where the new commits touch them, they are stashed and
        put back.
        """
        return _result(await services.get(WorkspaceGit).pull())

    @post(
        "/api/git/push",
        operation_id="pushWorkspace",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def push(self, services: Services) -> wire.GitResult:
        """Push the workspace's branch, never by force."""
        return _result(await services.get(WorkspaceGit).push())

    @post(
        "/api/git/sync",
        operation_id="syncWorkspaceGit",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def sync(self, services: Services) -> wire.GitSyncResult:
        """Pull, then push what the remote lacks."""
        match await services.get(WorkspaceGit).sync():
            case GitProblem(text=text):
                return wire.GitSyncResult(success=False, message=visible(text))
            case SyncDone(pulled=pulled, pushed=pushed, note=note):
                text = _joined(_pulled(pulled), _pushed(pushed), note)
                return wire.GitSyncResult(success=True, message=text, pulled=pulled, pushed=pushed)

    @get("/api/git/config", operation_id="getGitConfig", opt=declare(Access.PROGRAM))
    async def config(self, services: Services) -> wire.GitConfig:
        """Return how the workspace's repository is kept."""
        return _config(services)

    @post(
        "/api/git/config",
        operation_id="changeGitConfig",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def change(
        self, services: Services, data: JSONBody[wire.GitConfigChange]
    ) -> wire.GitConfigResult:
        """Change how it is kept. Unlike Signet's, the change is written to the settings file.

        A value out of bounds is refused (400), and what can't be the name of a remote or a branch.
        """
        for name in filter(None, (data.remote, data.branch)):
            _check_name(name)
        given: list[tuple[str, Scalar | None]] = [
            (key, value)
            for name, key in _KEYS.items()
            if (value := getattr(data, name)) is not None
        ]
        if given:
            editor = services.get(SettingsEditor)
            await asyncio.to_thread(editor.change, given, confirmed=True)
            services.bus.publish(SettingsChanged())
            services.bus.publish(Changed("settings", "updated", tuple(key for key, _ in given)))
        return wire.GitConfigResult(success=True, config=_config(services))


def _check_name(name: str) -> None:
    """Raise InvalidInputError for a text that git doesn't take as a name, or that is a secret."""
    if _NAME.fullmatch(name) is None or len(name) > _MAX_NAME or clean(name) != name:
        raise InvalidInputError(
            "Not the name of a remote or a branch", hint="git remote and git branch list them."
        )


def _config(services: Kernel) -> wire.GitConfig:
    found = services.settings().of(WorkspaceGitSettings)
    return wire.GitConfig(
        enabled=found.enabled,
        auto_commit=found.auto_commit,
        auto_sync=found.auto_sync,
        sync_interval=found.sync_interval,
        remote=found.remote,
        branch=found.branch,
    )


def _result(done: PullDone | PushDone | GitProblem) -> wire.GitResult:
    match done:
        case GitProblem(text=text):
            return wire.GitResult(success=False, message=visible(text))
        case PullDone(changes=changes, note=note):
            text = _joined(_pulled(changes), note)
            return wire.GitResult(success=True, message=text, changes=changes)
        case PushDone(commits=commits):
            return wire.GitResult(success=True, message=_pushed(commits), changes=commits)


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _pulled(changes: int) -> str:
    if not changes:
        return "Nothing new to pull."
    return f"Pulled {_counted(changes, 'changed file')}."


def _pushed(commits: int) -> str:
    if not commits:
        return "Nothing new to push."
    return f"Pushed {_counted(commits, 'commit')}."


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
