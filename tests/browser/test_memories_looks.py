"""Every state of the page of memories, looked at by axe in both themes and at three sizes."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.page import LOOKS, axe_violations, detail, row
from fakes.dashboard import Dashboard, OpenPage

pytestmark = pytest.mark.browser


def overflows(page: Page) -> bool:
    """Tell whether the page is wider than its window."""
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    return bool(page.evaluate(wide))


@pytest.mark.parametrize(("theme", "size"), LOOKS)
def test_list_filters_and_selection_are_clean(
    dashboard: Dashboard, open_page: OpenPage, theme: str, size: tuple[int, int]
) -> None:
    tags = ["blue", "stone", "<b>"]
    dashboard.remember(f"Lapis for {theme} {size[0]}.", tags=tags)
    dashboard.remember(f"يجب أن يبقى الحجر {theme} {size[0]} 😀")
    page = open_page(dashboard, theme=theme, size=size)
    expect(row(page, f"Lapis for {theme} {size[0]}")).to_be_visible()
    found = {"list": axe_violations(page)}
    page.keyboard.press("f")
    menu = page.get_by_role("dialog", name="Filter")
    expect(menu.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("tag")
    expect(menu.get_by_role("option", name=re.compile("stone"))).to_be_visible()
    found["menu"] = axe_violations(page)
    menu.get_by_role("option", name=re.compile("stone")).click()
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(page.get_by_role("button", name="Remove Tag: stone")).to_be_visible()
    expect(row(page, f"Lapis for {theme} {size[0]}")).to_be_visible()
    found["chips"] = axe_violations(page)
    page.keyboard.press("j")
    page.keyboard.press("Control+a")
    expect(page.get_by_role("toolbar", name="Selected memories")).to_be_visible()
    found["selected"] = axe_violations(page)
    page.keyboard.press("t")
    expect(page.get_by_role("dialog", name=re.compile("^Tags"))).to_be_visible()
    found["tags"] = axe_violations(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("#")
    expect(page.get_by_role("dialog", name=re.compile("^Forget"))).to_be_visible()
    found["forget"] = axe_violations(page)
    assert not overflows(page)
    assert found == {state: [] for state in found}


@pytest.mark.parametrize(("theme", "size"), LOOKS)
def test_an_open_memory_is_clean_in_every_state(
    dashboard: Dashboard, open_page: OpenPage, theme: str, size: tuple[int, int]
) -> None:
    memory_id = dashboard.remember(f"Lazuli for {theme} {size[0]}.", sessionId="s")
    dashboard.modify(memory_id, pinned=True, content=f"Lazuli for {theme} {size[0]} shines.")
    page = open_page(dashboard, f"/memories/{memory_id}", theme=theme, size=size)
    detail(page).get_by_text("What changed").first.click()
    detail(page).get_by_label("Would this question bring it?").fill("lazuli")
    page.keyboard.press("Enter")
    expect(detail(page).get_by_text(re.compile("^Number"))).to_be_visible()
    found = {"detail": axe_violations(page)}
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Content")).to_be_focused()
    page.get_by_label("Content").fill("Mine")
    dashboard.modify(memory_id, content=f"Lazuli, theirs, for {theme} {size[0]}.")
    expect(page.get_by_role("alert", name="It changed")).to_be_visible()
    found["conflict"] = axe_violations(page)
    assert not overflows(page)
    assert found == {state: [] for state in found}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_found_and_saved_filters_are_clean(
    dashboard: Dashboard, open_page: OpenPage, theme: str
) -> None:
    dashboard.remember("One is enough.")
    page = open_page(dashboard, "/memories?q=zyzzyva&type=decision&project=no", theme=theme)
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    found = {"nothing": axe_violations(page)}
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_role("option", name="Save this filter").click()
    page.get_by_label("Name").fill("Empty")
    found["save"] = axe_violations(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_role("option", name="Saved filters").click()
    expect(page.get_by_role("dialog", name="Saved filters")).to_be_visible()
    found["saved"] = axe_violations(page)
    assert found == {state: [] for state in found}
