"""Which face, windows and notifier the desk gets, by what there is."""

from typing import cast

from intaglio.base.install import command
from intaglio.base.paths import Paths
from intaglio.base.settings.reading import read_settings
from intaglio.desktop.browser import Browser
from intaglio.desktop.desk import Desk, Face, Notifier, Windows
from intaglio.desktop.ground import has_tray_host
from intaglio.desktop.mode import NoIcon, Tray
from intaglio.desktop.notify.notifications import DesktopSender, Notifications
from intaglio.desktop.notify.rules import Wanted
from intaglio.desktop.tray.face import TrayFace
from intaglio.desktop.tray.waiting import WaitingFace
from intaglio.desktop.window.windows import ProcessWindows


def _no_panel() -> str:
    return (
        "No panel here shows tray icons (GNOME needs its AppIndicator extension). "
        f"Run `{command('tray')}` again to open the dashboard."
    )


def windows_for(mode: Tray | NoIcon, paths: Paths) -> Windows:
    """Return windows of our own where they can be, else the browser."""
    return ProcessWindows(paths.logs / "window.log") if mode.window else Browser()


def notifier_for(paths: Paths) -> Notifications:
    """Return where notes go; what is wanted is read when there is something to say."""

    def wanted() -> Wanted:
        settings, _ = read_settings(paths.settings)
        return cast("Wanted", settings.desktop.notifications)

    return Notifications(DesktopSender(), wanted)


def face_for(mode: Tray | NoIcon, desk: Desk, notifier: Notifier) -> tuple[Face, str]:
    """Return what keeps the main thread, and a line to say when it is not the tray."""
    connected = notifier if isinstance(notifier, Notifications) else None
    if isinstance(mode, NoIcon):
        if connected is not None:
            connected.connect(desk.show, None)
        return WaitingFace(), ""
    try:
        face = TrayFace(desk)
    except (ImportError, ValueError, OSError) as error:
        if connected is not None:
            connected.connect(desk.show, None)
        return WaitingFace(), f"No tray: {error}."
    if connected is not None:
        connected.connect(desk.show, face.notify)
    return face, "" if has_tray_host() else _no_panel()
