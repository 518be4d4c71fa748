"""The name of the writer thread, and a check that no model is called on it."""

import threading

WRITER_THREAD = "intaglio-writer"


def assert_outside_tx() -> None:
    """Raise RuntimeError on the writer thread: models must not be called inside a transaction."""
    if threading.current_thread().name == WRITER_THREAD:
        raise RuntimeError("a model was called inside a write transaction")
