"""A window's process: shows the page that the tray app sends and exits when it is closed."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from html import escape
from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

from intaglio.base.errors import IntaglioError
from intaglio.base.paths import Paths, make_private
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import find_daemon
from intaglio.desktop.color_scheme import prefers_dark
from intaglio.desktop.gui_libraries import gi_library, webview_library
from intaglio.desktop.single_instance import hand_over
from intaglio.desktop.tray.icons import app_icon
from intaglio.desktop.values import OpenMemory, OpenPage
from intaglio.desktop.window.commands import CloseWindow, ShowWindow, WindowCommand, read_commands
from intaglio.desktop.window.daemon_watch import watch_daemon
from intaglio.desktop.window.definitions import DEFINITIONS, WindowDefinition, WindowKind
from intaglio.desktop.window.geometry import (
    Rectangle,
    WindowGeometry,
    fit,
    read_geometry,
    save_geometry,
)
from intaglio.desktop.window.gtk import GtkWindow, prepare

_SHOW_TIMEOUT_S: Final = 10.0
_VERIFY_TIMEOUT_S: Final = 3.0
_RETRY_S: Final = 1.0
_EXIT_DELAY_S: Final = 3.0
_HOST: Final = "127.0.0.1"
# The dashboard's colours (ui/src/styles/tokens.css), so that nothing flashes before it has loaded.
_BACKGROUND: Final = {False: "#f6f4f0", True: "#101012"}
_TEXT_COLOR: Final = {False: "#514d46", True: "#b9b9c1"}

_UNREACHABLE_PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8">
<title>{title}</title>
<body style="margin:0;display:grid;place-items:center;height:100vh;
background:{background};color:{color};
font:15px system-ui,sans-serif;text-align:center"><p role="status">Intaglio's daemon isn't
responding.<br>This page reloads as soon as it does.</p></body></html>"""


class WindowProcess:
    """One window and its commands; `run` occupies the main thread until the window is closed."""

    def __init__(self, kind: WindowKind, paths: Paths, commands: Iterator[WindowCommand]) -> None:
        self._definition: WindowDefinition = DEFINITIONS[kind]
        self._paths = paths
        self._commands = commands
        self._file = paths.state / "windows" / f"{kind}.json"
        self._on_gtk = sys.platform not in {"win32", "darwin"}
        self._dark = False
        self._geometry: WindowGeometry | None = None
        self._page = "/"
        self._shown = threading.Event()
        self._waiting = threading.Lock()
        self._native: GtkWindow | None = None
        self._window: Any = None

    def run(self) -> int:
        """Wait for the first page and show it; returns the exit status."""
        url = next(
            (one.url for one in self._commands if isinstance(one, ShowWindow) and one.url), None
        )
        if url is None:
            return 0
        webview = webview_library()
        webview.settings["ALLOW_DOWNLOADS"] = not self._on_gtk
        webview.settings["ALLOW_FILE_URLS"] = False
        self._dark = prefers_dark()
        if self._on_gtk:
            prepare("Intaglio", app_icon(), dark=self._dark)
        self._window = self._make(webview, url)
        self._own = url
        storage = self._paths.state / "windows" / "browser"
        make_private(storage)
        webview.start(
            self._started,
            gui="gtk" if self._on_gtk else None,
            private_mode=False,
            storage_path=str(storage),
            icon=str(app_icon()),
        )
        return 0

    def _make(self, webview: Any, url: str) -> Any:  # noqa: ANN401 - of pywebview's own making
        definition = self._definition
        self._geometry = read_geometry(self._file) if definition.remembers_geometry else None
        screens = [Rectangle(one.x, one.y, one.width, one.height) for one in webview.screens]
        box = fit(self._geometry, definition.size, definition.min_size, screens)
        origin = screens[0] if screens else Rectangle(0, 0, 0, 0)
        self._page = page_path(url)
        window = webview.create_window(
            definition.title,
            # WebKitGTK asks before each load; elsewhere, the page is loaded once the window is.
            url if self._on_gtk else None,
            html=None if self._on_gtk else self._unreachable_page(),
            width=box.width,
            height=box.height,
            # pywebview counts from the first screen's corner.
            x=box.x - origin.x,
            y=box.y - origin.y,
            min_size=definition.min_size,
            hidden=True,
            maximized=self._geometry is not None and self._geometry.maximized,
            background_color=_BACKGROUND[self._dark],
            text_select=True,
            zoomable=True,
        )
        window.events.before_show += self._adopt_native
        window.events.loaded += self._show_once_loaded
        window.events.closing += self._save_geometry
        return window

    def _adopt_native(self) -> None:
        if self._on_gtk:
            self._native = GtkWindow(
                self._window.uid,
                self._own,
                is_trusted=self._is_daemon,
                on_load_failed=self._show_unreachable,
                open_in_dashboard=self._open_in_dashboard,
            )

    def _open_in_dashboard(self, url: str) -> None:
        """Show a page in the dashboard's window, on request of a quick window."""
        page = page_path(url)
        _, _, memory = page.partition("/memories/")
        destination = OpenMemory(unquote(memory)) if memory else OpenPage("memories")
        if self._definition is DEFINITIONS["dashboard"]:
            self._window.load_url(url)
        else:
            threading.Thread(target=hand_over, args=(self._paths, destination), daemon=True).start()

    def _started(self) -> None:
        threading.Thread(target=self._run_commands, daemon=True).start()
        if self._on_gtk:
            threading.Thread(target=self._watch_daemon, daemon=True).start()
        else:
            self._load(self._own)
        if not self._shown.wait(_SHOW_TIMEOUT_S):
            self._bring_to_front()

    # --- commands of the tray app ---------------------------------------------------------------

    def _run_commands(self) -> None:
        for order in self._commands:
            match order:
                case ShowWindow(url=url):
                    if url is not None:
                        self._load(url)
                    self._bring_to_front()
                case CloseWindow():
                    break
        # The tray app closed the pipe, or died.
        self._window.destroy()
        time.sleep(_EXIT_DELAY_S)
        os._exit(0)

    def _load(self, url: str) -> None:
        self._page = page_path(url)
        if not self._is_daemon(url):
            self._show_unreachable()
            return
        native = self._native
        if native is not None:
            self._on_main(lambda: native.set_own_address(url))
            self._allow_network(allowed=True)
        self._own = url
        self._window.load_url(url)

    def _allow_network(self, *, allowed: bool) -> None:
        native = self._native
        if native is not None:
            self._on_main(lambda: native.allow_network(allowed=allowed))

    def _show_once_loaded(self) -> None:
        # A page that is loaded again must not take the focus from another window.
        if not self._shown.is_set():
            self._bring_to_front()

    def _bring_to_front(self) -> None:
        self._shown.set()
        if self._native is not None:
            self._on_main(self._native.bring_to_front)
        else:
            self._window.show()
            self._window.restore()

    def _on_main(self, work: Callable[[], None]) -> None:
        def once() -> bool:
            work()
            return False

        gi_library("GLib", "2.0").idle_add(once)

    # --- the daemon is unreachable ----------------------------------------------------------------

    def _is_daemon(self, url: str) -> bool:
        return is_daemon_at(self._paths, url)

    def _watch_daemon(self) -> None:
        watch_daemon(
            self._paths,
            is_there=lambda: self._is_daemon(self._own),
            on_gone=partial(self._allow_network, allowed=False),
            on_back=partial(self._allow_network, allowed=True),
        )

    def _unreachable_page(self) -> str:
        return _UNREACHABLE_PAGE.format(
            title=escape(self._definition.title),
            background=_BACKGROUND[self._dark],
            color=_TEXT_COLOR[self._dark],
        )

    def _show_unreachable(self) -> None:
        """Show a message instead of the page, and load the page once the daemon responds."""
        self._window.load_html(self._unreachable_page())
        threading.Thread(target=self._wait_for_daemon, daemon=True).start()

    def _wait_for_daemon(self) -> None:
        if not self._waiting.acquire(blocking=False):
            return
        with_page = f"&next={quote(self._page, safe='')}"
        try:
            while (link := self._new_link()) is None:
                time.sleep(_RETRY_S)
        finally:
            self._waiting.release()
        self._load(link + with_page)

    def _new_link(self) -> str | None:
        try:
            with DaemonClient(find_daemon(self._paths, {})) as client:
                return client.sign_in_link().url
        except IntaglioError:
            return None

    # --- geometry ---------------------------------------------------------------------------------

    def _save_geometry(self) -> None:
        if not self._definition.remembers_geometry:
            return
        if self._native is not None:
            box, maximized = Rectangle(*self._native.box()), self._native.is_maximized()
        else:
            window = self._window
            box, maximized = Rectangle(window.x, window.y, window.width, window.height), False
        if maximized and self._geometry is not None:
            box = self._geometry.box
        save_geometry(self._file, WindowGeometry(box, maximized))


def is_daemon_at(paths: Paths, url: str) -> bool:
    """Whether the daemon itself listens at an address, not a program that took its port."""
    try:
        with DaemonClient(find_daemon(paths, {}), _VERIFY_TIMEOUT_S) as client:
            port = client.health().port
    except IntaglioError:
        return False
    return f"{url}/".startswith(f"http://{_HOST}:{port}/")


def page_path(link: str) -> str:
    """Return the dashboard page that a sign-in link leads to."""
    parts = urlsplit(link)
    if parts.path == "/enter":
        return parse_qs(parts.query).get("next", ["/"])[0]
    return f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"


def run_window(kind: WindowKind, paths: Paths) -> int:
    """Run a window's process, with its commands on the standard input."""
    # With this renderer many machines show a blank page, and its speed isn't needed.
    os.environ.setdefault("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
    # Unbuffered: a thread that waits inside a buffer would keep Python from ending.
    with open(0, "rb", buffering=0, closefd=False) as stream:
        return WindowProcess(kind, paths, read_commands(stream)).run()
