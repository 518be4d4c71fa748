"""The Memories page in a real browser, served by a real dashboard."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.page import detail, live, row
from fakes.dashboard import Dashboard, OpenPage, Seen
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser


def toast(page: Page, text: str) -> Locator:
    """Find a note at the foot of the page."""
    return page.get_by_role("region", name="Notifications").get_by_text(text)


def test_the_link_that_the_daemon_prints_opens_the_dashboard(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard, signed_in=False)
    page.goto(empty_dashboard.printed_link)
    expect(page.get_by_role("heading", name="Home", exact=True)).to_be_attached()
    page.get_by_role("link", name="Memories", exact=True).click()
    expect(page.get_by_role("button", name="Connect Claude Code")).to_be_visible()
    page.get_by_role("button", name="Remember something").click()
    page.get_by_label("What to remember").fill("The seal is kept in the left drawer.")
    page.keyboard.press("Control+Enter")
    expect(row(page, "left drawer")).to_be_visible()


def test_changes_made_elsewhere_appear_without_a_reload(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard)
    live(page)
    memory_id = dashboard.remember("Carnelian is the stone of the seal.")
    expect(row(page, "Carnelian is the stone")).to_be_visible()
    dashboard.forget(memory_id)
    expect(row(page, "Carnelian is the stone")).to_have_count(0)


def test_the_list_follows_the_search_while_typing(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember("The obelisk stands in the garden.")
    dashboard.remember("The fountain runs from May to October.")
    page = open_page(dashboard)
    live(page)
    page.keyboard.press("/")
    page.keyboard.type("obelisk", delay=30)
    # Others may follow, by their meaning; what has the word goes first.
    expect(page.get_by_role("option").first).to_contain_text("obelisk")
    expect(page.get_by_text(re.compile(r"^\d+ results?$"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"q=obelisk"))
    page.keyboard.press("Escape")
    expect(row(page, "fountain")).to_be_visible()


@pytest.mark.slow
def test_a_search_without_results_says_so(dashboard: Dashboard, open_page: OpenPage) -> None:
    dashboard.remember("There is at least one memory.")
    page = open_page(dashboard, "/memories?q=zyzzyva&project=nowhere")
    expect(page.get_by_role("heading", name="No results")).to_be_visible()
    page.get_by_role("button", name="Show all memories").click()
    expect(row(page, "at least one memory")).to_be_visible()


@pytest.mark.slow
def test_an_edit_is_saved_and_stands_in_the_history(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Jasper costs four florins.")
    page = open_page(dashboard)
    row(page, "Jasper costs").click()
    expect(detail(page)).to_contain_text("Jasper costs four florins.")
    page.keyboard.press("e")
    expect(page.get_by_label("Content")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("Jasper costs five florins.")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Type")).to_be_focused()
    page.keyboard.type("Rule")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Tags")).to_be_focused()
    page.keyboard.type("stones, prices")
    page.keyboard.press("Control+Enter")
    expect(row(page, "five florins")).to_be_focused()
    expect(detail(page).get_by_text("prices")).to_be_visible()
    detail(page).get_by_text("Show changes").click()
    expect(detail(page).locator("del", has_text="four")).to_be_visible()
    expect(detail(page).locator("ins", has_text="five")).to_be_visible()
    expect(detail(page).get_by_text("Changed by dashboard")).to_be_visible()
    stored = dashboard.stored(memory_id).json()
    assert (stored["content"], stored["type"]) == ("Jasper costs five florins.", "rule")


@pytest.mark.slow
def test_a_pinned_memory_is_forgotten_only_after_it_is_unpinned(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("critical: the signet never leaves the house")
    page = open_page(dashboard, f"/memories/{memory_id}")
    page.get_by_role("button", name="Forget").click()
    expect(toast(page, "This memory is pinned.")).to_be_visible()
    assert dashboard.stored(memory_id).status_code == 200
    page.get_by_role("button", name="Unpin and forget").click()
    expect(toast(page, "Forgot “")).to_be_visible()
    assert dashboard.stored(memory_id).status_code == 404


@pytest.mark.slow
def test_line_breaks_of_a_memory_are_kept(dashboard: Dashboard, open_page: OpenPage) -> None:
    memory_id = dashboard.remember("To cut a seal:\n1. choose the stone\n2. draw the figure")
    page = open_page(dashboard, f"/memories/{memory_id}")
    text = detail(page).locator("p", has_text="To cut a seal").inner_text()
    assert text.splitlines() == ["To cut a seal:", "1. choose the stone", "2. draw the figure"]


def test_the_keyboard_alone_walks_opens_edits_and_closes(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    for number in ("one", "two", "three"):
        dashboard.remember(f"Amethyst number {number}.", project="keyboard")
    page = open_page(dashboard, "/memories?project=keyboard")
    expect(page.get_by_role("option")).to_have_count(3)
    page.keyboard.press("j")
    expect(row(page, "three")).to_be_focused()
    page.keyboard.press("j")
    expect(row(page, "two")).to_be_focused()
    page.keyboard.press("Enter")
    expect(detail(page)).to_contain_text("Amethyst number two.")
    page.keyboard.press("j")
    expect(detail(page)).to_contain_text("Amethyst number one.")
    page.keyboard.press("e")
    expect(page.get_by_label("Content")).to_be_focused()
    page.keyboard.type(" jk#eu")
    expect(page.get_by_label("Content")).to_have_value("Amethyst number one. jk#eu")
    page.keyboard.press("Escape")
    expect(page.get_by_text("Press Esc again")).to_be_visible()
    page.keyboard.press("Escape")
    expect(row(page, "one")).to_be_focused()
    page.keyboard.press("Escape")
    expect(detail(page)).to_have_count(0)
    expect(row(page, "one")).to_be_focused()
    page.keyboard.press("?")
    shortcuts = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(shortcuts).to_contain_text("Forget")
    page.keyboard.press("#")
    page.keyboard.press("Escape")
    expect(shortcuts).to_have_count(0)
    expect(row(page, "one")).to_be_focused()
    expect(page.get_by_role("option")).to_have_count(3)


@pytest.mark.slow
def test_a_lost_daemon_is_told_and_its_return_brings_the_list_up_to_date(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard)
    live(page)
    empty_dashboard.stop()
    expect(page.get_by_text("Can't reach the daemon.", exact=True)).to_be_visible()
    empty_dashboard.start_again()
    empty_dashboard.remember("Said while the page could not hear.")
    expect(row(page, "could not hear")).to_be_visible()
    expect(page.get_by_text("Can't reach the daemon.", exact=True)).to_have_count(0)


def test_nothing_leaves_the_origin_and_nothing_complains(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    memory_id = dashboard.remember("Quiet as a stone.")
    page = open_page(dashboard)
    live(page)
    row(page, "Quiet as a stone").click()
    expect(detail(page)).to_contain_text("Quiet as a stone.")
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    page.get_by_role("button", name="Filter", exact=True).click()
    expect(page.get_by_role("dialog", name="Filter")).to_be_visible()
    page.keyboard.press("Escape")
    assert memory_id in page.url
    assert [url for url in seen.requests if not url.startswith(dashboard.url)] == []
    assert seen.problems == []


@pytest.mark.slow
def test_a_save_over_a_newer_version_shows_it_and_keeps_both_texts(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Beryl is green.")
    page = open_page(dashboard, "/health")
    # Only the save can find the conflict.
    page.route("**/api/events", lambda route: route.abort())
    page.goto(f"{dashboard.url}/memories/{memory_id}")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Content").fill("Beryl is blue.")
    dashboard.modify(memory_id, content="Beryl is golden.")
    page.get_by_role("button", name="Save").click()
    conflict = page.get_by_role("alert", name="This memory changed while you were editing")
    expect(conflict.locator("del", has_text="green")).to_be_visible()
    expect(conflict.locator("ins", has_text="golden")).to_be_visible()
    expect(page.get_by_label("Content")).to_have_value("Beryl is blue.")
    page.get_by_role("button", name="Overwrite with mine").click()
    expect(detail(page).get_by_role("heading", name="History")).to_be_visible()
    assert dashboard.stored(memory_id).json()["content"] == "Beryl is blue."


@pytest.mark.slow
def test_what_is_searched_here_does_not_count_as_use(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    word = "chalcedony"
    looked_at = dashboard.remember(f"The {word} is grey.")
    recalled = dashboard.remember(f"The onyx-{word} is black.")
    page = open_page(dashboard)
    live(page)
    page.keyboard.press("/")
    page.keyboard.type(f"grey {word}")
    expect(page.get_by_text(re.compile(r"^\d+ results?$"))).to_be_visible()
    body = {"query": f"onyx-{word}", "limit": 1}
    dashboard.http.post("/api/memory/recall", json=body).raise_for_status()

    def is_counted() -> bool:
        return bool(dashboard.stored(recalled).json()["access_count"])

    # Counts are written together, in their order.
    wait_for(is_counted, "the use of what a program recalled")
    assert dashboard.stored(looked_at).json()["access_count"] == 0
    assert dashboard.stored(recalled).json()["access_count"] == 1
