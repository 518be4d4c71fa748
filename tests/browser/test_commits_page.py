"""Commits in a real browser: read from the project's page, looked at, forgotten, switched off."""

import pytest
from playwright.sync_api import expect

from browser.page import live, look_violations, row
from fakes.agent_sessions import AgentSession
from fakes.dashboard import Dashboard, OpenPage
from fakes.git import git, repository

pytestmark = pytest.mark.browser

MESSAGES = (
    "Retry the export\n\nThe gateway drops every third call while it restarts.",
    "Use Luxon for dates\n\nMoment is no longer maintained.",
)


def test_commits_are_read_found_forgotten_and_switched_off(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    folder = repository(empty_dashboard.home / "lantern")
    for message in MESSAGES:
        git(folder, "commit", "-q", "--allow-empty", "-m", message)
    AgentSession(empty_dashboard, project=str(folder)).start()

    page = open_page(empty_dashboard, f"/projects/detail?project={folder}")
    live(page)
    card = page.get_by_role("region", name="Commits")
    card.get_by_role("button", name="Read now").click()
    expect(card).to_contain_text("2 commits with a body")
    card.get_by_role("link", name="All commits").click()

    detail = page.get_by_role("region", name="Commit", exact=True)
    expect(detail).to_contain_text("Moment is no longer maintained.")
    assert look_violations(page) == []
    note = page.get_by_role("group", name="Notification").last
    page.get_by_role("searchbox").fill("gateway")
    expect(row(page, "Use Luxon")).to_have_count(0)
    page.get_by_role("searchbox").fill("")
    row(page, "Use Luxon").focus()
    page.keyboard.press("#")
    expect(note).to_contain_text("Forgot commit")
    expect(row(page, "Use Luxon")).to_have_count(0)
    expect(row(page, "Retry the export")).to_be_focused()
    expect(detail).to_contain_text("The gateway drops every third call while it restarts.")
    page.keyboard.press("u")
    expect(note).to_contain_text("Undone.")
    expect(row(page, "Use Luxon")).to_be_focused()

    page.go_back()
    expect(card).to_contain_text("2 commits with a body")
    card.get_by_role("link", name="Change for this project").click()
    page.get_by_role("switch", name="Read commits").click()
    page.get_by_role("button", name="Change and delete").click()
    expect(card).to_contain_text("aren't read")
    expect(card.get_by_role("button", name="Read now")).to_be_disabled()
    assert look_violations(page) == []
    page.goto(f"{empty_dashboard.url}/memories?commits=1")
    expect(page.get_by_text("No commits yet")).to_be_visible()
