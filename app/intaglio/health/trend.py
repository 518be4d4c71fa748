"""The scores of the domains over the last 30 days, sampled while the daemon runs."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.domain.health import HealthDomain
from intaglio.health import rows
from intaglio.health.diagnosis import Diagnosis
from intaglio.health.values import Diagnosed
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

SAMPLE_EVERY_S: Final = 300.0
_DAYS: Final = 30
_MORE_THAN_ANY: Final = 2.0

Trend: TypeAlias = Mapping[str, Sequence[float | None]]
"""By domain the lowest score of each of the last 30 days, today last; None without a sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthTrend:
    """Samples the scores, and returns them by day; ``local`` moves a time into the user's zone."""

    db: Database
    diagnosis: Diagnosis
    clock: Clock
    local: Callable[[datetime], datetime]

    async def sample(self) -> None:
        """Record the present scores, unless as low ones are there for this hour already."""
        scores = _known(await self.diagnosis.read())
        now = self.clock()
        hour, oldest = _hour(now), _hour(now - timedelta(days=_DAYS))
        recorded = await self.db.read(lambda tx: rows.of_hour(tx, hour))
        lower: dict[str, float] = {
            name: score
            for name, score in scores.items()
            if score < recorded.get(name, _MORE_THAN_ANY)
        }

        def write(tx: WriteTx) -> None:
            rows.add(tx, hour, lower)
            rows.delete_before(tx, oldest)

        if lower:
            await self.db.write(write)

    async def read(self) -> Trend:
        """Return the trend of each domain; empty while the database can't be read."""
        today = self.local(self.clock())
        offset = today.utcoffset() or timedelta()
        days = [(today - timedelta(days=ago)).date().isoformat() for ago in range(_DAYS)][::-1]
        since = _hour(self.clock() - timedelta(days=_DAYS))
        minutes = int(offset.total_seconds() // 60)
        try:
            found = await self.db.read(lambda tx: rows.lowest_by_day(tx, since, minutes))
        except UnavailableError:
            return {}
        by_domain: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for domain, day, score in found:
            by_domain[domain][day] = score
        return {domain: [scores.get(day) for day in days] for domain, scores in by_domain.items()}


def no_trend() -> Sequence[float | None]:
    """Return the trend of a domain without samples."""
    return (None,) * _DAYS


def _known(diagnosed: Diagnosed) -> dict[HealthDomain, float]:
    return {
        name: domain.score
        for name, domain in diagnosed.domains.items()
        if any(each.checked is not None for each in domain.checks)
    }


def _hour(moment: datetime) -> str:
    return iso(moment.replace(minute=0, second=0, microsecond=0))
