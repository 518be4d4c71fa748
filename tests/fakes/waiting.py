"""Waiting for what comes by itself: as long as it takes, and with a reason when it never comes."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

# A guard, not a measure: a machine that is very busy needs long, and only what hangs meets it.
PATIENCE_S: Final = 60.0
_LOOK_EVERY_S: Final = 0.02


def wait_for(what: Callable[[], object], why: str, seconds: float = PATIENCE_S) -> None:
    """Wait until something is true; fails with the reason.

    A look that fails is one that came too early (a menu is there a moment after its icon); what
    the last one said is told at the end.
    """
    end = time.monotonic() + seconds
    while True:
        failed: Exception | None = None
        try:
            if what():
                return
        except Exception as error:  # noqa: BLE001 - it goes into the failure
            failed = error
        if time.monotonic() > end:
            raise AssertionError(f"after {seconds:.0f} s still not: {why}") from failed
        time.sleep(_LOOK_EVERY_S)


async def until(what: Callable[[], object], why: str, seconds: float = PATIENCE_S) -> None:
    """Wait in a loop that has to go on meanwhile; a look that fails is a failure."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, f"after {seconds:.0f} s still not: {why}"
        await asyncio.sleep(_LOOK_EVERY_S / 4)
