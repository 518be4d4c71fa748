"""Several memories at a time in a real browser: selected, changed, forgotten, and undone."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from browser.page import detail, intercept, live, row, wait_until_held
from fakes.dashboard import Dashboard, OpenPage
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser


def remember(dashboard: Dashboard, project: str, count: int, **more: object) -> list[str]:
    """Keep so many memories of a project of their own; the newest is the last."""
    return [
        dashboard.remember(f"Stone {number:03} of {project}.", project=project, **more)
        for number in range(count)
    ]


def opened(dashboard: Dashboard, open_page: OpenPage, project: str, count: int) -> Page:
    """Open the list of one project."""
    page = open_page(dashboard, f"/memories?project={project}")
    live(page)
    expect(page.get_by_role("option")).to_have_count(count)
    return page


@pytest.mark.slow
def test_keys_and_the_pointer_select_extend_and_clear(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    remember(dashboard, "keys", 6)
    page = opened(dashboard, open_page, "keys", 6)
    for key in ("j", "x", "J", "Shift+ArrowDown", "K"):
        page.keyboard.press(key)
    expect(page.get_by_text("2 selected")).to_be_visible()
    expect(row(page, "Stone 004")).to_have_attribute("aria-selected", "true")
    expect(row(page, "Stone 003")).to_have_attribute("aria-selected", "false")
    # A question keeps the keys of the page below.
    page.keyboard.press("#")
    dialog = page.get_by_role("dialog", name="Forget 2 memories?")
    expect(dialog).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("2 selected")).to_be_visible()
    page.keyboard.press("Control+a")
    expect(page.get_by_text("6 selected")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("toolbar", name="Selected memories")).to_have_count(0)
    row(page, "Stone 005").click(modifiers=["Control"])
    row(page, "Stone 003").click(modifiers=["Shift"])
    expect(page.get_by_text("3 selected")).to_be_visible()
    row(page, "Stone 000").locator("[data-select]").click()
    expect(page.get_by_text("4 selected")).to_be_visible()
    expect(detail(page)).to_have_count(0)


@pytest.mark.slow
def test_tags_are_added_and_removed_and_undo_gives_each_its_own_back(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    first, second = (
        dashboard.remember(f"Stone {tag}.", project="tags", tags=[tag, "common"])
        for tag in ("alpha", "beta")
    )
    page = opened(dashboard, open_page, "tags", 2)
    page.keyboard.press("Control+a")
    page.keyboard.press("t")
    page.get_by_label("Add", exact=True).fill("New Tag, beta")
    page.get_by_role("checkbox", name=re.compile("common")).check()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("2 retagged.")).to_be_visible()
    assert dashboard.stored(first).json()["tags"] == "alpha,new tag,beta"
    assert dashboard.stored(second).json()["tags"] == "beta,new tag"
    page.keyboard.press("u")
    expect(page.get_by_text("2 restored.")).to_be_visible()
    assert dashboard.stored(first).json()["tags"] == "alpha,common"
    assert dashboard.stored(second).json()["tags"] == "beta,common"


def test_type_visibility_pin_and_project_change_many(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    ids = remember(dashboard, "from-here", 3)
    page = opened(dashboard, open_page, "from-here", 3)

    def stored(field: str) -> list[object]:
        return [dashboard.stored(each).json()[field] for each in ids]

    for deed, pick, field, value, shown in (
        ("Change type", "Rule", "type", "rule", "Rule"),
        ("Change visibility", "Only its agent", "visibility", "private", "Only its agent"),
        ("Pin", None, "pinned", 1, "Pinned"),
    ):
        row(page, "Stone 000").focus()
        page.keyboard.press("Control+a")
        page.get_by_role("button", name=deed, exact=True).click()
        if pick is not None:
            page.get_by_role("radio", name=re.compile(pick)).check()
            page.keyboard.press("Control+Enter")
        wait_for(lambda: stored(field) == [value] * 3, f"{deed} of all")  # noqa: B023 - called at once
        expect(page.get_by_text(re.compile(r"^3 (changed|pinned)\.")).last).to_be_visible()
        # The change has ended once nothing is selected any more; until then, another is refused.
        expect(page.get_by_role("button", name=deed, exact=True)).to_have_count(0)
        # Rows that aren't read again yet have the former version: their change would be skipped.
        expect(page.get_by_role("option", name=re.compile(shown))).to_have_count(3)
    row(page, "Stone 000").focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("m")
    page.get_by_label("Project", exact=True).fill("to-there")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("3 moved.")).to_be_visible()
    assert stored("project") == ["to-there"] * 3
    expect(page.get_by_role("heading", name="No results")).to_be_visible()


@pytest.mark.slow
def test_forgetting_shows_what_goes_spares_the_pinned_and_is_undone(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    ids = remember(dashboard, "going", 30)
    dashboard.modify(ids[-1], pinned=True)
    page = opened(dashboard, open_page, "going", 30)
    page.keyboard.press("Control+a")
    page.keyboard.press("#")
    dialog = page.get_by_role("dialog", name="Forget 29 memories?")
    expect(dialog).to_contain_text("Stone 029 of going.")
    expect(dialog).to_contain_text("and 22 more")
    expect(dialog).to_contain_text("Also unpin and forget 1 pinned memory")
    page.keyboard.press("Enter")
    expect(page.get_by_text("29 forgotten.")).to_be_visible()
    expect(page.get_by_text("1 skipped: pinned.")).to_be_visible()
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.get_by_text("29 restored.")).to_be_visible()
    expect(page.get_by_role("option")).to_have_count(30)


@pytest.mark.slow
def test_pinned_ones_are_forgotten_when_one_says_so_and_pinned_again_by_undo(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    (memory_id,) = remember(dashboard, "held", 1)
    dashboard.modify(memory_id, pinned=True)
    page = opened(dashboard, open_page, "held", 1)
    page.keyboard.press("Control+a")
    page.keyboard.press("#")
    page.get_by_role("checkbox", name=re.compile("unpin and forget 1 pinned memory")).check()
    page.get_by_role("button", name=re.compile("^Forget 1 memory")).click()
    expect(page.get_by_text("1 forgotten.")).to_be_visible()
    assert dashboard.stored(memory_id).status_code == 404
    page.keyboard.press("u")
    expect(page.get_by_text("1 restored.")).to_be_visible()
    assert dashboard.stored(memory_id).json()["pinned"] == 1


@pytest.mark.slow
def test_the_focus_stays_in_the_list_when_work_begun_by_a_button_begins_and_ends(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    remember(dashboard, "focus", 3)
    page = opened(dashboard, open_page, "focus", 3)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("x")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    intercept(page, "**/api/memory/modify", hold, times=1)
    with page.expect_request("**/api/memory/modify"):
        page.get_by_role("button", name="Pin", exact=True).press("Enter")
    expect(row(page, "Stone 001")).to_be_focused()
    page.get_by_role("button", name="Cancel").focus()
    wait_until_held(page, held)
    held[0].continue_()
    expect(page.get_by_text("1 pinned.")).to_be_visible()
    expect(row(page, "Stone 001")).to_be_focused()
