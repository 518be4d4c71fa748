"""Which face, windows and notifier the desk gets, by what there is."""

from typing import cast

from intaglio.base.installation import command
from intaglio.base.paths import Paths
from intaglio.base.settings.loader import read_settings
from intaglio.desktop.browser import Browser
from intaglio.desktop.capabilities import has_tray_host
from intaglio.desktop.notifications.queue import NotificationLevel
from intaglio.desktop.notifications.service import DesktopNotifierSender, NotificationService
from intaglio.desktop.protocols import DesktopApp, IconView, Notifier, Windows
from intaglio.desktop.run_mode import TrayMode, WindowOnlyMode
from intaglio.desktop.tray.headless import HeadlessView
from intaglio.desktop.tray.icon_view import TrayIconView
from intaglio.desktop.window.windows import ProcessWindows


def _no_panel() -> str:
    return (
        "No panel here shows tray icons (GNOME needs its AppIndicator extension). "
        f"Run `{command('tray')}` again to open the dashboard."
    )


def windows_for(mode: TrayMode | WindowOnlyMode, paths: Paths) -> Windows:
    """Return windows of our own where they can be, else the browser."""
    return ProcessWindows(paths.logs / "window.log") if mode.window else Browser()


def notifier_for(paths: Paths) -> NotificationService:
    """Return where notes go; what is wanted is read when there is something to say."""

    def wanted() -> NotificationLevel:
        settings, _ = read_settings(paths.settings)
        return cast("NotificationLevel", settings.desktop.notifications)

    return NotificationService(DesktopNotifierSender(), wanted)


def icon_view_for(
    mode: TrayMode | WindowOnlyMode, app: DesktopApp, notifier: Notifier
) -> tuple[IconView, str]:
    """Return what keeps the main thread, and a line to say when it is not the tray."""
    connected = notifier if isinstance(notifier, NotificationService) else None
    if isinstance(mode, WindowOnlyMode):
        if connected is not None:
            connected.connect(app.show, None)
        return HeadlessView(), ""
    try:
        face = TrayIconView(app)
    except (ImportError, ValueError, OSError) as error:
        if connected is not None:
            connected.connect(app.show, None)
        return HeadlessView(), f"No tray: {error}."
    if connected is not None:
        connected.connect(app.show, face.notify)
    return face, "" if has_tray_host() else _no_panel()
