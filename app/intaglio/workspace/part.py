"""The workspace in the daemon: what syncs its files, and the loop that watches them."""

from collections.abc import Iterable

from intaglio.base.settings.editing import SettingsEditor
from intaglio.base.settings.values import Settings
from intaglio.connect.block_files import blocks_file
from intaglio.connect.plans import connection_stamp
from intaglio.domain.health import HealthCheck
from intaglio.harness.connections import Connections
from intaglio.harness.registry import connection_targets
from intaglio.kernel import Kernel
from intaglio.lifecycle.projects.project_settings import ProjectSettingEdits
from intaglio.package import KeptData, Loop, Package, Part, SweepStep, finding, singly
from intaglio.workspace import rows
from intaglio.workspace.conflicts import CONFLICT
from intaglio.workspace.git.factory import workspace_git
from intaglio.workspace.git.service import WorkspaceGit
from intaglio.workspace.git.settings import WorkspaceGitSettings
from intaglio.workspace.health import SyncHealth
from intaglio.workspace.kept_texts import KeptTexts
from intaglio.workspace.migrations import MIGRATIONS
from intaglio.workspace.overview import WorkspaceOverview
from intaglio.workspace.reading import SettledReader
from intaglio.workspace.sync import WorkspaceSync
from intaglio.workspace.targets import TargetFinder
from intaglio.workspace.watch import WorkspaceWatch


def part(kernel: Kernel) -> Part:
    """Wire sync, its loop and its health check."""
    paths = kernel.running.paths
    targets = connection_targets(paths)

    def roster() -> Iterable[str]:
        return [each.id for each in kernel.settings().roster or ()]

    finder = TargetFinder(
        workspace=paths.workspace,
        connections=kernel.get(Connections),
        files=targets,
        settings=kernel.settings,
        db=kernel.database,
        stamp=lambda harness: connection_stamp(harness, paths),
    )
    sync = WorkspaceSync(
        workspace=paths.workspace,
        db=kernel.database,
        context=kernel.change_context,
        kept=KeptTexts(paths.state / "workspace-texts"),
        find_targets=finder.find,
        reader=SettledReader(workspace=paths.workspace, roster=roster),
        blocks_file=blocks_file(paths),
        seconds=kernel.monotonic_s,
    )
    watch = WorkspaceWatch(
        sync=sync,
        db=kernel.database,
        bus=kernel.bus,
        more_files=lambda: [each.settings for each in targets.values()],
    )
    health = SyncHealth(
        sync=sync,
        watch=watch,
        settings=kernel.settings,
        since_s=kernel.monotonic_s(),
        seconds=kernel.monotonic_s,
    )
    overview = WorkspaceOverview(
        sync=sync,
        watch=watch,
        db=kernel.database,
        kept=sync.kept,
        settings=kernel.settings,
        settings_path=lambda: paths.settings,
        editor=lambda: kernel.get(SettingsEditor),
        projects=kernel.get(ProjectSettingEdits),
        publish=kernel.bus.publish,
    )
    git = workspace_git(
        paths,
        lambda: kernel.settings().of(WorkspaceGitSettings),
        kernel.bus,
        kernel.clock,
        kernel.monotonic_s,
    )
    return Part(
        services=(sync, watch, overview, git),
        loops=(
            Loop("workspace", watch.run),
            Loop("workspace commits", git.keep_committed, _commits),
            Loop("workspace git", git.keep_synced, _syncs),
        ),
        checks=_checks(health, git),
        close=git.close,
    )


def _checks(health: SyncHealth, git: WorkspaceGit) -> tuple[HealthCheck, ...]:
    return (
        HealthCheck(
            name="workspace_sync",
            domain="workspace",
            title="Files of the workspace",
            reads="The last sync with agents' files: what was refused, and whether the files "
            "are watched.",
            run=finding(health.issues),
        ),
        HealthCheck(
            name="workspace_git",
            domain="workspace",
            title="Repository of the workspace",
            reads="The last commit and the last sync with the remote, and why they failed.",
            run=finding(git.issues),
        ),
    )


def _commits(settings: Settings) -> bool:
    found = settings.of(WorkspaceGitSettings)
    return found.enabled and found.auto_commit


def _syncs(settings: Settings) -> bool:
    found = settings.of(WorkspaceGitSettings)
    return found.enabled and found.auto_sync


PACKAGE = Package(
    name="workspace",
    tables={
        "workspace_targets": "the files that the workspace's are written to: path, hash of the "
        "block as it was written last, state; no text of a file",
        "workspace_conflicts": "edits of these blocks that the inbox asks about: hashes of both "
        "texts, what differs without secrets, and your decision",
    },
    migrations=MIGRATIONS,
    retention=(
        SweepStep(
            "workspace_conflicts",
            lambda _: 1,
            rows.without_item,
            singly(rows.purge),
            has_period=False,
        ),
    ),
    kept=(
        KeptData("`workspace_targets`", "as long as there is such a file to write to"),
        KeptData(
            "`workspace_conflicts`, with the texts themselves in `workspace-texts` of the state "
            "folder, readable by you only",
            "as long as their inbox item",
            deleted_by="step `workspace_conflicts`; the texts at the next sync after it",
        ),
        KeptData(
            "`workspace-git.json` in the state folder: when the workspace was last pulled and "
            "pushed, and why that fails",
            "until the next time",
        ),
    ),
    inbox_kinds=(CONFLICT,),
    make=part,
)
