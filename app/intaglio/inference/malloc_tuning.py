"""How the C library holds memory: few pools, and freed memory given back to the system."""

import ctypes
import sys
from collections.abc import Callable
from typing import Final, cast

_ARENA_MAX: Final = -8
_ARENAS: Final = 2


def bound_arenas() -> None:
    """Let threads share two pools instead of one each: what they free is of use to others."""
    mallopt = _glibc("mallopt")
    if mallopt is not None:
        mallopt(_ARENA_MAX, _ARENAS)


def return_memory() -> None:
    """Give freed memory back to the system, where the C library keeps it otherwise."""
    trim = _glibc("malloc_trim")
    if trim is not None:
        trim(0)


def _glibc(name: str) -> Callable[..., int] | None:
    if sys.platform != "linux":
        return None
    # Another C library than glibc has neither.
    return cast("Callable[..., int] | None", getattr(ctypes.CDLL(None), name, None))
