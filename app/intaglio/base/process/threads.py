"""The name of the writer thread, a check that no model is called on it, and work in threads."""

import threading
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

WRITER_THREAD = "intaglio-writer"
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
