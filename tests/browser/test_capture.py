"""Pausing capture in the dashboard, as a person and a terminal do it."""

import re
from collections.abc import Generator

import pytest
from playwright.sync_api import Page, expect

from browser.page import look_violations
from fakes.dashboard import Dashboard, OpenPage, Seen

pytestmark = pytest.mark.browser


def ask(dashboard: Dashboard, what: str, **body: object) -> None:
    reply = dashboard.http.post(f"/api/capture/{what}", json=body, headers=dashboard.daemon.owner)
    reply.raise_for_status()


def paused(dashboard: Dashboard) -> bool:
    return bool(dashboard.http.get("/api/capture").json()["paused"])


@pytest.fixture(autouse=True)
def goes_on(dashboard: Dashboard) -> Generator[None]:
    """However a test ends, nothing is paused for the next one."""
    yield
    ask(dashboard, "resume")


def choose(page: Page, name: str) -> None:
    page.get_by_role("button", name=re.compile("Pause capture|Capture paused")).click()
    page.get_by_role("menuitem", name=name).click()


@pytest.mark.slow
def test_capture_is_paused_and_resumed_from_the_sidebar(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard)
    choose(page, "For 15 minutes")
    banner = page.get_by_role("status").filter(has_text="Capture is paused until")
    expect(banner).to_contain_text(re.compile("1[0-5] min left"))
    assert paused(dashboard)
    banner.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("Capture is paused")).to_have_count(0)
    assert not paused(dashboard)
    # The menu of a pause gives another end, or resumes.
    choose(page, "Until I resume")
    expect(page.get_by_text("Capture is paused.")).to_be_visible()
    choose(page, "For 1 hour")
    expect(page.get_by_text(re.compile(r"(1 h|\d+ min) left"))).to_be_visible()
    choose(page, "Resume capture")
    expect(page.get_by_role("button", name="Pause capture")).to_be_visible()


@pytest.mark.slow
def test_a_pause_passes_axe(dashboard: Dashboard, open_page: OpenPage, seen: Seen) -> None:
    ask(dashboard, "pause", minutes=90)
    page = open_page(dashboard)
    expect(page.get_by_text(re.compile(r"1 h \d+ min left"))).to_be_visible()
    assert look_violations(page) == []
    page.get_by_role("button", name="Capture paused").click()
    expect(page.get_by_role("menuitem", name="Resume capture")).to_be_visible()
    assert look_violations(page) == []
    assert seen.problems == []
