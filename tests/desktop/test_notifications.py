"""Notifications as the desktop shows them, and what happens where nobody does."""

import subprocess
import sys
from pathlib import Path

import pytest

from fakes.screen import SIZE, Screen, running_screen
from fakes.waiting import PATIENCE_S, wait_for

pytestmark = pytest.mark.desktop

PROGRAM = """
import sys
from intaglio.desktop.notifications.service import DesktopNotifierSender, NotificationService
from intaglio.desktop.values import Notification, OpenPage
notes = NotificationService(DesktopNotifierSender(), lambda: "all")
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
