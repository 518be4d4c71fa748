"""The name of the writer thread, a check that no model is called on it, and work in threads."""

import sys
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import Protocol, TypeVar

WRITER_THREAD = "intaglio-writer"
_DEFAULT_S = 0.005
_QUICK_S = 0.0005
T = TypeVar("T")


def assert_outside_tx() -> None:
    """Raise RuntimeError on the writer thread: models must not be called inside a transaction."""
    if threading.current_thread().name == WRITER_THREAD:
        raise RuntimeError("a model was called inside a write transaction")


class RunInThread(Protocol):
    """Runs a function in a thread and returns its result."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]:
        """Run the function."""
        ...


@contextmanager
def quick_switches() -> Generator[None]:
    """Let threads take turns ten times as often while the block runs in one of them.

    For long work in threads: each step of a request waits for the interpreter meanwhile.
    """
    sys.setswitchinterval(_QUICK_S)
    try:
        yield
    finally:
        # Of two blocks at once, the one that ends first ends it for both.
        sys.setswitchinterval(_DEFAULT_S)
