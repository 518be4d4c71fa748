"""What was forgotten in a real browser: brought back, or erased for good."""

import pytest
from playwright.sync_api import expect

from browser.page import axe_violations, detail, held, live, look_violations, release, row
from fakes.dashboard import Dashboard, OpenPage, Seen

pytestmark = pytest.mark.browser


def forget(dashboard: Dashboard, content: str) -> str:
    memory_id = dashboard.remember(content)
    path = f"/api/memory/{memory_id}"
    dashboard.http.delete(path, params={"reason": "a test"}).raise_for_status()
    return memory_id


def test_a_forgotten_memory_is_brought_back_from_its_page(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    forget(dashboard, "Chalcedony is milky.")
    page = open_page(dashboard, "/forgotten")
    line = page.get_by_role("listitem").filter(has_text="Chalcedony")
    expect(line).to_be_visible()
    line.get_by_role("button", name="Restore").click()
    expect(line).to_have_count(0)
    page.get_by_role("link", name="All", exact=True).click()
    expect(row(page, "Chalcedony")).to_be_visible()


@pytest.mark.slow
def test_the_focus_stays_where_one_went_while_a_memory_was_brought_back(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    forget(dashboard, "Sodalite is blue.")
    page = open_page(dashboard, "/forgotten")
    line = page.get_by_role("listitem").filter(has_text="Sodalite")
    asked = "**/api/memory/recover"
    kept = held(page, asked, "POST")
    with page.expect_request(asked):
        line.get_by_role("button", name="Restore").click()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    release(page, kept)
    expect(line).to_have_count(0)
    expect(page.get_by_text("Restored.")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_focused()


@pytest.mark.slow
def test_after_erasing_the_next_one_has_the_focus(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    for number in ("one", "two"):
        forget(dashboard, f"Danburite {number} is clear.")
    page = open_page(dashboard, "/forgotten")
    page.get_by_role("searchbox").fill("danburite")
    lines = page.get_by_role("listitem").filter(has_text="Danburite")
    expect(page.get_by_text("2 forgotten", exact=True)).to_be_visible()
    lines.first.get_by_role("button", name="Erase permanently").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Erase permanently").click()
    page.get_by_role("dialog", name="Erased").get_by_role("button", name="Done").click()
    expect(lines).to_have_count(1)
    expect(lines.get_by_role("button", name="Restore")).to_be_focused()


@pytest.mark.slow
def test_a_newly_forgotten_memory_appears(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/forgotten")
    live(page)
    forget(dashboard, "Heliotrope is green.")
    expect(page.get_by_role("listitem").filter(has_text="Heliotrope")).to_be_visible()


def test_erasing_asks_again_and_names_external_copies(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = forget(dashboard, "Prase is green.")
    page = open_page(dashboard, "/forgotten")
    line = page.get_by_role("listitem").filter(has_text="Prase is green")
    line.get_by_role("button", name="Erase permanently").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("You can't undo this")
    assert look_violations(page) == []
    page.get_by_role("alertdialog").get_by_role("button", name="Erase permanently").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("transcripts")
    dialog.get_by_role("button", name="Done").click()
    expect(line).to_have_count(0)
    history = dashboard.http.get(f"/api/memory/{memory_id}/history").json()["history"]
    assert history[-1]["metadata"] == {"erased": True}


@pytest.mark.slow
def test_an_open_memory_is_erased_beside_the_list(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Jet is black.")
    page = open_page(dashboard, f"/memories/{memory_id}")
    detail(page).get_by_role("button", name="Erase permanently").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Cancel").click()
    expect(row(page, "Jet is black")).to_be_visible()
    detail(page).get_by_role("button", name="Erase permanently").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Erase permanently").click()
    expect(page.get_by_role("dialog")).to_contain_text("gone from the database")
    page.get_by_role("dialog").get_by_role("button", name="Done").click()
    expect(row(page, "Jet is black")).to_have_count(0)


@pytest.mark.slow
def test_several_are_erased_for_good_after_one_question(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    ids = [forget(dashboard, f"Ruby {number} is red.") for number in range(30)]
    page = open_page(dashboard, "/forgotten")
    page.get_by_role("searchbox").fill("ruby")
    expect(page.get_by_text("30 forgotten", exact=True)).to_be_visible()
    page.get_by_role("checkbox", name="Select all").check()
    page.get_by_role("button", name="Erase 30 permanently").click()
    dialog = page.get_by_role("alertdialog", name="Erase 30 memories permanently?")
    expect(dialog).to_contain_text("You can't undo this")
    dialog.get_by_role("button", name="Erase permanently").click()
    expect(page.get_by_role("dialog", name="Erased")).to_contain_text("transcripts")
    history = dashboard.http.get(f"/api/memory/{ids[0]}/history").json()["history"]
    assert history[-1]["metadata"] == {"erased": True}


@pytest.mark.slow
def test_project_and_visibility_are_edited_in_place(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Lapis is blue.")
    page = open_page(dashboard, f"/memories/{memory_id}")
    detail(page).get_by_role("button", name="Edit").click()
    page.get_by_label("Project", exact=True).fill("quarry")
    page.get_by_label("Visibility", exact=True).select_option("private")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Saved.")).to_be_visible()
    memory = dashboard.http.get(f"/api/memory/{memory_id}").json()
    assert (memory["project"], memory["visibility"]) == ("quarry", "private")


@pytest.mark.slow
def test_an_empty_forgotten_page_says_so(
    empty_dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(empty_dashboard, "/forgotten")
    expect(page.get_by_role("heading", name="No forgotten memories")).to_be_visible()
    assert axe_violations(page) == []
    assert seen.problems == []
