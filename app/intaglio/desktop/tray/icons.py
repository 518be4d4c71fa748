"""The tray's icon files, by icon state and by the panel's theme."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, TypeAlias

from intaglio.base.paths import built_folder
from intaglio.desktop.values import IconState

Theme: TypeAlias = Literal["light", "dark", "template"]

_SIZE: Final = 64
_APP_SIZE: Final = 128


def icon_file(icon: IconState, theme: Theme, folder: Path | None = None) -> Path:
    """Return the image file of an icon state; panels scale it down."""
    return (folder or built_folder("icons")) / f"{icon}-{theme}-{_SIZE}.png"


def app_icon(folder: Path | None = None) -> Path:
    """Return the application icon, for windows, notifications and the menu entry."""
    return (folder or built_folder("icons")) / f"intaglio-{_APP_SIZE}.png"


def theme_of(platform: str, is_dark: Callable[[], bool]) -> Theme:
    """Return the theme for a platform; macOS colours a template image itself."""
    if platform == "darwin":
        return "template"
    return "dark" if is_dark() else "light"
