"""All metrics of the daemon's process."""

from dataclasses import dataclass

from intaglio.base.clock import Clock
from intaglio.base.metrics.errors import ErrorRing


@dataclass(frozen=True, slots=True)
class Metrics:
    """What is counted while the daemon runs; safe to use from any of its threads."""

    errors: ErrorRing

    @classmethod
    def empty(cls, clock: Clock) -> "Metrics":
        """Return metrics without any count."""
        return cls(ErrorRing(clock))
