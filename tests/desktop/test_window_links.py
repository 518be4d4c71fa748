"""What leaves the window: links, downloads, dialogs; and a daemon that is not there yet."""

import time
from pathlib import Path
from urllib.parse import quote

import psutil
import pytest

from fakes.daemon import free_port, killed_daemon, start_daemon
from fakes.hostile import hostile_listener
from fakes.page_server import PageServer
from fakes.screen import Screen
from fakes.waiting import wait_for
from fakes.windows import opened, running_windows
from intaglio.desktop.values import OpenMemory, OpenPage, QuickRemember

_IDLE_CPU_S = 0.1

pytestmark = pytest.mark.desktop

ELSEWHERE = "https://elsewhere.example/page"


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """A browser of the user's that writes down what it is asked to open."""
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" >> "{tmp_path}/opened.txt"\n')
    program.chmod(0o755)
    return program


def click_middle(screen: Screen, window: str) -> None:
    left, top, right, bottom = screen.box(window)
    screen.activate(window)
    screen.click((left + right) // 2, (top + bottom) // 2)


@pytest.mark.parametrize("frame", ["#blank", pytest.param("#same", marks=pytest.mark.slow)])
def test_a_link_to_another_site_opens_once_in_the_users_browser(
    screen: Screen, pages: PageServer, tmp_path: Path, browser: Path, frame: str
) -> None:
    with running_windows(screen, tmp_path, pages, BROWSER=str(browser)) as made:
        made.show(OpenPage(), f"{pages.url}/?with={quote(ELSEWHERE)}{frame}")
        window = opened(screen)
        pages.report()
        click_middle(screen, window)
        said = tmp_path / "opened.txt"
        wait_for(lambda: said.read_text().split(), "the user's browser")
        time.sleep(0.5)
        assert said.read_text().split() == [ELSEWHERE]
        assert [one["path"] for one in pages.said if "path" in one] == [
            f"/?with={quote(ELSEWHERE)}"
        ]


@pytest.mark.slow
def test_a_download_asks_where_to_and_goes_there(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    with running_windows(screen, tmp_path, pages, HOME=str(tmp_path)) as made:
        made.show(OpenPage(), f"{pages.url}/?with=/export.json")
        window = opened(screen)
        pages.report()
        click_middle(screen, window)
        dialog = opened(screen, "^Save as$")
        screen.press(dialog, "Return", until=lambda: not screen.windows("^Save as$"))
        wait_for(lambda: (tmp_path / "export.json").read_text() == '{"memories": []}', "the file")


@pytest.mark.slow
def test_a_page_can_ask_for_a_file(screen: Screen, pages: PageServer, tmp_path: Path) -> None:
    with running_windows(screen, tmp_path, pages) as made:
        made.show(OpenPage(), f"{pages.url}/?with=input")
        window = opened(screen)
        pages.report()
        click_middle(screen, window)
        asked = "^(Select|Open|Choose).*File"
        dialog = opened(screen, asked)
        screen.press(dialog, "Escape", until=lambda: not screen.windows(asked))
        # Away from the field, whose tip is a window as well.
        screen.xdotool("mousemove", 1, 1)
        wait_for(lambda: screen.windows("^Intaglio$") == [window], "the window alone")


@pytest.mark.slow
def test_a_small_window_closes_when_its_page_says_so(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    with running_windows(screen, tmp_path, pages) as made:
        made.show(QuickRemember(), pages.url)
        window = opened(screen, "^Remember")
        pages.report()
        click_middle(screen, window)
        screen.press(window, "Escape", until=lambda: not screen.windows("^Remember"))


@pytest.mark.slow
def test_a_page_that_cannot_be_loaded_says_so_and_comes_with_the_daemon(
    screen: Screen, tmp_path: Path
) -> None:
    port = free_port()
    # The tray app's windows show the tray app's daemon, whatever the command line is told to use.
    with running_windows(screen, tmp_path, INTAGLIO_DAEMON_URL="http://127.0.0.1:1") as made:
        made.show(OpenPage(), f"http://127.0.0.1:{port}/enter?key=old&next=%2Fmemories")
        window = opened(screen)
        wait_for(lambda: len(screen.grab(screen.box(window)).getcolors(1 << 20) or []) > 5, "words")
        before = screen.grab(screen.box(window)).getcolors(1 << 20)
        daemon = start_daemon(tmp_path, port)
        try:
            daemon.wait_until("ready")
            wait_for(lambda: screen.grab(screen.box(window)).getcolors(1 << 20) != before, "a page")

            def dashboard_is_there() -> bool:
                colours = screen.grab(screen.box(window)).getcolors(1 << 20) or []
                return len([one for one in colours if one[0] > 3]) > 60

            wait_for(dashboard_is_there, "the dashboard")
        finally:
            daemon.stop()


def words(screen: Screen, window: str) -> int:
    """Count the colours of a window: a blank one has one."""
    return len(screen.grab(screen.box(window)).getcolors(1 << 20) or [])


@pytest.mark.slow
def test_whoever_took_the_port_neither_gets_the_link_nor_shows_a_page(
    screen: Screen, tmp_path: Path
) -> None:
    with hostile_listener() as hostile, running_windows(screen, tmp_path) as made:
        made.show(OpenPage(), f"http://127.0.0.1:{hostile.port}/enter?key=secret&next=%2F")
        window = opened(screen)
        wait_for(lambda: words(screen, window) > 5, "that the daemon isn't responding")
        made.show(OpenMemory("m1"), f"http://127.0.0.1:{hostile.port}/enter?key=secret&next=%2Fm1")
        time.sleep(1)
        # WebKit connects in advance, and sends nothing.
        assert hostile.text.strip() == ""


@pytest.mark.slow
def test_a_page_is_not_loaded_again_once_the_daemon_is_gone(
    screen: Screen, pages: PageServer, tmp_path: Path
) -> None:
    with running_windows(screen, tmp_path, pages) as made:
        made.show(OpenPage(), f"{pages.url}/first?with=/second#same")
        window = opened(screen)
        pages.report()
        (pages.runtime / "daemon.json").unlink()
        click_middle(screen, window)
        # The page fills the window with one colour, the message has letters.
        wait_for(lambda: words(screen, window) > 5, "that the daemon isn't responding")
        assert not [path for path in pages.loaded if path.startswith("/second")]


@pytest.mark.slow
def test_an_open_page_tells_nothing_to_whoever_took_the_port_and_goes_on_afterwards(
    screen: Screen, tmp_path: Path
) -> None:
    port = free_port()
    with killed_daemon(tmp_path, port) as daemon, running_windows(screen, tmp_path) as made:
        with daemon.client() as client:
            link = client.post("/api/auth/link", headers=daemon.owner).json()["url"]
        made.show(OpenPage(), f"{link}&next=%2Fmemories")
        window = opened(screen)
        wait_for(lambda: words(screen, window) > 60, "the dashboard")
        # What the page loads last, it loads when nothing else is left to do.
        wait_for(lambda: is_idle(port), "a page that has loaded everything")
        daemon.kill()
        with hostile_listener(port) as hostile:
            # The page tries again each few seconds.
            time.sleep(5)
            assert hostile.text.strip() == ""
        again = start_daemon(tmp_path, port)
        try:
            again.wait_until("ready")
            wait_for(lambda: connections(port), "the page's connection")
        finally:
            again.stop()


def is_idle(port: int) -> bool:
    """Whether the processes of the page with a connection do nothing for a second."""
    parents = {psutil.Process(pid).ppid() for pid in connections(port)}
    family = [each for pid in parents for each in psutil.Process(pid).children(recursive=True)]

    def spent() -> float:
        return sum(sum(each.cpu_times()[:2]) for each in family)

    before = spent()
    time.sleep(1)
    return bool(family) and spent() - before < _IDLE_CPU_S


def connections(port: int) -> list[int]:
    """List the processes of WebKit's connections to a port."""
    found = psutil.net_connections("tcp")
    return [
        one.pid
        for one in found
        if one.raddr
        and one.raddr.port == port
        and one.status == psutil.CONN_ESTABLISHED
        and one.pid
        and "web" in psutil.Process(one.pid).name().lower()
    ]
