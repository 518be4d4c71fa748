"""The Constellation page in a real browser, on a store with a map: drawn, selected, travelled."""

import io
import re
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Request, Route, expect

from browser.page import PAINTED, axe_violations, detail, look_violations
from fakes.dashboard import Dashboard, OpenPage, running_dashboard
from fakes.star_map import star_home
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

COUNT = 240
ENTITY = "00000000-0000-7000-8000-000000000001"
STATE = "**/api/embeddings/projection/state*"
RUNS = "**/api/embeddings/projection/runs*"
FAILED: Final[dict[str, object]] = {
    "project": None,
    "agent": None,
    "memories": COUNT,
    "embedded": COUNT,
    "layouts": [],
    "run": None,
    "failure": {
        "reason": "The layout ran out of memory.",
        "hint": "Close other programs and try again.",
        "at": "2026-11-27T12:00:00Z",
    },
    "is_outdated": False,
}
RUNNING: Final[dict[str, object]] = FAILED | {
    "failure": None,
    "run": {"phase": "layout", "progress": 0.4, "dimensions": [2], "started_at": None},
}


@pytest.fixture(scope="module")
def starred(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    """A daemon whose store has a map; each test leaves it as it was."""
    home = tmp_path_factory.mktemp("stars")
    star_home(home, COUNT)
    with running_dashboard(home) as running:
        yield running


def sky(page: Page) -> Locator:
    """Find the drawing of the map."""
    return page.get_by_role("application")


def opened(starred: Dashboard, open_page: OpenPage, query: str = "") -> Page:
    """Open the map and wait until it stands."""
    page = open_page(starred, f"/constellation{query}")
    expect(sky(page)).to_be_visible()
    page.evaluate(PAINTED)
    return page


def number(text: str) -> int:
    """Read the first number of a text."""
    found = re.search(r"\d[\d,]*", text)
    assert found, text
    return int(found[0].replace(",", ""))


def shown(page: Page) -> int:
    """How many memories the map says it shows: its accessible name."""
    return number(sky(page).get_attribute("aria-label") or "")


def selected(page: Page) -> Locator:
    """Find the bar of what is selected."""
    return page.get_by_role("toolbar", name="Selected memories")


def rows(page: Page) -> Locator:
    """Find the rows of the list."""
    return page.get_by_role("region", name="Memories as a list").get_by_role("option")


def colours(page: Page) -> int:
    """Count the colours that fill the drawing besides its background, four pixels of each."""
    picture = Image.open(io.BytesIO(sky(page).screenshot())).convert("RGB")
    found = picture.getcolors(1 << 24) or []
    return sum(count >= 4 for count, _ in found) - 1


def test_the_map_is_drawn_and_opens_a_memory_by_key_and_by_address(
    starred: Dashboard, open_page: OpenPage
) -> None:
    page = opened(starred, open_page)
    assert colours(page) >= 7
    sky(page).focus()
    for key in ("ArrowRight", "ArrowLeft", " "):
        page.keyboard.press(key)
    expect(selected(page)).to_contain_text("1 selected")
    expect(page.locator(".stage .card")).to_contain_text(re.compile(r"note \d+"))
    # A box from the current point on.
    page.keyboard.press("b")
    expect(page.get_by_text("Space sets a corner, Enter selects")).to_be_visible()
    for key in (" ", *6 * ["Shift+ArrowRight", "Shift+ArrowDown"], "Enter", "Escape"):
        page.keyboard.press(key)
    wait_for(lambda: number(selected(page).inner_text()) > 1, "the memories in the box")
    page.keyboard.press("Escape")
    expect(selected(page)).to_have_count(0)
    page.keyboard.press("Enter")
    text = detail(page).locator(".content")
    expect(text).to_be_visible()
    found = re.search(r"[?&]m=([0-9a-f-]{36})", page.url)
    assert found
    word = text.inner_text()
    page.keyboard.press("Escape")
    expect(detail(page)).to_have_count(0)
    page.goto(f"{starred.url}/memories/{found[1]}")
    expect(text).to_have_text(word)
    page.keyboard.press("w")
    expect(page).to_have_url(re.compile(rf"/constellation\?m={found[1]}"))
    expect(text).to_have_text(word)


def test_an_entity_s_memories_are_lit_from_its_page(
    starred: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(starred, f"/entities/{ENTITY}")
    expect(page.get_by_role("heading", name="Deployment")).to_be_visible()
    page.keyboard.press("w")
    expect(page).to_have_url(re.compile(rf"/constellation\?entity={ENTITY}"))
    expect(sky(page)).to_be_visible()
    wait_for(lambda: 0 < shown(page) < COUNT / 4, "the memories of one entity")


def test_what_a_lasso_selects_can_be_forgotten_and_restored(
    starred: Dashboard, open_page: OpenPage
) -> None:
    page = opened(starred, open_page)
    before = shown(page)
    box = sky(page).bounding_box()
    assert box
    page.keyboard.press("l")
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9), (0.1, 0.12))
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    # The legend lies over a corner of the map.
    page.mouse.move(box["x"] + 0.1 * box["width"], box["y"] + 0.95 * box["height"])
    page.mouse.down()
    for x, y in places:
        page.mouse.move(min(x, box["x"] + box["width"] - 260), y, steps=4)
    page.mouse.up()
    expect(selected(page)).to_be_visible()
    many = number(selected(page).inner_text())
    assert many > COUNT / 4
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(selected(page)).to_have_count(0)
    page.keyboard.press("v")
    expect(rows(page).first).to_be_focused()
    for key in ("x", "ArrowDown", "x"):
        page.keyboard.press(key)
    expect(selected(page)).to_contain_text("2 selected")
    # The open memory takes the place of the list, and keys are about it until it is closed.
    page.keyboard.press("Enter")
    expect(detail(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(rows(page).nth(1)).to_be_focused()
    expect(selected(page)).to_contain_text("2 selected")
    expect(page.locator("[data-announcement]", has_text="2 memories selected")).to_be_attached()
    page.keyboard.press("#")
    dialog = page.get_by_role("dialog", name="Forget 2 memories?")
    expect(dialog).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 forgotten.")).to_be_visible()
    wait_for(lambda: shown(page) == before - 2, "two memories less")
    page.keyboard.press("u")
    expect(page.get_by_text("2 restored.")).to_be_visible()
    wait_for(lambda: shown(page) == before, "the two memories back")


def test_legend_and_search_narrow_the_map_and_the_address_keeps_it(
    starred: Dashboard, open_page: OpenPage
) -> None:
    page = opened(starred, open_page)
    before = shown(page)
    rule = page.get_by_role("button", name=re.compile(r"^Rule"))
    rules = number(rule.inner_text())
    rule.click()
    expect(rule).to_have_attribute("aria-pressed", "false")
    wait_for(lambda: shown(page) == before - rules, "the map without rules")
    page.keyboard.press("/")
    page.keyboard.type("invoice")
    expect(sky(page)).to_have_accessible_name(re.compile(r"\d+ match"))
    matches = shown(page)
    assert 0 < matches < before
    expect(page).to_have_url(re.compile(r"hide=rule.*q=invoice|q=invoice.*hide=rule"))
    page.reload()
    expect(rule).to_have_attribute("aria-pressed", "false")
    expect(sky(page)).to_have_accessible_name(re.compile(rf"{matches} match"))


def test_the_map_travels_through_time_by_keyboard(starred: Dashboard, open_page: OpenPage) -> None:
    page = opened(starred, open_page)
    sky(page).focus()
    now = shown(page)
    page.keyboard.press("h")
    panel = page.get_by_role("region", name="Time")
    expect(panel.get_by_role("radio", name="Now")).to_be_focused()
    page.keyboard.press("ArrowRight")
    week = number(panel.get_by_text(re.compile("memories created")).inner_text())
    assert 0 < week < now / 4
    wait_for(lambda: shown(page) == week, "the memories of the last week")
    page.keyboard.press("ArrowRight")
    slider = panel.get_by_role("slider", name="Day")
    slider.focus()
    page.keyboard.press("Home")
    wait_for(lambda: shown(page) < week, "few memories on the first day")
    page.keyboard.press("PageUp")
    expect(page).to_have_url(re.compile(r"asOf=\d{4}-\d\d-\d\d"))
    panel.get_by_role("radio", name="Compare").check(force=True)
    new = panel.get_by_role("button", name=re.compile(r"\d+ new"))
    gone = panel.get_by_role("button", name=re.compile(r"\d+ gone"))
    assert number(new.inner_text()) > 0 < number(gone.inner_text())
    assert axe_violations(page, within="main") == []
    new.press("Enter")
    expect(selected(page)).to_contain_text(f"{number(new.inner_text())} selected")
    page.reload()
    expect(new).to_be_visible()


def test_each_look_of_the_map_passes_axe(starred: Dashboard, open_page: OpenPage) -> None:
    day = datetime.now(UTC) - timedelta(days=60)
    page = opened(starred, open_page, f"?list=1&asOf={day:%Y-%m-%d}")
    expect(rows(page).first).to_be_visible()
    assert look_violations(page) == []


def test_a_small_store_lists_what_is_near_each_memory(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    for text in ("Deploy the shop on Mondays only.", "The shop is deployed by a script.", "Owls."):
        dashboard.remember(text)
    dashboard.wait_until_known()
    page = open_page(dashboard, "/constellation")
    expect(page.get_by_role("heading", name="The map appears with 30 memories")).to_be_visible()
    near = page.get_by_role("list", name="Closest to “Deploy the shop on Mondays only.”")
    near.get_by_role("button").first.click()
    expect(detail(page)).to_contain_text("The shop is deployed by a script.")


def test_a_failed_run_says_why_and_can_be_tried_again(
    starred: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(starred, "/help")
    asked: list[Request] = []

    def run(route: Route) -> None:
        asked.append(route.request)
        route.fulfill(status=202, json=RUNNING)

    page.route(STATE, lambda route: route.fulfill(json=RUNNING if asked else FAILED))
    page.route(RUNS, run)
    page.goto(f"{starred.url}/constellation")
    failure = page.locator("main").get_by_role("alert")
    expect(failure).to_contain_text("The layout ran out of memory.")
    expect(failure).to_contain_text("Close other programs and try again.")
    failure.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name=f"Laying out {COUNT} memories")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_be_visible()
    assert [request.method for request in asked] == ["POST"]
