"""The view where there is no tray: it occupies the main thread and shows nothing."""

import threading


class HeadlessView:
    """Waits until `stop`; implements `IconView`."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def run(self) -> None:
        """Wait until `stop`; signal handlers still run."""
        # On Windows, signals don't interrupt a wait without a timeout.
        while not self._stopped.wait(timeout=0.5):
            pass

    def stop(self) -> None:
        """End `run`."""
        self._stopped.set()
