"""Requests and replies of the workspace: its files, sync and git. Times are ISO-8601 UTC."""

from typing import Literal

from msgspec import Struct

from intaglio.wire.memory import ShortText

TargetState = Literal["synced", "waiting", "conflict", "refused", "off", "disconnected"]


class WorkspaceFile(Struct, kw_only=True, rename="camel"):
    """A file of the workspace that agents are told: its name, relative to the workspace.

    ``read`` counts the memories that were read in it, for files below ``memory/``.
    """

    name: str
    exists: bool
    size: int
    changed: str | None
    read: int


class SyncTarget(Struct, kw_only=True, rename="camel"):
    """A file outside the workspace in which sync keeps a managed block.

    ``id`` is a harness's, or ``project:`` and a project's key, or ``agent:`` and an agent's name.
    ``reason`` and ``hint`` say why it is ``refused``; ``item`` is the inbox item of a conflict.
    """

    id: str
    label: str
    path: str
    state: TargetState
    synced: str | None
    reason: str
    hint: str
    item: str | None


class WorkspaceState(Struct, kw_only=True, rename="camel"):
    """The workspace: its folder, its files, where they are written to, and when sync last ran."""

    path: str
    enabled: bool
    watching: bool
    files: list[WorkspaceFile]
    agents: list[str]
    targets: list[SyncTarget]
    synced: str | None


class SyncResult(Struct, kw_only=True, rename="camel"):
    """What syncing now did: the targets that were written, and a text for people."""

    success: bool
    message: str
    output: str
    written: list[str]


class SyncPreview(Struct, kw_only=True, rename="camel"):
    """What sync would write to a target, as a unified diff; empty if nothing."""

    id: str
    path: str
    diff: str


class SyncSwitch(Struct, kw_only=True, rename="camel"):
    """Switch a target on or off; off removes its managed block."""

    enabled: bool


class WorkspaceConflict(Struct, kw_only=True, rename="camel"):
    """Both texts of a conflict: what the workspace says, and what stands in the target's block."""

    item: str
    target: str
    path: str
    ours: str
    theirs: str
    file: str


class GitStatus(Struct, kw_only=True, rename="camel", omit_defaults=True):
    """The workspace's repository. Without one, there are the first three fields and `problem`."""

    is_repo: bool
    has_credentials: bool
    auto_sync: bool
    auth_method: str | None = None
    branch: str | None = None
    remote: str | None = None
    last_sync: str | None = None
    uncommitted_changes: int | None = None
    unpushed_commits: int | None = None
    unpulled_commits: int | None = None
    problem: str = ""


class GitResult(Struct, kw_only=True, rename="camel", omit_defaults=True):
    """What pulling or pushing did; ``success`` is false with the reason in ``message``."""

    success: bool
    message: str
    changes: int | None = None


class GitSyncResult(Struct, kw_only=True, rename="camel", omit_defaults=True):
    """What pulling and then pushing did."""

    success: bool
    message: str
    pulled: int | None = None
    pushed: int | None = None


class GitConfig(Struct, kw_only=True, rename="camel"):
    """How the workspace's repository is kept; ``syncInterval`` in seconds."""

    enabled: bool
    auto_commit: bool
    auto_sync: bool
    sync_interval: int
    remote: str
    branch: str


class GitConfigChange(Struct, kw_only=True, rename="camel"):
    """Changes of the configuration; null leaves a value as it is."""

    enabled: bool | None = None
    auto_commit: bool | None = None
    auto_sync: bool | None = None
    sync_interval: int | None = None
    remote: ShortText | None = None
    branch: ShortText | None = None


class GitConfigResult(Struct, kw_only=True, rename="camel"):
    """The configuration after a change."""

    success: bool
    config: GitConfig
