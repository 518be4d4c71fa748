"""Draws the icons from assets/icons/tray.svg: the tray's, and those of Windows and macOS programs.

The tray's are drawn in every state, theme and size. Runs inside the virtual environment (pillow).
It supports only the SVG that this file uses.
"""

import re
import shutil
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from PIL import Image, ImageChops, ImageDraw

from boot.setup import BUILT_ICONS, ICONS

SOURCE = ICONS / "tray.svg"

STATES = ("idle", "working", "paused", "attention", "down")
SIZES = (16, 22, 24, 32, 48, 64)
APP_SIZES = (32, 48, 64, 128, 256)
ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 256)
ICNS_SIZES = (32, 64, 128, 256, 512, 1024)

Point: TypeAlias = tuple[float, float]
Palette: TypeAlias = Mapping[str, str]

_GRID = 64
# Each pixel is the mean of this number squared; fewer for large icons, to limit the memory.
_OVERSAMPLING = 8
_MAX_SIDE = 4096
_CURVE_STEPS = 24
_SVG = "{http://www.w3.org/2000/svg}"

# For light and dark panels; macOS colours the "template" itself.
THEMES: Mapping[str, Palette] = {
    "light": {
        "stone": "#b3402a",
        "owl": "#fff6ec",
        "face": "#8f2e1d",
        "work": "#2f4fb5",
        "pause": "#4a4640",
        "sign": "#ffffff",
        "alert": "#f0a81e",
        "alert-sign": "#241a05",
    },
    "dark": {
        "stone": "#d05a39",
        "owl": "#fff3e6",
        "face": "#a23a23",
        "work": "#93a9ff",
        "pause": "#e6e3dd",
        "sign": "#2a2825",
        "alert": "#f6b93b",
        "alert-sign": "#241a05",
    },
    "template": {
        "stone": "#000000",
        "owl": "",
        "face": "#000000",
        "work": "#000000",
        "pause": "#000000",
        "sign": "",
        "alert": "#000000",
        "alert-sign": "",
    },
}
# The stone is grey while the daemon doesn't respond.
_DOWN: Mapping[str, Palette] = {
    "light": {"stone": "#7d786f", "face": "#5c574f"},
    "dark": {"stone": "#8f8a82", "face": "#55514a"},
    "template": {},
}


def _curve(start: Point, numbers: tuple[float, ...]) -> Iterator[Point]:
    ax, ay, bx, by, cx, cy = numbers
    for step in range(1, _CURVE_STEPS + 1):
        t = step / _CURVE_STEPS
        u = 1 - t
        weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
        xs, ys = (start[0], ax, bx, cx), (start[1], ay, by, cy)
        yield (
            sum(w * x for w, x in zip(weights, xs, strict=True)),
            sum(w * y for w, y in zip(weights, ys, strict=True)),
        )


def outline(path: str) -> list[Point]:
    """Convert a path of absolute M, L, C and Z commands into the corners of a polygon."""
    points: list[Point] = []
    for command, rest in re.findall(r"([MLCZ])([^MLCZ]*)", path):
        numbers = tuple(float(number) for number in rest.split())
        if command in "ML":
            points.append((numbers[0], numbers[1]))
        elif command == "C":
            points.extend(_curve(points[-1], numbers))
    return points


def _shapes(state: str) -> Iterator[ET.Element]:
    for part in ET.fromstring(SOURCE.read_text(encoding="utf-8")):  # noqa: S314 - a file of this repository
        if part.tag != f"{_SVG}g":
            yield part
        elif state in part.get("id", "").split():
            yield from part


def _mask(shape: ET.Element, side: int) -> Image.Image | None:
    """Draw a shape white on black on the oversampled canvas; None for an unknown element."""
    scale = side / _GRID
    mask = Image.new("L", (side, side))
    pen = ImageDraw.Draw(mask)

    def number(name: str) -> float:
        return float(shape.get(name, "0")) * scale

    match shape.tag.removeprefix(_SVG):
        case "ellipse":
            x, y, rx, ry = (number(name) for name in ("cx", "cy", "rx", "ry"))
            pen.ellipse((x - rx, y - ry, x + rx, y + ry), fill=255)
        case "rect":
            x, y = number("x"), number("y")
            pen.rectangle((x, y, x + number("width"), y + number("height")), fill=255)
        case "path":
            corners = outline(shape.get("d", ""))
            pen.polygon([(x * scale, y * scale) for x, y in corners], fill=255)
        case _:
            return None
    return mask


def draw(state: str, theme: str, size: int) -> Image.Image:
    """Draw a state's icon for a theme, ``size`` pixels square, on a transparent background."""
    side = size * max(1, min(_OVERSAMPLING, _MAX_SIDE // size))
    colours = {**THEMES[theme], **(_DOWN[theme] if state == "down" else {})}
    icon = Image.new("RGBA", (side, side))
    for shape in _shapes(state):
        mask = _mask(shape, side)
        colour = colours.get(shape.get("class", ""), "")
        if mask is None:
            continue
        if colour:
            icon.paste(colour, (0, 0), mask)
        else:
            icon.putalpha(ImageChops.subtract(icon.getchannel("A"), mask))
    return icon.resize((size, size), Image.Resampling.BOX)


def write_program_icon(file: Path) -> None:
    """Write the icon of a program, each size drawn: ``.ico`` for Windows, ``.icns`` for macOS."""
    sizes = ICO_SIZES if file.suffix == ".ico" else ICNS_SIZES
    largest, *others = (draw("idle", "light", size) for size in sorted(sizes, reverse=True))
    file.parent.mkdir(parents=True, exist_ok=True)
    # Windows alone reads the list of sizes; macOS takes those of its format.
    largest.save(file, sizes=[(size, size) for size in sizes], append_images=others)


def main(arguments: Sequence[str]) -> None:
    """Draw all icons of the tray again; with a file as argument, write that program's icon."""
    if arguments:
        write_program_icon(Path(arguments[0]))
        return
    shutil.rmtree(BUILT_ICONS, ignore_errors=True)
    BUILT_ICONS.mkdir(parents=True)
    for theme in THEMES:
        for state in STATES:
            for size in SIZES:
                file = BUILT_ICONS / f"{state}-{theme}-{size}.png"
                draw(state, theme, size).save(file, optimize=True)
    for size in APP_SIZES:
        draw("idle", "light", size).save(BUILT_ICONS / f"intaglio-{size}.png", optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
