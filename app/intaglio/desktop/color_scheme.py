"""Whether the user prefers dark windows, and whether the panel with the tray is dark."""

import sys
from typing import Final

from intaglio.desktop.gui_libraries import gi_library, mac_library
from intaglio.desktop.registry import RegistryReader, read_registry

_WINDOWS_KEY: Final = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
_PORTAL_TIMEOUT_MS: Final = 500


def is_panel_dark(platform: str = sys.platform, read: RegistryReader = read_registry) -> bool:
    """Return whether the panel is dark; a wrong guess still leaves a visible icon.

    On macOS it doesn't matter: the system itself colours the icon.
    """
    match platform:
        case "win32":
            return read("user", _WINDOWS_KEY, "SystemUsesLightTheme") == 0
        case "darwin":
            return False
        case _:
            return prefers_dark(platform)


def prefers_dark(platform: str = sys.platform, read: RegistryReader = read_registry) -> bool:
    """Return whether the user prefers dark windows."""
    match platform:
        case "win32":
            return read("user", _WINDOWS_KEY, "AppsUseLightTheme") == 0
        case "darwin":
            return _mac_prefers_dark()
        case _:
            return _gtk_prefers_dark() or _portal_prefers_dark()


def _mac_prefers_dark() -> bool:
    try:
        defaults = mac_library("Foundation").NSUserDefaults.standardUserDefaults()
    except ImportError:
        return False
    return bool(defaults.stringForKey_("AppleInterfaceStyle") == "Dark")


def _gtk_prefers_dark() -> bool:
    settings = gi_library("Gtk", "3.0").Settings.get_default()
    if settings is None:
        return False
    name = str(settings.get_property("gtk-theme-name")).lower()
    return bool(settings.get_property("gtk-application-prefer-dark-theme") or name.endswith("dark"))


def _portal_prefers_dark() -> bool:
    gio, glib = gi_library("Gio", "2.0"), gi_library("GLib", "2.0")
    try:
        reply = gio.bus_get_sync(gio.BusType.SESSION, None).call_sync(
            "org.freedesktop.portal.Desktop",
            "/org/freedesktop/portal/desktop",
            "org.freedesktop.portal.Settings",
            "Read",
            glib.Variant("(ss)", ("org.freedesktop.appearance", "color-scheme")),
            None,
            gio.DBusCallFlags.NONE,
            _PORTAL_TIMEOUT_MS,
            None,
        )
    except glib.Error:
        return False
    return bool(reply.unpack()[0] == 1)
