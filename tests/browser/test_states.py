"""How each view that shows data stands with a daemon that fails, is slow, or has nothing."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from browser.page import axe_violations, detail, live, try_again
from fakes.dashboard import Dashboard, OpenPage

pytestmark = pytest.mark.browser

# Each view, what it asks the daemon, and what it shows when that came.
VIEWS = {
    "/memories": (r"/api/(memories|memory)\b", "The quartz is clear."),
    "/forgotten": (r"/api/(memories|memory|forgotten)\b", "The feldspar is gone."),
    "/agents": (r"/api/agents\b", "default"),
    "/queue": (r"/api/jobs\b", "have a vector"),
    "/status": (r"/api/status\b", "Memory of the process"),
}
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


def shows(page: Page, text: str) -> None:
    """Wait until a view has what it was asked for."""
    expect(page.locator("main").get_by_text(text).first).to_be_visible()


@pytest.mark.parametrize("path", VIEWS)
def test_a_failure_says_what_to_do_and_trying_again_mends_it(
    stocked: Dashboard, open_page: OpenPage, path: str
) -> None:
    asked, text = VIEWS[path]
    page = open_page(stocked, "/help")
    live(page)
    page.route(re.compile(asked), lambda route: route.fulfill(status=500, json=BROKEN))
    page.goto(stocked.url + path)
    told = page.get_by_role("alert").filter(has_text="The daemon failed")
    expect(told).to_contain_text("It did not expect this.")
    expect(told).to_contain_text("The log says more.")
    assert axe_violations(page) == []
    try_again(page, re.compile(asked), told)
    shows(page, text)
    expect(told).to_have_count(0)


@pytest.mark.parametrize("path", VIEWS)
def test_while_the_answer_is_on_its_way_that_is_told(
    stocked: Dashboard, open_page: OpenPage, path: str
) -> None:
    asked, text = VIEWS[path]
    waiting: list[Route] = []
    answers: list[str] = []

    def keep(route: Route) -> None:
        if answers:
            route.continue_()
        else:
            waiting.append(route)

    page = open_page(stocked, "/help")
    live(page)
    page.route(re.compile(asked), keep)
    page.goto(stocked.url + path)
    loading = page.get_by_role("status", name=re.compile("^Loading"))
    expect(loading.first).to_be_visible()
    assert axe_violations(page) == []
    answers.append("from now on")
    for route in waiting:
        route.continue_()
    shows(page, text)
    expect(loading).to_have_count(0)


@pytest.mark.parametrize("path", VIEWS)
def test_without_a_daemon_what_is_shown_stays(
    empty_dashboard: Dashboard, open_page: OpenPage, path: str
) -> None:
    empty_dashboard.remember("The quartz is clear.")
    empty_dashboard.forget(empty_dashboard.remember("The feldspar is gone."))
    page = open_page(empty_dashboard, path)
    live(page)
    shows(page, VIEWS[path][1])
    empty_dashboard.stop()
    expect(page.get_by_text("The daemon does not answer", exact=True)).to_be_attached()
    shows(page, VIEWS[path][1])


def test_an_open_memory_that_does_not_come_is_asked_for_again(
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


def test_what_is_typed_outlives_that_the_memory_is_forgotten_elsewhere(
    stocked: Dashboard, open_page: OpenPage
) -> None:
    memory_id = stocked.remember("The topaz is lost.")
    page = open_page(stocked, f"/memories/{memory_id}")
    live(page)
    expect(detail(page)).to_contain_text("The topaz is lost.")
    page.keyboard.press("e")
    page.get_by_label("Content").fill("The topaz is found.")
    stocked.forget(memory_id)
    told = page.get_by_role("alert").filter(has_text="It was forgotten while you were editing.")
    expect(told).to_be_visible()
    expect(page.get_by_label("Content")).to_have_value("The topaz is found.")
    told.get_by_role("button", name="Bring it back").click()
    expect(told).to_have_count(0)
    page.get_by_role("button", name="Save mine over it").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert stocked.stored(memory_id).json()["content"] == "The topaz is found."
