"""What the user is notified of as one report of the daemon follows another."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intaglio.desktop.captured.captured_counts import CapturedCounts
from intaglio.desktop.daemon_cache import DaemonReport
from intaglio.desktop.notifications.notified_issues import NotifiedIssues
from intaglio.desktop.notifications.report_changes import ReportChanges
from intaglio.desktop.supervisor.values import ClockReading
from intaglio.desktop.values import CapturedLine, Notification
from intaglio.domain.issues import Issue

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
WELL = DaemonReport(7, 3850, "1.0", "ready", issues=())
BACKUP = Issue("backup", "warn", "Backup is overdue", "Backups are made daily.")
DISK = Issue("disk", "danger", "The disk is full", "Free up space.")
DATABASE = Issue("database", "danger", "The database is read-only", "Page 7 is damaged.")


@dataclass
class Desk:
    """The app's notifications over several starts."""

    file: Path
    notes: list[Notification] = field(default_factory=list[Notification])
    changes: ReportChanges = field(init=False)

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.changes = ReportChanges(self, NotifiedIssues(self.file))

    def notify(self, notification: Notification) -> None:
        self.notes.append(notification)

    def withdraw(self, issue: str) -> None:
        """Nothing is on a screen."""

    def close(self) -> None:
        """Hold nothing."""

    def see(self, report: DaemonReport, at: datetime = NOON) -> list[str]:
        self.notes.clear()
        self.changes.follow(report, ClockReading(at.timestamp(), at.timestamp()))
        return [note.title for note in self.notes]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "state" / "notified-issues.json")


def test_at_the_first_start_only_dangers_are_notified(desk: Desk) -> None:
    assert desk.see(replace(WELL, issues=(DISK, BACKUP))) == [DISK.title]
    later = NOON + timedelta(hours=2)
    assert desk.see(replace(WELL, issues=(DISK, BACKUP)), later) == []


def test_a_restart_repeats_nothing_that_stayed(desk: Desk) -> None:
    desk.see(WELL)
    assert desk.see(replace(WELL, issues=(BACKUP,))) == [BACKUP.title]
    desk.restart()
    assert desk.see(replace(WELL, issues=(BACKUP, DISK))) == [DISK.title]
    desk.see(WELL)
    desk.restart()
    assert desk.see(replace(WELL, issues=(BACKUP,))) == [BACKUP.title]


def test_what_is_saved_of_issues_may_be_damaged(desk: Desk) -> None:
    desk.file.parent.mkdir()
    desk.file.write_text("[]")
    desk.restart()
    assert desk.see(replace(WELL, issues=(BACKUP,))) == [BACKUP.title]


def test_issues_that_are_not_known_yet_are_not_gone(desk: Desk) -> None:
    desk.see(replace(WELL, issues=(DISK,)))
    assert desk.see(replace(WELL, issues=None)) == []
    assert desk.see(replace(WELL, issues=(DISK,)), NOON + timedelta(hours=2)) == []


def test_a_read_only_database_is_notified_once(desk: Desk) -> None:
    report = DaemonReport(7, 3850, "1.0", "degraded", "Page 7 is damaged.", issues=(DATABASE,))
    assert desk.see(report) == ["Intaglio's database is read-only"]
    assert desk.see(report) == []


def test_the_end_of_a_pause_is_notified_if_its_time_is_over(desk: Desk) -> None:
    paused = replace(WELL, paused=True, paused_until=NOON)
    desk.see(paused, NOON - timedelta(minutes=5))
    assert desk.see(WELL, NOON - timedelta(minutes=4)) == []
    desk.see(paused, NOON - timedelta(minutes=1))
    assert desk.see(WELL, NOON) == ["Capture is on again"]


def test_a_line_that_was_saved_before_the_app_started_is_no_news(desk: Desk) -> None:
    old = CapturedLine("m1", "2026-01-31T11:59:59.000Z", "We use spaces.")
    line = CapturedLine("m2", "2026-01-31T12:00:15.000Z", "We use tabs.")
    report = replace(WELL, captured=CapturedCounts("", kept=1), saved=(old,))
    assert desk.see(report) == []
    report = replace(WELL, captured=CapturedCounts("", kept=2), saved=(line, old))
    assert desk.see(report) == ["Saved: We use tabs."]
    assert desk.see(report) == []


def test_a_version_that_was_found_is_notified_once_also_across_restarts(desk: Desk) -> None:
    found = replace(WELL, update_version="0.2.0")
    assert desk.see(found) == ["Intaglio 0.2.0 is available"]
    assert desk.see(replace(found, issues=(BACKUP,))) == [BACKUP.title]
    desk.restart()
    assert desk.see(replace(found, issues=(BACKUP,))) == []
    assert desk.see(replace(found, update_version="0.3.0")) == ["Intaglio 0.3.0 is available"]
