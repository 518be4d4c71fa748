"""The settings of the tray app."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Choice, SettingGroup, setting


@dataclass(frozen=True, slots=True)
class DesktopSettings:
    """Settings of the tray app."""

    notifications: str = setting(
        "all",
        "desktop.notifications",
        label="Desktop notifications",
        help="Problems need your attention, such as a full disk. There's no schedule: for "
        "quiet nights, choose None, or use your desktop's Do Not Disturb, which may still let "
        "problems through.",
        group=SettingGroup.DESKTOP,
        choices=(
            Choice("all", "All"),
            Choice("problems", "Problems only"),
            Choice("none", "None"),
        ),
        words="quiet hours mute silence stop at night schedule do not disturb popup tray",
    )
