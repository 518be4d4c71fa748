"""The tray's icon files, by icon state and by the panel's theme."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, TypeAlias

from intaglio.base.paths import built_folder
from intaglio.desktop.gui_libraries import gi_library
from intaglio.desktop.values import IconState

Theme: TypeAlias = Literal["light", "dark", "template"]

_SIZE: Final = 64
_APP_SIZE: Final = 128
_WINDOWS_THEME: Final = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"


def icon_file(icon: IconState, theme: Theme, folder: Path | None = None) -> Path:
    """Return the image file of an icon state; panels scale it down."""
    return (folder or built_folder("icons")) / f"{icon}-{theme}-{_SIZE}.png"


def app_icon(folder: Path | None = None) -> Path:
    """Return the application icon, for windows, notifications and the menu entry."""
    return (folder or built_folder("icons")) / f"intaglio-{_APP_SIZE}.png"


def theme_of(platform: str, is_dark: Callable[[], bool]) -> Theme:
    """Return the theme for a platform; macOS colours a template image itself."""
    if platform == "darwin":
        return "template"
    return "dark" if is_dark() else "light"


def dark_panel() -> bool:
    """Return whether the desktop is dark; a wrong guess still leaves a visible icon."""
    if sys.platform == "win32":
        return _dark_windows()
    return sys.platform != "darwin" and prefers_dark()


def prefers_dark() -> bool:
    """Return whether the user prefers dark windows, from GTK or the desktop portal (Linux)."""
    settings = gi_library("Gtk", "3.0").Settings.get_default()
    if settings is not None:
        name = str(settings.get_property("gtk-theme-name")).lower()
        if settings.get_property("gtk-application-prefer-dark-theme") or name.endswith("dark"):
            return True
    return _portal_prefers_dark()


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
            500,
            None,
        )
    except glib.Error:
        return False
    return bool(reply.unpack()[0] == 1)


if sys.platform == "win32":
    import winreg

    def _dark_windows() -> bool:
        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _WINDOWS_THEME) as key:
                return bool(winreg.QueryValueEx(key, "SystemUsesLightTheme")[0] == 0)
        except OSError:
            return False
