"""Connecting an agent: the first-run card, the section of Status, and the ways that lead there."""

import re
import subprocess

import pytest
from playwright.sync_api import Page, expect

from browser.page import live, look_violations
from fakes.dashboard import Dashboard, OpenPage, Seen

pytestmark = pytest.mark.browser

HARNESS = "claude-code"


def command(dashboard: Dashboard) -> str:
    (row,) = dashboard.http.get("/api/harnesses").json()["harnesses"]
    return str(row["command"])


def type_in_a_terminal(dashboard: Dashboard, line: str) -> None:
    env = {"HOME": str(dashboard.home), "PATH": "/usr/bin:/bin"}
    subprocess.run(["/bin/sh", "-c", line], env=env, check=True, capture_output=True)


def send_hook(dashboard: Dashboard) -> None:
    body = {"hook_event_name": "SessionStart", "session_id": "s"}
    dashboard.http.post(f"/api/hooks/native/{HARNESS}", json=body).raise_for_status()


def expect_section(page: Page) -> None:
    """Wait until the section's heading is in the window and has the focus."""
    heading = page.get_by_role("heading", name="Connect an agent")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()


def test_the_first_run_leads_from_the_command_to_the_first_hook(
    empty_dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(empty_dashboard)
    live(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    agents = page.get_by_role("list", name="Agent connections")
    shown = agents.get_by_role("group", name="Code").inner_text()
    assert shown == command(empty_dashboard)
    assert look_violations(page) == []
    agents.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    copied: str = page.evaluate("navigator.clipboard.readText()")
    type_in_a_terminal(empty_dashboard, f"{copied} --yes")
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(agents).to_contain_text("waiting for its first hook")
    send_hook(empty_dashboard)
    expect(agents).to_contain_text("last hook just now")
    expect(agents.get_by_role("group", name="Code")).to_have_count(0)
    assert seen.problems == []


def test_status_says_what_is_connected_and_follows_the_hooks(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard, "/status")
    live(page)
    section = page.get_by_role("region", name="Connect an agent")
    expect(section.get_by_role("group", name="Code")).to_have_text(command(empty_dashboard))
    assert look_violations(page) == []
    send_hook(empty_dashboard)
    expect(section).to_contain_text("last hook just now")


@pytest.mark.parametrize("path", ["/memories", "/status"])
def test_the_command_palette_leads_to_the_section(
    dashboard: Dashboard, open_page: OpenPage, path: str
) -> None:
    page = open_page(dashboard, path, size=(900, 600))
    expect(page.get_by_role("heading", level=1)).to_be_attached()
    page.keyboard.press("Control+k")
    page.keyboard.type("connect an")
    expect(page.get_by_role("option", name="Connect an agent")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/status"))
    expect_section(page)


def test_the_section_has_the_focus_once_a_slow_page_has_it(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/memories", size=(900, 600))
    asked = "**/api/status"
    # Without an answer of its own, a request goes on when the route is taken away.
    page.route(asked, lambda _: None)
    with page.expect_request(asked):
        page.goto(f"{dashboard.url}/status")
    expect(page.get_by_role("heading", name="Status", level=1)).to_be_attached()
    page.evaluate("location.hash = 'connect'")
    page.unroute(asked)
    expect_section(page)


def test_the_address_that_the_tray_opens_leads_to_the_section(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/status#connect", size=(640, 400))
    expect_section(page)
    region = page.get_by_role("region", name="Daemon status")
    region.evaluate("(one) => { one.scrollTop = one.scrollHeight; one.focus(); }")
    page.evaluate("location.hash = ''")
    page.evaluate("location.hash = 'connect'")
    expect_section(page)
