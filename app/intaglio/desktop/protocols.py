"""What the desk's parts ask of each other: the desk, its face, its windows, its notifier.

Interfaces only; the desk that runs is in `work.py`, the others in their own folders.
"""

from collections.abc import Callable
from typing import Protocol

from intaglio.desktop.values import Destination, Notification, PauseFor, Snapshot


class DesktopApp(Protocol):
    """State and commands for whoever draws the tray.

    Every command returns at once and may be given from any thread; what comes of it shows in a
    later snapshot or a note.
    """

    @property
    def snapshot(self) -> Snapshot:
        """The state now; cheap."""
        ...

    def subscribe(self, changed: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call ``changed`` on the desk's thread at each change; returns what ends that.

        It has to return quickly (hand over to the toolkit's thread) and is called only when the
        snapshot differs from the one before.
        """
        ...

    def looked_at(self) -> None:
        """Say that somebody looks: the state is asked for anew, and often for a while."""
        ...

    def show(self, destination: Destination) -> None:
        """Open a page, a memory, quick remember or search; waits in the background for health."""
        ...

    def pause(self, how_long: PauseFor) -> None:
        """Stop capturing for a while."""
        ...

    def resume(self) -> None:
        """Capture again."""
        ...

    def restart(self) -> None:
        """End the daemon, adopted or not, and start a new one."""
        ...

    def move_port(self) -> None:
        """Take a new port, after the user agreed; connected hooks are rewritten."""
        ...

    def set_autostart(self, *, on: bool) -> None:
        """Start at login, or no longer."""
        ...

    def quit(self) -> None:
        """Leave: end windows and the daemon that the desk started, then the face."""
        ...


class Windows(Protocol):
    """The window processes."""

    def show(self, destination: Destination, url: str) -> None:
        """Show a page in its window, opened or brought forward; called on a worker thread.

        ``url`` signs in, once, and leads to the page.
        """
        ...

    def close(self) -> None:
        """End every window within a few seconds."""
        ...


class Notifier(Protocol):
    """Where notes go; batches and limits their rate itself."""

    def notify(self, notification: Notification) -> None:
        """Show a note, now or never; never blocks, never raises."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


class IconView(Protocol):
    """What keeps the main thread: the tray's icon, or nothing but waiting."""

    def run(self) -> None:
        """Draw until `leave`; called on the main thread."""
        ...

    def leave(self) -> None:
        """End `run`; may be called from any thread, more than once, before `run` too."""
        ...
