"""A person's tasks done by the keyboard alone: no pointer, and no focus put by the test."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from browser.page import detail, intercept, live, row, wait_until_held
from fakes.dashboard import Dashboard, OpenPage, running_dashboard
from fakes.embedding_server import WIDTH, EmbeddingServer, embedding_server

pytestmark = pytest.mark.browser

MOST_TABS = 80


def press(page: Page, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, there: Locator, key: str = "Tab") -> None:
    """Press Tab until something has the focus."""
    expect(there).to_be_visible()
    for _ in range(MOST_TABS):
        if there.evaluate("(node) => node === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{MOST_TABS} times {key} do not lead there")


def palette(page: Page, words: str, chosen: str) -> None:
    """Do what the palette offers for some words."""
    press(page, "Control+k")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type(words)
    expect(page.get_by_role("option", selected=True)).to_contain_text(chosen)
    press(page, "Enter")


def listed(dashboard: Dashboard, open_page: OpenPage, project: str, count: int) -> Page:
    """Open the list of a project."""
    page = open_page(dashboard, f"/memories?project={project}")
    live(page)
    expect(page.get_by_role("option")).to_have_count(count)
    return page


@pytest.mark.slow
def test_a_memory_is_found_and_opened(dashboard: Dashboard, open_page: OpenPage) -> None:
    dashboard.remember("The astrolabe hangs in the north store.")
    dashboard.remember("The sextant lies in the south store.")
    page = open_page(dashboard)
    live(page)
    press(page, "/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    with page.expect_response(re.compile("q=astrolabe(&|$)")):
        page.keyboard.type("astrolabe")
    expect(page.get_by_role("option").first).to_contain_text("astrolabe")
    press(page, "Enter")
    expect(row(page, "astrolabe")).to_be_focused()
    press(page, "Enter")
    expect(detail(page)).to_contain_text("The astrolabe hangs in the north store.")
    press(page, "Escape")
    expect(detail(page)).to_have_count(0)


@pytest.mark.slow
def test_the_list_is_grouped_and_sorted_and_stays_so(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    for name, kind, importance in (("Ruler", "rule", 0.2), ("Plumb", "rule", 0.9)):
        dashboard.remember(f"{name} measures.", type=kind, importance=importance, project="order")
    dashboard.remember("Level measures, too.", type="fact", importance=0.5, project="order")
    page = listed(dashboard, open_page, "order", 3)
    press(page, "o")
    expect(page.get_by_role("menuitemradio", name="Newest")).to_be_focused()
    page.keyboard.type("i")
    press(page, "Enter", "o")
    page.keyboard.type("t")
    press(page, "Enter")
    expect(page).to_have_url(re.compile("sort=importance&group=type$"))
    rules = page.get_by_role("group", name="Rule 2")
    expect(rules.get_by_role("option")).to_contain_text(["Plumb", "Ruler"])
    expect(page.get_by_role("group", name="Fact 1").get_by_role("option")).to_have_count(1)
    press(page, "j")
    expect(row(page, "Level")).to_be_focused()
    press(page, "j")
    expect(row(page, "Plumb")).to_be_focused()
    # Another visit whose address says nothing of it.
    page.goto(re.sub("[?].*", "?project=order", page.url))
    expect(page.get_by_role("group", name="Rule 2")).to_be_attached()
    palette(page, "sort newest", "Sort: Newest")
    palette(page, "group day", "Group: Day")
    expect(page.get_by_role("group", name="Today 3")).to_be_attached()


@pytest.mark.slow
def test_what_was_asked_to_be_edited_is_edited_although_it_comes_late(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    first = dashboard.remember("The first quill is a goose's.", project="late")
    second = dashboard.remember("The second quill is a swan's.", project="late")
    page = listed(dashboard, open_page, "late", 2)
    press(page, "j", "Enter")
    expect(detail(page)).to_contain_text("The second quill")
    slow = re.compile(rf"/api/memory/{first}$")
    waiting: list[Route] = []
    intercept(page, slow, waiting.append)
    with page.expect_request(slow):
        press(page, "j")
    wait_until_held(page, waiting)
    press(page, "e")
    # The one before is still shown: nothing of it can be typed into.
    expect(page.get_by_label("Content")).to_have_count(0)
    for route in waiting:
        route.continue_()
    page.unroute(slow)
    expect(page.get_by_label("Content")).to_be_focused()
    page.keyboard.type(" It is cut.")
    press(page, "Control+Enter")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert dashboard.stored(first).json()["content"] == "The first quill is a goose's. It is cut."
    assert dashboard.stored(second).json()["content"] == "The second quill is a swan's."


def test_a_memory_is_forgotten_and_brought_back(dashboard: Dashboard, open_page: OpenPage) -> None:
    memory_id = dashboard.remember("The hourglass runs for a quarter.", project="undo")
    dashboard.remember("The sundial needs the sun.", project="undo")
    page = listed(dashboard, open_page, "undo", 2)
    press(page, "j", "j", "#")
    expect(page.get_by_text("Forgot “The hourglass")).to_be_visible()
    assert dashboard.stored(memory_id).status_code == 404
    press(page, "u")
    expect(row(page, "hourglass")).to_be_visible()
    assert dashboard.stored(memory_id).status_code == 200


@pytest.mark.slow
def test_five_are_selected_retagged_and_the_change_undone(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    ids = [
        dashboard.remember(f"Tile {number} of the floor.", project="five", tags=["floor"])
        for number in range(6)
    ]
    page = listed(dashboard, open_page, "five", 6)
    press(page, "j", "x", "J", "J", "Shift+ArrowDown", "Shift+ArrowDown")
    expect(page.get_by_text("5 selected")).to_be_visible()
    press(page, "t")
    expect(page.get_by_label("Add", exact=True)).to_be_focused()
    page.keyboard.type("mosaic")
    press(page, "Tab", "Space", "Control+Enter")
    # By then it can be undone; the rows may hear of it before.
    expect(page.get_by_text("5 retagged.")).to_be_visible()
    expect(page.get_by_text("mosaic")).to_have_count(5)
    assert [("mosaic" in str(dashboard.stored(one).json()["tags"])) for one in ids] == [
        False,
        *[True] * 5,
    ]
    press(page, "u")
    expect(page.get_by_text("mosaic")).to_have_count(0)
    assert {str(dashboard.stored(one).json()["tags"]) for one in ids} == {
        str(dashboard.stored(ids[0]).json()["tags"])
    }


@pytest.mark.slow
def test_the_list_is_narrowed_by_type_and_tag_and_widened_again(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember("Always wind the clock.", type="rule", tags=["clockwork"])
    dashboard.remember("The clock came from Jena.", type="fact", tags=["clockwork"])
    dashboard.remember("Never lend the key.", type="rule", tags=["lock"])
    page = open_page(dashboard)
    live(page)
    press(page, "f")
    expect(page.get_by_role("combobox", name="Filter by")).to_be_focused()
    page.keyboard.type("type")
    press(page, "Enter")
    menu = page.get_by_role("dialog", name="Filter")
    expect(menu.get_by_role("option", name=re.compile("^Rule"))).to_be_visible()
    page.keyboard.type("rule")
    press(page, "Enter")
    expect(page).to_have_url(re.compile("type=rule"))
    press(page, "f")
    page.keyboard.type("clockwork")
    expect(menu.get_by_role("option", name=re.compile("^clockwork"))).to_be_visible()
    press(page, "Enter", "Escape")
    expect(page.get_by_role("option")).to_have_count(1)
    expect(row(page, "Always wind")).to_be_visible()
    palette(page, "clear all filters", "Clear all filters")
    expect(page).to_have_url(re.compile("/memories$"))
    expect(row(page, "Never lend")).to_be_visible()


def test_a_filter_is_saved_and_found_again_in_the_palette(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember("Oil the hinges in March.", type="procedural", project="saved")
    page = listed(dashboard, open_page, "saved", 1)
    palette(page, "save filter", "Save filter")
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("The saved house")
    press(page, "Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    palette(page, "clear all filters", "Clear all filters")
    expect(page).to_have_url(re.compile("/memories$"))
    palette(page, "saved house", "The saved house")
    expect(page).to_have_url(re.compile("project=saved"))
    expect(page.get_by_role("option")).to_have_count(1)


@pytest.mark.slow
def test_several_are_brought_back_from_forgotten(dashboard: Dashboard, open_page: OpenPage) -> None:
    ids = [dashboard.remember(f"Candle {number} of the chapel.") for number in range(3)]
    for one in ids:
        dashboard.forget(one)
    page = open_page(dashboard)
    live(page)
    press(page, "g", "f")
    expect(page.get_by_role("searchbox", name="Search forgotten memories")).to_be_visible()
    press(page, "/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("candle")
    expect(page.get_by_text("3 forgotten", exact=True)).to_be_visible()
    lines = page.get_by_role("list", name="Forgotten memories").get_by_role("listitem")
    expect(lines).to_have_count(3)
    press(page, "Enter", "x", "j", "x", "b")
    expect(page.get_by_text("2 restored.")).to_be_visible()
    assert sum(dashboard.stored(one).status_code == 200 for one in ids) == 2


class Refusing(EmbeddingServer):
    """Refuses texts about what is broken until it is told better."""

    is_mended = False

    def reply(self, path: str, key: str, body: dict[str, object]) -> tuple[int, bytes]:
        """Answer 500 to them until then."""
        if "broken" in str(body["input"]) and not self.is_mended:
            return 500, b"it broke"
        return super().reply(path, key, body)


@pytest.mark.slow
def test_given_up_jobs_are_retried_and_discarded(tmp_path: Path, open_page: OpenPage) -> None:
    server = Refusing()
    with embedding_server(server):
        home = tmp_path / "home"
        (home / "agents").mkdir(parents=True)
        (home / "agents" / "agent.yaml").write_text(
            f"embedding:\n  provider: ollama\n  base_url: {server.url}\n  model: stub\n"
            f"  dimensions: {WIDTH}\nmemory:\n  pipelineV2:\n    worker:\n      maxRetries: 1\n"
        )
        with running_dashboard(home) as dashboard:
            dashboard.remember("The bell is broken.")
            dashboard.remember("The drum is broken.")
            page = open_page(dashboard)
            live(page)
            press(page, "g", "q")
            jobs = page.get_by_role("table", name="Failed jobs").get_by_role("link")
            expect(jobs).to_have_count(2)
            press(page, "j", "#", "Enter")
            expect(page.get_by_text("Discarded.")).to_be_visible()
            expect(jobs).to_have_count(1)
            server.is_mended = True
            press(page, "j")
            expect(jobs).to_be_focused()
            press(page, "r")
            expect(page.get_by_text("No jobs are waiting, and none failed.")).to_be_visible()


def test_a_key_of_one_s_own_is_given_and_used(dashboard: Dashboard, open_page: OpenPage) -> None:
    memory_id = dashboard.remember("Wax melts at sixty degrees.", project="remap")
    page = listed(dashboard, open_page, "remap", 1)
    press(page, "j", "?")
    tab_to(page, page.get_by_role("button", name="Customize"))
    press(page, "Enter")
    pin = page.get_by_role("button", name="Change shortcut for Pin or unpin")
    tab_to(page, pin, "Shift+Tab")
    press(page, "Enter", "F4")
    expect(page.get_by_text("Pin or unpin is now F4.")).to_be_visible()
    press(page, "Escape")
    expect(row(page, "Wax melts")).to_be_focused()
    press(page, "F4")
    expect(row(page, "Wax melts").get_by_role("img", name="Pinned")).to_be_visible()
    assert dashboard.stored(memory_id).json()["pinned"]
    page.reload()
    live(page)
    expect(row(page, "Wax melts")).to_be_visible()
    press(page, "j", "F4")
    expect(row(page, "Wax melts").get_by_role("img", name="Pinned")).to_have_count(0)
    # The key that it had before does nothing.
    press(page, "p", "F4")
    expect(row(page, "Wax melts").get_by_role("img", name="Pinned")).to_be_visible()
