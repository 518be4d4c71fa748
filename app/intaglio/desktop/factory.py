"""Creates the icon view, windows and notifier that suit this desktop."""

import sys
from collections.abc import Callable, Mapping
from typing import cast

from intaglio.base.installation import command
from intaglio.base.paths import Paths
from intaglio.base.settings.loader import read_settings
from intaglio.desktop.browser import Browser
from intaglio.desktop.capabilities import has_tray_host
from intaglio.desktop.controller import DesktopController
from intaglio.desktop.hotkeys.platform_grabber import grabber_for
from intaglio.desktop.hotkeys.service import HotkeyService
from intaglio.desktop.notifications.preferences import (
    NotificationCategory,
    NotificationLevel,
    NotificationPreferences,
)
from intaglio.desktop.notifications.service import (
    ActionHandler,
    DesktopNotifierSender,
    NotificationAction,
    NotificationService,
)
from intaglio.desktop.protocols import DesktopApp, IconView, Notifier, Windows
from intaglio.desktop.run_mode import TrayMode, WindowOnlyMode
from intaglio.desktop.settings import DesktopSettings
from intaglio.desktop.tray.headless import HeadlessView
from intaglio.desktop.tray.icon_view import TrayIconView
from intaglio.desktop.values import Notification, UndoSaved
from intaglio.desktop.window.windows import ProcessWindows, ReadyRules


def _no_tray_host() -> str:
    return (
        "No tray icon: this desktop doesn't show any (GNOME needs its AppIndicator extension). "
        f"Run `{command('tray')}` again to open the dashboard."
    )


def windows_for(mode: TrayMode | WindowOnlyMode, paths: Paths) -> Windows:
    """Return windows of our own where they are supported, else the browser."""

    def rules() -> ReadyRules:
        return ReadyRules(_settings(paths).keep_window_ready)

    if not mode.window:
        return Browser(paths)
    return ProcessWindows(paths.logs / "window.log", rules=rules)


def _settings(paths: Paths) -> DesktopSettings:
    return read_settings(paths.settings, [DesktopSettings]).settings.of(DesktopSettings)


def notification_preferences(settings: DesktopSettings) -> NotificationPreferences:
    """Return the user's choices about notifications."""
    switches: dict[NotificationCategory, bool] = {
        "problems": settings.notify_problems,
        "saved": settings.notify_saved,
        "pauses": settings.notify_pauses,
        "updates": settings.notify_updates,
    }
    return NotificationPreferences(
        cast("NotificationLevel", settings.notifications),
        frozenset(category for category, is_on in switches.items() if not is_on),
        settings.quiet_from,
        settings.quiet_to,
    )


def notifier_for(paths: Paths) -> NotificationService:
    """Return the notifier; it reads the settings for each notification."""
    return NotificationService(
        DesktopNotifierSender(), lambda: notification_preferences(_settings(paths))
    )


def hotkeys_for(
    paths: Paths, env: Mapping[str, str], controller: DesktopController
) -> HotkeyService:
    """Return the keeper of the shortcuts that the settings name."""
    return HotkeyService(
        paths=paths,
        grabber=grabber_for(env),
        read=lambda: _settings(paths),
        show=controller.show,
        changed=controller.note_hotkeys,
    )


def icon_view_for(
    mode: TrayMode | WindowOnlyMode, app: DesktopApp, notifier: Notifier
) -> tuple[IconView, str]:
    """Return the view for the main thread, and a line to print if it isn't a visible icon."""

    def connect(fallback: Callable[[Notification], None] | None) -> None:
        if isinstance(notifier, NotificationService):
            notifier.connect(_action_handler(app), fallback)

    if isinstance(mode, WindowOnlyMode):
        connect(None)
        return HeadlessView(), ""
    try:
        view = TrayIconView(app)
    except (ImportError, ValueError, OSError) as error:
        connect(None)
        return HeadlessView(), f"No tray icon: {error}."
    # On Linux the icon would ask the same service of the desktop.
    connect(app.note_unshown if sys.platform.startswith("linux") else view.notify)
    return view, "" if has_tray_host() else _no_tray_host()


def _action_handler(app: DesktopApp) -> ActionHandler:
    def act(action: NotificationAction) -> None:
        if isinstance(action, UndoSaved):
            app.undo_saved(action)
        else:
            app.show(action)

    return act
