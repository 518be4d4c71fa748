"""Tunes the C library's memory use: few pools, and freed memory returned to the system."""

import ctypes
import sys
from collections.abc import Callable
from typing import Final, cast

_ARENA_MAX: Final = -8
_ARENAS: Final = 2


def bound_arenas() -> None:
    """Limit malloc to two pools shared by all threads, so that freed memory is reused."""
    mallopt = _glibc("mallopt")
    if mallopt is not None:
        mallopt(_ARENA_MAX, _ARENAS)


def return_memory() -> None:
    """Return freed memory to the system, which the C library may keep otherwise."""
    trim = _glibc("malloc_trim")
    if trim is not None:
        trim(0)


def _glibc(name: str) -> Callable[..., int] | None:
    if sys.platform != "linux":
        return None
    # Other C libraries than glibc have neither function.
    return cast("Callable[..., int] | None", getattr(ctypes.CDLL(None), name, None))
