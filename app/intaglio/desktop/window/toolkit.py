"""What the window process needs of a windowing library: GTK on Linux, pywebview elsewhere."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from intaglio.desktop.window.definitions import WindowDefinition
from intaglio.desktop.window.geometry import Rectangle, WindowGeometry


class NativeWindow(Protocol):
    """One window with its page, hidden at first; every method may be called from any thread."""

    @property
    def address(self) -> str:
        """The address of the dashboard's page in the window; empty until one is loading."""
        ...

    def become(
        self, definition: WindowDefinition, box: Rectangle, *, maximized: bool = False
    ) -> None:
        """Take a window's title, size and position."""
        ...

    def load(self, url: str) -> None:
        """Load a page of the dashboard, if the daemon is there; see `WindowEvents`."""
        ...

    def load_message(self, html: str) -> None:
        """Show a page of our own instead of the dashboard's."""
        ...

    def bring_to_front(self) -> None:
        """Show and raise the window, and give it the keyboard focus."""
        ...

    def close(self) -> None:
        """Close a window that was shown as its close button does."""
        ...

    def destroy(self) -> None:
        """Remove the window, without an event."""
        ...


@dataclass(frozen=True, slots=True)
class WindowEvents:
    """What windows report, on any thread; each call but ``is_trusted`` must return quickly.

    ``is_trusted`` tells before each load of a page whether the daemon listens at its address; a
    page that isn't loaded has ``failed``. ``closing`` is called before a window that the user
    closes is gone, ``crashed`` when the process of its page has ended. ``opened`` asks for a page
    in the dashboard's window.
    """

    is_trusted: Callable[[str], bool]
    loaded: Callable[[NativeWindow], None]
    failed: Callable[[NativeWindow], None]
    crashed: Callable[[NativeWindow], None]
    closing: Callable[[NativeWindow, WindowGeometry], None]
    opened: Callable[[NativeWindow, str], None]


class Toolkit(Protocol):
    """A windowing library and its main loop."""

    @property
    def is_dark(self) -> bool:
        """Whether the desktop is dark, so that nothing flashes before a page is painted."""
        ...

    def run(self, started: Callable[[], None]) -> None:
        """Run the main loop on the main thread; ``started`` runs on a thread of its own."""
        ...

    def stop(self) -> None:
        """End the main loop."""
        ...

    def create(self) -> NativeWindow:
        """Create a hidden window."""
        ...

    def screens(self) -> Sequence[Rectangle]:
        """Return the screens' usable areas, the pointer's first."""
        ...

    def allow_network(self, *, allowed: bool) -> None:
        """Let the pages reach the network, or nothing: also not a program that took our port."""
        ...
