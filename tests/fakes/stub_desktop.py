"""The tray icon over a stub app that prints its commands; run as a program.

Each line of the standard input is a change of the snapshot, as JSON.
"""

import json
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace

from intaglio.desktop.tray.icon_view import TrayIconView
from intaglio.desktop.values import (
    CapturedLine,
    Destination,
    MenuAgent,
    MenuSession,
    Notification,
    PauseDuration,
    RecentMemory,
    Snapshot,
    UndoSaved,
)

HEALTHY = Snapshot(
    "idle",
    "running",
    "Running · 1,204 memories",
    health="ready",
    port=3850,
    recent=(
        RecentMemory("m1", "We keep the release notes in one_file"),
        RecentMemory("m2", "Never push on Friday & Saturday"),
    ),
    saved=(CapturedLine("m1", "", "We keep the release notes in one_file"),),
    agents=(MenuAgent("codex", "Codex", "Connected", connected=True),),
    sessions=(MenuSession("7", "codex", "Mend the build"),),
    quit_label="Quit and stop the daemon",
    autostart=False,
)


def say(*words: object) -> None:
    """Write a line for the test."""
    print(*words, flush=True)  # noqa: T201 - the test reads it


class StubDesktopApp:
    """Prints each command."""

    def __init__(self) -> None:
        self.snapshot = HEALTHY
        self.listeners: list[Callable[[Snapshot], None]] = []
        self.view: TrayIconView | None = None

    def subscribe(self, changed: Callable[[Snapshot], None]) -> Callable[[], None]:
        self.listeners.append(changed)
        return lambda: self.listeners.remove(changed)

    def change(self, **fields: object) -> None:
        self.snapshot = replace(self.snapshot, **fields)  # type: ignore[arg-type]  # a test's own JSON
        for listener in self.listeners:
            listener(self.snapshot)

    def refresh(self) -> None:
        say("refresh")

    def show(self, destination: Destination) -> None:
        say("show", destination)

    def undo_saved(self, saved: UndoSaved) -> None:
        say("undo", *saved.ids)

    def pause(self, duration: PauseDuration) -> None:
        say("pause", duration)

    def resume(self) -> None:
        say("resume")

    def restart(self) -> None:
        say("restart")

    def restart_app(self) -> None:
        say("restart app")

    def move_port(self) -> None:
        say("move port")

    def set_autostart(self, *, on: bool) -> None:
        say("autostart", on)
        self.change(autostart=on)

    def note_unshown(self, notification: Notification) -> None:
        say("unshown", notification.title)

    def quit(self) -> None:
        say("quit")
        if self.view is not None:
            self.view.stop()


def main() -> None:
    """Show the tray until it quits."""
    app = StubDesktopApp()
    app.view = view = TrayIconView(app)

    def stopped(*_: object) -> None:
        say("signal")
        view.stop()

    signal.signal(signal.SIGINT, stopped)
    signal.signal(signal.SIGTERM, stopped)

    def apply_changes() -> None:
        for line in sys.stdin:
            app.change(**json.loads(line))

    threading.Thread(target=apply_changes, daemon=True).start()
    view.run()
    say("stopped")


if __name__ == "__main__":
    main()
