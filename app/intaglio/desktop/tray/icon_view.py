"""The tray's icon and menu on the main thread, drawn anew only when what they say changed.

What the menu says stands in `menu.py`; what is done on a click, with the desk.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from PIL import Image

from intaglio.base.log import get_logger
from intaglio.desktop.gui_libraries import gi_library, pystray_library
from intaglio.desktop.protocols import DesktopApp
from intaglio.desktop.tray.icons import Theme, dark_panel, icon_file, theme_of
from intaglio.desktop.tray.menu import (
    MenuAction,
    MenuEntry,
    MenuItem,
    MenuLine,
    MovePort,
    PauseCapture,
    Quit,
    RestartDaemon,
    ResumeCapture,
    Separator,
    Submenu,
    SwitchAutostart,
    menu_of,
)
from intaglio.desktop.values import IconState, Notification, Snapshot

_TITLE_CHARS: Final = 120  # Windows refuses a longer one


@dataclass(frozen=True, slots=True)
class IconContents:
    """All that is drawn; equal views are not drawn twice."""

    look: IconState
    title: str
    entries: tuple[MenuEntry, ...]


def contents_of(snapshot: Snapshot) -> IconContents:
    """Draw a snapshot up as icon, title and menu."""
    title = f"Intaglio: {snapshot.line}"[:_TITLE_CHARS]
    return IconContents(snapshot.icon, title, menu_of(snapshot))


class TrayIconView:
    """The icon in the tray; a `Face`. Raises ImportError where there is no backend with a menu."""

    def __init__(self, app: DesktopApp) -> None:
        self._desk = app
        self._pystray = pystray_library()
        if not self._pystray.Icon.HAS_MENU:
            raise ImportError("the only tray here shows no menu")
        self._theme: Theme = theme_of(sys.platform, dark_panel)
        self._view = contents_of(app.snapshot)
        self._lock = threading.Lock()
        self._left = threading.Event()
        self._icon: Any = self._pystray.Icon(
            "intaglio",
            self._picture(self._view.look),
            self._view.title,
            menu=self._pystray.Menu(self._items),
        )

    def run(self) -> None:
        """Show the icon until `leave`; on the main thread."""
        if self._left.is_set():
            return
        unsubscribe = self._desk.subscribe(self._changed)
        try:
            self._keep_signals()
            self._icon.run(self._ready)
        except _toolkit_errors() as error:
            # It takes its last notification back at the end, and nobody may be there to hear it.
            get_logger("tray").info("the toolkit ended with a complaint", error=str(error))
        finally:
            unsubscribe()

    def leave(self) -> None:
        """Take the icon away and end `run`."""
        if not self._left.is_set():
            self._left.set()
            self._icon.stop()

    def notify(self, notification: Notification) -> None:
        """Show a note the plain way: text alone, and each takes the place of the one before."""
        if self._icon.HAS_NOTIFICATION:
            self._icon.notify(notification.text, notification.title)

    def _ready(self, icon: Any) -> None:  # noqa: ANN401 - pystray has no types
        # Called on a thread of its own once the toolkit runs; leave() may have come before that.
        if self._left.is_set():
            icon.stop()
            return
        icon.visible = True
        self._changed(self._desk.snapshot)

    def _changed(self, _: Snapshot) -> None:
        # At the start from two threads: the second draws the newest, not what it was told.
        with self._lock:
            before, fresh = self._view, contents_of(self._desk.snapshot)
            self._view = fresh
            if fresh.look != before.look:
                self._icon.icon = self._picture(fresh.look)
            if fresh.title != before.title:
                self._icon.title = fresh.title
            if fresh.entries != before.entries:
                self._icon.update_menu()

    def _picture(self, icon: IconState) -> Image.Image:
        with Image.open(icon_file(icon, self._theme)) as picture:
            return picture.convert("RGBA")

    def _keep_signals(self) -> None:
        """Give Ctrl+C back what the desk wants of it: pystray takes it when it starts."""
        if sys.platform in {"win32", "darwin"}:
            return
        wanted = signal.getsignal(signal.SIGINT)

        def give_back() -> bool:
            signal.signal(signal.SIGINT, wanted)
            return False

        gi_library("GLib", "2.0").idle_add(give_back)

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
                ticked = None if checked is None else _always(checked)
                chosen = _chosen(lambda: self._do(action))
                return make(_label(text), chosen, checked=ticked, default=default, enabled=enabled)

    def _do(self, action: MenuAction) -> None:
        match action:
            case PauseCapture(how_long):
                self._desk.pause(how_long)
            case ResumeCapture():
                self._desk.resume()
            case RestartDaemon():
                self._desk.restart()
            case MovePort():
                self._desk.move_port()
            case SwitchAutostart(on):
                self._desk.set_autostart(on=on)
            case Quit():
                self._desk.quit()
            case show:
                self._desk.show(show)


def _toolkit_errors() -> tuple[type[Exception], ...]:
    if sys.platform in {"win32", "darwin"}:
        return ()
    return (gi_library("GLib", "2.0").Error,)


def _label(text: str) -> str:
    """Keep a letter of a memory from being taken for a key of the menu."""
    return text.replace("&", "&&") if sys.platform == "win32" else text


def _always(value: bool) -> Callable[[object], bool]:  # noqa: FBT001 - pystray calls it
    return lambda _: value


def _chosen(do: Callable[[], None]) -> Callable[[object, object], None]:
    # pystray counts the arguments of what it calls.
    def chosen(_icon: object, _item: object) -> None:
        do()

    return chosen
