"""Interfaces between the desktop app's parts: app, icon view, windows and notifier."""

from collections.abc import Callable
from typing import Protocol

from intaglio.desktop.values import (
    Destination,
    Notification,
    PauseDuration,
    Snapshot,
    UndoSaved,
)


class DesktopApp(Protocol):
    """The app's state and commands, for the icon view.

    Every command returns immediately and may be called from any thread; its result appears in a
    later snapshot or a notification.
    """

    @property
    def snapshot(self) -> Snapshot:
        """The current state; cheap to read."""
        ...

    def subscribe(self, changed: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call ``changed`` at each change; returns a function that unsubscribes.

        It runs on the controller's thread, must return quickly, and is called only when the
        snapshot differs from the previous one.
        """
        ...

    def refresh(self) -> None:
        """Request fresh state, and keep it fresh for a while."""
        ...

    def show(self, destination: Destination) -> None:
        """Open a page, a memory, quick remember or search once the daemon is healthy."""
        ...

    def undo_saved(self, saved: UndoSaved) -> None:
        """Forget memories that capture saved."""
        ...

    def pause(self, duration: PauseDuration) -> None:
        """Pause capture."""
        ...

    def resume(self) -> None:
        """Resume capture."""
        ...

    def restart(self) -> None:
        """Restart the daemon, whoever started it."""
        ...

    def restart_app(self) -> None:
        """Quit the app and start it again."""
        ...

    def move_port(self) -> None:
        """Move the daemon to another port; connected hooks are rewritten."""
        ...

    def set_autostart(self, *, on: bool) -> None:
        """Turn start at login on or off."""
        ...

    def note_unshown(self, notification: Notification) -> None:
        """Show in the menu what the desktop didn't show as a notification."""
        ...

    def quit(self) -> None:
        """Close the windows, stop the daemon if the app started it, then remove the icon."""
        ...


class Windows(Protocol):
    """The windows; each method may start a process, so call it on a worker thread."""

    def show(self, destination: Destination, url: str) -> None:
        """Show a page in its window, opening it or bringing it to the front.

        ``url`` is a one-time sign-in link to the page.
        """
        ...

    def prepare(self) -> None:
        """Get a window ready: the user may open one soon."""
        ...

    def maintain(self) -> None:
        """Keep a window ready, or give its memory back after a long time without use."""
        ...

    def close(self) -> None:
        """Close every window within a few seconds."""
        ...


class Notifier(Protocol):
    """Shows notifications; batches them and limits their rate."""

    def notify(self, notification: Notification) -> None:
        """Show a notification if enabled; never blocks, never raises."""
        ...

    def withdraw(self, issue: str) -> None:
        """Take away what is shown or waits about an issue that is gone; never blocks or raises."""
        ...

    def close(self) -> None:
        """Show nothing more and release resources."""
        ...


class IconView(Protocol):
    """Occupies the main thread: the tray icon, or nothing visible."""

    def run(self) -> None:
        """Run until `stop`; called on the main thread."""
        ...

    def stop(self) -> None:
        """End `run`; may be called from any thread, repeatedly, and before `run`."""
        ...
