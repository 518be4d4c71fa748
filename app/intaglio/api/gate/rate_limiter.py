"""A sliding-window rate limiter in bounded memory; time is passed in."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

_MAX_KEYS: Final = 4_096


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The most requests allowed in any window of this length."""

    most: int
    window_ms: int


@dataclass(frozen=True, slots=True)
class Allowed:
    """The request was counted and may proceed."""


@dataclass(frozen=True, slots=True)
class LimitExceeded:
    """The request wasn't counted; the next one is allowed after ``wait_ms``."""

    wait_ms: int


RateLimitOutcome: TypeAlias = Allowed | LimitExceeded


class RateLimiter:
    """Remembers each key's allowed requests for the length of its window.

    Over ``max_keys`` keys, the least recently used one is dropped, so made-up names can't use up
    memory.
    """

    def __init__(self, monotonic_s: Callable[[], float], max_keys: int = _MAX_KEYS) -> None:
        self._monotonic_s = monotonic_s
        self._max_keys = max_keys
        self._times: dict[str, deque[int]] = {}

    def __len__(self) -> int:
        """Return how many keys are remembered."""
        return len(self._times)

    def spend(self, key: str, limit: RateLimit) -> RateLimitOutcome:
        """Count a request for the key unless it exceeds the limit."""
        now = round(self._monotonic_s() * 1_000)
        # Reinsert at the end: the first key is always the least recently used.
        times = self._times.pop(key, None) or deque[int]()
        self._times[key] = times
        while times and times[0] <= now - limit.window_ms:
            times.popleft()
        if len(times) >= limit.most:
            # If the limit was lowered, the window may hold more than it allows.
            oldest = times[len(times) - limit.most]
            return LimitExceeded(oldest + limit.window_ms - now)
        times.append(now)
        while len(self._times) > self._max_keys:
            del self._times[next(iter(self._times))]
        return Allowed()
