"""The throughput of the queue: jobs done in the last minute."""

from collections import deque
from collections.abc import Callable
from typing import Final

_WINDOW_S: Final = 60.0


class Throughput:
    """Counts done jobs second by second; use it only on the event loop's thread."""

    def __init__(self, monotonic_s: Callable[[], float]) -> None:
        self._monotonic_s = monotonic_s
        self._seconds: deque[tuple[int, int]] = deque()
        self._sum = 0

    def count(self, done: int) -> None:
        """Add this many jobs done now."""
        if done <= 0:
            return
        second = int(self._monotonic_s())
        if self._seconds and self._seconds[-1][0] == second:
            _, before = self._seconds.pop()
            self._seconds.append((second, before + done))
        else:
            self._seconds.append((second, done))
        self._sum += done

    @property
    def last_minute(self) -> int:
        """Return how many jobs were done in the last minute."""
        edge = self._monotonic_s() - _WINDOW_S
        while self._seconds and self._seconds[0][0] < edge:
            self._sum -= self._seconds.popleft()[1]
        return self._sum
