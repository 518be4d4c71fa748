"""Notifies the user of what is new in the daemon's reports."""

from datetime import UTC, datetime
from typing import Final

from intaglio.base.clock import iso
from intaglio.desktop.captured.captured_counts import CapturedCounts, session_notification
from intaglio.desktop.captured.saved_lines import saved_notification
from intaglio.desktop.daemon_cache import DaemonReport
from intaglio.desktop.notifications.issue_notices import (
    IssueNotices,
    follow_issues,
    is_about_database,
)
from intaglio.desktop.notifications.messages import (
    issue_notification,
    notification_for,
    pause_ended_notification,
    update_notification,
)
from intaglio.desktop.notifications.notified_issues import NotifiedIssues
from intaglio.desktop.protocols import Notifier
from intaglio.desktop.supervisor.values import ClockReading, NotifyUser
from intaglio.desktop.values import CapturedLine

# Before a version, among the ids of what the user was notified of.
_OFFERED: Final = "offered:"


class ReportChanges:
    """Compares each report with the previous one; not thread-safe.

    What was saved before the first report isn't new. Issues are, unless the user was notified of
    them before a restart; at the very first start, only dangers are: what is left to set up is on
    the dashboard, which opens.
    """

    def __init__(self, notifier: Notifier, notified: NotifiedIssues) -> None:
        self._notifier = notifier
        self._notified = notified
        self._report: DaemonReport | None = None
        self._offered = frozenset(each for each in notified.ids or () if each.startswith(_OFFERED))
        self._notices = IssueNotices(notified=notified.ids or frozenset())
        self._ended: CapturedCounts | None = None
        self._saved_until: str | None = None

    def follow(self, report: DaemonReport, now: ClockReading) -> None:
        """Notify the user of what this report has that the previous one hadn't."""
        before, self._report = self._report, report
        if self._saved_until is None:
            self._saved_until = iso(datetime.fromtimestamp(now.wall_s, UTC))
        self._follow_health(before, report)
        self._follow_issues(report, now)
        self._follow_pause(before, report, now)
        self._follow_update(report.update_version)
        self._follow_saved(report.saved, self._saved_until)
        if report.captured is not None:
            self._follow_sessions(report.captured)

    def _follow_health(self, before: DaemonReport | None, report: DaemonReport) -> None:
        was = before.health if before is not None else "ready"
        if report.health == "degraded" != was:
            self._notifier.notify(notification_for(NotifyUser("degraded", report.reason), None))

    def _follow_issues(self, report: DaemonReport, now: ClockReading) -> None:
        if report.issues is None:
            return
        others = [issue for issue in report.issues if not is_about_database(issue)]
        if self._notified.ids is None:
            warnings = frozenset(issue.id for issue in others if issue.level != "danger")
            self._notices = IssueNotices(notified=warnings)
        change = follow_issues(self._notices, others, now.monotonic_s)
        self._notices = change.notices
        self._notified.replace(self._notices.notified | self._offered)
        for gone in change.gone:
            self._notifier.withdraw(gone)
        for issue in change.new:
            self._notifier.notify(issue_notification(issue))

    def _follow_update(self, version: str) -> None:
        offered = f"{_OFFERED}{version}"
        if version and offered not in self._offered:
            self._offered = frozenset({offered})
            self._notified.replace(self._notices.notified | self._offered)
            self._notifier.notify(update_notification(version))

    def _follow_pause(
        self, before: DaemonReport | None, report: DaemonReport, now: ClockReading
    ) -> None:
        until = before.paused_until if before is not None and before.paused else None
        if until is not None and not report.paused and now.wall_s >= until.timestamp():
            self._notifier.notify(pause_ended_notification())

    def _follow_saved(self, saved: tuple[CapturedLine, ...], until: str) -> None:
        self._saved_until = max((until, *(one.at for one in saved)))
        new = tuple(one for one in saved if one.at > until)
        if new:
            self._notifier.notify(saved_notification(new))

    def _follow_sessions(self, captured: CapturedCounts) -> None:
        before = self._ended
        if before is not None and captured.session_ended_at <= before.session_ended_at:
            return
        self._ended = captured
        note = session_notification(before, captured) if before is not None else None
        if note is not None:
            self._notifier.notify(note)
