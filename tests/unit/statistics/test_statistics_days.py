"""Days of the user's clock, and the points of charts."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from fakes.store import MovableClock
from intaglio.statistics.days import Calendar, points, step_for


def local(moment: datetime) -> datetime:
    """Move a time to Berlin, with a fixed offset as the system gives it."""
    there = moment.astimezone(ZoneInfo("Europe/Berlin"))
    return there.astimezone(timezone(there.utcoffset() or timedelta()))


@pytest.mark.parametrize(
    ("day", "hours"), [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 6, 1), 24)]
)
def test_a_day_begins_and_ends_at_midnight_also_when_clocks_change(day: date, hours: int) -> None:
    span = Calendar(MovableClock(), local).span(day)
    assert local(span.first).isoformat()[:16] == f"{day}T00:00"
    assert span.end - span.first == timedelta(hours=hours)


def test_today_is_the_users_day() -> None:
    late = MovableClock(datetime(2026, 1, 31, 23, 30, tzinfo=UTC))
    assert Calendar(late, local).today == date(2026, 2, 1)


def test_days_share_a_point_by_week_and_by_month() -> None:
    assert points(date(2026, 1, 1), date(2026, 1, 6), "week") == ["2025-12-29", "2026-01-05"]
    assert points(date(2026, 1, 30), date(2026, 3, 1), "month") == [
        "2026-01-01",
        "2026-02-01",
        "2026-03-01",
    ]
    assert [step_for(days) for days in (90, 400, 1_000)] == ["day", "week", "month"]
