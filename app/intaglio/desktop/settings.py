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
        help="Problems are what needs you, such as a full disk.",
        group=SettingGroup.DESKTOP,
        choices=(
            Choice("all", "All"),
            Choice("problems", "Problems only"),
            Choice("none", "None"),
        ),
        words="quiet mute silence night do not disturb popup tray",
    )
