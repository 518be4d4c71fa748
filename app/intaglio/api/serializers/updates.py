"""Updates as the API shows them."""

from collections.abc import Iterable

from intaglio.base.installation import command
from intaglio.redaction.shown_text import without_secrets
from intaglio.updates.changelog import Release
from intaglio.updates.settings import MAX_INTERVAL_S, MIN_INTERVAL_S, UpdateSettings
from intaglio.updates.updates import Updates
from intaglio.updates.values import RunOutcome, UpdateFailed, UpdateRan, UserMustUpdate
from intaglio.wire import updates as wire
from intaglio.wire.status import UpdateStatus


def check_reply(updates: Updates, *, cached: bool) -> wire.UpdateCheckReply:
    """Return what is known, and how this copy is updated."""
    known, source = updates.known, updates.source
    return wire.UpdateCheckReply(
        current_version=updates.version,
        latest_version=updates.latest,
        update_available=updates.is_available,
        release_url=known.url or None,
        cached=cached,
        checked_at=known.checked_at,
        check_error=known.error,
        obstacle=updates.obstacle,
        installed_by=updates.kind,
        source=source.title,
        advice=source.advice,
        command=source.command,
        can_run=bool(source.run),
        update_in_progress=updates.is_running,
        pending_version=updates.pending_version,
        restart_command=command("daemon restart"),
    )


def update_config(settings: UpdateSettings) -> wire.UpdateConfig:
    """Return the settings of updates."""
    return wire.UpdateConfig(
        check=settings.check,
        auto_install=False,
        check_interval=settings.check_interval,
        channel=settings.channel,
        feed=without_secrets(settings.feed),
    )


def config_reply(updates: Updates) -> wire.UpdateConfigReply:
    """Return the settings of updates, their bounds, and what is under way."""
    config = update_config(updates.settings())
    return wire.UpdateConfigReply(
        check=config.check,
        auto_install=config.auto_install,
        check_interval=config.check_interval,
        channel=config.channel,
        feed=config.feed,
        min_interval=MIN_INTERVAL_S,
        max_interval=MAX_INTERVAL_S,
        pending_restart_version=updates.pending_version,
        update_in_progress=updates.is_running,
    )


def run_reply(updates: Updates, outcome: RunOutcome) -> wire.UpdateRunReply:
    """Return what running the update led to."""
    shown = updates.source.command
    match outcome:
        case UserMustUpdate(advice, line):
            message = f"{advice} Run: {line}" if line else advice
            return wire.UpdateRunReply(success=False, message=message, command=line)
        case UpdateFailed(reason):
            return wire.UpdateRunReply(success=False, message=reason, command=shown)
        case UpdateRan(version):
            is_same = version in {None, updates.version}
            message = (
                "Nothing newer was there to install."
                if is_same
                else f"Version {version} is installed. Restart Intaglio to use it."
            )
            return wire.UpdateRunReply(
                success=True,
                message=message,
                command=shown,
                installed_version=version,
                restart_required=not is_same,
            )


def changelog_reply(updates: Updates, releases: Iterable[Release]) -> wire.ChangelogReply:
    """Return the changelog; versions after the one that was last seen are new."""
    return wire.ChangelogReply(
        current_version=updates.version,
        releases=[
            wire.ReleaseRow(
                version=release.version,
                date=release.date,
                is_new=release.is_new_since(updates.known.seen),
                groups=[
                    wire.ChangeGroup(
                        title=section.title,
                        items=[
                            wire.ChangeRow(title=item.title, text=item.text)
                            for item in section.items
                        ],
                    )
                    for section in release.sections
                ],
            )
            for release in releases
        ],
    )


def update_status(updates: Updates) -> UpdateStatus:
    """Return what GET /api/status says of updates."""
    settings = updates.settings()
    return UpdateStatus(
        current_version=updates.version,
        latest_version=updates.latest,
        update_available=updates.is_available,
        pending_restart=updates.pending_version is not None,
        auto_install=False,
        check_interval=settings.check_interval,
        last_check_at=updates.known.checked_at,
        last_error=updates.known.error,
        timer_active=settings.check,
    )
