"""The workspace in a real browser: a file is edited, written, edited by someone else, decided."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.page import live, look_violations
from fakes.dashboard import Dashboard, OpenPage
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

RULE, ADDED = "- Use pnpm, never npm.", "- Answer in English."
OWN = "# My own instructions\n"
HARNESS = "claude-code"


def connect(dashboard: Dashboard) -> Path:
    """Connect an agent as the user does, and return the file of instructions that it reads."""
    folder = dashboard.home / ".claude"
    folder.mkdir()
    (folder / "CLAUDE.md").write_text(OWN)
    address = f"/api/harnesses/{HARNESS}/connect"
    owner = dashboard.daemon.owner
    shown = dashboard.http.post(address, json={"mode": "preview"}, headers=owner)
    body = {"mode": "apply", "token": shown.json()["token"]}
    dashboard.http.post(address, json=body, headers=owner).raise_for_status()
    return folder / "CLAUDE.md"


def test_what_a_person_writes_reaches_the_agent_and_an_edit_there_is_asked_about(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    told = connect(empty_dashboard)
    page = open_page(empty_dashboard, "/connections")
    live(page)
    page.get_by_role("link", name="Open the workspace").click()
    page.get_by_role("link", name="Create AGENTS.md").click()
    text = page.get_by_role("textbox", name="Text of AGENTS.md")
    expect(text).to_be_focused()
    text.press_sequentially(RULE)
    assert look_violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_text("Press Esc again to discard your changes.")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("link", name="Edit AGENTS.md")).to_be_visible()
    wait_for(lambda: RULE in told.read_text(), "the text in the agent's file")
    assert told.read_text().endswith(OWN)
    targets = page.get_by_role("list", name="Written to")
    expect(targets.get_by_role("listitem")).to_contain_text("Up to date")
    assert look_violations(page) == []

    told.write_text(told.read_text().replace(RULE, f"{RULE}\n{ADDED}"))
    targets.get_by_role("link", name="Decide on Claude Code in the inbox").click()
    item = page.get_by_role("region", name="Inbox item")
    expect(item.get_by_role("insertion")).to_contain_text(ADDED)
    assert look_violations(page) == []
    page.keyboard.press("t")
    expect(page.get_by_role("group", name="Notification").last).to_contain_text("Took the edit")
    file = empty_dashboard.daemon.paths.workspace / "AGENTS.md"
    wait_for(lambda: ADDED in file.read_text(), "the edit in the workspace")
    assert told.read_text().endswith(OWN)
