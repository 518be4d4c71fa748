"""The tray's icons as they are drawn: each look is told from the others, at every size."""

import re
from itertools import product
from pathlib import Path

import pytest
from PIL import Image

from boot import icons
from boot.icons import (
    ICO_SIZES,
    SIZES,
    SOURCE,
    STATES,
    THEMES,
    draw,
    outline,
    write_program_icon,
)
from boot.setup import BUILT_ICONS

CORNERS = ((0, 0), (0, -1), (-1, 0), (-1, -1))


def test_a_path_of_straight_lines_keeps_its_corners() -> None:
    assert outline("M1 2 L3 2 L3 4 Z") == [(1, 2), (3, 2), (3, 4)]


def test_a_curve_ends_where_it_says() -> None:
    points = outline("M0 0 C0 1 1 2 2 2")
    assert points[-1] == pytest.approx((2, 2))
    assert all(0 <= x <= 2 and 0 <= y <= 2 for x, y in points)


@pytest.mark.parametrize("theme", list(THEMES))
@pytest.mark.parametrize("size", SIZES)
def test_no_two_icons_are_alike(theme: str, size: int) -> None:
    pixels = {draw(look, theme, size).tobytes() for look in STATES}
    assert len(pixels) == len(STATES)


@pytest.mark.parametrize(("look", "theme"), list(product(STATES, THEMES)))
def test_only_the_background_of_an_icon_is_transparent(look: str, theme: str) -> None:
    alpha = draw(look, theme, 32).getchannel("A")
    assert {alpha.getpixel((x % 32, y % 32)) for x, y in CORNERS} == {0}
    assert alpha.getextrema() == (0, 255)


@pytest.mark.parametrize("look", STATES)
def test_the_template_icon_is_black(look: str) -> None:
    drawn = draw(look, "template", 32)
    assert drawn.convert("RGB").getextrema() == ((0, 0), (0, 0), (0, 0))


def test_every_icon_lies_in_the_package_at_its_size() -> None:
    for theme, look, size in product(THEMES, STATES, SIZES):
        with Image.open(BUILT_ICONS / f"{look}-{theme}-{size}.png") as icon:
            assert icon.size == (size, size)
    assert (BUILT_ICONS / "intaglio-256.png").is_file()


def test_the_svg_uses_only_supported_elements() -> None:
    tags = set(re.findall(r"<(\w+)", SOURCE.read_text(encoding="utf-8")))
    assert tags == {"svg", "title", "g", "ellipse", "rect", "path"}


def test_the_icon_of_a_windows_program_has_every_size(tmp_path: Path) -> None:
    write_program_icon(tmp_path / "new" / "intaglio.ico")
    with Image.open(tmp_path / "new" / "intaglio.ico") as icon:
        assert icon.info["sizes"] == {(size, size) for size in ICO_SIZES}
        assert icon.convert("RGBA").tobytes() == draw("idle", "light", max(ICO_SIZES)).tobytes()


def test_the_icon_of_a_macos_program_has_every_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(icons, "ICNS_SIZES", (32, 128))
    write_program_icon(tmp_path / "intaglio.icns")
    with Image.open(tmp_path / "intaglio.icns") as icon:
        assert {(128, 128, 1), (16, 16, 2)} <= set(icon.info["sizes"])
