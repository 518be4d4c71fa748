"""A window with a page in WebKitGTK: links, downloads, focus."""

import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from intaglio.desktop.gui_libraries import gi_library
from intaglio.desktop.window.definitions import WindowDefinition
from intaglio.desktop.window.geometry import Rectangle, WindowGeometry
from intaglio.desktop.window.toolkit import WindowEvents

_SIGN_IN: Final = "/enter"
# What `closeWindow` of the quick windows posts to.
_CLOSE: Final = "closeWindow"


class GtkWindow:
    """A window and its view; implements `NativeWindow`. Its private methods run on GTK's thread.

    Its page can ask for nothing but to be closed: WebKit refuses `window.close()` once a view has
    loaded a second page. The last references to what is GTK's are given up on its thread: WebKit
    aborts if another one frees them.
    """

    def __init__(
        self,
        context: Any,  # noqa: ANN401 - of WebKit
        background: str,
        events: WindowEvents,
        on_main: Callable[[Callable[[], None]], None],
    ) -> None:
        gtk, gdk, webkit = gi_library("Gtk", "3.0"), gi_library("Gdk", "3.0"), _webkit()
        self.address = ""
        self._events = events
        self._run_on_main = on_main
        self._is_gone = False
        self._own_address = ""
        self._window = gtk.Window()
        self._view = webkit.WebView(web_context=context)
        color = gdk.RGBA()
        color.parse(background)
        self._view.set_background_color(color)
        self._view.get_settings().set_javascript_can_access_clipboard(True)
        self._view.connect("decide-policy", self._decide_policy)
        self._view.connect("create", self._deny_window)
        self._view.connect("context-menu", self._deny_menu)
        self._view.connect("load-changed", self._load_changed)
        self._view.connect("load-failed", self._load_failed)
        self._view.connect("notify::uri", self._note_address)
        self._view.connect("web-process-terminated", self._process_ended)
        content = self._view.get_user_content_manager()
        content.connect(f"script-message-received::{_CLOSE}", self._close_window)
        content.register_script_message_handler(_CLOSE)
        self._window.connect("delete-event", self._close)
        self._window.connect("destroy", self._release)
        self._view.show()
        self._window.add(self._view)

    def owns(self, view: Any) -> bool:  # noqa: ANN401 - gi
        """Whether a view is this window's."""
        return bool(view == self._view)

    @property
    def is_gone(self) -> bool:
        """Whether the window has been destroyed."""
        return self._is_gone

    # --- called from any thread -------------------------------------------------------------------

    def become(
        self, definition: WindowDefinition, box: Rectangle, *, maximized: bool = False
    ) -> None:
        """Take a window's title, size and position."""

        def become() -> None:
            self._window.set_title(definition.title)
            # A screen that is smaller than the smallest size must still show all of the window.
            self._window.set_size_request(
                min(definition.min_size[0], box.width), min(definition.min_size[1], box.height)
            )
            self._window.resize(box.width, box.height)
            self._window.move(box.x, box.y)
            if maximized:
                self._window.maximize()

        self._on_main(become)

    def load(self, url: str) -> None:
        """Load a page of the dashboard, if the daemon is there."""

        def load() -> None:
            # The daemon may be back on another port.
            self._own_address = urlsplit(url).netloc
            self.address = ""
            self._view.load_uri(url)

        self._on_main(load)

    def load_message(self, html: str) -> None:
        """Show a page of our own."""
        self._on_main(lambda: self._view.load_html(html, None))

    def bring_to_front(self) -> None:
        """Show and raise the window, and give it the keyboard focus."""

        def show() -> None:
            self._window.show()
            self._window.deiconify()
            self._window.present_with_time(self._now())
            self._view.grab_focus()

        self._on_main(show)

    def close(self) -> None:
        """Close a window that was shown as its close button does."""
        self._on_main(self._window.close)

    def destroy(self) -> None:
        """Remove the window."""
        self._on_main(self._window.destroy)

    def _on_main(self, work: Callable[[], None]) -> None:
        """Run ``work`` on GTK's thread if the window is still there then."""
        self._run_on_main(lambda: None if self._is_gone else work())

    # --- GTK's thread -----------------------------------------------------------------------------

    def _release(self, *_: Any) -> None:  # noqa: ANN401 - gi
        self._is_gone = True

        def release() -> None:
            self._window = self._view = None

        # The signal's own emission still needs them.
        self._run_on_main(release)

    def _now(self) -> int:
        """Return the X server's time, without which window managers deny the focus."""
        surface = self._window.get_window()
        try:
            return int(gi_library("GdkX11", "3.0").x11_get_server_time(surface))
        except (ImportError, ValueError, TypeError, AttributeError):
            return int(gi_library("Gtk", "3.0").get_current_event_time())

    def _close(self, *_: Any) -> bool:  # noqa: ANN401 - gi
        x, y = self._window.get_position()
        width, height = self._window.get_size()
        geometry = WindowGeometry(Rectangle(x, y, width, height), bool(self._window.is_maximized()))
        self._events.closing(self, geometry)
        return False

    def _close_window(self, *_: Any) -> None:  # noqa: ANN401 - gi
        self._window.close()

    def _deny_menu(self, *_: Any) -> bool:  # noqa: ANN401 - gi
        return True

    def _note_address(self, *_: Any) -> None:  # noqa: ANN401 - gi
        url = str(self._view.get_uri() or "")
        parts = urlsplit(url)
        # A used sign-in link leads nowhere.
        if parts.netloc == self._own_address and parts.path != _SIGN_IN:
            self.address = url

    def _load_changed(self, _view: Any, event: Any) -> None:  # noqa: ANN401 - gi
        if event == _webkit().LoadEvent.FINISHED:
            self._events.loaded(self)

    def _process_ended(self, _view: Any, reason: Any) -> None:  # noqa: ANN401 - gi
        del reason
        self._events.crashed(self)

    def _decide_policy(self, _view: Any, decision: Any, kind: Any) -> bool:  # noqa: ANN401 - gi
        """Open other sites in the user's browser, and our own new windows in the dashboard."""
        kinds = _webkit().PolicyDecisionType
        if kind == kinds.RESPONSE:
            return self._decide_response(decision)
        action = decision.get_navigation_action()
        url = str(action.get_request().get_uri())
        if kind == kinds.NAVIGATION_ACTION and self._is_ours(url):
            # A redirection comes from the daemon that was just asked.
            if urlsplit(url).netloc != self._own_address or action.is_redirect():
                return False
            threading.Thread(target=self._verify, args=(url, [decision]), daemon=True).start()
            return True
        decision.ignore()
        self._open_outside(url)
        return True

    def _verify(self, url: str, decisions: list[Any]) -> None:
        trusted = self._events.is_trusted(url)

        def decide() -> None:
            decision = decisions.pop()
            if trusted:
                decision.use()
            else:
                decision.ignore()
                self._events.failed(self)

        self._run_on_main(decide)

    def _deny_window(self, _view: Any, action: Any) -> None:  # noqa: ANN401 - gi
        """Deny a second window that a script requests, and open its page elsewhere."""
        self._open_outside(str(action.get_request().get_uri()))

    def _is_ours(self, url: str) -> bool:
        parts = urlsplit(url)
        return parts.netloc == self._own_address or parts.scheme in {"about", "blob", "data"}

    def _open_outside(self, url: str) -> None:
        if self._is_ours(url):
            self._events.opened(self, url)
        elif urlsplit(url).scheme in {"http", "https", "mailto"}:
            webbrowser.open(url)

    def _decide_response(self, decision: Any) -> bool:  # noqa: ANN401 - gi
        """Download what can't be displayed."""
        if decision.is_mime_type_supported():
            return False
        decision.download()
        return True

    def _load_failed(self, _view: Any, _event: Any, url: str, error: Any) -> bool:  # noqa: ANN401 - gi
        webkit = _webkit()
        network, policy = webkit.NetworkError, webkit.PolicyError
        cancelled = error.matches(network.quark(), network.CANCELLED) or error.matches(
            policy.quark(), policy.FRAME_LOAD_INTERRUPTED_BY_POLICY_CHANGE
        )
        if cancelled or urlsplit(url).netloc != self._own_address:
            return False
        self._events.failed(self)
        return True

    def choose_file(self, download: Any, name: str) -> bool:  # noqa: ANN401 - gi
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


def _webkit() -> Any:  # noqa: ANN401 - gi
    return gi_library("WebKit2", "4.1")
