"""Each view of the dashboard painted by the desktop window's own engine, in both themes."""

import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
from PIL import Image

from fakes.dashboard import Dashboard, running_dashboard
from fakes.screen import Screen, wait_for
from fakes.windows import opened, running_windows
from intaglio.desktop.values import OpenPage

pytestmark = pytest.mark.desktop

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
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_painted_in_the_colours_of_the_theme(
    screen: Screen, dashboard: Dashboard, tmp_path: Path, view: str, theme: str
) -> None:
    gtk = "Adwaita:dark" if theme == "dark" else "Adwaita"
    with running_windows(screen, tmp_path, GTK_THEME=gtk) as made:
        made.show(OpenPage(), f"{dashboard.fresh_link()}&next=%2F{view}")
        window = opened(screen)
        ground, pane = GROUNDS[theme]

        def painted() -> bool:
            left, top, right, bottom = screen.box(window)
            # Right of the rail: the rail is there before a view is.
            seen = colours(screen.grab((left + 200, top, right, bottom)))
            total = sum(seen.values())
            text = len([colour for colour, count in seen.items() if count > 3])
            return seen[ground] + seen[pane] > total * 0.5 and text > 30

        wait_for(painted, f"the view {view} in {theme}")
        time.sleep(0.3)
        screen.grab(screen.box(window)).save(tmp_path / f"{view}-{theme}.png")
