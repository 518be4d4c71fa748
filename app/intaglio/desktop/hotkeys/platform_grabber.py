"""Chooses what holds shortcuts on this platform."""

import sys
from collections.abc import Mapping

from intaglio.desktop.gui_libraries import mac_library
from intaglio.desktop.hotkeys.values import KeyGrabber, NoGrabber
from intaglio.desktop.hotkeys.x11 import X11Grabber

_NO_SCREEN = "This session has no screen."


def grabber_for(env: Mapping[str, str]) -> KeyGrabber:
    """Return the way of this platform; in a Wayland session, X11 sees only some programs' keys."""
    if sys.platform == "win32":
        from intaglio.desktop.hotkeys.windows import (  # noqa: PLC0415 - Windows alone has it
            User32Messages,
            WindowsGrabber,
        )

        return WindowsGrabber(User32Messages())
    if sys.platform == "darwin":
        from intaglio.desktop.hotkeys.macos import (  # noqa: PLC0415 - macOS alone has it
            CarbonEvents,
            MacosGrabber,
        )

        return MacosGrabber(CarbonEvents(), mac_library("PyObjCTools.AppHelper").callAfter)
    return linux_grabber(env)


def linux_grabber(env: Mapping[str, str]) -> KeyGrabber:
    """Return the portal in a Wayland session, else the X11 screen."""
    if env.get("WAYLAND_DISPLAY") or env.get("XDG_SESSION_TYPE") == "wayland":
        from intaglio.desktop.hotkeys.portal import (  # noqa: PLC0415 - it loads the bus library
            PortalGrabber,
        )

        return PortalGrabber()
    return X11Grabber() if env.get("DISPLAY") else NoGrabber(_NO_SCREEN)
