"""The window process: which window shows what, and the hidden one that is ready for the next."""

from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.waiting import PATIENCE_S, wait_for
from fakes.window_toolkit import RunningWindows, running_process
from intaglio.desktop.values import OpenMemory
from intaglio.desktop.window.commands import KeepReady
from intaglio.desktop.window.definitions import DEFINITIONS
from intaglio.desktop.window.geometry import Rectangle


@pytest.fixture
def process(tmp_path: Path) -> Generator[RunningWindows]:
    with running_process(tmp_path) as running:
        yield running


def test_a_window_is_shown_once_its_page_is_loaded(process: RunningWindows) -> None:
    url = process.show("dashboard", "/memories")
    assert process.visible("Intaglio").loads == [url]


def test_the_ready_window_shows_the_page_that_it_has_at_once(process: RunningWindows) -> None:
    process.commands.put(KeepReady(ready=True))
    ready = process.ready()
    loads = list(ready.loads)
    process.show("remember", "/quick-remember")
    assert process.visible("Remember") is ready
    assert ready.loads == loads


def test_the_ready_window_loads_any_other_page(process: RunningWindows) -> None:
    process.commands.put(KeepReady(ready=True))
    ready = process.ready()
    url = process.show("search", "/quick-search")
    assert process.visible("Search") is ready
    assert ready.loads[-1] == url


def test_another_window_gets_ready_for_the_one_that_was_taken(process: RunningWindows) -> None:
    process.commands.put(KeepReady(ready=True))
    first = process.ready()
    process.show("remember", "/quick-remember")
    process.visible("Remember")
    assert process.ready() is not first


def test_a_window_that_was_closed_opens_empty_again(process: RunningWindows) -> None:
    process.commands.put(KeepReady(ready=True))
    process.ready()
    process.show("remember", "/quick-remember")
    first = process.visible("Remember")
    first.close()
    process.show("remember", "/quick-remember")
    assert process.visible("Remember") is not first


def test_the_ready_window_is_loaded_once_the_daemon_responds(process: RunningWindows) -> None:
    process.pages.port = None
    process.commands.put(KeepReady(ready=True))
    wait_for(lambda: process.toolkit.windows, "a hidden window")
    assert not process.toolkit.windows[0].loads
    process.pages.port = 3850
    assert "next=/quick-remember" in process.ready().loads[0]


def test_a_window_stays_at_its_page_when_it_is_only_brought_to_the_front(
    process: RunningWindows,
) -> None:
    process.show("dashboard", "/memories")
    window = process.visible("Intaglio")
    process.show("dashboard", "/", keeps_page=True)
    wait_for(lambda: window.shown == 2, "the window in front")
    assert len(window.loads) == 1


def test_memory_is_given_back_and_the_process_ends_without_a_window(
    process: RunningWindows,
) -> None:
    process.commands.put(KeepReady(ready=True))
    ready = process.ready()
    process.commands.put(KeepReady(ready=False))
    assert process.toolkit.over.wait(PATIENCE_S)
    assert ready.is_gone


def test_the_process_stays_while_a_window_is_open(process: RunningWindows) -> None:
    process.show("dashboard", "/")
    window = process.visible("Intaglio")
    process.commands.put(KeepReady(ready=False))
    process.show("search", "/quick-search")
    process.visible("Search").close()
    process.show("dashboard", "/", keeps_page=True)
    wait_for(lambda: window.shown == 2, "the window in front")
    window.close()
    assert process.toolkit.over.wait(PATIENCE_S)


def test_a_page_whose_process_was_killed_is_loaded_again(process: RunningWindows) -> None:
    process.show("dashboard", "/memories")
    window = process.visible("Intaglio")
    window.address = "http://127.0.0.1:3850/sessions"
    process.toolkit.events.crashed(window)
    wait_for(lambda: len(window.loads) == 2, "another load")
    assert window.loads[1].endswith("next=/sessions")
    assert window.shown == 1


def test_a_page_that_crashes_again_and_again_is_left_alone(process: RunningWindows) -> None:
    process.show("dashboard", "/")
    window = process.visible("Intaglio")
    for count in range(2, 5):
        process.toolkit.events.crashed(window)
        wait_for(lambda: len(window.loads) == count, "another load")  # noqa: B023 - called at once
    process.toolkit.events.crashed(window)
    process.show("dashboard", "/", keeps_page=True)
    wait_for(lambda: window.shown == 2, "the window in front")
    assert len(window.loads) == 4


def test_the_ready_window_is_made_anew_once_its_process_was_killed(
    process: RunningWindows,
) -> None:
    process.commands.put(KeepReady(ready=True))
    first = process.ready()
    process.toolkit.events.crashed(first)
    wait_for(lambda: first.is_gone, "the end of the first")
    assert process.ready() is not first


def test_pages_follow_the_daemon_to_another_port(process: RunningWindows) -> None:
    process.commands.put(KeepReady(ready=True))
    ready = process.ready()
    process.show("dashboard", "/memories")
    window = process.visible("Intaglio")
    assert window is ready
    hidden = process.ready()
    process.pages.port = None
    process.pages.on_gone()
    assert process.toolkit.network[-1] is False
    process.pages.port = 4000
    process.pages.on_back()
    wait_for(lambda: window.loads[-1].startswith("http://127.0.0.1:4000/"), "the page again")
    assert window.loads[-1].endswith("next=/memories")
    wait_for(lambda: hidden.is_gone, "the end of the hidden page of before")
    assert process.ready().loads[0].startswith("http://127.0.0.1:4000/")


def test_an_open_page_goes_on_when_the_daemon_is_back_at_its_port(
    process: RunningWindows,
) -> None:
    process.show("dashboard", "/")
    window = process.visible("Intaglio")
    process.pages.on_gone()
    process.pages.on_back()
    wait_for(lambda: process.toolkit.network[-1], "the network")
    assert len(window.loads) == 1


def test_a_page_waits_for_the_daemon_and_says_so(process: RunningWindows) -> None:
    process.pages.port = None
    process.show("dashboard", "/")
    window = process.visible("Intaglio")
    assert "isn't\nresponding" in window.messages[0]
    process.pages.port = 3850
    wait_for(lambda: window.address, "the page")


def test_what_a_quick_window_opens_is_shown_by_the_tray_app(process: RunningWindows) -> None:
    process.show("search", "/quick-search")
    window = process.visible("Search")
    process.toolkit.events.opened(window, "http://127.0.0.1:3850/memories/m1")
    wait_for(lambda: process.opened == [OpenMemory("m1")], "the memory")


def test_a_quick_window_opens_in_the_middle_of_the_pointers_screen(
    process: RunningWindows,
) -> None:
    width, height = DEFINITIONS["remember"].size
    process.show("remember", "/quick-remember")
    box = process.visible("Remember").box
    assert box == Rectangle(1920 + (1280 - width) // 2, (1000 - height) // 2, width, height)


def test_the_dashboard_opens_where_it_was(tmp_path: Path) -> None:
    where = Rectangle(40, 50, 900, 700)
    with running_process(tmp_path) as process:
        process.show("dashboard", "/")
        window = process.visible("Intaglio")
        window.box = where
        window.close()
        assert process.toolkit.over.wait(PATIENCE_S)
    with running_process(tmp_path) as process:
        process.show("dashboard", "/")
        assert process.visible("Intaglio").box == where
