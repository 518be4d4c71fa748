"""Connecting agents from the dashboard: the changes are shown, then written as shown."""

import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.page import live, look_violations
from fakes.dashboard import Dashboard, OpenPage, Seen

pytestmark = pytest.mark.browser

HARNESS = "claude-code"
OWN_SETTINGS = '{\n  "model": "opus"\n}\n'


@pytest.fixture
def settings(empty_dashboard: Dashboard) -> Path:
    """The settings of an agent that isn't connected."""
    file = empty_dashboard.home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(OWN_SETTINGS)
    return file


def send_hook(dashboard: Dashboard) -> None:
    body = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(dashboard.home)}
    dashboard.http.post(f"/api/hooks/native/{HARNESS}", json=body).raise_for_status()


def agents(page: Page) -> Locator:
    """Find the list of agents and their connections."""
    return page.get_by_role("list", name="Agent connections")


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus."""
    expect(target).to_be_visible()
    for _ in range(60):
        if target.evaluate("(one) => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab doesn't lead to {target}")


@pytest.mark.slow
def test_an_agent_is_connected_and_disconnected_by_keyboard_alone(
    empty_dashboard: Dashboard, settings: Path, open_page: OpenPage, seen: Seen
) -> None:
    servers = empty_dashboard.home / ".claude.json"
    page = open_page(empty_dashboard, "/connections")
    live(page)
    tab_to(page, page.get_by_role("button", name="Connect Claude Code"))
    assert look_violations(page) == []
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Connect Claude Code")
    expect(dialog.get_by_role("button", name="Apply")).to_be_focused()
    changes = dialog.get_by_role("group", name="Changes to")
    expect(changes.first).to_contain_text("claude-code.py")
    expect(changes.last).to_contain_text("mcp.py")
    assert look_violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Connect Claude Code")).to_be_focused()
    assert settings.read_text() == OWN_SETTINGS
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("button", name="Apply")).to_be_focused()
    page.keyboard.press("Control+Enter")
    row = page.get_by_role("listitem", name="Claude Code")
    expect(row).to_be_focused()
    assert "claude-code.py" in settings.read_text()
    assert "mcp.py" in servers.read_text()
    expect(row).to_contain_text("Start a new session in Claude Code.")
    expect(row.get_by_role("button", name="Remove tools of Claude Code")).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Test the hook of Claude Code"))
    page.keyboard.press("Enter")
    expect(row).to_contain_text("The hook works: answered in ")
    expect(row).to_contain_text("None yet")
    assert look_violations(page) == []
    send_hook(empty_dashboard)
    expect(row).to_contain_text("Session started · just now")
    row.focus()
    tab_to(page, page.get_by_role("button", name="Disconnect Claude Code"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Apply")).to_be_focused()
    page.keyboard.press("Enter")
    expect(row).to_contain_text("Not connected")
    assert settings.read_text() == OWN_SETTINGS
    assert not servers.exists()
    assert seen.problems == []


@pytest.mark.slow
def test_settings_that_changed_since_they_were_shown_are_shown_again(
    empty_dashboard: Dashboard, settings: Path, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard, "/connections")
    page.get_by_role("button", name="Connect Claude Code").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("mcp.py")
    dialog.get_by_role("checkbox", name="Register the search and save tools").uncheck()
    expect(dialog).not_to_contain_text("mcp.py")
    expect(dialog).to_contain_text("opus")
    settings.write_text('{\n  "model": "sonnet"\n}\n')
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog.get_by_role("status").filter(has_text="nothing was written")).to_be_visible()
    expect(dialog).to_contain_text("sonnet")
    assert "hooks" not in settings.read_text()
    expect(dialog.get_by_role("button", name="Apply")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    assert '"sonnet",' in settings.read_text()
    assert "claude-code.py" in settings.read_text()
    assert not (empty_dashboard.home / ".claude.json").exists()
    expect(agents(page)).to_contain_text("Turned off")


@pytest.mark.slow
def test_settings_that_cannot_be_changed_say_why_and_can_be_tried_again(
    empty_dashboard: Dashboard, settings: Path, open_page: OpenPage
) -> None:
    broken = '{\n  // mine\n  "model": "opus"\n}\n'
    settings.write_text(broken)
    page = open_page(empty_dashboard, "/connections")
    expect(agents(page)).to_contain_text("line 2: a comment")
    page.get_by_role("button", name="Connect Claude Code").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_contain_text("line 2: a comment")
    assert settings.read_text() == broken
    settings.write_text(OWN_SETTINGS)
    dialog.get_by_role("button", name="Try again").click()
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_have_count(0)
    expect(agents(page)).to_contain_text("waiting for its first event")


@pytest.mark.slow
def test_the_command_of_the_terminal_connects_too(
    empty_dashboard: Dashboard, settings: Path, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard, "/connections")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    agents(page).get_by_text("Or run in a terminal").click()
    rows = empty_dashboard.http.get("/api/harnesses").json()["harnesses"]
    row = next(each for each in rows if each["id"] == HARNESS)
    expect(agents(page).get_by_role("group", name="Code")).to_have_text(row["command"])
    agents(page).get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    copied: str = page.evaluate("navigator.clipboard.readText()")
    env = {"HOME": str(empty_dashboard.home), "PATH": "/usr/bin:/bin"}
    line = f"{copied} --yes"
    subprocess.run(["/bin/sh", "-c", line], env=env, check=True, capture_output=True)
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(agents(page)).to_contain_text("waiting for its first event")
    assert "claude-code.py" in settings.read_text()


@pytest.mark.slow
def test_the_palette_leads_to_connections(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/memories", size=(900, 600))
    heading = page.get_by_role("heading", name="Connections", level=1)
    live(page)
    page.keyboard.press("Control+k")
    page.keyboard.type("connect an")
    expect(page.get_by_role("option", name="Connect an agent").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(heading).to_be_focused()
