"""The face where there is no tray: it keeps the main thread and shows nothing."""

import threading


class HeadlessView:
    """Waits until `leave`; a `Face`."""

    def __init__(self) -> None:
        self._left = threading.Event()

    def run(self) -> None:
        """Wait; a signal's handler still runs."""
        # Windows interrupts no wait without an end.
        while not self._left.wait(timeout=0.5):
            pass

    def leave(self) -> None:
        """End the wait."""
        self._left.set()
