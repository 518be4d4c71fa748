"""How an open memory stands with a daemon that fails, and with a change made elsewhere."""

import re

import pytest
from playwright.sync_api import expect

from browser.page import detail, live, try_again
from fakes.dashboard import Dashboard, OpenPage

pytestmark = pytest.mark.browser

BROKEN = {
    "error": "It broke",
    "code": "internal",
    "title": "The daemon failed",
    "status": 500,
    "detail": "It did not expect this.",
    "hint": "The log says more.",
}


@pytest.fixture(scope="module")
def stocked(dashboard: Dashboard) -> Dashboard:
    """A daemon that has something for each view."""
    dashboard.remember("The quartz is clear.")
    dashboard.forget(dashboard.remember("The feldspar is gone."))
    return dashboard


@pytest.mark.slow
def test_an_open_memory_that_fails_to_load_can_be_retried(
    stocked: Dashboard, open_page: OpenPage
) -> None:
    # Not a new one: when its vector is made, the page reads it anew by itself.
    memory_id = stocked.http.get("/api/memories").json()["memories"][-1]["id"]
    one = re.compile(rf"/api/memory/{memory_id}$")
    page = open_page(stocked, "/help")
    page.route(one, lambda route: route.fulfill(status=500, json=BROKEN))
    page.goto(f"{stocked.url}/memories/{memory_id}")
    expect(detail(page).get_by_role("alert")).to_contain_text("The daemon failed")
    try_again(page, one, detail(page))
    expect(detail(page).get_by_role("heading", name="History")).to_be_visible()


@pytest.mark.slow
def test_typed_text_survives_that_the_memory_is_forgotten_elsewhere(
    stocked: Dashboard, open_page: OpenPage
) -> None:
    memory_id = stocked.remember("The topaz is lost.")
    page = open_page(stocked, f"/memories/{memory_id}")
    live(page)
    expect(detail(page)).to_contain_text("The topaz is lost.")
    page.keyboard.press("e")
    page.get_by_label("Content").fill("The topaz is found.")
    stocked.forget(memory_id)
    told = page.get_by_role("alert").filter(has_text="This memory was forgotten while")
    expect(told).to_be_visible()
    expect(page.get_by_label("Content")).to_have_value("The topaz is found.")
    told.get_by_role("button", name="Restore").click()
    expect(told).to_have_count(0)
    page.get_by_role("button", name="Overwrite with mine").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert stocked.stored(memory_id).json()["content"] == "The topaz is found."
