"""The windows' library on Linux: GTK and WebKitGTK, one process for all pages' network."""

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final, TypeVar

from intaglio.base.paths import make_private
from intaglio.desktop.color_scheme import prefers_dark
from intaglio.desktop.gui_libraries import gi_library
from intaglio.desktop.tray.icons import app_icon
from intaglio.desktop.window.definitions import BACKGROUND
from intaglio.desktop.window.geometry import Rectangle
from intaglio.desktop.window.gtk_window import GtkWindow
from intaglio.desktop.window.toolkit import NativeWindow, WindowEvents

APP: Final = "intaglio"
_NAME: Final = "Intaglio"
# A proxy that isn't there: only root may listen on this port.
_NOWHERE: Final = "http://127.0.0.1:1"
_T = TypeVar("_T")


class GtkToolkit:
    """GTK's main loop and one web context for all windows; implements `Toolkit`."""

    def __init__(self, storage: Path, events: WindowEvents) -> None:
        # With this renderer many machines show a blank page, and its speed isn't needed.
        os.environ.setdefault("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
        self._events = events
        self._windows: list[GtkWindow] = []
        glib, self._gtk = gi_library("GLib", "2.0"), gi_library("Gtk", "3.0")
        glib.set_prgname(APP)
        glib.set_application_name(_NAME)
        self._gtk.Window.set_default_icon_from_file(str(app_icon()))
        self.is_dark = prefers_dark()
        settings = self._gtk.Settings.get_default()
        if self.is_dark and settings is not None:
            # WebKit derives the page's prefers-color-scheme from this.
            settings.set_property("gtk-application-prefer-dark-theme", True)  # noqa: FBT003 - gi's own
        self._context = _web_context(storage)
        self._context.connect("download-started", self._download)
        self._network_allowed: bool | None = None
        self._allow_network(allowed=True)

    def run(self, started: Callable[[], None]) -> None:
        """Run the main loop on the main thread."""
        threading.Thread(target=started, name="intaglio-windows", daemon=True).start()
        self._gtk.main()

    def stop(self) -> None:
        """End the main loop."""
        _on_main(self._gtk.main_quit)

    def create(self) -> NativeWindow:
        """Create a hidden window."""

        def create() -> GtkWindow:
            window = GtkWindow(self._context, BACKGROUND[self.is_dark], self._events, _on_main)
            self._windows = [one for one in self._windows if not one.is_gone]
            self._windows.append(window)
            return window

        return _result_of(create)

    def screens(self) -> Sequence[Rectangle]:
        """Return the screens' usable areas, the pointer's first."""
        return _result_of(_screens)

    def allow_network(self, *, allowed: bool) -> None:
        """Let the pages reach the network, or nothing.

        They stay as they are, with what the user has typed. No proxy sees the daemon's requests.
        """
        _on_main(lambda: self._allow_network(allowed=allowed))

    def _allow_network(self, *, allowed: bool) -> None:
        # WebKit drops what a page is loading whenever this is set, also to what it was.
        if allowed == self._network_allowed:
            return
        self._network_allowed = allowed
        webkit = gi_library("WebKit2", "4.1")
        mode = webkit.NetworkProxyMode
        if allowed:
            self._context.set_network_proxy_settings(mode.NO_PROXY, None)
        else:
            nowhere = webkit.NetworkProxySettings.new(_NOWHERE, None)
            self._context.set_network_proxy_settings(mode.CUSTOM, nowhere)

    def _download(self, _context: Any, download: Any) -> None:  # noqa: ANN401 - gi
        view = download.get_web_view()
        window = next((one for one in self._windows if one.owns(view)), None)
        if window is None:
            download.cancel()
        else:
            download.connect("decide-destination", window.choose_file)


def _web_context(storage: Path) -> Any:  # noqa: ANN401 - gi
    """Create the context of all pages, with what they keep below ``storage``."""
    make_private(storage)
    webkit = gi_library("WebKit2", "4.1")
    manager = webkit.WebsiteDataManager(
        base_data_directory=str(storage),
        base_cache_directory=str(storage / "cache"),
        local_storage_directory=str(storage / "localstorage"),
        indexeddb_directory=str(storage / "indexeddb"),
    )
    context = webkit.WebContext.new_with_website_data_manager(manager)
    context.get_cookie_manager().set_persistent_storage(
        str(storage / "cookies"), webkit.CookiePersistentStorage.TEXT
    )
    return context


def _screens() -> list[Rectangle]:
    display = gi_library("Gdk", "3.0").Display.get_default()
    monitors = [display.get_monitor(number) for number in range(display.get_n_monitors())]
    seat = display.get_default_seat()
    pointer = seat.get_pointer() if seat is not None else None
    if pointer is not None:
        _, x, y = pointer.get_position()
        here = display.get_monitor_at_point(x, y)
        monitors.sort(key=lambda monitor: monitor != here)
    areas = [monitor.get_workarea() for monitor in monitors]
    return [Rectangle(area.x, area.y, area.width, area.height) for area in areas]


def _on_main(work: Callable[[], None]) -> None:
    """Run ``work`` on GTK's thread, soon."""

    def once() -> bool:
        work()
        return False

    gi_library("GLib", "2.0").idle_add(once)


def _result_of(work: Callable[[], _T]) -> _T:
    """Run ``work`` on GTK's thread and return its result; called from another thread."""
    result: Future[_T] = Future()

    def once() -> None:
        try:
            result.set_result(work())
        finally:
            # After an error, which goes to the log, whoever waits gets one too.
            result.cancel()

    _on_main(once)
    return result.result()
