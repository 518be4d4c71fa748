"""The window's own process: it waits for an address, shows it, obeys the tray, ends when closed."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from html import escape
from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

from intaglio.base.errors import IntaglioError
from intaglio.base.paths import Paths, make_private
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import find_daemon
from intaglio.desktop.gui_libraries import gi_library, webview_library
from intaglio.desktop.single_instance import hand_over
from intaglio.desktop.tray.icons import app_icon, prefers_dark
from intaglio.desktop.values import OpenMemory, OpenPage
from intaglio.desktop.window.commands import CloseWindow, ShowWindow, WindowCommand, read_commands
from intaglio.desktop.window.definitions import FRAMES, WindowDefinition, WindowKind
from intaglio.desktop.window.geometry import (
    Rectangle,
    WindowGeometry,
    fit,
    read_geometry,
    save_geometry,
)
from intaglio.desktop.window.gtk import GtkWindow, prepare

_SHOW_ANYWAY_S: Final = 10.0
_AGAIN_S: Final = 1.0
_LEAVE_S: Final = 3.0
# The dashboard's own ground (ui/src/styles/tokens.css), so that nothing flashes before it is there.
_GROUND: Final = {False: "#f6f4f0", True: "#101012"}
_INK: Final = {False: "#514d46", True: "#b9b9c1"}

_AWAY: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<body style="margin:0;display:grid;place-items:center;height:100vh;background:{ground};color:{ink};
font:15px system-ui,sans-serif;text-align:center"><p role="status">Intaglio's daemon does not
answer.<br>This page comes back by itself when it does.</p></body></html>"""


class WindowProcess:
    """One window and what it is told; `run` keeps the main thread until it is closed."""

    def __init__(self, kind: WindowKind, paths: Paths, orders: Iterator[WindowCommand]) -> None:
        self._frame: WindowDefinition = FRAMES[kind]
        self._paths = paths
        self._orders = orders
        self._file = paths.state / "desk" / f"{kind}.json"
        self._on_gtk = sys.platform not in {"win32", "darwin"}
        self._dark = False
        self._place: WindowGeometry | None = None
        self._page = "/"
        self._shown = threading.Event()
        self._waits = threading.Lock()
        self._native: GtkWindow | None = None
        self._window: Any = None

    def run(self) -> int:
        """Show the first page that is asked for; returns the exit status."""
        url = next(
            (one.url for one in self._orders if isinstance(one, ShowWindow) and one.url), None
        )
        if url is None:
            return 0
        webview = webview_library()
        webview.settings["ALLOW_DOWNLOADS"] = not self._on_gtk
        webview.settings["ALLOW_FILE_URLS"] = False
        if self._on_gtk:
            self._dark = prefers_dark()
            prepare("Intaglio", app_icon(), dark=self._dark)
        self._window = self._make(webview, url)
        storage = self._paths.state / "desk" / "browser"
        make_private(storage)
        webview.start(
            self._began,
            gui="gtk" if self._on_gtk else None,
            private_mode=False,
            storage_path=str(storage),
            icon=str(app_icon()),
        )
        return 0

    def _make(self, webview: Any, url: str) -> Any:  # noqa: ANN401 - of pywebview's own making
        frame = self._frame
        self._place = read_geometry(self._file) if frame.keeps_place else None
        screens = [Rectangle(one.x, one.y, one.width, one.height) for one in webview.screens]
        box = fit(self._place, frame.size, frame.least, screens)
        origin = screens[0] if screens else Rectangle(0, 0, 0, 0)
        self._page = page_of(url)
        window = webview.create_window(
            frame.title,
            url,
            width=box.width,
            height=box.height,
            # pywebview counts from the first screen's corner.
            x=box.x - origin.x,
            y=box.y - origin.y,
            min_size=frame.least,
            hidden=True,
            maximized=self._place is not None and self._place.maximized,
            background_color=_GROUND[self._dark],
            text_select=True,
            zoomable=True,
        )
        window.events.before_show += self._adopt_native
        window.events.loaded += self._come_forward
        window.events.closing += self._keep_place
        self._own = url
        return window

    def _adopt_native(self) -> None:
        if self._on_gtk:
            self._native = GtkWindow(
                self._window.uid, self._own, self._daemon_away, self._open_elsewhere
            )

    def _open_elsewhere(self, url: str) -> None:
        """Show a page in the dashboard's own window, as a small window asks for it."""
        page = page_of(url)
        _, _, memory = page.partition("/memories/")
        what = OpenMemory(unquote(memory)) if memory else OpenPage("memories")
        if self._frame is FRAMES["dashboard"]:
            self._window.load_url(url)
        else:
            threading.Thread(target=hand_over, args=(self._paths, what), daemon=True).start()

    def _began(self) -> None:
        threading.Thread(target=self._obey, daemon=True).start()
        if not self._shown.wait(_SHOW_ANYWAY_S):
            self._come_forward()

    # --- what the tray says ---------------------------------------------------------------------

    def _obey(self) -> None:
        for order in self._orders:
            match order:
                case ShowWindow(url=url):
                    if url is not None:
                        self._load(url)
                    self._come_forward()
                case CloseWindow():
                    break
        # The tray closed the pipe, or died.
        self._window.destroy()
        time.sleep(_LEAVE_S)
        os._exit(0)

    def _load(self, url: str) -> None:
        self._page = page_of(url)
        native = self._native
        if native is not None:
            self._on_main(lambda: native.lead_to(url))
        self._window.load_url(url)

    def _come_forward(self) -> None:
        self._shown.set()
        if self._native is not None:
            self._on_main(self._native.come_forward)
        else:
            self._window.show()
            self._window.restore()

    def _on_main(self, work: Callable[[], None]) -> None:
        def once() -> bool:
            work()
            return False

        gi_library("GLib", "2.0").idle_add(once)

    # --- the daemon is away while the window opens ------------------------------------------------

    def _daemon_away(self) -> None:
        """Say so in place of the page, and load the page once the daemon answers."""
        away = _AWAY.format(
            title=escape(self._frame.title), ground=_GROUND[self._dark], ink=_INK[self._dark]
        )
        self._window.load_html(away)
        threading.Thread(target=self._wait_for_daemon, daemon=True).start()

    def _wait_for_daemon(self) -> None:
        if not self._waits.acquire(blocking=False):
            return
        with_page = f"&next={quote(self._page, safe='')}"
        try:
            while (link := self._new_link()) is None:
                time.sleep(_AGAIN_S)
        finally:
            self._waits.release()
        self._load(link + with_page)

    def _new_link(self) -> str | None:
        try:
            with DaemonClient(find_daemon(self._paths, {})) as client:
                return client.sign_in_link().url
        except IntaglioError:
            return None

    # --- where the window was ---------------------------------------------------------------------

    def _keep_place(self) -> None:
        if not self._frame.keeps_place:
            return
        if self._native is not None:
            box, maximized = Rectangle(*self._native.box()), self._native.is_maximized()
        else:
            window = self._window
            box, maximized = Rectangle(window.x, window.y, window.width, window.height), False
        if maximized and self._place is not None:
            box = self._place.box
        save_geometry(self._file, WindowGeometry(box, maximized))


def page_of(link: str) -> str:
    """Return the dashboard's page that a sign-in link leads to."""
    parts = urlsplit(link)
    if parts.path == "/enter":
        return parse_qs(parts.query).get("next", ["/"])[0]
    return f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"


def run_window(kind: WindowKind, paths: Paths) -> int:
    """Run a window's process, told what to show through the standard input."""
    # Many machines show a blank page with it, and nothing here needs its speed.
    os.environ.setdefault("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
    # Unbuffered: a thread that waits inside a buffer would keep Python from ending.
    with open(0, "rb", buffering=0, closefd=False) as told:
        return WindowProcess(kind, paths, read_commands(told)).run()
