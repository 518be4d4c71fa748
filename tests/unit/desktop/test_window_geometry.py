"""Where a window opens: where it was, but never where nobody can reach it."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from intaglio.desktop.window.geometry import (
    Rectangle,
    WindowGeometry,
    fit,
    read_geometry,
    save_geometry,
)

LEFT = Rectangle(0, 0, 1920, 1080)
RIGHT = Rectangle(1920, 200, 1280, 800)
SIZE, LEAST = (1280, 800), (640, 480)


def test_a_first_window_opens_centred_on_the_first_screen() -> None:
    assert fit(None, SIZE, LEAST, [LEFT, RIGHT]) == Rectangle(320, 140, 1280, 800)


def test_a_window_opens_where_it_was_closed() -> None:
    box = Rectangle(1950, 250, 900, 600)
    assert fit(WindowGeometry(box), SIZE, LEAST, [LEFT, RIGHT]) == box


def test_a_window_of_a_removed_screen_moves_to_another() -> None:
    box = Rectangle(1950, 250, 900, 600)
    assert fit(WindowGeometry(box), SIZE, LEAST, [LEFT]) == Rectangle(510, 240, 900, 600)


def test_a_window_with_its_bar_above_the_screen_comes_down() -> None:
    box = Rectangle(100, -300, 900, 600)
    assert fit(WindowGeometry(box), SIZE, LEAST, [LEFT]) == Rectangle(100, 0, 900, 600)


def test_a_window_larger_than_the_screen_is_made_smaller() -> None:
    box = fit(WindowGeometry(Rectangle(0, 0, 5000, 4000)), SIZE, LEAST, [RIGHT])
    # Its title bar has 24 pixels.
    assert (box.width, box.height) == (1280, 776)


def test_a_small_screen_wins_over_the_least_size() -> None:
    assert fit(None, SIZE, LEAST, [Rectangle(0, 0, 400, 300)]) == Rectangle(0, 0, 400, 276)


def test_without_a_screen_the_size_still_stands() -> None:
    assert fit(None, SIZE, LEAST, []) == Rectangle(0, 0, *SIZE)


NUMBERS = st.integers(-10_000, 10_000)
SIZES = st.integers(1, 10_000)
BOXES = st.builds(Rectangle, NUMBERS, NUMBERS, SIZES, SIZES)
SCREENS = st.lists(
    st.builds(Rectangle, NUMBERS, NUMBERS, st.integers(320, 8_000), st.integers(240, 5_000)),
    min_size=1,
    max_size=4,
)


@given(BOXES, SCREENS)
def test_the_title_bar_is_always_reachable(was: Rectangle, screens: list[Rectangle]) -> None:
    box = fit(WindowGeometry(was), SIZE, LEAST, screens)
    grips = [
        min(box.x + box.width, one.x + one.width) - max(box.x, one.x)
        for one in screens
        if one.y <= box.y <= one.y + one.height - 24
    ]
    assert max(grips) >= min(80, box.width)
    assert any(box.width <= one.width and box.height <= one.height for one in screens)


def test_a_saved_geometry_is_read_back(tmp_path: Path) -> None:
    place = WindowGeometry(Rectangle(1, 2, 900, 600), maximized=True)
    save_geometry(tmp_path / "windows" / "dashboard.json", place)
    assert read_geometry(tmp_path / "windows" / "dashboard.json") == place


def test_an_unreadable_geometry_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "dashboard.json").write_text('{"box": "everywhere"}')
    assert read_geometry(tmp_path / "dashboard.json") is None
    assert read_geometry(tmp_path / "missing.json") is None


def test_an_unwritable_geometry_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "windows").write_text("a file where a folder should be")
    save_geometry(tmp_path / "windows" / "dashboard.json", WindowGeometry(LEFT))
    assert (tmp_path / "windows").read_text() == "a file where a folder should be"
