"""The window as a process: what it shows, where, what it lets through, and how it ends."""

import signal
import stat
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import psutil
import pytest
from PIL import Image

from fakes.dashboard import Dashboard, running_dashboard
from fakes.desk import wait_gone
from fakes.page_server import PageServer
from fakes.screen import Screen
from fakes.waiting import wait_for
from fakes.windows import TITLE, opened, running_windows, window_env
from intaglio.desktop.values import OpenMemory, OpenPage, QuickRemember
from intaglio.desktop.window.windows import ProcessWindows

pytestmark = pytest.mark.desktop

# Of ui/src/styles/tokens.css: the ground of the page, and the pane on it.
GROUNDS = {"light": ((246, 244, 240), (255, 255, 255)), "dark": ((16, 16, 18), (23, 23, 26))}


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    with running_dashboard(tmp_path_factory.mktemp("dashboard")) as running:
        for number in range(12):
            running.remember(f"Memory number {number} of the window's tests.")
        yield running


def processes() -> list[psutil.Process]:
    """List the window processes of this test run and what they started."""
    return psutil.Process().children(recursive=True)


def shares(picture: Image.Image) -> Counter[object]:
    """Count the pixels of each colour."""
    colours = picture.convert("RGB").getcolors(picture.width * picture.height) or []
    return Counter({colour: count for count, colour in colours})


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_dashboard_is_painted_in_the_colours_of_the_theme(
    screen: Screen, dashboard: Dashboard, tmp_path: Path, theme: str
) -> None:
    gtk = "Adwaita:dark" if theme == "dark" else "Adwaita"
    with running_windows(screen, tmp_path, GTK_THEME=gtk) as made:
        made.show(OpenPage(), dashboard.fresh_link() + "&next=%2Fmemories")
        window = opened(screen)

        def painted() -> bool:
            seen = shares(screen.grab(screen.box(window)))
            total = sum(seen.values())
            ground, pane = GROUNDS[theme]
            text = len([colour for colour, count in seen.items() if count > 3])
            return seen[ground] > total * 0.02 and seen[pane] > total * 0.5 and text > 30

        wait_for(painted, f"a dashboard in {theme}")


def test_opening_again_brings_the_one_window_forward(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    with running_windows(screen, tmp_path) as made:
        made.show(OpenPage(), pages.url + "/first")
        window = opened(screen)
        made.show(QuickRemember(), pages.url + "/small")
        small = opened(screen, "^Remember")
        wait_for(lambda: screen.xdotool("getactivewindow") == small, "the small window in front")
        made.show(OpenPage(), pages.url + "/again")
        wait_for(lambda: screen.xdotool("getactivewindow") == window, "the first window in front")
        assert screen.windows(TITLE) == [window]
        assert not [one for one in pages.said if one.get("path") == "/again"]


def test_a_memory_is_shown_in_the_window_that_is_open(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    with running_windows(screen, tmp_path) as made:
        made.show(OpenPage(), pages.url + "/first")
        window = opened(screen)
        pages.report()
        made.show(OpenMemory("m1"), pages.url + "/memories/m1")
        wait_for(lambda: pages.said[-1].get("path") == "/memories/m1", "the memory's page")
        assert screen.windows(TITLE) == [window]


def test_closing_the_window_ends_all_its_processes(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    with running_windows(screen, tmp_path) as made:
        made.show(OpenPage(), pages.url)
        window = opened(screen)
        running = [one for one in processes() if "web" in one.name().lower()]
        running += [one for one in processes() if "window" in one.cmdline()]
        assert len(running) >= 3
        screen.xdotool("windowactivate", "--sync", window)
        screen.xdotool("key", "alt+F4")
        wait_gone(running)


def test_a_window_whose_tray_was_killed_leaves(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    code = (
        "import sys, time; from pathlib import Path\n"
        "from intaglio.desktop.window.windows import ProcessWindows\n"
        "from intaglio.desktop.values import OpenPage\n"
        "ProcessWindows(Path(sys.argv[1])).show(OpenPage(), sys.argv[2]); time.sleep(60)"
    )
    tray = subprocess.Popen(
        [sys.executable, "-c", code, tmp_path / "window.log", pages.url],
        env=window_env(screen, tmp_path),
    )
    opened(screen)
    below = psutil.Process(tray.pid).children(recursive=True)
    assert len(below) >= 3
    tray.send_signal(signal.SIGKILL)
    tray.wait(10)
    wait_gone(below)


def test_it_opens_again_where_it_was(screen: Screen, pages: PageServer, tmp_path: Path) -> None:
    boxes: list[tuple[int, int, int, int]] = []
    for turn in range(2):
        with running_windows(screen, tmp_path) as made:
            made.show(OpenPage(), pages.url)
            window = opened(screen)
            if turn == 0:
                screen.xdotool("windowsize", "--sync", window, 800, 560)
                screen.xdotool("windowmove", "--sync", window, 211, 173)
            time.sleep(0.5)
            boxes.append(screen.box(window))
    assert boxes[0][2] - boxes[0][0] == 800
    assert boxes[1] == boxes[0]


def test_what_the_page_keeps_is_there_the_next_time(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    counts: list[int] = []
    for _ in range(2):
        pages.said.clear()
        with running_windows(screen, tmp_path) as made:
            made.show(OpenPage(), pages.url)
            counts.append(pages.report()["count"])
    assert counts == [1, 2]


def test_the_strict_rules_hold_and_the_page_reaches_nothing_of_python(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    with running_windows(screen, tmp_path) as made:
        made.show(OpenPage(), pages.url)
        report = pages.report()
    assert report["handler"] == "undefined"
    assert [one for one in pages.said if "violation" in one] == []


def test_what_a_window_prints_is_for_its_user_alone(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "window.log"
    made = ProcessWindows(log, command=[sys.executable, "-c", "import sys; sys.stdin.read()"])
    made.show(OpenPage(), "http://127.0.0.1:1/")
    made.close()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_window_that_is_told_nothing_shows_nothing(screen: Screen, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "intaglio", "window", "dashboard"],
        env=window_env(screen, tmp_path),
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=20,
    )
    assert done.returncode == 0
    assert screen.windows(TITLE) == []
