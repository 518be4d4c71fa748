"""Spans and moments as a terminal gives them, and how a pause is told."""

import time
from collections.abc import Generator
from datetime import UTC, datetime, timedelta

import click
import pytest

from intaglio.cli.capture import minutes_in, moment_in, pause_words
from intaglio.wire.capture import CaptureStatus

NOON = datetime(2026, 1, 31, 11, tzinfo=UTC)


@pytest.fixture(autouse=True)
def berlin(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Set the terminal's own clock: an hour ahead in winter, two in summer."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("15m", 15), ("1h", 60), ("1h30m", 90), (" 90min ", 90), ("7d", 10_080), ("1D", 1_440)],
)
def test_a_duration_is_parsed(text: str, minutes: int) -> None:
    assert minutes_in(text) == minutes


@pytest.mark.parametrize("text", ["", "0m", "15", "h", "8d", "1.5h", "-5m", "tomorrow"])
def test_an_invalid_duration_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        minutes_in(text)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Tomorrow", "tomorrow"),
        ("18:30", "2026-01-31T17:30:00+00:00"),
        ("9:00", "2026-02-01T08:00:00+00:00"),
        ("2026-02-02T08:00+02:00", "2026-02-02T06:00:00+00:00"),
    ],
)
def test_a_time_is_parsed_in_the_local_time_zone(text: str, moment: str) -> None:
    assert moment_in(text, NOON) == moment


@pytest.mark.parametrize(
    ("now", "until"),
    [
        (datetime(2026, 10, 24, 23, 30, tzinfo=UTC), "2026-10-25T17:30:00+00:00"),
        (datetime(2026, 3, 29, 0, 30, tzinfo=UTC), "2026-03-29T16:30:00+00:00"),
    ],
)
def test_a_time_of_day_respects_the_change_to_summer_time(now: datetime, until: str) -> None:
    assert moment_in("18:30", now) == until
    told = CaptureStatus(paused=True, until=until)
    assert pause_words(told, now).startswith("paused until 18:30 ")


@pytest.mark.parametrize("text", ["", "25:00", "soon", "2026-13-01"])
def test_an_invalid_time_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        moment_in(text, NOON)


@pytest.mark.parametrize(
    ("until", "words"),
    [
        (None, "paused until you resume it"),
        (NOON + timedelta(seconds=20), "paused until 12:00 (1 min left)"),
        (NOON + timedelta(minutes=15), "paused until 12:15 (15 min left)"),
        (NOON + timedelta(hours=12), "paused until 2026-02-01 00:00 (12 h 0 min left)"),
    ],
)
def test_a_pause_is_described_with_its_end(until: datetime | None, words: str) -> None:
    end = until.astimezone(UTC).isoformat() if until else None
    assert pause_words(CaptureStatus(paused=True, until=end), NOON) == words
