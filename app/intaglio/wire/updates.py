"""Requests and replies about updates, and what is new in each version."""

from typing import Annotated

from msgspec import Meta, Struct, field

from intaglio.base.installed_by import InstalledBy

_IntervalS = Annotated[int, Meta(ge=1, le=10_000_000)]
_ChannelText = Annotated[str, Meta(min_length=1, max_length=40)]


class UpdateCheckReply(Struct, kw_only=True, rename="camel"):
    """The newest version that is known, and how this copy is updated.

    ``cached`` means that nobody was asked for this reply. ``check_error`` says why the last check
    failed, ``obstacle`` why nobody can be asked at all; both are sentences. ``source`` says how
    it was installed, ``advice`` and ``command`` (for the user's shell, may be empty) how to update;
    ``can_run`` whether POST /api/update/run would run that command. ``pending_version`` is on disk,
    but doesn't run yet.
    """

    current_version: str
    latest_version: str | None
    update_available: bool
    release_url: str | None
    cached: bool
    checked_at: str | None
    check_error: str | None
    obstacle: str
    installed_by: InstalledBy
    source: str
    advice: str
    command: str
    can_run: bool
    update_in_progress: bool
    pending_version: str | None
    restart_command: str


class UpdateConfig(Struct, kw_only=True, rename="camel"):
    """How updates are looked for; the interval is in seconds. Nothing is installed by itself."""

    check: bool
    auto_install: bool
    check_interval: int
    channel: str
    feed: str


class UpdateConfigReply(UpdateConfig, kw_only=True, rename="camel"):
    """The same with the bounds of the interval, and what is under way."""

    min_interval: int
    max_interval: int
    pending_restart_version: str | None
    last_auto_update_at: str | None = None
    last_auto_update_error: str | None = None
    update_in_progress: bool


class UpdateConfigRequest(Struct, kw_only=True):
    """What to change, in camelCase or snake_case; ``autoInstall`` may only be false."""

    check: bool | None = None
    channel: _ChannelText | None = None
    check_interval: _IntervalS | None = None
    check_interval_camel: _IntervalS | None = field(default=None, name="checkInterval")
    auto_install: bool | None = None
    auto_install_camel: bool | None = field(default=None, name="autoInstall")


class UpdateConfigChanged(Struct, kw_only=True, rename="camel"):
    """The settings after the change; they are in the settings file."""

    success: bool = True
    config: UpdateConfig
    persisted: bool = True


class UpdateRunRequest(Struct, kw_only=True):
    """Without ``confirmed``, the reply only says which command updates."""

    confirmed: bool = False


class UpdateRunReply(Struct, kw_only=True, rename="camel"):
    """Whether the package manager's command was run and ended well; else ``message`` says how.

    ``command`` is for the user's shell and may be empty. ``installed_version`` is on disk now.
    """

    success: bool
    message: str
    command: str
    installed_version: str | None = None
    restart_required: bool = False


class ChangeRow(Struct, kw_only=True):
    """One change; ``title`` is how it begins, may be empty. ``text`` may have code in backticks."""

    title: str
    text: str


class ChangeGroup(Struct, kw_only=True):
    """The changes of a kind, such as Added."""

    title: str
    items: list[ChangeRow]


class ReleaseRow(Struct, kw_only=True, rename="camel"):
    """A version; ``date`` is empty while it isn't released.

    ``is_new`` marks those that came after the version whose changes were last seen.
    """

    version: str
    date: str
    is_new: bool
    groups: list[ChangeGroup]


class ChangelogReply(Struct, kw_only=True, rename="camel"):
    """What is new in each version, newest first."""

    current_version: str
    releases: list[ReleaseRow]
