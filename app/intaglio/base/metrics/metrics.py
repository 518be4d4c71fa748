"""All metrics of the daemon's process."""

from collections.abc import Callable
from dataclasses import dataclass, field

from intaglio.base.clock import Clock
from intaglio.base.metrics.errors import ErrorRing
from intaglio.base.metrics.latency import Latencies
from intaglio.base.metrics.measured import (
    EmbeddingCall,
    JobsRun,
    Measured,
    MeasuredFailure,
    ModelCall,
    TurnCaptured,
)
from intaglio.base.metrics.usage import Usage


@dataclass(frozen=True, slots=True)
class Metrics:
    """What is counted and timed while the daemon runs; add to it on the event loop's thread.

    Each of ``listeners`` is told what is measured, requests excepted, and must return at once.
    """

    errors: ErrorRing
    usage: Usage = field(default_factory=Usage)
    latency: Latencies = field(default_factory=Latencies)
    listeners: list[Callable[[Measured], None]] = field(
        default_factory=list[Callable[[Measured], None]]
    )

    @classmethod
    def empty(cls, clock: Clock) -> "Metrics":
        """Return metrics without any count."""
        metrics = cls(ErrorRing(clock))
        metrics.errors.on_add = metrics.tell
        return metrics

    def add(self, measured: Measured) -> None:
        """Count something that was measured, and tell the listeners."""
        match measured:
            case ModelCall(provider=provider, ms=ms, failure=failure, memory_id=memory_id):
                self.usage.add_call(provider, failed=failure is not None, ms=ms)
                self._fail(failure, memory_id)
            case EmbeddingCall(provider=provider, ms=ms, failure=failure):
                self.usage.add_call(provider, failed=failure is not None, ms=ms)
                self._fail(failure, None)
            case JobsRun(ms=ms, failure=failure):
                self.latency.add("jobs", ms)
                self._fail(failure, None)
            case TurnCaptured(ms=ms):
                self.latency.add("capture", ms)
            case _:
                pass
        self.tell(measured)

    def tell(self, measured: Measured) -> None:
        """Tell the listeners what was measured."""
        for listener in self.listeners:
            listener(measured)

    def _fail(self, failure: MeasuredFailure | None, memory_id: str | None) -> None:
        if failure is not None:
            self.errors.add(failure.stage, failure.code, failure.message, memory_id=memory_id)
