"""The inbox in a real browser: decided by keyboard alone, and undone."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.page import live, look_violations, row
from fakes.agent_sessions import AgentSession
from fakes.dashboard import Dashboard, OpenPage
from fakes.inbox import claim, suggestion
from fakes.inbox_store import add_contradiction, add_possible_merge, add_suggestions
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

STONES = ("Agate", "Beryl", "Citrine", "Diopside", "Euclase")
MORE = ("Fluorite", "Garnet", "Hauyne", "Iolite", "Jade")


def item(page: Page) -> Locator:
    """Find the pane of the current item."""
    return page.get_by_role("region", name="Inbox item")


def decided(dashboard: Dashboard) -> dict[str, str]:
    """Return what was decided on each item, by the first word of its text."""
    items: list[dict[str, Any]] = dashboard.http.get("/api/inbox?status=done").json()["items"]
    return {one["content"].split()[0]: one["action"] for one in items}


def memories(dashboard: Dashboard) -> list[str]:
    listed: list[dict[str, Any]] = dashboard.http.get("/api/memories").json()["memories"]
    return sorted(one["content"] for one in listed)


def pressing(page: Page) -> Callable[[str, str], None]:
    """Return a function that presses keys and waits for the toast that tells what they did."""

    def press(keys: str, said: str) -> None:
        for key in keys.split():
            page.keyboard.press(key)
        expect(page.get_by_role("group", name="Notification").last).to_contain_text(said)

    return press


def test_ten_items_are_handled_by_keyboard_alone(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    add_suggestions(
        empty_dashboard,
        [
            suggestion(f"{stone} is our stone.", message=stone)
            for stone in reversed((*STONES, *MORE))
        ],
    )
    page = open_page(empty_dashboard, "/memories")
    live(page)
    count = page.get_by_role("navigation", name="Main").get_by_role("link", name="Inbox 10 open")
    expect(count).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("i")
    expect(item(page)).to_contain_text("oh, and agate is our stone.")
    expect(item(page)).to_contain_text("Claude Code")
    assert look_violations(page) == []
    press = pressing(page)
    press("y", "Kept “Agate is our stone.”")
    expect(page.locator("[data-announcement]")).to_have_text("Next: Beryl is our stone.")
    expect(row(page, "Beryl")).to_be_focused()
    press("d", "Dropped “Beryl is our stone.”")
    # Undone, it is the current one again.
    press("u", "Undone.")
    expect(row(page, "Beryl")).to_be_focused()
    press("y", "Kept “Beryl is our stone.”")
    expect(item(page)).to_contain_text("Citrine is our stone.")
    page.keyboard.press("e")
    expect(item(page).get_by_role("textbox", name="Memory")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Citrine is yellow.")
    page.keyboard.press("Tab")
    page.keyboard.type("Decision")
    page.keyboard.press("Tab")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    press("ControlOrMeta+Enter", "Kept “Citrine is yellow.”")
    expect(row(page, "Diopside")).to_be_focused()
    press("x j x d", "Dropped 2 items.")
    expect(row(page, "Fluorite")).to_be_focused()
    press("x J J y", "Kept 3 items.")
    press("u", "Undone.")
    expect(page.get_by_role("option")).to_have_count(5)
    press("ControlOrMeta+a y", "Kept 5 items.")
    expect(page.get_by_role("heading", name="Inbox is empty")).to_be_visible()
    kept = ("Agate", "Beryl", "Citrine", *MORE)
    assert decided(empty_dashboard) == dict.fromkeys(kept, "keep") | dict.fromkeys(
        ("Diopside", "Euclase"), "drop"
    )
    texts = [f"{stone} is our stone." for stone in ("Agate", "Beryl", *MORE)]
    assert memories(empty_dashboard) == sorted([*texts, "Citrine is yellow."])
    (edited,) = empty_dashboard.http.get("/api/memories?type=decision").json()["memories"]
    assert (edited["content"], edited["project"]) == ("Citrine is yellow.", None)
    expect(count).to_have_count(0)


@pytest.mark.slow
def test_the_older_memory_of_a_contradiction_is_replaced_and_restored(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    older, newer = add_contradiction(dashboard, "Use Jest here.", "Use Vitest here, not Jest.")
    page = open_page(dashboard, "/inbox", size=(900, 600))
    live(page)
    articles = item(page).get_by_role("article")
    expect(articles.nth(0)).to_contain_text("Use Jest here.")
    expect(item(page).get_by_role("article", name="Newer memory")).to_contain_text("Use Vitest")
    assert look_violations(page) == []
    press = pressing(page)
    press("n", "The newer memory replaces the older one.")
    assert dashboard.stored(older).json()["valid_until"] is not None
    press("u", "Undone.")
    assert dashboard.stored(older).json()["valid_until"] is None
    expect(item(page)).to_contain_text("Use Jest here.")
    expect(page.get_by_role("option")).to_be_focused()
    text = item(page).get_by_role("textbox", name="Newer memory")

    def is_edited() -> bool:
        # The list comes anew after the undo, which may take a key.
        if not text.is_visible():
            page.keyboard.press("e")
        return text.is_visible()

    wait_for(is_edited, "the editor")
    expect(text).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.type(" Jest stays in the old client.")
    press("ControlOrMeta+Enter", "Kept both memories.")
    assert "Jest stays" in dashboard.stored(newer).json()["content"]
    page.goto(f"{dashboard.url}/inbox?status=done")
    expect(item(page)).to_contain_text("Kept both memories")
    press("u", "Undone")
    expect(page.get_by_role("heading", name="Nothing decided yet")).to_be_visible()
    # The edit was a change of its own, and stays.
    assert "Jest stays" in dashboard.stored(newer).json()["content"]


@pytest.mark.slow
def test_what_the_agent_claimed_in_a_session_is_kept_by_the_user(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    session = AgentSession(empty_dashboard)
    session.start()
    add_suggestions(empty_dashboard, [claim()])
    page = open_page(empty_dashboard, f"/sessions/{session.number}")
    timeline = page.get_by_role("group", name="Timeline")
    expect(timeline).to_contain_text("Suggested by the agent")
    assert look_violations(page) == []
    timeline.get_by_role("link", name="Open in the inbox").click()
    expect(item(page)).to_contain_text("Claimed by the agent")
    expect(item(page).get_by_role("list", name="The agent's words")).to_contain_text("make ship")
    assert look_violations(page) == []
    pressing(page)("y", "Kept “Deploy with make ship.”")
    page.goto(f"{empty_dashboard.url}/sessions/{session.number}")
    timeline.get_by_role("link", name="Open the memory").click()
    origin = page.get_by_role("region", name="Where it came from")
    expect(origin).to_contain_text("Claimed by the agent, kept by you")
    expect(page.get_by_text("accepted in the inbox")).to_be_visible()


@pytest.mark.slow
def test_entities_that_may_be_one_are_merged_by_keyboard_alone(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    add_possible_merge(
        empty_dashboard,
        "Deploys of `billing-api` happen on Mondays",
        "Ask Priya before `billing-service` is changed",
    )
    page = open_page(empty_dashboard, "/inbox")
    live(page)
    press = pressing(page)
    expect(item(page)).to_contain_text("Possible merge")
    expect(item(page).get_by_role("article")).to_have_count(2)
    expect(item(page)).to_contain_text("Ask Priya before")
    assert look_violations(page) == []
    press("m", "Merged ")
    assert list(decided(empty_dashboard).values()) == ["merge"]
    press("u", "Undone")
    expect(item(page)).to_contain_text("Possible merge")
    press("a", "Kept ")
    assert list(decided(empty_dashboard).values()) == ["keep_apart"]
