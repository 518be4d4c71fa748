"""How fast the queue is worked off: the jobs that were done in the last minute."""

from collections import deque
from collections.abc import Callable
from typing import Final

_WINDOW_S: Final = 60.0


class Throughput:
    """Counts what is done, second by second; belongs to the event loop's thread."""

    def __init__(self, monotonic_s: Callable[[], float]) -> None:
        self._monotonic_s = monotonic_s
        self._seconds: deque[tuple[int, int]] = deque()
        self._sum = 0

    def count(self, done: int) -> None:
        """Note that so many are done now."""
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
        """How many were done within a minute from now."""
        edge = self._monotonic_s() - _WINDOW_S
        while self._seconds and self._seconds[0][0] < edge:
            self._sum -= self._seconds.popleft()[1]
        return self._sum
