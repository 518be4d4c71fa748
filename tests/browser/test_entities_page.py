"""The entities in a real browser: pinned, merged and undone by keyboard alone, and walked."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from browser.page import live, look_violations, row
from fakes.dashboard import Dashboard, OpenPage
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

HEARTH = "/work/hearth"


def entities(dashboard: Dashboard, words: str = "") -> dict[str, dict[str, Any]]:
    """Return the entities by name."""
    reply = dashboard.http.get("/api/knowledge/entities", params={"q": words, "limit": 200})
    return {one["entity"]["name"]: one["entity"] for one in reply.json()["items"]}


def fill(dashboard: Dashboard) -> None:
    """Remember what names a few entities, and states a constraint of one."""
    for content, kind in (
        ("The billing-service uses PostgreSQL.", "fact"),
        ("The billing-service requires Redis for its locks.", "fact"),
        ("PostgreSQL must always run with checksums enabled.", "rule"),
        ("🚀🚀 PostgreSQL replaced MySQL last spring.", "fact"),
    ):
        dashboard.remember(content, type=kind, project=HEARTH, who="user")


@pytest.fixture(scope="module")
def filled(dashboard: Dashboard) -> Dashboard:
    """A daemon that knows a few entities; each test leaves them as they were."""
    fill(dashboard)
    return dashboard


def told(page: Page) -> Locator:
    """Find the last notification."""
    return page.get_by_role("group", name="Notification").last


def heading(page: Page, name: str) -> None:
    """Wait until the page of an entity is there."""
    expect(page.locator("main h1")).to_have_text(name)


@pytest.mark.slow
def test_an_entity_opened_before_its_search_has_ended_has_the_focus_again(
    filled: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(filled, "/entities")
    live(page)

    def answer_late(route: Route) -> None:
        page.wait_for_timeout(500)
        route.continue_()

    page.route("**/api/knowledge/entities?*q=postg*", answer_late)
    page.keyboard.press("/")
    page.keyboard.type("post")
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.type("g")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    heading(page, "PostgreSQL")
    page.keyboard.press("Escape")
    expect(row(page, "PostgreSQL")).to_be_focused()


def test_an_entity_is_found_pinned_and_unpinned_by_keyboard_alone(
    filled: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(filled, "/memories")
    live(page)
    page.keyboard.press("g")
    page.keyboard.press("t")
    expect(row(page, "PostgreSQL")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("postg")
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    heading(page, "PostgreSQL")
    constraints = page.get_by_role("region", name="Always told")
    expect(constraints).to_contain_text("PostgreSQL must always run with checksums enabled.")
    # Mentions are counted in code points: what stands before takes two units each.
    expect(page.locator("mark").filter(has_text=re.compile("^PostgreSQL$"))).not_to_have_count(0)
    assert look_violations(page) == []
    page.keyboard.press("p")
    expect(told(page)).to_contain_text("Pinned “PostgreSQL”.")
    effect = page.get_by_role("region", name="What changed")
    expect(effect).to_contain_text("Pinned PostgreSQL.")
    pinned = page.get_by_role("navigation", name="Main").get_by_role("link", name="PostgreSQL")
    expect(pinned).to_have_attribute("aria-current", "page")
    assert entities(filled)["PostgreSQL"]["pinned"]
    page.keyboard.press("u")
    expect(told(page)).to_contain_text("Undone.")
    expect(pinned).to_have_count(0)
    assert not entities(filled)["PostgreSQL"]["pinned"]
    page.keyboard.press("Escape")
    expect(row(page, "PostgreSQL")).to_be_focused()


def test_two_entities_are_merged_and_the_merge_undone_by_keyboard_alone(
    filled: Dashboard, open_page: OpenPage
) -> None:
    before = entities(filled)
    page = open_page(filled, f"/entities/{before['MySQL']['id']}")
    live(page)
    heading(page, "MySQL")
    page.keyboard.press("m")
    dialog = page.get_by_role("dialog", name="Merge “MySQL” into another entity")
    expect(dialog.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("postg")
    expect(dialog.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("“PostgreSQL” stays; “MySQL” becomes another name of it.")
    expect(dialog.locator("mark")).not_to_have_count(0)
    assert look_violations(page) == []
    page.keyboard.press("Control+Enter")
    expect(told(page)).to_contain_text("Merged “MySQL” into “PostgreSQL”.")
    heading(page, "PostgreSQL")
    expect(page.get_by_role("region", name="Merged into it")).to_contain_text("MySQL")
    assert "MySQL" not in entities(filled)
    page.keyboard.press("u")
    expect(told(page)).to_contain_text("Undone.")
    expect(page.get_by_role("region", name="Merged into it")).to_have_count(0)
    assert set(entities(filled)) == set(before)


@pytest.mark.slow
def test_it_is_renamed_and_a_fact_becomes_a_constraint_by_keyboard_alone(
    filled: Dashboard, open_page: OpenPage
) -> None:
    service = entities(filled)["billing-service"]
    page = open_page(filled, f"/entities/{service['id']}")
    live(page)
    heading(page, "billing-service")
    page.keyboard.press("F2")
    dialog = page.get_by_role("dialog", name="Edit entity")
    expect(dialog.get_by_label("Name")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("Billing")
    page.keyboard.press("Control+Enter")
    heading(page, "Billing")
    expect(page.get_by_role("group", name="Other names")).to_contain_text("billing-service")
    fact = page.locator("[data-fact]").filter(has_text="requires Redis")
    page.keyboard.press("j")
    for _ in range(10):
        if fact.evaluate("(one) => one === document.activeElement"):
            break
        page.keyboard.press("j")
    expect(fact).to_be_focused()
    page.keyboard.press("c")
    expect(page.get_by_role("region", name="Always told")).to_contain_text("requires Redis")
    page.keyboard.press("u")
    expect(told(page)).to_contain_text("Undone.")
    expect(page.get_by_role("region", name="Always told")).to_have_count(0)
    # Changes are undone from their list too, long after.
    changes = page.get_by_role("region", name="Your changes")
    changes.get_by_role("button", name=re.compile("^Undo")).first.click()
    heading(page, "billing-service")
    expect(changes).to_contain_text("Undone")


@pytest.mark.slow
def test_the_graph_around_an_entity_is_walked_by_arrows_and_read_as_a_list(
    filled: Dashboard, open_page: OpenPage
) -> None:
    service = entities(filled)["billing-service"]
    page = open_page(filled, f"/entities/{service['id']}")
    live(page)
    graph = page.get_by_role("group", name="Entities around billing-service")
    nodes = graph.get_by_role("link")
    expect(nodes).not_to_have_count(0)
    names = {str(one.get_attribute("aria-label")).split(", ")[0] for one in nodes.all()}
    assert names >= {"billing-service", "PostgreSQL", "Redis"}
    nodes.first.focus()
    reached: set[str] = set()
    for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight") * 2:
        page.keyboard.press(key)
        reached.add(str(page.evaluate("document.activeElement.getAttribute('aria-label')")))
    assert len(reached) > 1
    page.get_by_role("slider", name="Depth").fill("2")
    expect(graph.get_by_role("link", name=re.compile("^MySQL"))).to_be_visible()
    page.get_by_text("neighbours as a list").click()
    listed = page.get_by_role("list", name="Neighbours")
    expect(listed.get_by_role("link", name="MySQL")).to_be_visible()
    graph.get_by_role("link", name=re.compile("^Redis")).focus()
    page.keyboard.press("Enter")
    heading(page, "Redis")


@pytest.mark.slow
def test_pinning_on_home_shows_what_it_changes_and_a_memory_leads_to_its_entities(
    filled: Dashboard, open_page: OpenPage
) -> None:
    found = entities(filled)
    path = f"/api/knowledge/entities/{found['Redis']['id']}/pin"
    filled.http.post(path, json={}).raise_for_status()
    page = open_page(filled, f"/home?project={HEARTH}")
    live(page)
    about = page.get_by_role("list", name="Entities that the session is about")
    expect(about.get_by_role("link", name="Redis pinned")).to_be_visible()
    about.get_by_role("link", name="Redis pinned").focus()
    page.keyboard.press("p")
    expect(told(page)).to_contain_text("Unpinned “Redis”.")
    expect(page.get_by_role("region", name="What changed")).to_contain_text("Unpinned Redis.")
    page.keyboard.press("u")
    expect(about.get_by_role("link", name="Redis pinned")).to_be_visible()
    filled.http.delete(path).raise_for_status()
    page.goto(f"{filled.url}/memories?entity={found['MySQL']['id']}")
    expect(page.get_by_role("group", name="Filters")).to_contain_text("Entity: MySQL")
    expect(page.get_by_role("option")).to_have_count(1)
    row(page, "replaced MySQL").click()
    page.get_by_role("region", name="Entities").get_by_role("link", name="MySQL").click()
    heading(page, "MySQL")


@pytest.mark.slow
def test_the_list_shows_entities_of_new_memories(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard, "/entities")
    live(page)
    expect(page.locator("main")).to_contain_text("No entities yet")
    fill(empty_dashboard)
    expect(row(page, "PostgreSQL")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Tools")).click()
    expect(row(page, "billing-service")).to_have_count(0)
    wait_for(lambda: "type=tool" in page.url, "the filter in the address")
