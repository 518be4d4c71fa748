"""Each view of the dashboard painted by the desktop window's own engine, in both themes."""

import time
from collections import Counter
from collections.abc import Generator
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from fakes.dashboard import Dashboard, running_dashboard
from fakes.screen import Screen
from fakes.waiting import wait_for
from fakes.windows import opened, running_windows
from intaglio.desktop.values import OpenPage

# By default test_window.py shows the first view in one theme.
pytestmark = [pytest.mark.desktop, pytest.mark.slow]

# Of ui/src/styles/tokens.css: the ground of the page, and the pane on it.
GROUNDS = {"light": ((246, 244, 240), (255, 255, 255)), "dark": ((16, 16, 18), (23, 23, 26))}
VIEWS = ("memories", "forgotten", "agents", "queue", "status", "help")


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    with running_dashboard(tmp_path_factory.mktemp("dashboard")) as running:
        for number in range(12):
            running.remember(f"Memory number {number} of the views.", tags=["views"])
        running.forget(running.remember("What the views forgot."))
        yield running


def colours(picture: Image.Image) -> Counter[object]:
    """Count the pixels of each colour."""
    found = picture.convert("RGB").getcolors(picture.width * picture.height) or []
    return Counter({colour: count for count, colour in found})


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_view_is_painted_in_the_colours_of_the_theme(
    screen: Screen, dashboard: Dashboard, tmp_path: Path, theme: str
) -> None:
    ground, pane = GROUNDS[theme]
    gtk = "Adwaita:dark" if theme == "dark" else "Adwaita"
    before: list[bytes] = [b""]

    def view_of(window: str) -> Image.Image:
        left, top, right, bottom = screen.box(window)
        # Right of the rail: the rail is there before a view is.
        return screen.grab((left + 200, top, right, bottom))

    def painted(window: str) -> bool:
        picture = view_of(window)
        seen = colours(picture)
        text = len([colour for colour, count in seen.items() if count > 3])
        mostly_ground = seen[ground] + seen[pane] > sum(seen.values()) * 0.5
        return mostly_ground and text > 30 and picture.tobytes() != before[0]

    def is_still(window: str) -> bool:
        before[0] = view_of(window).tobytes()
        time.sleep(0.5)
        return view_of(window).tobytes() == before[0]

    with running_windows(screen, tmp_path, dashboard, GTK_THEME=gtk) as made:
        for view in VIEWS:
            # Any page but home: an open window that is asked for home stays where it is.
            made.show(OpenPage("help"), f"{dashboard.fresh_link()}&next=%2F{view}")
            window = opened(screen)
            wait_for(partial(painted, window), f"the view {view} in {theme}")
            # What comes late, such as a list after its head, belongs to this view, not the next.
            wait_for(partial(is_still, window), "its end")
            screen.grab(screen.box(window)).save(tmp_path / f"{view}-{theme}.png")
