"""Waiting for what comes by itself: as long as it takes, and with a reason when it never comes."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Final

# A guard, not a measure: a machine that is very busy needs long, and only what hangs meets it.
PATIENCE_S: Final = 60.0
# A look costs what it looks at: the longer the wait, the rarer, never later by more than a tenth.
_FEWEST_TRIES: Final = 5
_FIRST_LOOK_S: Final = 0.02
_LAST_LOOK_S: Final = 0.25


def _pause_s(waited_s: float, first_s: float = _FIRST_LOOK_S) -> float:
    return min(max(first_s, waited_s / 10), _LAST_LOOK_S)


def wait_for(what: Callable[[], object], why: str, seconds: float = PATIENCE_S) -> None:
    """Wait until something is true; fails with the reason.

    A look that fails is one that came too early (a menu is there a moment after its icon); what
    the last one said is told at the end.
    """
    begun = time.monotonic()
    while True:
        failed: Exception | None = None
        try:
            if what():
                return
        except Exception as error:  # noqa: BLE001 - it goes into the failure
            failed = error
        waited = time.monotonic() - begun
        if waited > seconds:
            raise AssertionError(f"after {seconds:.0f} s still not: {why}") from failed
        time.sleep(_pause_s(waited))


async def until(what: Callable[[], object | Awaitable[object]], why: str) -> None:
    """Wait while the event loop goes on; a look may be awaited, and one that fails is a failure."""
    begun = time.monotonic()
    while True:
        seen = what()
        if await seen if inspect.isawaitable(seen) else seen:
            return
        waited = time.monotonic() - begun
        assert waited < PATIENCE_S, f"after {PATIENCE_S:.0f} s still not: {why}"
        await asyncio.sleep(_pause_s(waited, _FIRST_LOOK_S / 4))


def at_best(do: Callable[[], object], *, under_s: float) -> float:
    """Do something until it was done in less time than that, and return how long it took.

    A busy machine makes many tries slow; what waits for a time-out of its own is slow always.
    """
    first = time.monotonic()
    took = list[float]()
    while len(took) < _FEWEST_TRIES or time.monotonic() - first < PATIENCE_S:
        begun = time.monotonic()
        do()
        took.append(time.monotonic() - begun)
        if took[-1] < under_s:
            return took[-1]
    raise AssertionError(f"never in less than {under_s} s: {took}")
