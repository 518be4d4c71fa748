"""The Agents page, and agents in the list of memories, in a real browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.page import choose, detail, live, look_violations, row, unfold
from fakes.dashboard import Dashboard, OpenPage, Seen

pytestmark = pytest.mark.browser


def add(dashboard: Dashboard, agent_id: str, **more: object) -> None:
    """Add an agent as the user does."""
    body = {"id": agent_id, **more}
    dashboard.http.post("/api/agents", json=body, headers=dashboard.daemon.owner).raise_for_status()


def line(page: Page, name: str) -> Locator:
    """Find the row of an agent."""
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name))


@pytest.mark.slow
def test_a_single_agent_page_explains_how_to_add_others(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard)
    live(page)
    page.keyboard.press("Control+k")
    page.keyboard.type("agents")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Agents")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Agents")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/agents$"))
    expect(page.get_by_text("Other agents appear here")).to_be_visible()
    expect(line(page, "default")).to_contain_text("Shared")
    expect(page.get_by_role("button", name="Archive default")).to_have_count(0)


def test_an_agent_is_added_by_the_keyboard_alone(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/agents")
    expect(line(page, "default")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_label("ID", exact=True)).to_be_focused()
    page.keyboard.type("jade smith")
    expect(page.get_by_text("An ID can't contain spaces, colons or slashes.")).to_be_visible()
    expect(page.get_by_role("button", name="Add", exact=True).last).to_be_disabled()
    page.get_by_label("ID", exact=True).fill("jade")
    page.keyboard.press("Tab")
    shared = page.get_by_role("radio", name="Shared")
    while not shared.evaluate("(one) => one === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Isolated")).to_be_checked()
    page.get_by_role("radio", name="Group").check()
    expect(page.get_by_text("Enter a group name")).to_be_visible()
    page.get_by_label("Group", exact=True).last.fill("stones")
    page.keyboard.press("Control+Enter")
    expect(line(page, "jade")).to_contain_text("Group")
    expect(line(page, "jade")).to_contain_text("stones")
    expect(page.get_by_role("button", name="jade", exact=True)).to_be_focused()
    page.keyboard.press("k")
    expect(page.get_by_role("button", name="jade", exact=True)).not_to_be_focused()
    page.keyboard.press("j")
    expect(page.get_by_role("button", name="jade", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("radio", name="Isolated").check()
    page.keyboard.press("Control+Enter")
    expect(line(page, "jade")).to_contain_text("Isolated")


@pytest.mark.slow
def test_an_archived_agent_keeps_its_memories_and_comes_back(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    add(dashboard, "onyx", name="Onyx")
    dashboard.remember("Onyx is layered.", agentId="onyx")
    page = open_page(dashboard, "/agents")
    page.get_by_role("button", name="Archive Onyx").click()
    expect(page.get_by_text("Its memory stays visible to you")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Archive Onyx")).to_be_visible()
    page.get_by_role("button", name="Archive Onyx").click()
    page.get_by_role("button", name="Archive", exact=True).click()
    archived = page.get_by_role("table", name="Archived agents")
    expect(archived).to_contain_text("Onyx")
    assert dashboard.http.get("/api/memories").json()["memories"] is not None
    line(page, "Onyx").get_by_role("link", name="1", exact=True).click()
    expect(row(page, "Onyx is layered.")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Restore Onyx").click()
    expect(page.get_by_role("button", name="Archive Onyx")).to_be_visible()


@pytest.mark.slow
def test_a_new_agent_appears_by_itself(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/agents")
    live(page)
    dashboard.remember("Beryl speaks for the first time.", agentId="beryl")
    expect(line(page, "beryl")).to_be_visible()
    expect(line(page, "beryl")).to_contain_text("1")


@pytest.mark.slow
def test_an_agent_of_the_roster_is_only_changed_in_its_file(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    folder = Path(dashboard.http.get("/health").json()["agentsDir"])
    (folder / "agent.yaml").write_text(
        "agents: {roster: [{id: topaz, name: Topaz, read_policy: isolated}]}\n"
    )
    page = open_page(dashboard, "/agents")
    expect(line(page, "Topaz")).to_contain_text("agent.yaml")
    expect(page.get_by_role("button", name="Edit Topaz")).to_have_count(0)
    (folder / "agent.yaml").write_text("agents: {roster: []}\n")
    expect(page.get_by_role("table", name="Archived agents")).to_contain_text("Topaz")


@pytest.mark.slow
def test_memories_show_whose_they_are_and_are_filtered_by_it(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    add(dashboard, "ruby", name="Ruby")
    dashboard.remember("The corundum is red.", agentId="ruby")
    dashboard.remember("The corundum was cheap.", agentId="ruby", visibility="private")
    dashboard.remember("The corundum is common property.")
    page = open_page(dashboard)
    expect(row(page, "was cheap").get_by_label("Only its agent")).to_be_visible()
    choose(page, "Agent", "Ruby")
    expect(page.get_by_role("option")).to_have_count(2)
    choose(page, "Visibility", "Only its agent")
    expect(page.get_by_role("option")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"agent=ruby&visibility=private"))
    page.reload()
    row(page, "was cheap").click()
    unfold(page)
    expect(detail(page)).to_contain_text("Only its agent and you see it.")
    page.get_by_role("button", name="Remove Agent: Ruby").click()
    page.get_by_role("button", name="Remove Visibility: Only its agent").click()
    expect(row(page, "common property")).to_be_visible()


@pytest.mark.slow
def test_the_page_is_clean_in_every_look(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    add(dashboard, "agate", read_policy="group", policy_group="stones")
    add(dashboard, "gone")
    dashboard.http.delete("/api/agents/gone", headers=dashboard.daemon.owner).raise_for_status()
    page = open_page(dashboard, "/agents")
    expect(page.get_by_role("table", name="Archived agents")).to_be_visible()
    found = {"table": look_violations(page)}
    page.keyboard.press("n")
    expect(page.get_by_role("dialog")).to_be_visible()
    found["add"] = look_violations(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Archive agate").click()
    expect(page.get_by_role("dialog")).to_contain_text("This agent has no memories.")
    found["archive"] = look_violations(page)
    assert found == {state: [] for state in found}
    assert seen.problems == []
