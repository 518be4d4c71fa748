"""How long operations take: the newest 1,000 samples of each, sorted only when they are read."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Final, Literal, TypeAlias, get_args

TimedOperation: TypeAlias = Literal["remember", "recall", "mutate", "jobs", "hooks", "capture"]
"""What is timed: requests by what they do, runs of the job worker, and the capture of turns."""

OPERATIONS: Final[tuple[TimedOperation, ...]] = get_args(TimedOperation)
_SAMPLES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Latency:
    """Percentiles and mean of the newest samples in ms; ``count`` is that of all samples."""

    p50: float = 0.0
    p95: float = 0.0
    p99: float = 0.0
    count: int = 0
    mean: float = 0.0


@dataclass(slots=True)
class LatencyHistogram:
    """The newest samples of an operation; a sample costs an append to a ring."""

    count: int = 0
    _samples: deque[float] = field(default_factory=lambda: deque[float](maxlen=_SAMPLES))

    def add(self, ms: float) -> None:
        """Add a sample."""
        self._samples.append(ms)
        self.count += 1

    def read(self) -> Latency:
        """Sort the samples and return their percentiles, by nearest rank; zeros without any."""
        samples = sorted(self._samples)
        if not samples:
            return Latency()

        def percentile(share: float) -> float:
            return samples[ceil(share * len(samples)) - 1]

        mean = sum(samples) / len(samples)
        return Latency(percentile(0.5), percentile(0.95), percentile(0.99), self.count, mean)


@dataclass(frozen=True, slots=True)
class Latencies:
    """The histograms of all operations; use them on the event loop's thread."""

    _by_operation: Mapping[TimedOperation, LatencyHistogram] = field(
        default_factory=lambda: {each: LatencyHistogram() for each in OPERATIONS}
    )

    def add(self, operation: TimedOperation, ms: float) -> None:
        """Add a sample of an operation."""
        self._by_operation[operation].add(ms)

    def read(self) -> dict[TimedOperation, Latency]:
        """Return the percentiles of every operation."""
        return {name: each.read() for name, each in self._by_operation.items()}
