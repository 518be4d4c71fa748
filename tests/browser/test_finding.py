"""Finding things of every kind from Ctrl K, and a session by its words and its day."""

import re
from collections.abc import Generator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.page import live, look_violations, row
from fakes.agent_sessions import move_back, talk
from fakes.dashboard import Dashboard, OpenPage, Seen, running_dashboard

pytestmark = pytest.mark.browser

SHOP, LANTERN = "/work/shop", "/work/lantern"
OUTAGE = "Why was there an outage of the checkout last night?"
TYPES = "Please type the importer strictly."
DATABASE = "We decided to use PostgreSQL for the orders service."


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    """A daemon with memories, entities and sessions of two projects."""
    with running_dashboard(tmp_path_factory.mktemp("finding")) as dashboard:
        dashboard.remember(DATABASE, project=SHOP, type="decision")
        dashboard.remember("Priya Raman owns the billing service.", project=SHOP)
        dashboard.remember("The checkout calls the billing service.", project=SHOP)
        dashboard.remember("Prefer small commits.", type="preference")
        talk(dashboard, "types", TYPES, project=SHOP)
        outage = talk(dashboard, "outage", OUTAGE, "From now on page Priya first.", project=SHOP)
        talk(dashboard, "lamp", "Add a lamp to the lantern.", project=LANTERN)
        move_back(dashboard, [outage], timedelta(days=3))
        dashboard.wait_until_known()
        yield dashboard


def group(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=name, exact=True)


def chosen(page: Page) -> Locator:
    return page.get_by_role("option", selected=True)


def ask(page: Page, words: str) -> None:
    """Open the palette and type, and wait for the daemon's answer."""
    page.keyboard.press("ControlOrMeta+k")
    expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
    with page.expect_response(re.compile("/api/find")):
        page.keyboard.type(words)


def test_one_search_finds_things_of_every_kind_by_keyboard_alone(
    shop: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(shop, "/status")
    live(page)
    ask(page, "priya")
    expect(group(page, "Memories").get_by_text("owns the billing service")).to_be_visible()
    expect(group(page, "Entities").get_by_role("option").first).to_contain_text("Priya")
    expect(page.get_by_role("dialog").locator("mark").first).to_have_text("Priya")
    assert look_violations(page) == []
    page.keyboard.press("Escape")
    # A session by its first prompt, a group at a time.
    ask(page, "outage")
    expect(group(page, "Sessions").get_by_role("option").first).to_contain_text("outage")
    for _ in range(8):
        if "outage of the checkout" in (chosen(page).text_content() or ""):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/sessions/\d+$"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("outage")
    # Settings and destinations by other words.
    ask(page, "mute")
    expect(chosen(page)).to_contain_text("notifications", ignore_case=True)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/settings/desktop\.notifications$"))
    ask(page, "growth")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/statistics$"))
    ask(page, "ram usage")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/status#figures$"))
    expect(page.get_by_text("Details", exact=True)).to_be_focused()
    ask(page, "billing service")
    page.get_by_role("option", name="Show all memories").click()
    expect(page).to_have_url(re.compile(r"/memories\?q=billing\+service$"))
    expect(row(page, "Priya")).to_be_visible()
    assert seen.problems == []


@pytest.mark.slow
def test_what_a_page_does_most_stands_first_and_ways_to_sort_last(
    shop: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(shop, "/memories")
    live(page)
    page.keyboard.press("ControlOrMeta+k")
    options = page.get_by_role("dialog").get_by_role("option")
    expect(options.first).to_contain_text("Remember…")
    names = page.get_by_role("dialog").locator("h3").all_text_contents()
    assert names.index("Memories") < names.index("Go to") < names.index("Sort and group")
    page.keyboard.type("sort")
    expect(chosen(page)).to_contain_text("Sort")


def test_a_session_is_found_by_its_words_and_its_day(
    shop: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(shop, f"/sessions?project={SHOP}")
    live(page)
    expect(page.get_by_role("option")).to_have_count(2)
    expect(row(page, "Please type the importer")).to_contain_text("Claude Code")
    page.keyboard.press("/")
    page.keyboard.type("outage")
    expect(page).to_have_url(re.compile(r"\?q=outage&project="))
    expect(page.get_by_role("option").first).to_contain_text("outage of the checkout")
    expect(page.get_by_role("option").first.locator("mark").first).to_have_text("outage")
    assert look_violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_have_count(2)
    page.keyboard.press("f")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    day = (datetime.now(UTC).astimezone() - timedelta(days=3)).date().isoformat()
    form = page.get_by_role("dialog", name="Days")
    form.get_by_label("From").fill(day)
    form.get_by_label("To").fill(day)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"from={day}&to={day}$"))
    expect(page.get_by_role("option")).to_have_count(1)
    expect(page.get_by_role("option")).to_contain_text("outage")
    assert seen.problems == []
