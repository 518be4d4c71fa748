"""Rests after too many failures in a row, longer each time; pure, with the time handed in."""

from dataclasses import dataclass
from typing import Final

_PROBE_WAIT_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerLimits:
    """After how many failures in a row it rests, and for how long: doubled each time."""

    failures: int = 5
    first_rest_s: float = 30.0
    longest_rest_s: float = 900.0


@dataclass(frozen=True, slots=True)
class CallPermit:
    """A call may be made; ``probe``: as the only one, to see whether the model works again."""

    probe: bool


class CircuitBreaker:
    """Counts failures in a row. After a rest, a single call probes whether it works again."""

    def __init__(self, limits: BreakerLimits | None = None) -> None:
        self._limits = limits or BreakerLimits()
        self._failures = 0
        self._rests = 0
        self._rest_until_s = 0.0
        self._probing = False

    def rest_s(self, now_s: float) -> float:
        """In how many seconds a call may be made; 0 if it may now."""
        left = max(self._rest_until_s - now_s, 0.0)
        return max(left, _PROBE_WAIT_S) if self._probing else left

    def permit(self, now_s: float) -> CallPermit | None:
        """Let a call be made, or not; one of the other methods must follow when it has ended."""
        if self.rest_s(now_s) > 0:
            return None
        self._probing = self._rests > 0
        return CallPermit(self._probing)

    def succeeded(self) -> None:
        """A call succeeded: everything is well again."""
        self._failures = self._rests = 0
        self._rest_until_s = 0.0
        self._probing = False

    def failed(
        self, permit: CallPermit, now_s: float, *, at_once: bool = False, at_least_s: float = 0.0
    ) -> None:
        """A call failed; ``at_once`` rests however many did, ``at_least_s`` so long."""
        self._failures += 1
        self._probing = self._probing and not permit.probe
        if self._rests and not permit.probe:
            # It began before the rest, which already counts what was wrong then.
            self._rest_until_s = max(self._rest_until_s, now_s + at_least_s)
        elif at_once or permit.probe or self._failures >= self._limits.failures:
            grown = self._limits.first_rest_s * 2.0 ** min(self._rests, 30)
            self._rests += 1
            rest = max(min(grown, self._limits.longest_rest_s), at_least_s)
            self._rest_until_s = max(self._rest_until_s, now_s + rest)

    def abandoned(self, permit: CallPermit) -> None:
        """A call ended without telling anything about the model."""
        self._probing = self._probing and not permit.probe
