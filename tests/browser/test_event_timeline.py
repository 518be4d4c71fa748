"""All that happened to a memory, and in a session, in a real browser."""

import json

import pytest
from playwright.sync_api import Page, expect

from browser.page import detail, look_violations, unfold
from fakes.dashboard import Dashboard, OpenPage

pytestmark = pytest.mark.browser


def fold(page: Page) -> None:
    page.get_by_text("Everything that happened").click()


def test_a_memorys_timeline_is_unfolded_in_its_details_and_saved_as_a_file(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory = dashboard.remember("Feldspar is mined in the north.")
    page = open_page(dashboard, f"/memories/{memory}")
    unfold(page)
    fold(page)

    timeline = detail(page).get_by_role("group", name="Timeline")
    expect(timeline.get_by_text("Created")).to_be_visible()
    expect(timeline.get_by_text("Feldspar")).to_have_count(0)
    assert look_violations(page) == []

    with page.expect_download() as saved:
        detail(page).get_by_role("link", name="Save as a file").click()
    stored = json.loads(saved.value.path().read_text(encoding="utf-8"))
    assert stored["timeline"]["entityId"] == memory


@pytest.mark.slow
def test_an_entitys_timeline_leads_to_the_memories_that_name_it(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory = dashboard.remember("Postgres stores the invoices of the quarry.")
    page = open_page(dashboard, "/entities")
    page.get_by_role("option", name="Postgres").click()
    fold(page)
    expect(page.get_by_text("Named by a memory")).to_be_visible()
    page.get_by_role("link", name="Show the memory").first.click()
    expect(page).to_have_url(f"{dashboard.url}/memories/{memory}")
