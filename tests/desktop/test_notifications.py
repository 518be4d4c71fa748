"""Notifications as the desktop shows them, and what happens where nobody does."""

import queue
import subprocess
import sys
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fakes.notification_host import NotificationHost, Shown, running_notification_host
from fakes.screen import SIZE, Screen, running_screen
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.desktop.captured.saved_lines import saved_notification
from intaglio.desktop.notifications.preferences import NotificationPreferences
from intaglio.desktop.notifications.queue import NotificationLimits, NotificationQueue
from intaglio.desktop.notifications.service import (
    DesktopNotifierSender,
    NotificationAction,
    NotificationService,
)
from intaglio.desktop.values import CapturedLine, Notification, UndoSaved

pytestmark = pytest.mark.desktop

PROGRAM = """
import sys
from intaglio.desktop.notifications.service import DesktopNotifierSender, NotificationService
from intaglio.desktop.values import Notification, OpenPage
from intaglio.desktop.notifications.preferences import NotificationPreferences
notes = NotificationService(DesktopNotifierSender(), NotificationPreferences)
def shows(what):
    print("shows", what, flush=True)
def fall_back(note):
    print("fallback", note.title, flush=True)
notes.connect(shows, fall_back)
text = "A <b>page</b> & more is damaged."
notes.notify(Notification("degraded", "Database is read-only", text, OpenPage()))
sys.stdin.readline()
notes.close()
print("closed", flush=True)
"""
ISSUE = Notification("danger", "Disk full", "Free up <space>", issues=("disk",))
CORNER = (SIZE[0] - 400, 40, SIZE[0], 300)


def start(screen: Screen, output: Path) -> "subprocess.Popen[str]":
    with output.open("w") as stream:
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            env=dict(screen.env),
            stdin=subprocess.PIPE,
            stdout=stream,
            stderr=subprocess.DEVNULL,
            text=True,
        )


def paper(screen: Screen) -> float:
    """Tell how much of the corner is covered by white paper with writing on it."""
    corner = screen.grab(CORNER).convert("L")
    return sum(corner.histogram()[251:]) / (corner.width * corner.height)


def end(process: "subprocess.Popen[str]") -> None:
    process.communicate("\n", timeout=PATIENCE_S)
    assert process.returncode == 0


def test_a_note_is_seen_and_a_click_on_it_comes_back(screen: Screen, tmp_path: Path) -> None:
    wait_for(lambda: paper(screen) < 0.05, "an empty corner")
    process = start(screen, tmp_path / "said.txt")
    try:
        wait_for(lambda: paper(screen) > 0.1, "a notification on the screen")
        screen.click(SIZE[0] - 150, 85, 2)
        wait_for(
            lambda: (
                "shows OpenPage(page='home', navigates=False)"
                in (tmp_path / "said.txt").read_text()
            ),
            "the click",
        )
        wait_for(lambda: paper(screen) < 0.05, "the end of the notification")
    finally:
        end(process)


@pytest.fixture
def host(
    desktop_packages: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Generator[NotificationHost]:
    del desktop_packages
    with running_notification_host(tmp_path) as running:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", running.address)
        yield running


class Clock:
    """The hour by the user's clock."""

    hour = 12

    def __call__(self) -> datetime:
        return datetime(2026, 1, 31, self.hour, tzinfo=UTC)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def notes(host: NotificationHost, clock: Clock) -> Generator[NotificationService]:
    del host
    sender: Any = DesktopNotifierSender("linux")
    service = NotificationService(
        sender,
        lambda: NotificationPreferences(quiet_from=22, quiet_to=7),
        NotificationQueue(NotificationLimits(batch_s=0.05)),
        local_now=clock,
    )
    yield service
    service.close()
    # A program that ends has it closed by the system.
    sender._notifier._backend.bus._sock.close()


def test_a_saved_line_is_shown_and_its_button_undoes_it(
    host: NotificationHost, notes: NotificationService
) -> None:
    done: queue.Queue[NotificationAction] = queue.Queue()
    notes.connect(done.put, None)
    notes.notify(saved_notification((CapturedLine("m1", "", "We use <tabs>"),)))
    wait_for(lambda: host.shown, "a notification")
    (shown,) = host.shown
    assert (shown.title, shown.text, shown.urgency) == ("Saved: We use <tabs>", "", 0)
    host.press("Undo")
    assert done.get(timeout=PATIENCE_S) == UndoSaved(("m1",))


def test_a_notification_goes_away_when_its_issue_is_mended(
    host: NotificationHost, notes: NotificationService
) -> None:
    notes.notify(ISSUE)
    wait_for(lambda: host.shown, "a notification")
    assert host.shown == [Shown("Disk full", "Free up &lt;space&gt;", {"default": ""}, 2)]
    notes.withdraw("disk")
    wait_for(lambda: not host.shown, "the end of the notification")


def test_in_quiet_hours_a_danger_is_shown_at_once_and_the_rest_waits(
    host: NotificationHost, notes: NotificationService, clock: Clock
) -> None:
    clock.hour = 23
    notes.notify(Notification("updated", "Intaglio 2 installed", ""))
    notes.notify(ISSUE)
    wait_for(lambda: host.shown, "the danger")
    assert [each.title for each in host.shown] == ["Disk full"]
    clock.hour = 7
    notes.notify(Notification("paused", "Capture is on again", ""))
    wait_for(lambda: len(host.shown) > 1, "what waited")
    assert host.shown[1].text == "Intaglio 2 installed\nCapture is on again"


@pytest.mark.slow
def test_where_nobody_shows_notifications_the_tray_is_asked(
    desktop_packages: None, tmp_path: Path
) -> None:
    del desktop_packages
    with running_screen(tmp_path / "bare", tray=False, notifications=False) as bare:
        process = start(bare, tmp_path / "said.txt")
        wait_for(lambda: "fallback" in (tmp_path / "said.txt").read_text(), "the fallback")
        end(process)
    said = (tmp_path / "said.txt").read_text().splitlines()
    assert said == ["fallback Database is read-only", "closed"]
