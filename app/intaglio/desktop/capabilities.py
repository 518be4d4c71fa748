"""Detects what this desktop supports: screen, GTK libraries, session bus, tray host."""

import os
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from intaglio.base.installation import command
from intaglio.desktop.gui_libraries import (
    find_gi,
    gi_library,
    has_gi_of_another_python,
    library_versions,
    x_library,
)
from intaglio.desktop.webview2 import has_webview2

_TIMEOUT_S: Final = 2.0
_WATCHER_NAME: Final = "org.kde.StatusNotifierWatcher"
_XEMBED_SELECTION: Final = "_NET_SYSTEM_TRAY_S0"

PACKAGES: Final = (
    "sudo apt-get install -y --no-install-recommends python3-gi gir1.2-gtk-3.0 "
    "gir1.2-ayatanaappindicator3-0.1 gir1.2-webkit2-4.1"
)

_PACKAGES_LINE: Final = f"run: {PACKAGES}"
_OTHER_PYTHON: Final = "install Intaglio with the system's Python: add --python /usr/bin/python3."
_WEBVIEW2: Final = "install Microsoft's WebView2 Runtime, and start Intaglio again."

MissingCapability: TypeAlias = Literal["screen", "gi", "indicator", "bus"]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What this desktop supports.

    ``missing`` is the first thing that the tray icon lacks, None if it lacks nothing. Without
    ``window`` the dashboard opens in the browser. ``opens_dashboard`` is false at login, and
    ``remedy`` says how to get what is missing.
    """

    missing: MissingCapability | None
    window: bool
    opens_dashboard: bool = True
    remedy: str = _PACKAGES_LINE

    @property
    def message(self) -> str:
        """One line that says what is missing and what happens instead; empty if nothing is."""
        instead = "the dashboard opens in your browser" if not self.window else ""
        if not self.opens_dashboard and self.missing is not None:
            instead = f"run `{command('tray')}` again to open the dashboard"
        match self.missing:
            case None:
                return "" if self.window else f"No window: {instead}. To get one, {self.remedy}"
            case "screen":
                return "No screen found: running without a tray icon."
            case "gi" | "indicator":
                happens = instead or "the dashboard opens in a window"
                return f"No tray icon: {happens}. To get one, {self.remedy}"
            case "bus":
                return (
                    "No tray icon: this session has no D-Bus session bus; "
                    f"{instead or 'the dashboard opens in a window'}."
                )


def _has_screen(env: Mapping[str, str]) -> bool:
    return bool(env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"))


def bus_sockets(env: Mapping[str, str]) -> list[str]:
    """List the sockets that the session bus may listen on; an abstract one starts with a NUL.

    Without an address in the environment, this is the login session's socket if it exists.
    """
    configured = env.get("DBUS_SESSION_BUS_ADDRESS", "")
    if not configured:
        usual = Path(env.get("XDG_RUNTIME_DIR") or "/nowhere") / "bus"
        return [str(usual)] if usual.exists() else []
    found: list[str] = []
    for address in configured.split(";"):
        transport, _, fields = address.partition(":")
        parts = dict(part.split("=", 1) for part in fields.split(",") if "=" in part)
        if transport == "unix" and "path" in parts:
            found.append(parts["path"])
        elif transport == "unix" and "abstract" in parts:
            found.append(f"\0{parts['abstract']}")
    return found


def _accepts_connections(name: str) -> bool:
    if sys.platform == "win32":
        return False  # no Unix sockets, no session bus
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_TIMEOUT_S)
        try:
            probe.connect(name)
        except OSError:
            return False
        return True


def bus_is_reachable(env: Mapping[str, str]) -> bool:
    """Return whether the session bus accepts connections; else the libraries would hang."""
    return any(_accepts_connections(name) for name in bus_sockets(env))


def _has_library(name: str, version: str) -> bool:
    try:
        gi_library(name, version)
    except (ImportError, ValueError, AttributeError):
        return False
    return True


def _linux_capabilities(env: Mapping[str, str]) -> Capabilities:
    if not _has_screen(env):
        return Capabilities("screen", window=False)
    found = find_gi()
    if not found or not _has_library("Gtk", "3.0"):
        is_other = not found and has_gi_of_another_python()
        remedy = _OTHER_PYTHON if is_other else _PACKAGES_LINE
        return Capabilities("gi", window=False, remedy=remedy)
    if gi_library("Gdk", "3.0").Display.get_default() is None:
        # The environment names a display, but its server is gone or refuses us.
        return Capabilities("screen", window=False)
    window = "4.1" in library_versions("WebKit2")
    if "0.1" not in library_versions("AyatanaAppIndicator3"):
        return Capabilities("indicator", window)
    if not bus_is_reachable(env):
        return Capabilities("bus", window)
    return Capabilities(None, window)


def detect_capabilities(
    env: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    *,
    opens_dashboard: bool = True,
    webview2: Callable[[], bool] = has_webview2,
) -> Capabilities:
    """Detect what this desktop supports; takes a few hundredths of a second on Linux.

    ``opens_dashboard`` is false at login.
    """
    match platform:
        case "win32":
            found = Capabilities(None, window=webview2(), remedy=_WEBVIEW2)
        case "darwin":
            found = Capabilities(None, window=True)
        case _:
            found = _linux_capabilities(env)
    return replace(found, opens_dashboard=opens_dashboard)


def has_tray_host() -> bool:
    """Return whether a panel shows tray icons now; one may start after the login.

    Call it only if `detect_capabilities` found nothing missing.
    """
    if sys.platform in {"win32", "darwin"}:
        return True
    return has_status_notifier_watcher() or _has_xembed_tray()


def has_status_notifier_watcher() -> bool:
    """Return whether a panel shows icons that register by D-Bus; only on Linux."""
    gio, glib = gi_library("Gio", "2.0"), gi_library("GLib", "2.0")
    try:
        bus = gio.bus_get_sync(gio.BusType.SESSION, None)
        reply = bus.call_sync(
            "org.freedesktop.DBus",
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus",
            "NameHasOwner",
            glib.Variant("(s)", (_WATCHER_NAME,)),
            None,
            gio.DBusCallFlags.NONE,
            int(_TIMEOUT_S * 1000),
            None,
        )
    except glib.Error:
        return False
    return bool(reply.unpack()[0])


def _has_xembed_tray() -> bool:
    try:
        x = x_library()
    except ImportError:
        return False
    try:
        screen = x.display.Display()
        try:
            owner = screen.get_selection_owner(screen.intern_atom(_XEMBED_SELECTION))
        finally:
            screen.close()
    except (x.error.DisplayError, x.error.ConnectionClosedError, OSError):
        return False
    return bool(owner != x.X.NONE)
