"""Runs the checks of all packages, and says how the installation is."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, get_args

from intaglio.base.clock import Clock, iso
from intaglio.base.installation import command
from intaglio.domain.health import (
    WEIGHTS,
    HealthCheck,
    HealthDomain,
    status_of_score,
)
from intaglio.domain.issues import Issue
from intaglio.health.check_run import CheckRun
from intaglio.health.sentence import write_sentence
from intaglio.health.values import CheckOutcome, Diagnosed, DomainHealth

DOMAINS: Final[tuple[HealthDomain, ...]] = get_args(HealthDomain)
_FRESH_S: Final = 2.0
_LEVELS: Final = ("danger", "warn", "info")
_DIGITS: Final = 4


def worst_first(issues: Iterable[Issue]) -> list[Issue]:
    """Sort issues by level."""
    return sorted(issues, key=lambda issue: _LEVELS.index(issue.level))


@dataclass(slots=True, kw_only=True)
class Diagnosis:
    """Runs the checks concurrently and remembers what they found for two seconds.

    Checks that read much (``fresh_s`` of 5 s or more) run beside the request, which is answered
    with their last result. A check that fails or never ends is shown as unknown, and is an issue.
    ``state`` is that of the database: as it changes, everything is checked again.
    """

    checks: Callable[[], tuple[HealthCheck, ...]]
    clock: Clock
    monotonic_s: Callable[[], float]
    state: Callable[[], object]
    _runs: list[CheckRun] = field(default_factory=list[CheckRun])
    _last: Diagnosed | None = None
    _read_s: float = 0.0
    _state: object = None
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def read(self) -> Diagnosed:
        """Return how the installation is, as of two seconds ago at most."""
        async with self._reading:
            state = self.state()
            if state is not self._state:
                self._state = state
                self.invalidate()
            if self._last is None or self.monotonic_s() - self._read_s >= _FRESH_S:
                await asyncio.gather(*(run.refresh() for run in self._all()))
                self._last = self._judge([run.result for run in self._all()])
                self._read_s = self.monotonic_s()
            return self._last

    def recent(self, within_s: float) -> Diagnosed | None:
        """Return what the last read found if it isn't older than that, without waiting."""
        is_old = self.monotonic_s() - self._read_s > within_s
        return None if is_old or self.state() is not self._state else self._last

    def invalidate(self) -> None:
        """Check everything again at the next read, because something was repaired or changed."""
        self._last = None
        for run in self._runs:
            run.invalidate()

    async def close(self) -> None:
        """Cancel the checks that are running."""
        for run in self._runs:
            await run.close()

    def _all(self) -> list[CheckRun]:
        if not self._runs:
            self._runs = [
                CheckRun(check=check, clock=self.clock, monotonic_s=self.monotonic_s)
                for check in self.checks()
            ]
        return self._runs

    def _judge(self, results: list[CheckOutcome]) -> Diagnosed:
        found = [issue for each in results if each.checked for issue in each.checked.issues]
        issues = worst_first([*found, *_failed(results)])
        domains: dict[HealthDomain, DomainHealth] = {
            domain: _domain(domain, results) for domain in DOMAINS
        }
        composite = round(sum(WEIGHTS[name] * domains[name].score for name in WEIGHTS), _DIGITS)
        is_complete = all(each.checked is not None for each in results)
        now = self.clock()
        return Diagnosed(
            at=iso(now),
            issues=issues,
            domains=domains,
            composite=composite,
            status=status_of_score(composite),
            sentence=write_sentence(issues, domains, now, is_complete=is_complete),
            is_well=is_complete and all(issue.level == "info" for issue in issues),
        )


def _domain(domain: HealthDomain, results: list[CheckOutcome]) -> DomainHealth:
    own = tuple(each for each in results if each.check.domain == domain)
    known = [each.checked for each in own if each.checked is not None]
    score = round(max(0.0, 1.0 - sum(each.penalty for each in known)), _DIGITS)
    return DomainHealth(
        score=score,
        status=status_of_score(score),
        figures=tuple(figure for each in known for figure in each.figures),
        checks=own,
    )


def _failed(results: list[CheckOutcome]) -> list[Issue]:
    failed = [each for each in results if each.error]
    if not failed:
        return []
    named = "; ".join(f"{each.check.title} ({each.error})" for each in failed)
    return [
        Issue(
            id="check_failed",
            level="warn",
            title="A health check failed" if len(failed) == 1 else "Health checks failed",
            text=f"Something may be wrong that isn't listed here. Not checked: {named}. The log "
            "says what failed:",
            command=command("daemon logs"),
            page="/logs",
        )
    ]
