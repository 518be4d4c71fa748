"""What the desk finds to stand on: a screen, its libraries, a session bus, a tray host."""

import importlib.util
import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from intaglio.base.installation import command
from intaglio.desktop.gui_libraries import gi_library, x_library

_REACH_S: Final = 2.0
_WATCHER: Final = "org.kde.StatusNotifierWatcher"
_XEMBED: Final = "_NET_SYSTEM_TRAY_S0"

PACKAGES: Final = (
    "sudo apt-get install -y --no-install-recommends python3-gi gir1.2-gtk-3.0 "
    "gir1.2-ayatanaappindicator3-0.1 gir1.2-webkit2-4.1"
)

MissingCapability: TypeAlias = Literal["screen", "gi", "indicator", "bus"]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What is there. ``lack`` is the first thing that a tray would need; None when all is there.

    ``window`` tells whether the dashboard can have a window of its own, else it has the browser;
    ``opens``, whether it is opened now, as it is not at login.
    """

    missing: MissingCapability | None
    window: bool
    opens: bool = True

    @property
    def message(self) -> str:
        """Say in one line what is missing and what happens instead; empty for nothing."""
        instead = "the dashboard opens in your browser" if not self.window else ""
        if not self.opens and self.missing is not None:
            instead = f"run `{command('tray')}` again to open the dashboard"
        match self.missing:
            case None:
                return "" if self.window else f"No window: {instead}. Install: {PACKAGES}"
            case "screen":
                return "No screen: Intaglio runs without a tray; the dashboard is at its address."
            case "gi" | "indicator":
                return f"No tray: {instead or 'the window opens by itself'}. Install: {PACKAGES}"
            case "bus":
                return (
                    "No tray: this session has no D-Bus session bus; "
                    f"{instead or 'the window works without it'}."
                )


def _has_screen(env: Mapping[str, str]) -> bool:
    return bool(env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"))


def bus_sockets(env: Mapping[str, str]) -> list[str]:
    """Name the sockets where the session bus may listen; an abstract one begins with a zero byte.

    Without an address in the environment it is the one of the login session, where that is there.
    """
    told = env.get("DBUS_SESSION_BUS_ADDRESS", "")
    if not told:
        usual = Path(env.get("XDG_RUNTIME_DIR") or "/nowhere") / "bus"
        return [str(usual)] if usual.exists() else []
    found: list[str] = []
    for address in told.split(";"):
        kind, _, rest = address.partition(":")
        parts = dict(part.split("=", 1) for part in rest.split(",") if "=" in part)
        if kind == "unix" and "path" in parts:
            found.append(parts["path"])
        elif kind == "unix" and "abstract" in parts:
            found.append(f"\0{parts['abstract']}")
    return found


def _answers(name: str) -> bool:
    if sys.platform == "win32":
        return False  # it has no such sockets, nor a session bus
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_REACH_S)
        try:
            probe.connect(name)
        except OSError:
            return False
        return True


def bus_answers(env: Mapping[str, str]) -> bool:
    """Tell whether somebody listens on the session bus; the libraries would wait for ever."""
    return any(_answers(name) for name in bus_sockets(env))


def _has_library(name: str, version: str) -> bool:
    try:
        gi_library(name, version)
    except (ImportError, ValueError, AttributeError):
        return False
    return True


def _linux(env: Mapping[str, str]) -> Capabilities:
    if not _has_screen(env):
        return Capabilities("screen", window=False)
    if importlib.util.find_spec("gi") is None or not _has_library("Gtk", "3.0"):
        return Capabilities("gi", window=False)
    if gi_library("Gdk", "3.0").Display.get_default() is None:
        # It is named, but its server is gone or does not let us in.
        return Capabilities("screen", window=False)
    window = _has_typelib("WebKit2", "4.1")
    if not _has_typelib("AyatanaAppIndicator3", "0.1"):
        return Capabilities("indicator", window)
    if not bus_answers(env):
        return Capabilities("bus", window)
    return Capabilities(None, window)


def _has_typelib(name: str, version: str) -> bool:
    """Look for a library without loading it."""
    repository = gi_library("GIRepository", "2.0").Repository.get_default()
    return version in repository.enumerate_versions(name)


def detect_capabilities(
    env: Mapping[str, str] = os.environ, platform: str = sys.platform, *, opens: bool = True
) -> Capabilities:
    """Find out what there is; takes some hundredths of a second on Linux, nothing elsewhere.

    ``opens`` tells whether the dashboard is to be opened now.
    """
    if platform in {"win32", "darwin"}:
        return Capabilities(None, window=True, opens=opens)
    return replace(_linux(env), opens=opens)


def has_tray_host() -> bool:
    """Tell whether something shows tray icons now; a panel may come later than the login.

    Only asked where `survey` lacked nothing.
    """
    if sys.platform in {"win32", "darwin"}:
        return True
    return _watched_on_bus() or _watched_on_screen()


def _watched_on_bus() -> bool:
    gio, glib = gi_library("Gio", "2.0"), gi_library("GLib", "2.0")
    try:
        bus = gio.bus_get_sync(gio.BusType.SESSION, None)
        reply = bus.call_sync(
            "org.freedesktop.DBus",
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus",
            "NameHasOwner",
            glib.Variant("(s)", (_WATCHER,)),
            None,
            gio.DBusCallFlags.NONE,
            int(_REACH_S * 1000),
            None,
        )
    except glib.Error:
        return False
    return bool(reply.unpack()[0])


def _watched_on_screen() -> bool:
    try:
        x = x_library()
    except ImportError:
        return False
    try:
        screen = x.display.Display()
        try:
            owner = screen.get_selection_owner(screen.intern_atom(_XEMBED))
        finally:
            screen.close()
    except (x.error.DisplayError, x.error.ConnectionClosedError, OSError):
        return False
    return bool(owner != x.X.NONE)
