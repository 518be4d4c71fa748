"""Days and times that people and agents see are those of this machine's clock."""

import time
from collections.abc import Generator
from datetime import UTC, datetime

import pytest

from intaglio.base.clock import iso, local_day, local_time
from intaglio.memory.timeline.ranges import ranges


@pytest.fixture
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("zone", "stored", "day"),
    [
        ("Pacific/Kiritimati", "2026-11-25T18:16:00.000Z", "2026-11-26"),
        ("America/Los_Angeles", "2026-11-25T03:00:00.000Z", "2026-11-24"),
        ("Europe/Berlin", "2026-07-01T22:30:00.000Z", "2026-07-02"),
        ("Europe/Berlin", "2026-12-01T22:30:00.000Z", "2026-12-01"),
        ("Asia/Kolkata", "2026-11-25 18:45:00", "2026-11-26"),
        ("Asia/Tokyo", "soon", "soon"),
        ("Asia/Tokyo", "9999-12-31T23:59:59.000Z", "9999-12-31"),
    ],
    indirect=["zone"],
)
@pytest.mark.usefixtures("zone")
def test_a_day_is_local(stored: str, day: str) -> None:
    assert local_day(stored) == day
    assert local_time(stored).startswith(day)


@pytest.mark.parametrize("zone", ["Europe/Berlin"], indirect=True)
@pytest.mark.usefixtures("zone")
def test_each_day_begins_at_its_own_midnight_whatever_the_season() -> None:
    found = ranges(datetime(2026, 10, 30, 12, tzinfo=UTC), datetime.astimezone)
    assert [each.start for each in found] == [
        iso(datetime(2026, 10, 29, 23, tzinfo=UTC)),
        iso(datetime(2026, 10, 22, 22, tzinfo=UTC)),
        iso(datetime(2026, 9, 29, 22, tzinfo=UTC)),
    ]
