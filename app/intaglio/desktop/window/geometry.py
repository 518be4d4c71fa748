"""Saves a window's position and size, and fits them to the screens that exist now."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.files.regular_file import read_regular
from intaglio.base.paths import write_private

_MAX_BYTES: Final = 10_000
# This much of the title bar must be on a screen, so that the user can drag the window.
_MIN_VISIBLE_WIDTH: Final = 80
_TITLE_BAR_HEIGHT: Final = 24


class Rectangle(msgspec.Struct, frozen=True):
    """A rectangle on the desktop, in pixels from its top left corner."""

    x: int
    y: int
    width: int
    height: int

    def contains(self, x: int, y: int) -> bool:
        """Whether a point lies in the rectangle."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class WindowGeometry(msgspec.Struct, frozen=True):
    """A window's rectangle, and whether it was maximized."""

    box: Rectangle
    maximized: bool = False


def read_geometry(file: Path) -> WindowGeometry | None:
    """Read a saved geometry; None if there is none or the file is invalid."""
    try:
        return msgspec.json.decode(read_regular(file, _MAX_BYTES), type=WindowGeometry)
    except (OSError, msgspec.DecodeError):
        return None


def save_geometry(file: Path, geometry: WindowGeometry) -> None:
    """Save the geometry; errors are ignored, since only the position is lost."""
    try:
        write_private(file, msgspec.json.encode(geometry))
    except OSError:
        return


def _clamp(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))


def _overlap(box: Rectangle, screen: Rectangle) -> int:
    width = min(box.x + box.width, screen.x + screen.width) - max(box.x, screen.x)
    height = min(box.y + box.height, screen.y + screen.height) - max(box.y, screen.y)
    return max(0, width) * max(0, height)


def _max_height(screen: Rectangle) -> int:
    """Return the largest height of a window's contents; its title bar is above them."""
    return max(0, screen.height - _TITLE_BAR_HEIGHT)


def _centred(size: tuple[int, int], screen: Rectangle) -> Rectangle:
    width, height = min(size[0], screen.width), min(size[1], _max_height(screen))
    x = screen.x + (screen.width - width) // 2
    y = min((screen.height - height) // 2, _max_height(screen) - height)
    return Rectangle(x, screen.y + y, width, height)


def _reachable(box: Rectangle, screen: Rectangle) -> bool:
    """Return whether enough of the title bar is on this screen to drag the window."""
    across = min(box.x + box.width, screen.x + screen.width) - max(box.x, screen.x)
    return (
        across >= _MIN_VISIBLE_WIDTH
        and screen.y <= box.y <= screen.y + screen.height - _TITLE_BAR_HEIGHT
    )


def fit(
    geometry: WindowGeometry | None,
    size: tuple[int, int],
    min_size: tuple[int, int],
    screens: Sequence[Rectangle],
) -> Rectangle:
    """Return a window's rectangle: as saved if it can be reached, else on the nearest screen.

    It is at most as large as its screen, and at least ``min_size`` if the screen allows that.
    Without a saved geometry it is centred on the first screen; without a screen it is at 0, 0.
    """
    if not screens:
        return Rectangle(0, 0, *size)
    if geometry is None:
        return _centred(size, screens[0])
    saved = geometry.box
    screen = max(screens, key=lambda one: _overlap(saved, one))
    width = _clamp(saved.width, min(min_size[0], screen.width), screen.width)
    most = _max_height(screen)
    height = _clamp(saved.height, min(min_size[1], most), most)
    box = Rectangle(saved.x, saved.y, width, height)
    if any(_reachable(box, one) for one in screens):
        return box
    if not _overlap(saved, screen):
        return _centred((width, height), screens[0])
    x = _clamp(saved.x, screen.x, screen.x + screen.width - width)
    return Rectangle(x, _clamp(saved.y, screen.y, screen.y + most - height), width, height)
