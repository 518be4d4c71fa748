"""The window that is kept ready: what it shows, and what it survives."""

import time
from collections.abc import Generator
from pathlib import Path

import psutil
import pytest

from fakes.agent_sessions import AgentSession
from fakes.daemon import free_port, start_daemon
from fakes.dashboard import Dashboard, running_dashboard
from fakes.screen import Screen
from fakes.waiting import wait_for
from fakes.windows import TITLE, opened, running_windows
from intaglio.desktop.values import OpenPage, QuickRemember, QuickSearch
from intaglio.desktop.window.windows import ProcessWindows

# The rules are tested without a screen: tests/unit/desktop/test_window_process.py.
pytestmark = [pytest.mark.desktop, pytest.mark.slow]

_TEXT_COLOURS = 40


@pytest.fixture
def dashboard(tmp_path: Path) -> Generator[Dashboard]:
    with running_dashboard(tmp_path / "daemon") as running:
        running.remember("The larch is the staging server.")
        yield running


@pytest.fixture
def windows(screen: Screen, tmp_path: Path, dashboard: Dashboard) -> Generator[ProcessWindows]:
    with running_windows(screen, tmp_path, dashboard, ready_minutes=60) as made:
        made.prepare()
        wait_for(of_pages, "a page that is ready")
        yield made


def of_pages() -> list[psutil.Process]:
    """List WebKit's processes of pages."""
    below = psutil.Process().children(recursive=True)
    return [one for one in below if "WebKitWebProces" in one.name()]


def colours(screen: Screen, window: str) -> int:
    """Count the colours inside of a window: text has many."""
    left, top, right, bottom = screen.box(window)
    inside = screen.grab((left + 8, top + 8, right - 8, bottom - 8))
    return len(inside.getcolors(1 << 20) or [])


def painted(screen: Screen, title: str) -> str:
    """Wait for a window with text, and return its id."""
    window = opened(screen, title)
    wait_for(lambda: colours(screen, window) > _TEXT_COLOURS, f"text in the window {title}")
    return window


def link(dashboard: Dashboard, page: str) -> str:
    return f"{dashboard.fresh_link()}&next={page}"


def contents(dashboard: Dashboard) -> list[tuple[str, str | None]]:
    listed = dashboard.http.get("/api/memories").json()["memories"]
    return [(one["content"], one["project"]) for one in listed]


def test_it_takes_the_keyboard_knows_the_project_and_forgets_the_text(
    screen: Screen, dashboard: Dashboard, windows: ProcessWindows
) -> None:
    # After the page was loaded, hidden.
    AgentSession(dashboard, "now", "/work/lantern").start()
    for text in ("The wick is trimmed daily.", "The glass is cleaned weekly."):
        windows.show(QuickRemember(), link(dashboard, "/quick-remember"))
        window = painted(screen, "^Remember")
        wait_for(lambda: screen.xdotool("getactivewindow") == window, "the keyboard")  # noqa: B023 - called at once
        # What the page asks for when it is seen.
        time.sleep(1)
        screen.xdotool("type", "--delay", 5, text)
        screen.xdotool("key", "ctrl+Return")
        wait_for(lambda: text in [one for one, _ in contents(dashboard)], "the memory")  # noqa: B023 - see above
        screen.press(window, "Escape", until=lambda: not screen.windows("^Remember"))
        wait_for(lambda: len(of_pages()) == 1, "the next page that is ready")
    assert {project for text, project in contents(dashboard) if "larch" not in text} == {
        "/work/lantern"
    }


def test_each_kind_of_window_is_painted_from_it(
    screen: Screen, dashboard: Dashboard, windows: ProcessWindows
) -> None:
    windows.show(QuickSearch(), link(dashboard, "/quick-search"))
    painted(screen, "^Search")
    windows.show(OpenPage(), link(dashboard, "/"))
    painted(screen, TITLE)
    windows.show(QuickRemember(), link(dashboard, "/quick-remember"))
    painted(screen, "^Remember")


def test_escape_closes_a_window_that_has_had_another_page(
    screen: Screen, dashboard: Dashboard, windows: ProcessWindows
) -> None:
    # Until the hidden page has loaded, which nothing shows.
    time.sleep(5)
    windows.show(QuickSearch(), link(dashboard, "/quick-search"))
    window = painted(screen, "^Search")
    screen.press(window, "Escape", until=lambda: not screen.windows("^Search"))


def test_a_killed_page_comes_back(
    screen: Screen, dashboard: Dashboard, windows: ProcessWindows
) -> None:
    windows.show(OpenPage(), link(dashboard, "/memories"))
    painted(screen, TITLE)
    for page in of_pages():
        page.kill()
    wait_for(of_pages, "the page's process")
    painted(screen, TITLE)
    windows.show(QuickSearch(), link(dashboard, "/quick-search"))
    painted(screen, "^Search")


def test_a_killed_window_process_is_replaced(
    screen: Screen, dashboard: Dashboard, windows: ProcessWindows
) -> None:
    process = of_pages()[0].parent()
    assert process is not None
    process.kill()

    def is_ready() -> bool:
        windows.maintain()
        parents = [page.parent() for page in of_pages()]
        return bool(parents) and process not in parents

    wait_for(is_ready, "a page that is ready")
    windows.show(QuickRemember(), link(dashboard, "/quick-remember"))
    painted(screen, "^Remember")


def test_a_daemon_that_moved_while_it_was_hidden_is_found(
    screen: Screen, dashboard: Dashboard, windows: ProcessWindows
) -> None:
    before = of_pages()
    dashboard.stop()
    dashboard.daemon = start_daemon(dashboard.home, free_port())
    dashboard.daemon.wait_until("ready")
    wait_for(lambda: of_pages() and of_pages() != before, "a page of the daemon that is there")
    with dashboard.daemon.client() as client:
        made = client.post("/api/auth/link", headers=dashboard.daemon.owner).json()["url"]
    windows.show(QuickSearch(), f"{made}&next=/quick-search")
    painted(screen, "^Search")
