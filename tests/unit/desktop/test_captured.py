"""What the tray says of what was captured, and since when."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intaglio.desktop.captured.captured_counts import (
    CapturedCounts,
    captured_page,
    session_notification,
)
from intaglio.desktop.captured.last_opened import LastOpened
from intaglio.desktop.values import Notification, OpenPage
from intaglio.desktop.window.definitions import keeps_current_page

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
BEFORE = CapturedCounts("2026-01-31T12:00:00.000Z", 2, 1, "2026-01-31T12:10:00.000Z")
LATER = "2026-01-31T12:20:00.000Z"


def test_a_finished_session_reports_its_suggestions() -> None:
    note = session_notification(BEFORE, replace(BEFORE, suggested=4, session_ended_at=LATER))
    hint = "Decide in the inbox what becomes a memory."
    inbox = OpenPage("inbox")
    assert note == Notification("captured", "Intaglio: 3 suggestions", hint, inbox)
    assert not keeps_current_page(captured_page(0))


def test_opening_the_dashboard_resets_the_counts() -> None:
    now = CapturedCounts("2026-01-31T12:15:00.000Z", 0, 1, LATER)
    note = session_notification(BEFORE, now)
    assert note is not None
    assert (note.title, note.click) == ("Intaglio: 1 suggestion", OpenPage("inbox"))


@pytest.mark.parametrize(
    "now",
    [
        replace(BEFORE, suggested=9),
        replace(BEFORE, kept=9, session_ended_at=LATER),
        replace(BEFORE, suggested=0, session_ended_at=LATER),
    ],
)
def test_no_notification_without_an_ended_session_or_news(now: CapturedCounts) -> None:
    assert session_notification(BEFORE, now) is None


def test_the_time_last_opened_survives_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "state" / "last-opened.json"
    first = LastOpened(file, lambda: NOON)
    assert first.at == "2026-01-31T12:00:00.000Z"
    later = LastOpened(file, lambda: NOON + timedelta(hours=1))
    assert later.at == first.at
    later.note()
    assert LastOpened(file, lambda: NOON + timedelta(hours=2)).at == "2026-01-31T13:00:00.000Z"


@pytest.mark.parametrize("content", [b"", b"[]", b'{"at":"x"}', b'{"at":"2027-01-01T00:00:00Z"}'])
def test_an_invalid_or_future_time_last_opened_is_ignored(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "last-opened.json"
    file.write_bytes(content)
    assert LastOpened(file, lambda: NOON).at == "2026-01-31T12:00:00.000Z"


def test_an_unsaved_time_last_opened_still_counts(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    assert LastOpened(tmp_path / "state" / "last-opened.json", lambda: NOON).at[:4] == "2026"
