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


def test_a_memory_is_edited_and_saved(dashboard: Dashboard, open_page: OpenPage) -> None:
    memory_id = dashboard.remember("The abacus has nine rods.", project="edit")
    page = listed(dashboard, open_page, "edit", 1)
    press(page, "j", "Enter", "e")
    content = page.get_by_label("Content")
    expect(content).to_be_focused()
    press(page, "Control+a")
    page.keyboard.type("The abacus has ten rods.")
    press(page, "Tab")
    expect(page.get_by_label("Type")).to_be_focused()
    press(page, "Tab")
    page.keyboard.type("count, wood")
    press(page, "Control+Enter")
    expect(row(page, "ten rods")).to_be_focused()
    stored = dashboard.stored(memory_id).json()
    assert stored["content"] == "The abacus has ten rods."
    assert "wood" in str(stored["tags"])


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


def test_a_memory_is_pinned_by_the_palette(dashboard: Dashboard, open_page: OpenPage) -> None:
    memory_id = dashboard.remember("The lodestone points north.", project="pin")
    page = listed(dashboard, open_page, "pin", 1)
    press(page, "j")
    palette(page, "pin", "Pin or unpin")
    expect(row(page, "lodestone").get_by_role("img", name="Pinned")).to_be_visible()
    assert dashboard.stored(memory_id).json()["pinned"]


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


def test_several_are_brought_back_from_forgotten(dashboard: Dashboard, open_page: OpenPage) -> None:
    ids = [dashboard.remember(f"Candle {number} of the chapel.") for number in range(3)]
    for one in ids:
        dashboard.forget(one)
    page = open_page(dashboard)
    live(page)
    press(page, "g", "f")
    expect(page.get_by_role("heading", name="Forgotten", level=1)).to_be_visible()
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
            expect(page.get_by_role("heading", name="Queue is empty")).to_be_visible()


def test_an_agent_is_added(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard)
    live(page)
    press(page, "g", "a")
    expect(page.get_by_role("rowheader", name="default")).to_be_visible()
    press(page, "n")
    expect(page.get_by_label("ID", exact=True)).to_be_focused()
    page.keyboard.type("keeper")
    tab_to(page, page.get_by_role("radio", name="Shared"))
    press(page, "ArrowDown", "ArrowDown")
    expect(page.get_by_role("radio", name="Isolated")).to_be_checked()
    press(page, "Control+Enter")
    expect(page.get_by_role("button", name="keeper", exact=True)).to_be_focused()
    agents = dashboard.http.get("/api/agents").json()["agents"]
    assert "isolated" in [one["read_policy"] for one in agents if one["id"] == "keeper"]


def test_a_page_of_help_is_found_and_read(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard)
    live(page)
    press(page, "g", "h")
    expect(page.get_by_role("heading", name="Help", level=1)).to_be_visible()
    press(page, "/")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("erase permanently")
    expect(page.get_by_role("option").first).to_be_visible()
    press(page, "Enter")
    expect(page).to_have_url(re.compile(r"/help/[a-z]"))
    expect(page.locator("article :focus")).to_be_attached()
    press(page, "]")
    expect(page.locator("article h1")).to_be_focused()


def test_theme_and_density_are_changed_by_the_palette(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember("Ink dries in a minute.", project="look")
    page = listed(dashboard, open_page, "look", 1)
    # As high as the list has measured it.
    expect(row(page, "Ink dries")).to_have_css("height", "32px")
    palette(page, "dark", "Theme: dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    palette(page, "compact", "Density: compact")
    expect(page.locator("html")).to_have_attribute("data-density", "compact")
    expect(row(page, "Ink dries")).to_have_css("height", "28px")


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


def test_something_is_remembered_from_the_page_and_from_the_small_window(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard)
    live(page)
    press(page, "n")
    expect(page.get_by_label("What to remember")).to_be_focused()
    page.keyboard.type("The compass needs a new needle.")
    press(page, "Control+Enter")
    expect(row(page, "compass")).to_be_visible()
    small = open_page(dashboard, "/quick-remember", size=(480, 420))
    expect(small.get_by_label("What to remember")).to_be_focused()
    small.keyboard.type("The plumb line is frayed.")
    press(small, "Control+Enter")
    expect(small.get_by_text("Saved for all projects.")).to_be_visible()
    expect(row(page, "plumb line")).to_be_visible()
