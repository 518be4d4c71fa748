"""The windows' library on Windows and macOS: pywebview, with WebView2 or WebKit of the system."""

import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from intaglio.base.paths import make_private
from intaglio.desktop.gui_libraries import mac_library
from intaglio.desktop.tray.icons import app_icon
from intaglio.desktop.window.definitions import BACKGROUND, WindowDefinition
from intaglio.desktop.window.geometry import Rectangle, WindowGeometry
from intaglio.desktop.window.toolkit import NativeWindow, WindowEvents

# Of the smallest kind of window: pywebview takes it only when a window is created.
_MIN_SIZE: Final = (400, 280)
_EMPTY_PAGE: Final = "<!doctype html><title>Intaglio</title>"


class WebviewWindow:
    """A window of pywebview; implements `NativeWindow`."""

    def __init__(
        self,
        webview: Any,  # noqa: ANN401 - no types
        events: WindowEvents,
        corner: Rectangle,
        background: str,
    ) -> None:
        self.address = ""
        self._events = events
        self._corner = corner
        self._box = Rectangle(0, 0, *_MIN_SIZE)
        self._maximized = False
        self._is_loading = False
        self._window = webview.create_window(
            "Intaglio",
            html=_EMPTY_PAGE,
            min_size=_MIN_SIZE,
            hidden=True,
            background_color=background,
            text_select=True,
            zoomable=True,
        )
        # `window.close()` of a page has no effect here; it calls this instead.
        self._window.expose(self.close_window)
        self._window.events.loaded += self._loaded
        self._window.events.closing += self._closing

    def become(
        self, definition: WindowDefinition, box: Rectangle, *, maximized: bool = False
    ) -> None:
        """Take a window's title; it takes its size and position when it is shown."""
        # On Windows, moving a window also shows it.
        self._box, self._maximized = box, maximized
        self._window.set_title(definition.title)

    def load(self, url: str) -> None:
        """Load a page of the dashboard, if the daemon is there."""
        self._is_loading = True
        if not self._events.is_trusted(url):
            self._events.failed(self)
            return
        self.address = url
        self._window.load_url(url)

    def load_message(self, html: str) -> None:
        """Show a page of our own."""
        self._window.load_html(html)

    def bring_to_front(self) -> None:
        """Show and raise the window."""
        box, self._box = self._box, Rectangle(0, 0, 0, 0)
        if box.width:
            self._window.resize(box.width, box.height)
            # pywebview counts from the first screen's corner.
            self._window.move(box.x - self._corner.x, box.y - self._corner.y)
        self._window.show()
        self._window.restore()
        if self._maximized:
            self._maximized = False
            self._window.maximize()

    def close(self) -> None:
        """Close the window as its close button does."""
        self._window.destroy()

    def destroy(self) -> None:
        """Remove the window."""
        self._window.events.closing -= self._closing
        self._window.destroy()

    def close_window(self) -> None:
        """Close the window, on request of its page."""
        self.close()

    def _loaded(self) -> None:
        # The empty page of a new window is no page.
        if self._is_loading:
            self._events.loaded(self)

    def _closing(self) -> None:
        window = self._window
        box = Rectangle(window.x, window.y, window.width, window.height)
        self._events.closing(self, WindowGeometry(box))


class WebviewToolkit:
    """pywebview's main loop, which runs while a window exists; implements `Toolkit`."""

    def __init__(
        self,
        storage: Path,
        events: WindowEvents,
        webview: Any,  # noqa: ANN401 - no types
        *,
        dark: bool,
        pointer: Callable[[], tuple[int, int] | None] | None = None,
    ) -> None:
        make_private(storage)
        self._storage = storage
        self._events = events
        self.is_dark = dark
        self._webview = webview
        self._pointer = pointer or _pointer
        self._webview.settings["ALLOW_DOWNLOADS"] = True
        self._webview.settings["ALLOW_FILE_URLS"] = False
        # The main loop needs a window to start with.
        self._first: list[WebviewWindow] = [self._new_window()]

    def run(self, started: Callable[[], None]) -> None:
        """Run the main loop on the main thread."""
        self._webview.start(
            threading.Thread(target=started, name="intaglio-windows", daemon=True).start,
            private_mode=False,
            storage_path=str(self._storage),
            icon=str(app_icon()),
        )

    def stop(self) -> None:
        """End the main loop, with the windows."""
        for window in list(self._webview.windows):
            window.destroy()

    def create(self) -> NativeWindow:
        """Create a hidden window."""
        return self._first.pop() if self._first else self._new_window()

    def _new_window(self) -> WebviewWindow:
        corner = self._areas()[0]
        return WebviewWindow(self._webview, self._events, corner, BACKGROUND[self.is_dark])

    def screens(self) -> Sequence[Rectangle]:
        """Return the screens' areas, the pointer's first."""
        areas = self._areas()
        pointer = self._pointer()
        if pointer is None:
            return areas
        return sorted(areas, key=lambda area: not area.contains(*pointer))

    def _areas(self) -> list[Rectangle]:
        screens = self._webview.screens
        found = [Rectangle(one.x, one.y, one.width, one.height) for one in screens]
        return found or [Rectangle(0, 0, 0, 0)]

    def allow_network(self, *, allowed: bool) -> None:
        """Do nothing: these libraries offer no switch; each load is checked."""


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    def _pointer() -> tuple[int, int] | None:
        """Return where the pointer is, in the units of the screens; None if nobody knows."""
        point = wintypes.POINT()
        found = ctypes.windll.user32.GetCursorPos(ctypes.byref(point))
        return (point.x, point.y) if found else None

elif sys.platform == "darwin":

    def _pointer() -> tuple[int, int] | None:
        """Return where the pointer is, in the units of the screens; None if nobody knows."""
        try:
            event = mac_library("AppKit").NSEvent
        except ImportError:
            return None
        # Cocoa counts from the bottom, as pywebview's screens do there.
        place = event.mouseLocation()
        return int(place.x), int(place.y)

else:

    def _pointer() -> tuple[int, int] | None:
        """Return nothing: on Linux the windows are GTK's."""
        return None
