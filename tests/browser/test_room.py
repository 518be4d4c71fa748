"""What gives way where there is little room: columns by priority, actions into a menu, no label."""

import itertools
import re

import pytest
from playwright.sync_api import Page, expect

from browser.page import PAINTED, axe_violations, detail, row
from fakes.dashboard import Dashboard, OpenPage

pytestmark = pytest.mark.browser

SIZES = ((1600, 900), (1280, 800), (900, 600), (640, 400), (480, 600))
CHOICES = [(density, sidebar) for density in ("", "compact") for sidebar in ("wide", "narrow")]
ACTIONS = {
    "Add or remove tags",
    "Move to project",
    "Pin",
    "Unpin",
    "Change type",
    "Change visibility",
    "Forget",
}
# Of each row in sight: its width, and that of its text.
COLUMNS = """() => [...document.querySelectorAll("[role=option]")].map((row) =>
  [row.getBoundingClientRect().width, row.querySelector(".title").getBoundingClientRect().width])"""
# What stands beside or above its own place.
OUTSIDE = """(button) => [...button.querySelectorAll("span")].filter((one) => {
  const [inner, outer] = [one.getBoundingClientRect(), button.getBoundingClientRect()];
  return inner.bottom > outer.bottom + 1 || inner.top < outer.top - 1
    || inner.right > outer.right + 1 || one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.textContent)"""


def choose(page: Page, density: str, sidebar: str) -> None:
    """Set density and sidebar as another window of the user would."""
    page.evaluate(
        "([density, rail]) => { localStorage.setItem('intaglio.density', density);"
        " localStorage.setItem('intaglio.sidebar', rail);"
        " for (const key of ['intaglio.density', 'intaglio.sidebar'])"
        " dispatchEvent(new StorageEvent('storage', { key })); }",
        [density, sidebar],
    )


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(PAINTED)
    page.evaluate(PAINTED)


@pytest.fixture(scope="module")
def memory_id(dashboard: Dashboard) -> str:
    """A memory whose row has something in each column."""
    sent = {
        "tags": ["a-tag-that-is-long", "another-long-tag", "third"],
        "project": "/home/someone/work/a-project-with-a-long-name",
        "type": "procedural",
        "agentId": "an-agent-with-a-long-name",
        "pinned": True,
    }
    text = "Spinel is often taken for ruby, and only the way it breaks light tells them apart. "
    return dashboard.remember(text * 3, **sent)


@pytest.mark.slow
def test_the_text_of_a_memory_keeps_the_greater_part_of_its_row(
    dashboard: Dashboard, open_page: OpenPage, memory_id: str
) -> None:
    narrow: list[str] = []
    page = open_page(dashboard, f"/memories/{memory_id}?q=spinel")
    expect(row(page, "Spinel")).to_be_visible()
    columns: list[list[float]] = page.evaluate(COLUMNS)
    assert min(text for _, text in columns) >= 420
    for path in (f"/memories/{memory_id}?q=spinel", "/memories", "/memories?q=spinel"):
        page.goto(dashboard.url + path)
        expect(page.locator("[role=option]").first).to_be_attached()
        for (density, sidebar), size in itertools.product(CHOICES, SIZES):
            choose(page, density, sidebar)
            resize(page, size)
            columns = page.evaluate(COLUMNS)
            for whole, text in columns:
                # Behind the details, where there is room for one pane only, a list has no width.
                if text < 0.6 * whole or ("/memories/" in path and 0 < text < 360):
                    what = f"{path[:12]} {density} {sidebar} {size}"
                    narrow.append(f"{what}: {text:.0f} of {whole:.0f}")
    assert narrow == []


@pytest.mark.slow
@pytest.mark.parametrize("open_one", [False, True], ids=["list", "details"])
def test_each_action_on_several_has_its_label_or_stands_in_a_menu(
    dashboard: Dashboard, open_page: OpenPage, memory_id: str, *, open_one: bool
) -> None:
    page = open_page(dashboard, f"/memories/{memory_id}" if open_one else "/memories")
    expect(row(page, "Spinel")).to_be_visible()
    row(page, "Spinel").focus()
    page.keyboard.press("x")
    bar = page.get_by_role("toolbar", name="Selected memories")
    for width, height in SIZES[:2] if open_one else SIZES:
        resize(page, (width, height))
        shown = [one for one in bar.locator("[data-actions] > button").all() if one.is_visible()]
        names = {one.get_attribute("aria-label") or one.inner_text() for one in shown}
        assert all(one.inner_text().strip() for one in shown), (width, names)
        assert bar.evaluate("(bar) => bar.scrollWidth <= bar.clientWidth"), width
        more = bar.get_by_role("button", name="More actions")
        if names == ACTIONS:
            expect(more).to_have_count(0)
            continue
        more.click()
        assert names | set(page.get_by_role("menuitem").all_inner_texts()) == ACTIONS, width
        page.keyboard.press("Escape")
        expect(more).to_be_focused()


@pytest.mark.slow
def test_an_action_is_done_from_the_menu(
    dashboard: Dashboard, open_page: OpenPage, memory_id: str
) -> None:
    page = open_page(dashboard, "/memories", size=SIZES[-1])
    row(page, "Spinel").focus()
    page.keyboard.press("x")
    more = page.get_by_role("button", name="More actions")
    more.press("Enter")
    assert axe_violations(page) == []
    page.get_by_role("menuitem", name="Change visibility").press("Enter")
    dialog = page.get_by_role("dialog", name=re.compile("visibility"))
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(more).to_be_focused()
    assert memory_id


@pytest.mark.slow
@pytest.mark.parametrize("sidebar", ["wide", "narrow"])
def test_what_the_sidebar_says_of_a_pause_stays_in_its_place(
    dashboard: Dashboard, open_page: OpenPage, sidebar: str
) -> None:
    page = open_page(dashboard, "/health")
    choose(page, "", sidebar)
    page.goto(f"{dashboard.url}/memories")
    button = page.get_by_role("navigation").get_by_role("button", name="Pause capture")
    expect(button).to_be_visible()
    outside = button.evaluate(OUTSIDE)
    owner = dashboard.daemon.owner
    dashboard.http.post("/api/capture/pause", json={}, headers=owner).raise_for_status()
    paused = page.get_by_role("navigation").get_by_role("button", name=re.compile("^Capture.*paus"))
    for size in SIZES:
        resize(page, size)
        expect(paused).to_be_visible()
        outside += paused.evaluate(OUTSIDE)
    dashboard.http.post("/api/capture/resume", json={}, headers=owner).raise_for_status()
    assert outside == []


@pytest.mark.slow
def test_a_row_says_its_type_where_only_the_icon_has_room(
    dashboard: Dashboard, open_page: OpenPage, memory_id: str
) -> None:
    page = open_page(dashboard, f"/memories/{memory_id}")
    expect(detail(page)).to_contain_text("Spinel")
    expect(row(page, "Spinel")).to_have_accessible_name(re.compile("^Procedure"))
    expect(row(page, "Spinel").get_by_text("Procedure")).not_to_be_in_viewport()
