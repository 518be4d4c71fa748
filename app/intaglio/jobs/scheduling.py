"""The queue's rules: when a failed job is retried, and which type is next; pure functions."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, TypeVar

from intaglio.base.clock import iso
from intaglio.jobs.values import Exhausted, Failure, Retry

BASE_DELAY_S: Final = 1.0
MAX_DELAY_S: Final = 30.0
MAX_JITTER_S: Final = 0.5
LEASE_TIMEOUT: Final = timedelta(minutes=5)

T = TypeVar("T")


def delay_s(failures: int, jitter: float) -> float:
    """Return the delay in seconds after this many failures in a row (1 for the first).

    min(1 s x 2^n, 30 s) + up to 0.5 s (seed 002); ``jitter`` is a random number from 0 to 1.
    """
    # The exponent is bounded, so that a long outage can't overflow it.
    doubled = BASE_DELAY_S * 2.0 ** min(max(failures, 0), 16)
    return min(doubled, MAX_DELAY_S) + jitter * MAX_JITTER_S


def after_failure(attempts: int, max_attempts: int, now: datetime, jitter: float) -> Failure:
    """Decide whether a job is retried after its ``attempts``-th failure."""
    if attempts >= max_attempts:
        return Exhausted()
    return Retry(iso(now + timedelta(seconds=delay_s(attempts, jitter))))


def turn(order: Sequence[T], served: T) -> tuple[T, ...]:
    """Return the order in which types are served next: the one just served comes last."""
    return (*(each for each in order if each != served), served)
