"""Notices when the desktop becomes dark or light, so that the icon stays visible on its panel."""

import contextlib
import threading
from collections.abc import Callable
from typing import Any, Final

from intaglio.desktop.gui_libraries import gi_library

_CHECK_EVERY_S: Final = 5.0
_PORTAL: Final = "org.freedesktop.portal.Desktop"
_SETTINGS: Final = "org.freedesktop.portal.Settings"


def watch_gtk_theme(changed: Callable[[], None]) -> list[object]:
    """Call ``changed`` on the toolkit's thread when GTK's theme or the portal's colours change.

    Returns what has to be kept for as long as that shall happen.
    """

    def on_change(*_: object) -> None:
        changed()

    kept: list[object] = []
    settings = gi_library("Gtk", "3.0").Settings.get_default()
    if settings is not None:
        for name in ("gtk-theme-name", "gtk-application-prefer-dark-theme"):
            settings.connect(f"notify::{name}", on_change)
        kept.append(settings)
    gio, glib = gi_library("Gio", "2.0"), gi_library("GLib", "2.0")
    with contextlib.suppress(glib.Error):
        bus: Any = gio.bus_get_sync(gio.BusType.SESSION, None)
        flags = gio.DBusSignalFlags.NONE
        signal = (_PORTAL, _SETTINGS, "SettingChanged", None, None, flags)
        bus.signal_subscribe(*signal, on_change)
        kept.append(bus)
    return kept


def poll_theme(
    stopped: threading.Event,
    is_dark: Callable[[], bool],
    changed: Callable[[], None],
    every_s: float = _CHECK_EVERY_S,
) -> None:
    """Call ``changed`` when ``is_dark`` says otherwise than before, until ``stopped`` is set."""
    before = is_dark()
    while not stopped.wait(every_s):
        now = is_dark()
        if now != before:
            before = now
            changed()
