"""What a person changes in the dashboard is undone by `u`; a version of the history is restored."""

import pytest
from playwright.sync_api import Page, expect

from browser.page import detail, live, row
from fakes.dashboard import Dashboard, OpenPage

pytestmark = pytest.mark.browser


def opened(dashboard: Dashboard, open_page: OpenPage, memory_id: str) -> Page:
    page = open_page(dashboard, f"/memories/{memory_id}")
    live(page)
    expect(detail(page).get_by_role("heading", name="History")).to_be_visible()
    return page


@pytest.mark.slow
def test_an_edit_and_a_pin_are_undone_one_after_the_other(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Amazonite is green.", tags=["stone"], project="shelf")
    page = opened(dashboard, open_page, memory_id)
    page.keyboard.press("e")
    page.get_by_label("Content").fill("Amazonite is blue.")
    page.get_by_label("Tags").fill("stone, feldspar")
    page.get_by_label("Project", exact=True).fill("")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Saved.")).to_be_visible()
    # Until the editor closes, keys are typed into its field.
    expect(page.get_by_label("Content")).to_have_count(0)
    page.keyboard.press("p")
    expect(row(page, "Amazonite is blue.").get_by_role("img", name="Pinned")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_have_count(2)
    page.keyboard.press("u")
    expect(row(page, "Amazonite is blue.").get_by_role("img", name="Pinned")).to_have_count(0)
    page.keyboard.press("u")
    expect(row(page, "Amazonite is green.")).to_be_visible()
    expect(detail(page)).to_contain_text("Amazonite is green.")
    stored = dashboard.stored(memory_id).json()
    fields = (stored["content"], stored["tags"], stored["project"], stored["pinned"])
    assert fields == ("Amazonite is green.", "stone", "shelf", 0)


@pytest.mark.slow
def test_a_version_of_the_history_is_restored_and_that_is_undone(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Seraphinite is first.", tags=["old"])
    dashboard.modify(memory_id, content="Seraphinite is second.", tags=["new"])
    dashboard.modify(memory_id, content="Seraphinite is third.")
    page = opened(dashboard, open_page, memory_id)
    history = detail(page).get_by_role("group", name="History")
    restore = history.get_by_role("button", name="Restore this version")
    # The newest is what the memory says.
    expect(restore).to_have_count(2)
    compare = detail(page).get_by_text("Compare with the current text").last
    compare.focus()
    page.keyboard.press("Enter")
    expect(detail(page).locator("details[open] del")).to_have_text("third")
    restore.last.focus()
    page.keyboard.press("Enter")
    expect(detail(page)).to_contain_text("Seraphinite is first.")
    stored = dashboard.stored(memory_id).json()
    assert (stored["content"], stored["tags"], stored["version"]) == (
        "Seraphinite is first.",
        "old",
        4,
    )
    [*_, last] = dashboard.http.get(f"/api/memory/{memory_id}/history").json()["history"]
    assert "restored" in last["reason"]
    expect(row(page, "Seraphinite is first.")).to_be_visible()
    page.keyboard.press("u")
    expect(row(page, "Seraphinite is third.")).to_be_visible()
    stored = dashboard.stored(memory_id).json()
    assert (stored["content"], stored["tags"]) == ("Seraphinite is third.", "new")


@pytest.mark.slow
def test_a_memory_is_remembered_with_all_that_can_be_said_of_it(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember("The fleet is known.", project="fleet-infra")
    page = open_page(dashboard)
    live(page)
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Will be saved for: All projects")).to_be_visible()
    dialog.get_by_label("What to remember").fill("[Gem]: Larvikite shines.")
    dialog.get_by_label("Project").fill("fleet-infra")
    expect(dialog.get_by_text("Will be saved for: fleet-infra")).to_be_visible()
    dialog.get_by_label("Type").select_option("Decision")
    dialog.get_by_label("Tags").fill("stone, norway")
    dialog.get_by_label("Pin").check()
    page.keyboard.press("Control+Enter")
    expect(row(page, "Larvikite shines.")).to_be_visible()
    found = dashboard.http.get("/api/memories", params={"project": "fleet-infra"}).json()
    [kept] = [one for one in found["memories"] if "Larvikite" in one["content"]]
    assert (kept["type"], kept["tags"], kept["pinned"]) == ("decision", "gem,stone,norway", 1)
