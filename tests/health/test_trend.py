"""The scores of the last 30 days."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from fakes.api import Api, running_api
from intaglio.domain.health import Checked, HealthCheck
from intaglio.health.diagnosis import Diagnosis
from intaglio.health.trend import HealthTrend

NOW = datetime(2026, 7, 1, 12, 30, tzinfo=UTC)


@dataclass(slots=True)
class Moving:
    """A clock and a penalty that a test changes."""

    now: datetime = NOW
    penalty: float = 0.0

    async def check(self) -> Checked:
        return Checked(penalty=self.penalty)


@pytest.fixture
async def api(tmp_path: Path) -> AsyncGenerator[Api]:
    async with running_api(tmp_path) as running:
        yield running


def trend_of(api: Api, moving: Moving) -> HealthTrend:
    check = HealthCheck(
        name="ink", domain="queue", title="Ink", reads="", run=moving.check, fresh_s=0
    )
    seconds = iter(range(0, 10_000, 10))
    return HealthTrend(
        db=api.kernel.database,
        diagnosis=Diagnosis(
            checks=lambda: (check,),
            clock=lambda: moving.now,
            monotonic_s=lambda: float(next(seconds)),
            state=lambda: None,
        ),
        clock=lambda: moving.now,
        local=lambda moment: moment.astimezone(timezone(timedelta(hours=2))),
    )


async def test_each_day_shows_its_lowest_score(api: Api) -> None:
    moving = Moving()
    trend = trend_of(api, moving)
    for day, penalty in ((1, 0.5), (1, 0.0), (3, 0.2)):
        moving.now, moving.penalty = NOW - timedelta(days=day), penalty
        await trend.sample()
    moving.now, moving.penalty = NOW, 0.0
    await trend.sample()
    found = (await trend.read())["queue"]
    assert len(found) == 30
    assert found[-4:] == [0.8, None, 0.5, 1.0]


async def test_a_day_is_the_users(api: Api) -> None:
    moving = Moving(now=datetime(2026, 6, 30, 22, 30, tzinfo=UTC))
    trend = trend_of(api, moving)
    await trend.sample()
    moving.now = NOW
    assert (await trend.read())["queue"][-2:] == [None, 1.0]


async def test_samples_are_kept_for_thirty_days(api: Api) -> None:
    moving = Moving(now=NOW - timedelta(days=31))
    trend = trend_of(api, moving)
    await trend.sample()
    moving.now = NOW
    await trend.sample()
    count = "SELECT count(*) FROM health_samples"
    assert await api.kernel.database.read(lambda tx: tx.count(count)) == 1
