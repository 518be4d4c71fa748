"""What pywebview's GTK window leaves to be done: links, downloads, focus, darkness, no bridge."""

import importlib
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from intaglio.desktop.gui_libraries import gi_library

APP: Final = "intaglio"
_BRIDGE: Final = "jsBridge"


def prepare(title: str, icon: Path, *, dark: bool) -> None:
    """Tell GTK who we are, before the first window: panels group windows by that name."""
    glib, gtk = gi_library("GLib", "2.0"), gi_library("Gtk", "3.0")
    glib.set_prgname(APP)
    glib.set_application_name(title)
    gtk.Window.set_default_icon_from_file(str(icon))
    settings = gtk.Settings.get_default()
    if dark and settings is not None:
        # WebKit answers a page that asks for the preferred colours by this.
        settings.set_property("gtk-application-prefer-dark-theme", True)  # noqa: FBT003 - gi's own


class GtkWindow:
    """The native half of a window that pywebview made; everything here runs on GTK's thread."""

    def __init__(
        self, uid: str, own: str, failed: Callable[[], None], elsewhere: Callable[[str], None]
    ) -> None:
        platform: Any = importlib.import_module("webview.platforms.gtk")
        browser = platform.BrowserView.instances[uid]
        self._own = urlsplit(own).netloc
        self._failed = failed
        self._elsewhere = elsewhere
        self._window = browser.window
        self._view = browser.webview
        # The dashboard asks nothing of Python, so its page can reach nothing of it either.
        browser.manager.unregister_script_message_handler(_BRIDGE)
        self._view.disconnect_by_func(browser.on_navigation)
        self._view.connect("decide-policy", self._decide)
        self._view.connect("create", self._create)
        self._view.connect("load-failed", self._load_failed)
        self._view.connect("close", self._page_closes)
        self._view.get_context().connect("download-started", self._download)

    def lead_to(self, own: str) -> None:
        """Take another address for our own: the daemon may have come back on another port."""
        self._own = urlsplit(own).netloc

    def come_forward(self) -> None:
        """Raise the window and give it the keyboard."""
        self._window.show()
        self._window.deiconify()
        self._window.present_with_time(self._now())

    def _now(self) -> int:
        """Tell the time by the X server: window managers hold back who asks with no time."""
        surface = self._window.get_window()
        try:
            return int(gi_library("GdkX11", "3.0").x11_get_server_time(surface))
        except (ImportError, ValueError, TypeError, AttributeError):
            return int(gi_library("Gtk", "3.0").get_current_event_time())

    def box(self) -> tuple[int, int, int, int]:
        """Return place and size."""
        x, y = self._window.get_position()
        width, height = self._window.get_size()
        return x, y, width, height

    def is_maximized(self) -> bool:
        """Tell whether it fills the screen."""
        return bool(self._window.is_maximized())

    def _decide(self, _view: Any, decision: Any, kind: Any) -> bool:  # noqa: ANN401 - gi
        """Send what leads to another site to the user's browser, a new window to whoever asked."""
        kinds = gi_library("WebKit2", "4.1").PolicyDecisionType
        if kind == kinds.RESPONSE:
            return self._decide_response(decision)
        url = str(decision.get_navigation_action().get_request().get_uri())
        if kind == kinds.NAVIGATION_ACTION and self._is_ours(url):
            return False
        decision.ignore()
        self._send_away(url)
        return True

    def _create(self, _view: Any, action: Any) -> None:  # noqa: ANN401 - gi
        """Make no second window when a script asks for one."""
        self._send_away(str(action.get_request().get_uri()))

    def _is_ours(self, url: str) -> bool:
        parts = urlsplit(url)
        return parts.netloc == self._own or parts.scheme in {"about", "blob", "data"}

    def _send_away(self, url: str) -> None:
        if self._is_ours(url):
            self._elsewhere(url)
        elif urlsplit(url).scheme in {"http", "https", "mailto"}:
            webbrowser.open(url)

    def _decide_response(self, decision: Any) -> bool:  # noqa: ANN401 - gi
        """Make a download of what cannot be shown."""
        if decision.is_mime_type_supported():
            return False
        decision.download()
        return True

    def _load_failed(self, _view: Any, _event: Any, url: str, error: Any) -> bool:  # noqa: ANN401 - gi
        network = gi_library("WebKit2", "4.1").NetworkError
        cancelled = error.matches(network.quark(), network.CANCELLED)
        if cancelled or urlsplit(url).netloc != self._own:
            return False
        self._failed()
        return True

    def _page_closes(self, _view: Any) -> None:  # noqa: ANN401 - gi
        self._window.close()

    # --- downloads --------------------------------------------------------------------------------

    def _download(self, _context: Any, download: Any) -> None:  # noqa: ANN401 - gi
        download.connect("decide-destination", self._ask_where)

    def _ask_where(self, download: Any, name: str) -> bool:  # noqa: ANN401 - gi
        """Let the user say where a file goes; one of that name there is asked about."""
        gtk, glib = gi_library("Gtk", "3.0"), gi_library("GLib", "2.0")
        dialog = gtk.FileChooserNative.new(
            "Save as", self._window, gtk.FileChooserAction.SAVE, "Save", "Cancel"
        )
        usual = glib.get_user_special_dir(glib.UserDirectory.DIRECTORY_DOWNLOAD)
        dialog.set_current_folder(usual or glib.get_home_dir())
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
