"""What a browser without a session sees, in a real browser: how to sign in, and nothing else."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.page import look_violations, row
from fakes.dashboard import Dashboard, OpenPage

pytestmark = pytest.mark.browser

TEXT = "The heron nests behind the mill."


def expect_sign_in_page(page: Page) -> None:
    expect(page.get_by_role("heading", name="Sign in to Intaglio")).to_be_visible()
    expect(page.get_by_role("group", name="Code")).to_contain_text("dashboard")
    expect(page.get_by_role("navigation")).to_be_hidden()


def test_a_browser_that_is_not_signed_in_sees_only_how_to_sign_in(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember(TEXT)
    page = open_page(dashboard, "/status", signed_in=False)
    for path in ("/status", "/forgotten", "/memories"):
        if path != "/status":
            page.goto(dashboard.url + path)
        expect_sign_in_page(page)
        assert TEXT not in page.content()
        expect(page).to_have_title("Sign in · Intaglio")
    assert look_violations(page, all_colours=True) == []


@pytest.mark.slow
def test_the_page_continues_once_the_browser_is_signed_in(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember(TEXT)
    page = open_page(dashboard, signed_in=False)
    expect_sign_in_page(page)
    other = page.context.new_page()
    other.goto(dashboard.fresh_link())
    other.close()
    expect(row(page, TEXT)).to_be_visible()
    page.context.clear_cookies()


def test_a_private_file_leads_the_browser_to_its_page(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember(TEXT)
    page = open_page(dashboard, signed_in=False)
    asked = {"next": "/memories?project=none"}
    reply = dashboard.http.post("/api/auth/page", json=asked, headers=dashboard.daemon.owner)
    file = Path(reply.json()["file"])
    page.goto(file.as_uri())
    expect(page).to_have_url(f"{dashboard.url}/memories?project=none")
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    assert not file.exists()


@pytest.mark.slow
def test_a_session_that_ends_hides_the_page_and_keeps_what_was_typed(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/quick-remember")
    field = page.get_by_label("What to remember")
    field.fill("Half a thought")
    cookies = page.context.cookies()
    page.context.clear_cookies()
    page.keyboard.press("Control+Enter")
    expect_sign_in_page(page)
    expect(field).to_be_hidden()
    page.context.add_cookies([{**each} for each in cookies])  # type: ignore[typeddict-item]  # as they came
    expect(field).to_have_value("Half a thought")
    expect(field).to_be_visible()


@pytest.mark.slow
def test_localhost_leads_to_the_address_that_links_sign_in(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember(TEXT)
    page = open_page(dashboard)
    page.goto(f"http://localhost:{dashboard.daemon.port}/memories")
    expect(row(page, TEXT)).to_be_visible()
    assert page.url.startswith(dashboard.url)
