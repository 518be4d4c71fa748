"""What the tray draws of what the daemon said, as time goes on."""

from dataclasses import replace
from datetime import UTC, datetime

from intaglio.desktop.daemon_cache import DaemonReport
from intaglio.desktop.snapshot import snapshot_of
from intaglio.desktop.supervisor.state import Supervision, initial_state
from intaglio.desktop.supervisor.values import ClockReading, Running, SupervisorRules
from intaglio.desktop.tray.menu import MenuItem, menu_of
from intaglio.desktop.values import OpenPage
from intaglio.domain.issues import Issue

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
PAUSED = DaemonReport(7, 3850, "1.0", "ready", paused=True, paused_until=NOON)


def at(wall_s: float) -> Supervision:
    begun = initial_state("1.0", ClockReading(100.0, wall_s), SupervisorRules())
    return replace(begun, state=Running("spawned", 7, "1.0"), answered_at=100.0)


def test_a_pause_is_shown_with_its_end() -> None:
    shown = snapshot_of(at(NOON.timestamp() - 1), PAUSED, 3850)
    assert (shown.icon, shown.paused, shown.paused_until) == ("paused", True, NOON)


def test_an_expired_pause_is_hidden_before_the_daemon_reports_again() -> None:
    shown = snapshot_of(at(NOON.timestamp()), PAUSED, 3850)
    assert (shown.icon, shown.paused, shown.paused_until) == ("idle", False, None)


def test_a_pause_without_an_end_is_shown() -> None:
    shown = snapshot_of(at(NOON.timestamp()), replace(PAUSED, paused_until=None), 3850)
    assert (shown.icon, shown.paused) == ("paused", True)


def test_a_replaced_database_is_reported_and_can_be_restored() -> None:
    reason = "The database file was removed while the daemon was running. A copy was saved."
    report = DaemonReport(7, 3850, "1.0", "degraded", reason)
    shown = snapshot_of(at(NOON.timestamp()), report, 3850)
    assert (shown.icon, shown.attention) == (
        "attention",
        "The database file was removed while the daemon was running.",
    )
    assert MenuItem("Fix or restore the database…", OpenPage("status")) in menu_of(shown)


def test_what_needs_a_person_asks_for_attention() -> None:
    backup = Issue("backup", "warn", "Backup is overdue", "Backups are made daily.")
    report = DaemonReport(7, 3850, "1.0", "ready", paused=True, issues=(backup,))
    shown = snapshot_of(at(NOON.timestamp()), report, 3850)
    assert (shown.icon, shown.issues, shown.attention) == ("attention", (backup,), "")


def test_a_read_only_database_is_named_once() -> None:
    issue = Issue("database", "danger", "The database is read-only", "Page 7 is damaged.")
    report = DaemonReport(7, 3850, "1.0", "degraded", "Page 7 is damaged.", issues=(issue,))
    shown = snapshot_of(at(NOON.timestamp()), report, 3850)
    assert (shown.attention, shown.issues) == ("Page 7 is damaged.", ())
