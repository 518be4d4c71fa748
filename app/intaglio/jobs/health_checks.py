"""Judges the queue: how much waits, how long, what failed, and whose worker is gone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from intaglio.base.clock import iso, parse_moment
from intaglio.base.text import count_of
from intaglio.domain.health import Checked, Figure
from intaglio.domain.issues import Issue
from intaglio.jobs import rows
from intaglio.jobs.values import QueueCounts
from intaglio.store.tx import ReadTx

# The thresholds of seed 001.
_MANY: Final = 50
_DEAD_SHARE: Final = 0.01
_OLD_S: Final = 300.0
# The worker releases silent jobs every minute; after sleep, all that ran were silent.
_RELEASED_WITHIN: Final = timedelta(seconds=90)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueHealth:
    """The queue: ``ready`` jobs may run now, the oldest of them since ``oldest``.

    A job that is to be tried again later isn't ready. ``silent`` jobs run, but their worker has
    been silent too long; ``stuck`` ones of them should have been released already.
    """

    counts: QueueCounts
    ready: int
    oldest: datetime | None
    silent: int
    stuck: int
    now: datetime


def read(
    tx: ReadTx, now: datetime, timeout: timedelta, leases: Mapping[str, timedelta]
) -> QueueHealth:
    """Read the queue; ``timeout`` and ``leases`` are those of `rows.reap`."""
    ready, oldest = rows.ready(tx, iso(now))
    return QueueHealth(
        counts=rows.counts(tx),
        ready=ready,
        oldest=parse_moment(oldest) if oldest else None,
        silent=rows.count_silent(tx, now, timeout=timeout, leases=leases),
        stuck=rows.count_silent(tx, now - _RELEASED_WITHIN, timeout=timeout, leases=leases),
        now=now,
    )


def judge(queue: QueueHealth) -> Checked:
    """Judge the queue by the thresholds of seed 001."""
    counts = queue.counts
    everything = counts.pending + counts.leased + counts.dead
    dead_share = counts.dead / everything if everything else 0.0
    age_s = max(0.0, (queue.now - queue.oldest).total_seconds()) if queue.oldest else 0.0
    penalty = 0.0
    penalty += 0.3 if queue.ready > _MANY else 0.0
    penalty += 0.3 if dead_share > _DEAD_SHARE else 0.0
    penalty += 0.2 if age_s > _OLD_S else 0.0
    penalty += 0.2 if queue.silent else 0.0
    return Checked(
        issues=(*_dead(counts.dead), *_silent(queue)),
        figures=(
            Figure("depth", "Jobs that could run now", queue.ready),
            Figure("oldestAgeSec", "The oldest of them waits for", round(age_s, 1), "s"),
            Figure("deadRate", "Share of jobs that failed", round(dead_share, 4), "share"),
            Figure("leaseAnomalies", "Jobs whose worker is silent", queue.silent),
            Figure("pendingJobs", "Jobs that wait", counts.pending),
            Figure("runningJobs", "Jobs that run", counts.leased),
            Figure("deadJobs", "Jobs that failed", counts.dead),
        ),
        penalty=penalty,
        line=f"{counts.pending:,} waiting, {counts.leased:,} running",
    )


def _dead(dead: int) -> tuple[Issue, ...]:
    if not dead:
        return ()
    jobs = count_of(dead, "job", "jobs")
    return (
        Issue(
            "failed_jobs",
            "warn",
            f"{jobs} failed",
            "Their errors are in the queue. Retry them, or discard them there.",
            page="/status#queue",
            action="repair",
            repair="requeue-dead",
        ),
    )


def _silent(queue: QueueHealth) -> tuple[Issue, ...]:
    if not queue.silent:
        return ()
    title = count_of(queue.silent, "job stands still", "jobs stand still")
    text = "Their worker has been silent too long. "
    mended = "They are released within a minute." if not queue.stuck else "Release them."
    return (
        Issue(
            "stale_leases",
            "warn" if queue.stuck else "info",
            title,
            text + mended,
            action="repair",
            repair="release-leases",
        ),
    )
