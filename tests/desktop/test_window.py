"""The window as a process: what it shows, where, what it lets through, and how it ends."""

import contextlib
import signal
import sqlite3
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import psutil
import pytest
from PIL import Image

from fakes.dashboard import Dashboard, running_dashboard
from fakes.desktop_app import wait_gone
from fakes.page_server import PageServer
from fakes.program_under_test import command_under_test
from fakes.screen import Screen
from fakes.waiting import PATIENCE_S, wait_for
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


def of_window() -> list[psutil.Process]:
    """List the window process of this test and its engine's."""
    below = psutil.Process().children(recursive=True)
    return [one for one in below if "web" in one.name().lower() or "window" in one.cmdline()]


def shares(picture: Image.Image) -> Counter[object]:
    """Count the pixels of each colour."""
    colours = picture.convert("RGB").getcolors(picture.width * picture.height) or []
    return Counter({colour: count for count, colour in colours})


# All views in the dark theme: test_window_views.py.
@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_the_dashboard_is_painted_in_the_colours_of_the_theme(
    screen: Screen, dashboard: Dashboard, tmp_path: Path, theme: str
) -> None:
    gtk = "Adwaita:dark" if theme == "dark" else "Adwaita"
    with running_windows(screen, tmp_path, dashboard, GTK_THEME=gtk) as made:
        made.show(OpenPage(), dashboard.fresh_link() + "&next=%2Fmemories")
        window = opened(screen)

        def painted() -> bool:
            seen = shares(screen.grab(screen.box(window)))
            total = sum(seen.values())
            ground, pane = GROUNDS[theme]
            text = len([colour for colour, count in seen.items() if count > 3])
            return seen[ground] > total * 0.02 and seen[pane] > total * 0.5 and text > 30

        wait_for(painted, f"a dashboard in {theme}")


@pytest.mark.slow
def test_opening_again_brings_the_one_window_forward_and_a_memory_is_shown_in_it(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    with running_windows(screen, tmp_path, pages) as made:
        made.show(OpenPage(), pages.url + "/first")
        window = opened(screen)
        made.show(QuickRemember(), pages.url + "/small")
        small = opened(screen, "^Remember")
        wait_for(lambda: screen.xdotool("getactivewindow") == small, "the small window in front")
        made.show(OpenPage(), pages.url + "/again")
        wait_for(lambda: screen.xdotool("getactivewindow") == window, "the first window in front")
        assert screen.windows(TITLE) == [window]
        assert not [one for one in pages.said if one.get("path") == "/again"]
        made.show(OpenMemory("m1"), pages.url + "/memories/m1")
        wait_for(
            lambda: [one for one in pages.said if one.get("path") == "/memories/m1"],
            "the memory's page",
        )
        assert screen.windows(TITLE) == [window]


@pytest.mark.slow
def test_no_process_of_a_window_names_its_link_and_closing_it_ends_them_all(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    with running_windows(screen, tmp_path, pages) as made:
        made.show(OpenPage(), f"{pages.url}/enter?key=works-only-once")
        window = opened(screen)
        wait_for(lambda: len(of_window()) >= 3, "the window's processes")
        running = of_window()
        assert not [one for one in running if "works-only-once" in " ".join(one.cmdline())]
        screen.press(window, "alt+F4", until=lambda: not screen.windows(TITLE))
        wait_gone(running)


def test_a_window_whose_tray_was_killed_leaves(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    code = (
        "import sys, time; from pathlib import Path\n"
        "from intaglio.desktop.window.windows import ProcessWindows\n"
        "from intaglio.desktop.values import OpenPage\n"
        "ProcessWindows(Path(sys.argv[1])).show(OpenPage(), sys.argv[2]); time.sleep(600)"
    )
    tray = subprocess.Popen(
        [sys.executable, "-c", code, tmp_path / "window.log", pages.url],
        env={**window_env(screen, tmp_path), "INTAGLIO_RUNTIME_DIR": str(pages.runtime)},
    )
    opened(screen)
    own = psutil.Process(tray.pid)
    wait_for(lambda: len(own.children(recursive=True)) >= 3, "the window's processes")
    below = own.children(recursive=True)
    tray.send_signal(signal.SIGKILL)
    tray.wait(PATIENCE_S)
    wait_gone(below)
    wait_for(lambda: not screen.windows(TITLE), "no window")


@pytest.mark.slow
def test_it_opens_again_where_it_was(screen: Screen, pages: PageServer, tmp_path: Path) -> None:

    def is_put(window: str) -> bool:
        left, top, right, bottom = screen.box(window)
        return (right - left, bottom - top) == (800, 560) and 211 <= left < 250 and 173 <= top < 250

    with running_windows(screen, tmp_path, pages) as made:
        made.show(OpenPage(), pages.url)
        window = opened(screen)
        pages.report()
        screen.xdotool("windowsize", window, 800, 560)
        screen.xdotool("windowmove", window, 211, 173)
        wait_for(lambda: is_put(window), "the window where it was put")
        put = screen.box(window)
    with running_windows(screen, tmp_path, pages) as made:
        made.show(OpenPage(), pages.url)
        again = opened(screen)
        wait_for(lambda: screen.box(again) == put, "the window where it was")


def kept(folder: Path) -> list[str]:
    """Read the page's count as the engine wrote it down, some moments after the page set it."""
    files = [*folder.rglob("*.localstorage"), *folder.rglob("localstorage.sqlite3")]
    with contextlib.closing(sqlite3.connect(f"file:{files[0]}?mode=ro", uri=True)) as store:
        found = store.execute("SELECT value FROM ItemTable WHERE key = 'count'").fetchall()
    return [bytes(value).decode("utf-16-le") for (value,) in found]


def test_the_page_keeps_what_it_had_under_strict_rules_and_reaches_nothing_of_python(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    counts: list[int] = []
    for _ in range(2):
        pages.said.clear()
        with running_windows(screen, tmp_path, pages) as made:
            made.show(OpenPage(), pages.url)
            report = pages.report()
            counts.append(report["count"])
            wait_for(lambda: kept(tmp_path) == [str(counts[-1])], "the count on the disk")
        assert report["handler"] == "undefined"
        assert [one for one in pages.said if "violation" in one] == []
    assert counts == [1, 2]


def test_what_a_window_prints_is_for_its_user_alone(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "window.log"
    made = ProcessWindows(log, command=[sys.executable, "-c", "import sys; sys.stdin.read()"])
    made.show(OpenPage(), "http://127.0.0.1:1/")
    made.close()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_window_that_is_told_nothing_shows_nothing(screen: Screen, tmp_path: Path) -> None:
    done = subprocess.run(
        command_under_test("window"),
        env=window_env(screen, tmp_path),
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0
    assert screen.windows(TITLE) == []
