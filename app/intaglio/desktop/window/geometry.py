"""Where a window was, kept in a file, and where it may be on the screens that are there now."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.paths import write_private

_MAX_BYTES: Final = 10_000
# So much of the title bar has to be on a screen for a hand to get hold of it.
_GRIP: Final = 80
_BAR: Final = 24


class Rectangle(msgspec.Struct, frozen=True):
    """A rectangle of the desktop, in pixels; the desktop's own corner is 0, 0."""

    x: int
    y: int
    width: int
    height: int


class WindowGeometry(msgspec.Struct, frozen=True):
    """Where a window was, and whether it filled the screen."""

    box: Rectangle
    maximized: bool = False


def read_geometry(file: Path) -> WindowGeometry | None:
    """Read where the window was; None for the first time and for a file that is none."""
    try:
        return msgspec.json.decode(file.read_bytes()[:_MAX_BYTES], type=WindowGeometry)
    except (OSError, msgspec.DecodeError):
        return None


def save_geometry(file: Path, geometry: WindowGeometry) -> None:
    """Write where the window was; a disk that refuses costs the place and nothing else."""
    try:
        write_private(file, msgspec.json.encode(geometry))
    except OSError:
        return


def _within(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))


def _overlap(box: Rectangle, screen: Rectangle) -> int:
    width = min(box.x + box.width, screen.x + screen.width) - max(box.x, screen.x)
    height = min(box.y + box.height, screen.y + screen.height) - max(box.y, screen.y)
    return max(0, width) * max(0, height)


def _centred(size: tuple[int, int], screen: Rectangle) -> Rectangle:
    width, height = min(size[0], screen.width), min(size[1], screen.height)
    x = screen.x + (screen.width - width) // 2
    return Rectangle(x, screen.y + (screen.height - height) // 2, width, height)


def _reachable(box: Rectangle, screen: Rectangle) -> bool:
    """Tell whether the bar of the window can be taken hold of on this screen."""
    across = min(box.x + box.width, screen.x + screen.width) - max(box.x, screen.x)
    return across >= _GRIP and screen.y <= box.y <= screen.y + screen.height - _BAR


def fit(
    geometry: WindowGeometry | None,
    size: tuple[int, int],
    least: tuple[int, int],
    screens: Sequence[Rectangle],
) -> Rectangle:
    """Choose a window's box: as it was where that can be reached, else on the nearest screen.

    It is never larger than its screen, nor smaller than ``least`` where the screen allows that;
    the first screen counts for a first time. Without any screen the size stands at 0, 0.
    """
    if not screens:
        return Rectangle(0, 0, *size)
    if geometry is None:
        return _centred(size, screens[0])
    was = geometry.box
    screen = max(screens, key=lambda one: _overlap(was, one))
    width = _within(was.width, min(least[0], screen.width), screen.width)
    height = _within(was.height, min(least[1], screen.height), screen.height)
    box = Rectangle(was.x, was.y, width, height)
    if any(_reachable(box, one) for one in screens):
        return box
    if not _overlap(was, screen):
        return _centred((width, height), screens[0])
    x = _within(was.x, screen.x, screen.x + screen.width - width)
    return Rectangle(x, _within(was.y, screen.y, screen.y + screen.height - height), width, height)
