"""How often one actor may do one thing: a sliding window over handed-in time, in bounded memory."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

_MOST_KEYS: Final = 4_096


@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most this many in any window of this length."""

    most: int
    window_ms: int


@dataclass(frozen=True, slots=True)
class Allowed:
    """It counts, and may go on."""


@dataclass(frozen=True, slots=True)
class LimitExceeded:
    """It does not count; after ``wait_ms`` one more would be let through."""

    wait_ms: int


RateLimitOutcome: TypeAlias = Allowed | LimitExceeded


class RateLimiter:
    """Remembers when each key was let through, for as long as its window lasts.

    Beyond ``most_keys`` keys the one that was used longest ago is forgotten, so that made-up
    names cost no memory; who is forgotten begins anew.
    """

    def __init__(self, monotonic_s: Callable[[], float], most_keys: int = _MOST_KEYS) -> None:
        self._monotonic_s = monotonic_s
        self._most_keys = most_keys
        self._times: dict[str, deque[int]] = {}

    def __len__(self) -> int:
        """Return how many keys are remembered."""
        return len(self._times)

    def spend(self, key: str, limit: RateLimit) -> RateLimitOutcome:
        """Count one more for the key, unless that would be more than the limit."""
        now = round(self._monotonic_s() * 1_000)
        # Put back at the end: the first key is always the one used longest ago.
        times = self._times.pop(key, None) or deque[int]()
        self._times[key] = times
        while times and times[0] <= now - limit.window_ms:
            times.popleft()
        if len(times) >= limit.most:
            # A limit that was lowered meanwhile may have more in the window than it allows.
            oldest = times[len(times) - limit.most]
            return LimitExceeded(oldest + limit.window_ms - now)
        times.append(now)
        while len(self._times) > self._most_keys:
            del self._times[next(iter(self._times))]
        return Allowed()
