"""The settings of the workspace."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import SettingGroup, setting


@dataclass(frozen=True, slots=True)
class WorkspaceSettings:
    """Whether the workspace's files are written to agents' files of instructions."""

    sync: bool = setting(
        True,
        "workspace.sync",
        label="Sync the workspace's files",
        help="Writes AGENTS.md, SOUL.md, IDENTITY.md, USER.md and MEMORY.md of the workspace to a "
        "marked block of the file that each connected agent reads, and keeps it current. Once it's "
        "off, the blocks are removed.",
        group=SettingGroup.TOLD,
        words="watch files instructions claude.md agents.md block",
    )


@dataclass(frozen=True, slots=True)
class HarnessSyncSettings:
    """The same for the file of one harness."""

    sync: bool = setting(
        True,
        "harness.<name>.sync",
        label="Sync the workspace's files to this agent",
        help="Once it's off, the block is removed from the agent's file.",
        group=SettingGroup.TOLD,
        words="watch files instructions claude.md agents.md block",
    )
