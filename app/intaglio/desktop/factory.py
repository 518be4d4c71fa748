"""Creates the icon view, windows and notifier that suit this desktop."""

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
from intaglio.desktop.settings import DesktopSettings
from intaglio.desktop.tray.headless import HeadlessView
from intaglio.desktop.tray.icon_view import TrayIconView
from intaglio.desktop.window.windows import ProcessWindows


def _no_tray_host() -> str:
    return (
        "No tray icon: this desktop doesn't show any (GNOME needs its AppIndicator extension). "
        f"Run `{command('tray')}` again to open the dashboard."
    )


def windows_for(mode: TrayMode | WindowOnlyMode, paths: Paths) -> Windows:
    """Return windows of our own where they are supported, else the browser."""
    return ProcessWindows(paths.logs / "window.log") if mode.window else Browser(paths)


def notifier_for(paths: Paths) -> NotificationService:
    """Return the notifier; it reads the setting ``desktop.notifications`` for each notification."""

    def level() -> NotificationLevel:
        settings = read_settings(paths.settings, [DesktopSettings]).settings
        return cast("NotificationLevel", settings.of(DesktopSettings).notifications)

    return NotificationService(DesktopNotifierSender(), level)


def icon_view_for(
    mode: TrayMode | WindowOnlyMode, app: DesktopApp, notifier: Notifier
) -> tuple[IconView, str]:
    """Return the view for the main thread, and a line to print if it isn't a visible icon."""
    service = notifier if isinstance(notifier, NotificationService) else None
    if isinstance(mode, WindowOnlyMode):
        if service is not None:
            service.connect(app.show, None)
        return HeadlessView(), ""
    try:
        view = TrayIconView(app)
    except (ImportError, ValueError, OSError) as error:
        if service is not None:
            service.connect(app.show, None)
        return HeadlessView(), f"No tray icon: {error}."
    if service is not None:
        service.connect(app.show, view.notify)
    return view, "" if has_tray_host() else _no_tray_host()
