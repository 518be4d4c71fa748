"""Completes pywebview's GTK window: links, downloads, focus, dark theme, no script bridge."""

import importlib
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from intaglio.desktop.gui_libraries import gi_library

APP: Final = "intaglio"
_BRIDGE: Final = "jsBridge"
# A proxy that isn't there: only root may listen on this port.
_NOWHERE: Final = "http://127.0.0.1:1"


def prepare(title: str, icon: Path, *, dark: bool) -> None:
    """Set the application's name, icon and theme before the first window is created."""
    glib, gtk = gi_library("GLib", "2.0"), gi_library("Gtk", "3.0")
    glib.set_prgname(APP)
    glib.set_application_name(title)
    gtk.Window.set_default_icon_from_file(str(icon))
    settings = gtk.Settings.get_default()
    if dark and settings is not None:
        # WebKit derives the page's prefers-color-scheme from this.
        settings.set_property("gtk-application-prefer-dark-theme", True)  # noqa: FBT003 - gi's own


class GtkWindow:
    """The native part of a pywebview window; everything here runs on GTK's thread.

    Before each load of a page from our own address, reloads included, ``is_trusted`` says on a
    thread of its own whether the daemon is there.
    """

    def __init__(
        self,
        uid: str,
        own_address: str,
        *,
        is_trusted: Callable[[str], bool],
        on_load_failed: Callable[[], None],
        open_in_dashboard: Callable[[str], None],
    ) -> None:
        platform: Any = importlib.import_module("webview.platforms.gtk")
        browser = platform.BrowserView.instances[uid]
        self._own_address = urlsplit(own_address).netloc
        self._is_trusted = is_trusted
        self._on_load_failed = on_load_failed
        self._open_in_dashboard = open_in_dashboard
        self._window = browser.window
        self._view = browser.webview
        # The dashboard needs nothing from Python, so its page gets no access to it.
        browser.manager.unregister_script_message_handler(_BRIDGE)
        self._view.disconnect_by_func(browser.on_navigation)
        self._view.connect("decide-policy", self._decide_policy)
        self._view.connect("create", self._deny_window)
        self._view.connect("load-failed", self._load_failed)
        self._view.connect("close", self._close_window)
        self._view.get_context().connect("download-started", self._download)
        self._network_allowed: bool | None = None
        self.allow_network(allowed=True)

    def set_own_address(self, own_address: str) -> None:
        """Change the dashboard's address: the daemon may be back on another port."""
        self._own_address = urlsplit(own_address).netloc

    def allow_network(self, *, allowed: bool) -> None:
        """Let the page reach the network, or nothing: also not a program that took our port.

        The page stays as it is, with what the user has typed. No proxy sees the daemon's requests.
        """
        # WebKit drops what a page is loading whenever this is set, also to what it was.
        if allowed == self._network_allowed:
            return
        self._network_allowed = allowed
        webkit = gi_library("WebKit2", "4.1")
        mode = webkit.NetworkProxyMode
        if allowed:
            self._view.get_context().set_network_proxy_settings(mode.NO_PROXY, None)
        else:
            nowhere = webkit.NetworkProxySettings.new(_NOWHERE, None)
            self._view.get_context().set_network_proxy_settings(mode.CUSTOM, nowhere)

    def bring_to_front(self) -> None:
        """Raise the window and give it the keyboard focus."""
        self._window.show()
        self._window.deiconify()
        self._window.present_with_time(self._now())

    def _now(self) -> int:
        """Return the X server's time, without which window managers deny the focus."""
        surface = self._window.get_window()
        try:
            return int(gi_library("GdkX11", "3.0").x11_get_server_time(surface))
        except (ImportError, ValueError, TypeError, AttributeError):
            return int(gi_library("Gtk", "3.0").get_current_event_time())

    def box(self) -> tuple[int, int, int, int]:
        """Return x, y, width and height."""
        x, y = self._window.get_position()
        width, height = self._window.get_size()
        return x, y, width, height

    def is_maximized(self) -> bool:
        """Return whether the window is maximized."""
        return bool(self._window.is_maximized())

    def _decide_policy(self, _view: Any, decision: Any, kind: Any) -> bool:  # noqa: ANN401 - gi
        """Open other sites in the user's browser, and our own new windows in the dashboard."""
        kinds = gi_library("WebKit2", "4.1").PolicyDecisionType
        if kind == kinds.RESPONSE:
            return self._decide_response(decision)
        url = str(decision.get_navigation_action().get_request().get_uri())
        if kind == kinds.NAVIGATION_ACTION and self._is_ours(url):
            if urlsplit(url).netloc != self._own_address:
                return False
            threading.Thread(target=self._verify, args=(url, decision), daemon=True).start()
            return True
        decision.ignore()
        self._open_outside(url)
        return True

    def _verify(self, url: str, decision: Any) -> None:  # noqa: ANN401 - gi
        trusted = self._is_trusted(url)

        def decide() -> bool:
            if trusted:
                decision.use()
            else:
                decision.ignore()
                self._on_load_failed()
            return False

        gi_library("GLib", "2.0").idle_add(decide)

    def _deny_window(self, _view: Any, action: Any) -> None:  # noqa: ANN401 - gi
        """Deny a second window that a script requests, and open its page elsewhere."""
        self._open_outside(str(action.get_request().get_uri()))

    def _is_ours(self, url: str) -> bool:
        parts = urlsplit(url)
        return parts.netloc == self._own_address or parts.scheme in {"about", "blob", "data"}

    def _open_outside(self, url: str) -> None:
        if self._is_ours(url):
            self._open_in_dashboard(url)
        elif urlsplit(url).scheme in {"http", "https", "mailto"}:
            webbrowser.open(url)

    def _decide_response(self, decision: Any) -> bool:  # noqa: ANN401 - gi
        """Download what can't be displayed."""
        if decision.is_mime_type_supported():
            return False
        decision.download()
        return True

    def _load_failed(self, _view: Any, _event: Any, url: str, error: Any) -> bool:  # noqa: ANN401 - gi
        webkit = gi_library("WebKit2", "4.1")
        network, policy = webkit.NetworkError, webkit.PolicyError
        cancelled = error.matches(network.quark(), network.CANCELLED) or error.matches(
            policy.quark(), policy.FRAME_LOAD_INTERRUPTED_BY_POLICY_CHANGE
        )
        if cancelled or urlsplit(url).netloc != self._own_address:
            return False
        self._on_load_failed()
        return True

    def _close_window(self, _view: Any) -> None:  # noqa: ANN401 - gi
        self._window.close()

    # --- downloads --------------------------------------------------------------------------------

    def _download(self, _context: Any, download: Any) -> None:  # noqa: ANN401 - gi
        download.connect("decide-destination", self._choose_file)

    def _choose_file(self, download: Any, name: str) -> bool:  # noqa: ANN401 - gi
        """Let the user choose where to save a file; overwriting needs a confirmation."""
        gtk, glib = gi_library("Gtk", "3.0"), gi_library("GLib", "2.0")
        dialog = gtk.FileChooserNative.new(
            "Save as", self._window, gtk.FileChooserAction.SAVE, "Save", "Cancel"
        )
        downloads = glib.get_user_special_dir(glib.UserDirectory.DIRECTORY_DOWNLOAD)
        dialog.set_current_folder(downloads or glib.get_home_dir())
        dialog.set_current_name(Path(name).name or "intaglio-export")
        dialog.set_do_overwrite_confirmation(True)
        answer = dialog.run()
        chosen = dialog.get_filename() if answer == gtk.ResponseType.ACCEPT else None
        dialog.destroy()
        if chosen is None:
            download.cancel()
        else:
            download.set_allow_overwrite(True)
            download.set_destination(glib.filename_to_uri(chosen, None))
        return True
