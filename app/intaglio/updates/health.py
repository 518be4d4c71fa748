"""Updates on the Health page and in Signet's diagnostics; pure."""

from typing import Final

from intaglio.base.installation import command
from intaglio.domain.health import Checked, Figure
from intaglio.domain.issues import Issue
from intaglio.updates.updates import Updates

SETTINGS_PAGE: Final = "/settings/Updates"
_PENDING: Final = 0.3
_FAILED: Final = 0.2


def judge_updates(updates: Updates) -> Checked:
    """Judge what is known; nobody is asked."""
    known, pending = updates.known, updates.pending_version
    issues: list[Issue] = []
    if pending is not None:
        issues.append(
            Issue(
                "update-restart",
                "info",
                f"Restart Intaglio to finish the update to {pending}",
                f"Version {updates.version} is still running. Nothing is lost. Run",
                command=command("daemon restart"),
                page=SETTINGS_PAGE,
            )
        )
    elif updates.is_available:
        source = updates.source
        issues.append(
            Issue(
                "update-available",
                "info",
                f"Intaglio {updates.latest} is available",
                "To install it, run" if source.command else source.advice,
                command=source.command,
                page=SETTINGS_PAGE,
            )
        )
    succeeded = None if known.checked_at is None else known.error is None
    return Checked(
        issues=tuple(issues),
        figures=(
            Figure("autoInstallEnabled", "Installs updates by itself", value=False),
            Figure("lastCheckSucceeded", "The last check succeeded", succeeded),
            Figure("lastCheckAgeHours", "Age of the last check", updates.age_hours(), "hours"),
            Figure("pendingRestart", "A restart is pending", pending is not None),
            Figure("lastError", "Why the last check failed", known.error),
        ),
        penalty=(_PENDING if pending else 0.0) + (_FAILED if known.error else 0.0),
        line=f"Version {updates.version}",
    )
