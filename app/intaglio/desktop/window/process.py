"""The window process: the open windows, and a hidden one that is ready for the next.

One thread decides everything; what the windows and the tray app report reaches it by a queue. The
ready window has loaded the quick page for remembering, signed in, so its process is warm: any other
page then takes a tenth of a second.
"""

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from intaglio.base.paths import Paths
from intaglio.desktop.color_scheme import prefers_dark
from intaglio.desktop.gui_libraries import webview_library
from intaglio.desktop.single_instance import hand_over
from intaglio.desktop.values import Destination
from intaglio.desktop.window.commands import (
    CloseWindows,
    KeepReady,
    ShowWindow,
    WindowCommand,
    read_commands,
)
from intaglio.desktop.window.definitions import DEFINITIONS, WindowKind
from intaglio.desktop.window.geometry import (
    Rectangle,
    WindowGeometry,
    fit,
    read_geometry,
    save_geometry,
)
from intaglio.desktop.window.pages import (
    DaemonPages,
    PageSource,
    destination_of,
    page_path,
    unreachable_page,
)
from intaglio.desktop.window.toolkit import NativeWindow, Toolkit, WindowEvents

_SHOW_TIMEOUT_S: Final = 10.0
_RETRY_S: Final = 0.5
# A window that has just been shown is still painting; the next one gets ready after that.
_READY_DELAY_S: Final = 1.5
# A page whose process ends again and again stays as it is.
_MAX_RELOADS: Final = 3
_EXIT_DELAY_S: Final = 3.0
READY_PAGE: Final = "/quick-remember"
_EMPTY_PAGE: Final = "<!doctype html><title>Intaglio</title>"


@dataclass(slots=True)
class _OpenWindow:
    """A window that the user has, or will have once its page is loaded."""

    kind: WindowKind
    native: NativeWindow
    url: str
    opened_at: float
    is_shown: bool = False
    geometry: WindowGeometry | None = None
    is_waiting: bool = False
    """Whether its page is to be loaded once the daemon responds."""
    crashes: int = 0


@dataclass(slots=True)
class _ReadyWindow:
    """The hidden window; it can show its page at once when that is loaded."""

    native: NativeWindow
    url: str = ""
    is_loaded: bool = False


class WindowProcess:
    """The windows and their commands; `run` occupies the main thread until nothing is left."""

    def __init__(
        self,
        folder: Path,
        commands: Iterator[WindowCommand],
        pages: PageSource,
        make_toolkit: Callable[[WindowEvents], Toolkit],
        open_in_dashboard: Callable[[Destination], object],
        exit_process: Callable[[], None],
    ) -> None:
        self._folder = folder
        self._commands = commands
        self._pages = pages
        self._hand_over = open_in_dashboard
        self._exit_process = exit_process
        self._queue: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._open: dict[WindowKind, _OpenWindow] = {}
        self._ready: _ReadyWindow | None = None
        self._keeps_ready = False
        self._ready_at = 0.0
        self._is_over = False
        self._toolkit = make_toolkit(
            WindowEvents(
                is_trusted=pages.is_at,
                loaded=lambda native: self._queue.put(partial(self._loaded, native)),
                failed=lambda native: self._queue.put(partial(self._failed, native)),
                crashed=lambda native: self._queue.put(partial(self._crashed, native)),
                closing=lambda native, where: self._queue.put(partial(self._closed, native, where)),
                opened=self._open_in_dashboard,
            )
        )

    def run(self) -> None:
        """Run until the tray app is gone, or no window is left and none is to be kept ready."""
        self._toolkit.run(self._started)

    def _started(self) -> None:
        threading.Thread(target=self._read_commands, daemon=True).start()
        threading.Thread(target=self._watch_daemon, daemon=True).start()
        while not self._is_over:
            try:
                work = self._queue.get(timeout=self._next_check())
            except queue.Empty:
                work = self._check
            work()
        self._toolkit.stop()

    # --- commands of the tray app ---------------------------------------------------------------

    def _read_commands(self) -> None:
        for command in self._commands:
            self._queue.put(partial(self._obey, command))
            if isinstance(command, CloseWindows):
                break
        # The tray app closed the pipe, or died.
        self._queue.put(self._end)
        # It ends even if a library hangs.
        time.sleep(_EXIT_DELAY_S)
        self._exit_process()

    def _obey(self, command: WindowCommand) -> None:
        match command:
            case ShowWindow(kind=kind, url=url, keeps_page=keeps_page):
                self._show(kind, url, keeps_page=keeps_page)
            case KeepReady(ready=ready):
                self._keep_ready(ready=ready)
            case CloseWindows():
                pass

    def _show(self, kind: WindowKind, url: str, *, keeps_page: bool) -> None:
        window = self._open.get(kind)
        if window is not None:
            if not keeps_page:
                self._load(window, url)
            if window.is_shown:
                window.native.bring_to_front()
            return
        ready, self._ready = self._ready, None
        self._ready_at = time.monotonic() + _SHOW_TIMEOUT_S
        native = ready.native if ready is not None else self._toolkit.create()
        window = _OpenWindow(kind, native, url, time.monotonic())
        self._open[kind] = window
        window.geometry = self._place(kind, native)
        if ready is not None and ready.is_loaded and page_path(url) == READY_PAGE:
            window.url = ready.url
            self._bring_to_front(window)
        else:
            self._load(window, url)

    def _keep_ready(self, *, ready: bool) -> None:
        self._keeps_ready = ready
        if not ready and self._ready is not None:
            self._ready.native.destroy()
            self._ready = None
        self._end_if_unused()

    # --- what is due ------------------------------------------------------------------------------

    def _next_check(self) -> float | None:
        """Return the seconds until something is due; None if nothing is."""
        due = [one.opened_at + _SHOW_TIMEOUT_S for one in self._open.values() if not one.is_shown]
        due += [time.monotonic() + _RETRY_S for one in self._open.values() if one.is_waiting]
        due += [self._ready_at] if self._wants_ready() else []
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _check(self) -> None:
        now = time.monotonic()
        for window in list(self._open.values()):
            if not window.is_shown and now >= window.opened_at + _SHOW_TIMEOUT_S:
                self._bring_to_front(window)
            if window.is_waiting and (link := self._pages.link(page_path(window.url))) is not None:
                self._load(window, link)
        if self._wants_ready() and now >= self._ready_at:
            self._get_ready()

    def _wants_ready(self) -> bool:
        return self._keeps_ready and (self._ready is None or not self._ready.url)

    def _get_ready(self) -> None:
        """Create the hidden window, and load its page once the daemon responds."""
        if self._ready is None:
            self._ready = _ReadyWindow(self._toolkit.create())
            # The process of its page starts meanwhile.
            self._ready.native.load_message(_EMPTY_PAGE)
        link = self._pages.link(READY_PAGE)
        if link is None:
            self._ready_at = time.monotonic() + _RETRY_S
            return
        self._ready.url = link
        self._toolkit.allow_network(allowed=True)
        self._ready.native.load(link)

    # --- reports of the windows -------------------------------------------------------------------

    def _window_of(self, native: NativeWindow) -> _OpenWindow | None:
        return next((one for one in self._open.values() if one.native is native), None)

    def _loaded(self, native: NativeWindow) -> None:
        if self._ready is not None and self._ready.native is native:
            self._ready.is_loaded = bool(native.address)
        window = self._window_of(native)
        # The window may still have loaded what it had before, or nothing.
        has_page = window is not None and (window.is_waiting or bool(native.address))
        # A page that is loaded again must not take the focus from another window.
        if window is not None and has_page and not window.is_shown:
            self._bring_to_front(window)

    def _failed(self, native: NativeWindow) -> None:
        self._drop_ready(native)
        window = self._window_of(native)
        if window is not None:
            window.is_waiting = True
            title = DEFINITIONS[window.kind].title
            native.load_message(unreachable_page(title, dark=self._toolkit.is_dark))

    def _crashed(self, native: NativeWindow) -> None:
        """Load a page again whose process has ended, perhaps for want of memory."""
        self._drop_ready(native)
        window = self._window_of(native)
        if window is not None:
            window.url = native.address or window.url
            window.crashes += 1
            window.is_waiting = window.crashes <= _MAX_RELOADS

    def _drop_ready(self, native: NativeWindow) -> None:
        if self._ready is not None and self._ready.native is native:
            native.destroy()
            self._ready = None
            self._ready_at = time.monotonic() + _READY_DELAY_S

    def _closed(self, native: NativeWindow, geometry: WindowGeometry) -> None:
        window = self._window_of(native)
        if window is None:
            return
        del self._open[window.kind]
        self._save_geometry(window, geometry)
        self._end_if_unused()

    def _end_if_unused(self) -> None:
        if not self._keeps_ready and not self._open:
            self._is_over = True

    def _end(self) -> None:
        for window in list(self._open.values()):
            if window.is_shown:
                window.native.close()
            else:
                window.native.destroy()
                del self._open[window.kind]
        self._keep_ready(ready=False)

    def _open_in_dashboard(self, native: NativeWindow, url: str) -> None:
        """Show a page in the dashboard's window, on request of a page."""
        window = self._window_of(native)
        if window is not None and window.kind == "dashboard":
            native.load(url)
        else:
            threading.Thread(
                target=self._hand_over, args=(destination_of(url),), daemon=True
            ).start()

    # --- pages ------------------------------------------------------------------------------------

    def _load(self, window: _OpenWindow, url: str) -> None:
        window.url = url
        window.is_waiting = False
        self._toolkit.allow_network(allowed=True)
        window.native.load(url)

    def _bring_to_front(self, window: _OpenWindow) -> None:
        window.is_shown = True
        window.native.bring_to_front()
        self._ready_at = time.monotonic() + _READY_DELAY_S

    def _watch_daemon(self) -> None:
        self._pages.watch(
            is_there=self._is_daemon_there,
            on_gone=lambda: self._toolkit.allow_network(allowed=False),
            on_back=lambda: self._queue.put(self._daemon_is_back),
        )

    def _is_daemon_there(self) -> bool:
        """Whether the daemon listens at the addresses of all pages."""
        urls = [one.url for one in list(self._open.values())]
        urls += [self._ready.url] if self._ready is not None and self._ready.url else []
        origins = {urlsplit(url).netloc for url in urls}
        return all(self._pages.is_at(f"http://{origin}") for origin in origins)

    def _daemon_is_back(self) -> None:
        """Go on with the pages; those of another port, and the hidden one, are loaded again."""
        link = self._pages.link("/")
        origin = "" if link is None else urlsplit(link).netloc
        for window in self._open.values():
            if urlsplit(window.url).netloc != origin:
                window.url = window.native.address or window.url
                self._failed(window.native)
        if self._ready is not None:
            # Its session may have ended, and its page may be of the version before.
            self._drop_ready(self._ready.native)
        self._toolkit.allow_network(allowed=True)

    # --- geometry ---------------------------------------------------------------------------------

    def _place(self, kind: WindowKind, native: NativeWindow) -> WindowGeometry | None:
        """Give a window its title, size and position; returns the saved geometry."""
        definition = DEFINITIONS[kind]
        saved = read_geometry(self._file(kind)) if definition.remembers_geometry else None
        box = fit(saved, definition.size, definition.min_size, self._toolkit.screens())
        native.become(definition, box, maximized=saved is not None and saved.maximized)
        return saved

    def _save_geometry(self, window: _OpenWindow, geometry: WindowGeometry) -> None:
        if not DEFINITIONS[window.kind].remembers_geometry:
            return
        box: Rectangle = geometry.box
        if geometry.maximized and window.geometry is not None:
            box = window.geometry.box
        save_geometry(self._file(window.kind), WindowGeometry(box, geometry.maximized))

    def _file(self, kind: WindowKind) -> Path:
        return self._folder / f"{kind}.json"


def run_windows(paths: Paths) -> int:
    """Run the window process, with its commands on the standard input."""
    folder = paths.state / "windows"
    storage = folder / "browser"

    def make_toolkit(events: WindowEvents) -> Toolkit:
        if sys.platform in {"win32", "darwin"}:
            from intaglio.desktop.window.webview_toolkit import WebviewToolkit  # noqa: PLC0415 - needed there alone

            return WebviewToolkit(storage, events, webview_library(), dark=prefers_dark())
        from intaglio.desktop.window.gtk import GtkToolkit  # noqa: PLC0415 - needed there alone

        return GtkToolkit(storage, events)

    # Unbuffered: a thread that waits inside a buffer would keep Python from ending.
    with open(0, "rb", buffering=0, closefd=False) as stream:
        WindowProcess(
            folder,
            read_commands(stream),
            DaemonPages(paths),
            make_toolkit,
            open_in_dashboard=partial(hand_over, paths),
            exit_process=partial(os._exit, 0),
        ).run()
    return 0
