"""Every state of the page of memories, looked at by axe in both themes and at three sizes."""

import re

import pytest
from playwright.sync_api import expect

from browser.page import detail, look_violations, row, unfold
from fakes.dashboard import Dashboard, OpenPage

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_list_filters_and_selection_are_clean(dashboard: Dashboard, open_page: OpenPage) -> None:
    tags = ["blue", "stone", "<b>"]
    dashboard.remember("Lapis.", tags=tags)
    dashboard.remember("يجب أن يبقى الحجر 😀")
    page = open_page(dashboard)
    expect(row(page, "Lapis")).to_be_visible()
    found = {"list": look_violations(page)}
    page.keyboard.press("f")
    menu = page.get_by_role("dialog", name="Filter")
    expect(menu.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("tag")
    expect(menu.get_by_role("option", name=re.compile("stone"))).to_be_visible()
    found["menu"] = look_violations(page)
    menu.get_by_role("option", name=re.compile("stone")).click()
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(page.get_by_role("button", name="Remove Tag: stone")).to_be_visible()
    expect(row(page, "Lapis")).to_be_visible()
    found["chips"] = look_violations(page)
    page.keyboard.press("j")
    page.keyboard.press("Control+a")
    expect(page.get_by_role("toolbar", name="Selected memories")).to_be_visible()
    found["selected"] = look_violations(page)
    page.keyboard.press("t")
    expect(page.get_by_role("dialog", name=re.compile("^Edit tags"))).to_be_visible()
    found["tags"] = look_violations(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("#")
    expect(page.get_by_role("dialog", name=re.compile("^Forget"))).to_be_visible()
    found["forget"] = look_violations(page)
    assert found == {state: [] for state in found}


@pytest.mark.slow
def test_an_open_memory_is_clean_in_every_state(dashboard: Dashboard, open_page: OpenPage) -> None:
    memory_id = dashboard.remember("Lazuli.", sessionId="s")
    dashboard.modify(memory_id, pinned=True, content="Lazuli shines.")
    page = open_page(dashboard, f"/memories/{memory_id}?group=type")
    detail(page).get_by_text("Show changes").first.click()
    detail(page).get_by_text("Compare with the current text").first.click()
    unfold(page)
    detail(page).get_by_label("Query").fill("lazuli")
    page.keyboard.press("Enter")
    expect(detail(page).get_by_text(re.compile("^Rank"))).to_be_visible()
    found = {"detail": look_violations(page)}
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Content")).to_be_focused()
    page.get_by_label("Content").fill("Mine")
    dashboard.modify(memory_id, content="Lazuli, theirs.")
    expect(page.get_by_role("alert", name="This memory changed")).to_be_visible()
    found["conflict"] = look_violations(page)
    assert found == {state: [] for state in found}


@pytest.mark.slow
def test_nothing_found_and_saved_filters_are_clean(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember("One is enough.")
    page = open_page(dashboard, "/memories?q=zyzzyva&type=decision&project=no")
    expect(page.get_by_role("heading", name="No results")).to_be_visible()
    found = {"nothing": look_violations(page)}
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_role("option", name="Save filter").click()
    page.get_by_label("Name").fill("Empty")
    found["save"] = look_violations(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_role("option", name="Saved filters").click()
    expect(page.get_by_role("dialog", name="Saved filters")).to_be_visible()
    found["saved"] = look_violations(page)
    assert found == {state: [] for state in found}
