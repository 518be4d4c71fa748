"""The tray's icon and menu on the main thread, redrawn only when their contents change.

`menu` defines the entries; `DesktopApp` carries out what is chosen.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from PIL import Image

from intaglio.base.log import get_logger
from intaglio.desktop.capabilities import has_status_notifier_watcher
from intaglio.desktop.captured.captured_counts import captured_text
from intaglio.desktop.color_scheme import is_panel_dark
from intaglio.desktop.gui_libraries import gi_library, pystray_library
from intaglio.desktop.protocols import DesktopApp
from intaglio.desktop.tray.apple_events import AppleEvents
from intaglio.desktop.tray.icons import Theme, icon_file, theme_of
from intaglio.desktop.tray.indicator import IndicatorCheck
from intaglio.desktop.tray.mac_icon import (
    forward_signals,
    run_on_main_thread,
    use_template_images,
)
from intaglio.desktop.tray.menu import (
    MenuAction,
    MenuEntry,
    MenuItem,
    MenuLine,
    MovePort,
    PauseCapture,
    Quit,
    RestartApp,
    RestartDaemon,
    ResumeCapture,
    Separator,
    Submenu,
    SwitchAutostart,
    menu_of,
)
from intaglio.desktop.tray.theme_watch import poll_theme, watch_gtk_theme
from intaglio.desktop.values import IconState, Notification, Snapshot, UndoSaved

_TITLE_CHARS: Final = 120  # Windows rejects longer ones


@dataclass(frozen=True, slots=True)
class IconContents:
    """Everything that is drawn; equal contents aren't drawn twice."""

    icon: IconState
    title: str
    entries: tuple[MenuEntry, ...]


def contents_of(snapshot: Snapshot) -> IconContents:
    """Return the icon, title and menu for a snapshot."""
    captured = captured_text(snapshot.kept, snapshot.suggested)
    issue = snapshot.issues[0].title.rstrip(".") if snapshot.issues else ""
    parts = (f"Intaglio: {snapshot.line}", issue, captured, snapshot.model_use)
    title = " · ".join(part for part in parts if part)
    return IconContents(snapshot.icon, title[:_TITLE_CHARS], menu_of(snapshot))


class TrayIconView:
    """The tray icon; implements `IconView`. Raises ImportError if no backend supports menus."""

    def __init__(self, app: DesktopApp) -> None:
        self._app = app
        self._pystray = pystray_library()
        if not self._pystray.Icon.HAS_MENU:
            raise ImportError("this tray doesn't support menus")
        self._theme: Theme = theme_of(sys.platform, is_panel_dark)
        self._watched: list[object] = []
        self._view = contents_of(app.snapshot)
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._icon: Any = self._pystray.Icon(
            "intaglio",
            self._load_icon(self._view.icon),
            self._view.title,
            menu=self._pystray.Menu(self._items),
        )

    def run(self) -> None:
        """Show the icon until `stop`; call it on the main thread."""
        if self._stopped.is_set():
            return
        unsubscribe = self._app.subscribe(self._changed)
        try:
            self._prepare_toolkit()
            self._icon.run(self._ready)
        except _toolkit_errors() as error:
            # At the end it withdraws its last notification; the notification service may be gone.
            get_logger("tray").info("the toolkit reported an error at its end", error=str(error))
        finally:
            unsubscribe()

    def stop(self) -> None:
        """Remove the icon and end `run`."""
        if not self._stopped.is_set():
            self._stopped.set()
            self._on_toolkit_thread(self._icon.stop)

    def notify(self, notification: Notification) -> None:
        """Show a notification through the tray: plain text, replacing the previous one."""
        if self._icon.HAS_NOTIFICATION:
            self._icon.notify(notification.text, notification.title)

    def _ready(self, icon: Any) -> None:  # noqa: ANN401 - pystray has no types
        # Called on its own thread once the toolkit runs; stop() may have come before that.
        if self._stopped.is_set():
            icon.stop()
            return
        self._on_toolkit_thread(self._show)

    def _show(self) -> None:
        self._icon.visible = True
        self._draw()

    def _changed(self, _: Snapshot) -> None:
        self._on_toolkit_thread(self._draw)

    def _on_toolkit_thread(self, work: Callable[[], None]) -> None:
        if sys.platform == "darwin":
            run_on_main_thread(work)
        else:
            work()

    def _draw(self) -> None:
        # Two threads call this at the start; both draw the newest snapshot, not their argument.
        with self._lock:
            previous, current = self._view, contents_of(self._app.snapshot)
            self._view = current
            if current.icon != previous.icon:
                self._icon.icon = self._load_icon(current.icon)
            if current.title != previous.title:
                self._icon.title = current.title
            if current.entries != previous.entries:
                self._icon.update_menu()

    def _theme_changed(self) -> None:
        with self._lock:
            theme = theme_of(sys.platform, is_panel_dark)
            if theme != self._theme:
                self._theme = theme
                self._icon.icon = self._load_icon(self._view.icon)

    def _load_icon(self, icon: IconState) -> Image.Image:
        with Image.open(icon_file(icon, self._theme)) as picture:
            return picture.convert("RGBA")

    def _prepare_toolkit(self) -> None:
        if sys.platform == "darwin":
            use_template_images(self._icon)
            forward_signals()
            AppleEvents(self._app.show).listen()
        if sys.platform == "win32":
            arguments = (self._stopped, is_panel_dark, self._theme_changed)
            threading.Thread(target=poll_theme, args=arguments, daemon=True).start()
        if sys.platform in {"win32", "darwin"}:
            return
        self._watched = watch_gtk_theme(self._theme_changed)
        glib = gi_library("GLib", "2.0")
        _restore_sigint(glib)
        make_menu = gi_library("Gtk", "3.0").Menu.new
        IndicatorCheck(self._icon, has_status_notifier_watcher, make_menu).start(glib.timeout_add)

    # --- the menu, from values to pystray -----------------------------------------------------

    def _items(self) -> Iterator[Any]:
        yield from (self._item(entry) for entry in self._view.entries)

    def _item(self, entry: MenuEntry) -> Any:  # noqa: ANN401 - pystray has no types
        make = self._pystray.MenuItem
        match entry:
            case Separator():
                return self._pystray.Menu.SEPARATOR
            case MenuLine(text):
                return make(_label(text), None, enabled=False)
            case Submenu(text, items):
                return make(_label(text), self._pystray.Menu(*map(self._item, items)))
            case MenuItem(text, action, checked, default, enabled):
                check = None if checked is None else _constant(checked)
                callback = _callback(lambda: self._run_action(action))
                return make(_label(text), callback, checked=check, default=default, enabled=enabled)

    def _run_action(self, action: MenuAction) -> None:
        match action:
            case UndoSaved():
                self._app.undo_saved(action)
            case PauseCapture(duration):
                self._app.pause(duration)
            case ResumeCapture():
                self._app.resume()
            case RestartDaemon():
                self._app.restart()
            case RestartApp():
                self._app.restart_app()
            case MovePort():
                self._app.move_port()
            case SwitchAutostart(on):
                self._app.set_autostart(on=on)
            case Quit():
                self._app.quit()
            case show:
                self._app.show(show)


def _restore_sigint(glib: Any) -> None:  # noqa: ANN401 - libraries of gi have no types
    """Restore our Ctrl+C handler, which pystray replaces when it starts."""
    handler = signal.getsignal(signal.SIGINT)

    def restore() -> bool:
        signal.signal(signal.SIGINT, handler)
        return False

    glib.idle_add(restore)


def _toolkit_errors() -> tuple[type[Exception], ...]:
    if sys.platform in {"win32", "darwin"}:
        return ()
    return (gi_library("GLib", "2.0").Error,)


def _label(text: str) -> str:
    """Escape the ampersand, which Windows takes for the mark of an access key."""
    return text.replace("&", "&&") if sys.platform == "win32" else text


def _constant(value: bool) -> Callable[[object], bool]:  # noqa: FBT001 - pystray calls it
    return lambda _: value


def _callback(do: Callable[[], None]) -> Callable[[object, object], None]:
    # pystray checks the number of arguments.
    def callback(_icon: object, _item: object) -> None:
        do()

    return callback
