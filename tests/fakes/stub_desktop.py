"""The tray alone, over a desk that does nothing but say what it was asked for; run as a program.

Each line of the standard input is a change of the snapshot, as JSON.
"""

import json
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace

from intaglio.desktop.tray.icon_view import TrayIconView
from intaglio.desktop.values import Destination, PauseFor, RecentMemory, Snapshot

WELL = Snapshot(
    "idle",
    "running",
    "Ready: 1,204 memories",
    health="ready",
    port=3850,
    recent=(
        RecentMemory("m1", "We keep the release notes in one_file"),
        RecentMemory("m2", "Never push on Friday & Saturday"),
    ),
    quit_says="Quit Intaglio and stop its daemon",
    autostart=False,
)


def say(*words: object) -> None:
    """Write a line for the test."""
    print(*words, flush=True)  # noqa: T201 - the test reads it


class StubDesk:
    """Says what it was asked for."""

    def __init__(self) -> None:
        self.snapshot = WELL
        self.listeners: list[Callable[[Snapshot], None]] = []
        self.face: TrayIconView | None = None

    def subscribe(self, changed: Callable[[Snapshot], None]) -> Callable[[], None]:
        self.listeners.append(changed)
        return lambda: self.listeners.remove(changed)

    def change(self, **fields: object) -> None:
        self.snapshot = replace(self.snapshot, **fields)  # type: ignore[arg-type]  # a test's own JSON
        for listener in self.listeners:
            listener(self.snapshot)

    def looked_at(self) -> None:
        say("looked at")

    def show(self, destination: Destination) -> None:
        say("show", destination)

    def pause(self, how_long: PauseFor) -> None:
        say("pause", how_long)

    def resume(self) -> None:
        say("resume")

    def restart(self) -> None:
        say("restart")

    def move_port(self) -> None:
        say("move port")

    def set_autostart(self, *, on: bool) -> None:
        say("autostart", on)
        self.change(autostart=on)

    def quit(self) -> None:
        say("quit")
        if self.face is not None:
            self.face.leave()


def main() -> None:
    """Show the tray until it is left."""
    desk = StubDesk()
    desk.face = face = TrayIconView(desk)

    def left(*_: object) -> None:
        say("signal")
        face.leave()

    signal.signal(signal.SIGINT, left)
    signal.signal(signal.SIGTERM, left)

    def obey() -> None:
        for line in sys.stdin:
            desk.change(**json.loads(line))

    threading.Thread(target=obey, daemon=True).start()
    face.run()
    say("left")


if __name__ == "__main__":
    main()
