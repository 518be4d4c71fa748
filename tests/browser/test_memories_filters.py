"""Finding memories by filters in a real browser: chips in the address, counts, saved filters."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from browser.page import (
    a_day_that_lasts,
    choose,
    held,
    intercept,
    live,
    menu,
    release,
    row,
    wait_until_held,
)
from fakes.dashboard import Dashboard, OpenPage

pytestmark = pytest.mark.browser


def test_filters_are_chips_in_the_address_and_go_one_by_one(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember("Always polish the opal clockwise.", type="rule", project="opal")
    dashboard.remember("The opal came from Coober Pedy.", type="fact", project="opal")
    page = open_page(dashboard)
    expect(row(page, "clockwise")).to_be_visible()
    choose(page, "Type", "Rule")
    choose(page, "Project", "opal")
    expect(page).to_have_url(re.compile(r"type=rule.*project=opal|project=opal.*type=rule"))
    expect(page.get_by_role("option")).to_have_count(1)
    page.reload()
    expect(page.get_by_role("option")).to_have_count(1)
    page.get_by_role("button", name="Remove Type: Rule").click()
    expect(row(page, "Coober Pedy")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("option")).to_have_count(1)
    page.get_by_role("button", name="Clear all").click()
    expect(page.get_by_role("button", name=re.compile("^Remove "))).to_have_count(0)


@pytest.mark.slow
def test_a_value_is_found_by_typing_and_shows_how_many_there_are(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    for number in range(3):
        dashboard.remember(f"Garnet {number} is deep red.", tags=["garnetcut"])
    page = open_page(dashboard)
    expect(row(page, "Garnet 0")).to_be_visible()
    found = menu(page)
    page.keyboard.type("garnetcut")
    expect(found.get_by_role("option", name=re.compile("garnetcut"))).to_contain_text("3")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("tag=garnetcut"))
    page.keyboard.press("Escape")
    expect(page.get_by_text(re.compile(r"^3 of "))).to_be_visible()


@pytest.mark.slow
def test_the_counts_follow_what_changes(dashboard: Dashboard, open_page: OpenPage) -> None:
    dashboard.remember("Topaz is first.", tags=["topaztag"])
    page = open_page(dashboard, "/memories?tag=topaztag")
    live(page)
    expect(page.get_by_text(re.compile(r"^1 of "))).to_be_visible()
    dashboard.remember("Topaz is second.", tags=["topaztag"])
    expect(page.get_by_text(re.compile(r"^2 of "))).to_be_visible()


def late(page: Page, part: str) -> Callable[[], None]:
    """Hold a part of the page back until the returned function is called."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    intercept(page, re.compile(rf"/assets/{part}-.*\.js"), hold)

    def come() -> None:
        wait_until_held(page, waiting)
        for route in waiting:
            route.continue_()

    return come


@pytest.mark.slow
def test_what_is_typed_before_the_menu_is_there_goes_into_it(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Spinel is typed ahead.", tags=["pux"], project="ahead")
    page = open_page(dashboard, "/health")
    come = late(page, "FilterMenu")
    page.goto(f"{dashboard.url}/memories?project=ahead")
    live(page)
    expect(row(page, "Spinel")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("f")
    # Alone they pin, would undo, and select.
    page.keyboard.type("pux")
    page.keyboard.press("Enter")
    come()
    expect(page).to_have_url(re.compile("tag=pux"))
    expect(page.get_by_text("1 selected")).to_have_count(0)
    assert dashboard.stored(memory_id).json()["pinned"] == 0


@pytest.mark.slow
def test_enter_waits_for_values_that_are_still_counted(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember("Spinel is counted late.", tags=["tardy"], project="counted")
    page = open_page(dashboard, "/memories?q=spinel")
    live(page)
    expect(row(page, "counted late")).to_be_visible()
    kept = held(page, re.compile("/facets"), "GET")
    found = menu(page)
    page.keyboard.type("tardy")
    page.keyboard.press("Enter")
    expect(found.get_by_role("option")).to_have_count(0)
    release(page, kept)
    expect(page).to_have_url(re.compile("tag=tardy"))


@pytest.mark.slow
def test_esc_leaves_a_menu_that_is_on_its_way(dashboard: Dashboard, open_page: OpenPage) -> None:
    dashboard.remember("Spinel is left alone.", project="left")
    page = open_page(dashboard, "/health")
    come = late(page, "FilterMenu")
    page.goto(f"{dashboard.url}/memories?project=left")
    live(page)
    expect(row(page, "Spinel")).to_be_visible()
    page.keyboard.press("f")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(row(page, "Spinel")).to_be_focused()
    come()
    expect(page.get_by_role("dialog", name="Filter")).to_have_count(0)


@pytest.mark.slow
def test_the_last_days_show_how_many_they_leave(dashboard: Dashboard, open_page: OpenPage) -> None:
    a_day_that_lasts()
    for number in range(2):
        dashboard.remember(f"Zoisite {number} came today.", project="spans")
    page = open_page(dashboard, "/memories?project=spans")
    live(page)
    expect(row(page, "Zoisite 0")).to_be_visible()
    found = menu(page)
    page.keyboard.type("time")
    page.keyboard.press("Enter")
    expect(found.get_by_role("combobox", name="Filter by Time")).to_be_focused()
    for name in ("Today", "Last 7 days", "Last 30 days"):
        expect(found.get_by_role("option", name=name)).to_contain_text("2")


@pytest.mark.slow
def test_days_of_the_calendar_are_chosen(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard)
    live(page)
    found = menu(page)
    page.keyboard.type("time")
    page.keyboard.press("Enter")
    expect(found.get_by_role("combobox", name="Filter by Time")).to_be_focused()
    found.get_by_role("option", name="Custom range").click()
    found.get_by_label("From", exact=True).fill("2026-01-31")
    found.get_by_label("To", exact=True).fill("2026-01-01")
    found.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile("from=2026-01-01&to=2026-01-31"))
    chip = page.get_by_role("button", name="Remove Time: 1 Jan 2026 to 31 Jan 2026")
    expect(chip).to_be_visible()


@pytest.mark.slow
def test_letters_are_the_menu_s_while_it_is_open_wherever_one_clicked(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Jet is fossil wood.", tags=["jet", "wood"])
    page = open_page(dashboard, f"/memories/{memory_id}")
    live(page)
    found = menu(page)
    page.keyboard.type("tag")
    found.get_by_role("option", name="Tag").first.click()
    found.get_by_role("option", name=re.compile("^jet")).click()
    expect(page).to_have_url(re.compile("tag=jet|tags=jet"))
    field = found.get_by_role("combobox", name="Filter by Tag")
    expect(field).to_be_focused()
    page.keyboard.type("p")
    expect(field).to_have_value("p")
    field.evaluate("(it) => it.blur()")
    page.keyboard.type("p#e")
    page.keyboard.press("Control+a")
    expect(page.get_by_role("toolbar", name="Selected memories")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(found).to_have_count(0)
    page.keyboard.press("Control+a")
    expect(page.get_by_text("1 selected")).to_be_visible()
    assert dashboard.stored(memory_id).json()["pinned"] == 0
