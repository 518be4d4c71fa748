"""The settings of the workspace's repository."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Consequence, SettingGroup, setting

_GROUP = SettingGroup.AGENTS


@dataclass(frozen=True, slots=True)
class WorkspaceGitSettings:
    """Whether and how the workspace is kept in git."""

    enabled: bool = setting(
        False,
        "git.enabled",
        label="Keep the workspace in git",
        help="Keeps a history of the files that you write for your agents. A repository is created "
        "in the workspace if there is none. While it is off, Intaglio doesn't commit, not even to "
        "a repository that you made.",
        group=_GROUP,
        words="repository version history backup",
    )
    auto_commit: bool = setting(
        True,
        "git.autoCommit",
        label="Commit changes of the workspace",
        help="Commits 5 seconds after the last change. Files that hold secrets, databases and "
        "large files are left out.",
        group=_GROUP,
        words="repository history",
    )
    auto_sync: bool = setting(
        False,
        "git.autoSync",
        label="Pull and push the workspace automatically",
        help="Keeps several machines the same. Nothing is merged: where both sides have commits "
        "of their own, you are told.",
        group=_GROUP,
        consequence=Consequence(
            "sends", "The files of your workspace are sent to the repository's remote.", (True,)
        ),
        words="remote backup",
    )
    sync_interval: int = setting(
        300,
        "git.syncInterval",
        label="Time between two syncs of the workspace",
        help="How often the workspace is pulled and pushed, if that is on.",
        group=SettingGroup.ADVANCED,
        unit="seconds",
        bounds=(60, 86_400),
        words="git remote",
    )
    remote: str = setting(
        "origin",
        "git.remote",
        label="Remote of the workspace's repository",
        help="The name of the remote that the workspace is pulled from and pushed to.",
        group=SettingGroup.ADVANCED,
        words="git origin",
    )
    branch: str = setting(
        "",
        "git.branch",
        label="Branch of the workspace's repository",
        help="The branch that is pulled and pushed. Empty for the one that is checked out.",
        group=SettingGroup.ADVANCED,
        words="git main master",
    )
