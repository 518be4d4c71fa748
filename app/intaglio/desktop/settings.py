"""The settings of the tray app."""

from dataclasses import dataclass
from typing import Final

from intaglio.base.settings.declaration import Choice, SettingGroup, setting
from intaglio.base.shortcut import SHORTCUT_FORM

_LAST_HOUR: Final = 23
_A_DAY_MIN: Final = 1_440


@dataclass(frozen=True, slots=True)
class DesktopSettings:
    """Settings of the tray app: its notifications, windows and shortcuts."""

    notifications: str = setting(
        "all",
        "desktop.notifications",
        label="Desktop notifications",
        help="All shows the kinds that are on below. An answer to what you just did counts as a "
        "problem if it failed.",
        group=SettingGroup.DESKTOP,
        choices=(
            Choice("all", "All"),
            Choice("problems", "Problems only"),
            Choice("none", "None"),
        ),
        words="mute silence stop popup tray",
    )
    notify_problems: bool = setting(
        True,
        "desktop.notifyProblems",
        label="Notify of problems",
        help="What needs you, such as a full disk: once while it stays, each kind at most once an "
        "hour. The tray icon shows it anyway.",
        group=SettingGroup.DESKTOP,
        words="health issue alert warning",
    )
    notify_saved: bool = setting(
        True,
        "desktop.notifySaved",
        label="Notify of saved lines",
        help="Shows each line that capture saved, with Undo, and how many suggestions a session "
        "left. The text appears on your screen.",
        group=SettingGroup.DESKTOP,
        words="captured memory popup",
    )
    notify_pauses: bool = setting(
        True,
        "desktop.notifyPauses",
        label="Notify when a pause ends",
        help="Says that capture is on again after the time of a pause is over.",
        group=SettingGroup.DESKTOP,
    )
    notify_updates: bool = setting(
        True,
        "desktop.notifyUpdates",
        label="Notify of updates",
        help="Says that a new version was installed and, while Intaglio looks for updates, that "
        "one is available.",
        group=SettingGroup.DESKTOP,
        words="version upgrade",
    )
    quiet_from: int = setting(
        0,
        "desktop.quietFrom",
        label="Quiet hours from",
        help="A full hour of your local time. Until quiet hours end, only dangers are shown, such "
        "as a damaged database, and answers to what you just did; the rest waits. The same hour "
        "twice means no quiet hours.",
        group=SettingGroup.DESKTOP,
        unit="o'clock",
        bounds=(0, _LAST_HOUR),
        words="schedule do not disturb mute silence sleep stop notifications at night",
    )
    quiet_to: int = setting(
        0,
        "desktop.quietTo",
        label="Quiet hours to",
        help="A full hour of your local time; an earlier one than the first is that of the next "
        "morning.",
        group=SettingGroup.DESKTOP,
        unit="o'clock",
        bounds=(0, _LAST_HOUR),
        words="night schedule do not disturb mute silence sleep morning",
    )
    keep_window_ready: int = setting(
        240,
        "desktop.keepWindowReady",
        label="Keep a window ready",
        help="For so long after you last opened a window, the next one opens at once. A hidden "
        "window takes about 250 MB of memory for that; it is given up while memory is short. 0 "
        "keeps none: windows then open in two to four seconds.",
        group=SettingGroup.DESKTOP,
        unit="minutes",
        bounds=(0, _A_DAY_MIN),
        words="warm fast slow start memory ram background hidden quick remember search",
    )
    hotkey_remember: str = setting(
        "",
        "desktop.hotkeyRemember",
        label="Keyboard shortcut for quick remember",
        help="Keys that open the small window from any program, such as Ctrl+Alt+M. Off if empty.",
        group=SettingGroup.DESKTOP,
        form=SHORTCUT_FORM,
        words="hotkey global keys window note",
    )
    hotkey_search: str = setting(
        "",
        "desktop.hotkeySearch",
        label="Keyboard shortcut for quick search",
        help="Keys that open the search window from any program, such as Ctrl+Alt+K. Off if empty.",
        group=SettingGroup.DESKTOP,
        form=SHORTCUT_FORM,
        words="hotkey global keys window find",
    )
