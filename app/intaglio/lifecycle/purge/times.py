"""How long the batches of a sweep held up others."""

from array import array
from collections.abc import Sequence
from typing import Final

_TOO_LONG_S: Final = 0.05


class Times:
    """The seconds of each batch: all that it held up others, and its own work thereof.

    The rest is the commit, and the way to the disk with what else waited for it.
    """

    def __init__(self) -> None:
        self._held, self._worked = array("d"), array("d")

    def worked(self, seconds: float) -> None:
        """Note a batch's own work, before its commit."""
        self._worked.append(seconds)

    def held(self, seconds: float) -> None:
        """Note a batch with its commit."""
        self._held.append(seconds)

    @property
    def longest_ms(self) -> float:
        """How long the longest batch held up others."""
        return _ms(self._held, 1)

    def summary(self) -> dict[str, float]:
        """Return what the log says of them."""
        return {
            "batches": len(self._held),
            "held_p50_ms": _ms(self._held, 0.5),
            "held_p99_ms": _ms(self._held, 0.99),
            "held_over_50_ms": sum(seconds > _TOO_LONG_S for seconds in self._held),
            "worked_p50_ms": _ms(self._worked, 0.5),
            "worked_longest_ms": _ms(self._worked, 1),
        }


def _ms(seconds: Sequence[float], share: float) -> float:
    ordered = sorted(seconds)
    at = min(len(ordered) - 1, int(share * len(ordered)))
    return round(ordered[at] * 1000, 3) if ordered else 0.0
