"""The gallery: every part in a real browser, by keyboard and by pointer, in every theme."""

from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.page import LOOK_RULES, axe_violations
from fakes.dashboard import Seen
from fakes.gallery import Show
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

BUTTONS, FORMS, LISTS, PANES, FEEDBACK = (
    "Buttons",
    "Forms",
    "Lists",
    "Panes",
    "Feedback",
)
MOST_DRAWN = """async (list) => {
  let most = 0;
  for (let step = 0; step < 20; step++) {
    list.scrollTop += 700;
    await new Promise(requestAnimationFrame);
    most = Math.max(most, list.querySelectorAll("[role=option]").length);
  }
  return most;
}"""


def divider(page: Page) -> Locator:
    return page.get_by_role("separator", name="Width of the left pane")


def lines(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Many lines")


def line(page: Page, number: str) -> Locator:
    return (
        lines(page).get_by_role("option").filter(has=page.get_by_text(f"Line {number}", exact=True))
    )


def test_axe_finds_nothing_on_the_gallery(show: Show, seen: Seen) -> None:
    gallery = show()
    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    rules: tuple[str, ...] = ()
    for theme in themes:
        gallery.emulate_media(color_scheme=theme)
        for contrast in ("normal", "more"):
            gallery.evaluate("(how) => document.documentElement.dataset.contrast = how", contrast)
            assert axe_violations(gallery, *rules) == [], (theme, contrast)
            # Another theme or contrast changes colours alone.
            rules = LOOK_RULES
    assert seen.problems == []


@pytest.mark.slow
def test_nothing_on_the_gallery_is_wider_than_its_window(show: Show) -> None:
    gallery = show()
    pane = gallery.get_by_role("region", name="Components", exact=True)
    for width, height in ((1280, 800), (900, 600), (450, 300)):
        gallery.set_viewport_size({"width": width, "height": height})
        expect(pane).to_be_visible()
        assert pane.evaluate("(pane) => pane.scrollWidth - pane.clientWidth") == 0


@pytest.mark.slow
def test_the_divider_is_dragged_and_put_back_by_a_double_click(show: Show) -> None:
    gallery = show(PANES)
    divider(gallery).scroll_into_view_if_needed()
    box = divider(gallery).bounding_box()
    assert box is not None
    gallery.mouse.move(box["x"] + 4, box["y"] + 20)
    gallery.mouse.down()
    gallery.mouse.move(box["x"] - 200, box["y"] + 20, steps=5)
    gallery.mouse.up()

    def moved() -> bool:
        now = divider(gallery).bounding_box()
        return now is not None and abs(now["x"] - (box["x"] - 200)) < 8

    wait_for(moved, "the divider 200 pixels further left")
    divider(gallery).dblclick(position={"x": 0, "y": 60}, force=True)
    expect(divider(gallery)).to_have_attribute("aria-valuenow", "60")


@pytest.mark.slow
def test_a_chip_goes_by_delete_and_focus_goes_to_the_next(show: Show) -> None:
    gallery = show(BUTTONS)
    gallery.get_by_role("button", name="Type: fact", exact=True).focus()
    gallery.keyboard.press("Delete")
    expect(gallery.get_by_role("button", name="Type: fact", exact=True)).to_have_count(0)
    expect(gallery.get_by_role("button", name="Type: intaglio", exact=True)).to_be_focused()
    gallery.keyboard.press("Tab")
    expect(gallery.get_by_role("button", name="Remove Type: intaglio")).to_be_focused()
    gallery.keyboard.press("Enter")
    expect(gallery.get_by_role("button", name="Type: intaglio", exact=True)).to_have_count(0)


@pytest.mark.slow
def test_a_chip_that_is_on_or_off_says_so(show: Show) -> None:
    gallery = show(BUTTONS)
    pinned = gallery.get_by_role("button", name="Pinned 1,234")
    expect(pinned).to_have_attribute("aria-pressed", "true")
    pinned.press("Enter")
    expect(pinned).to_have_attribute("aria-pressed", "false")


@pytest.mark.slow
def test_values_are_walked_and_chosen_by_keys(show: Show) -> None:
    gallery = show(FORMS)
    types = gallery.get_by_role("group", name="Types", exact=True)
    types.get_by_role("checkbox", name="Fact").focus()
    gallery.keyboard.press("ArrowDown")
    expect(types.get_by_role("checkbox", name="Decision")).to_be_focused()
    gallery.keyboard.press("Space")
    expect(types.get_by_role("checkbox", name="Decision")).to_be_checked()
    expect(types.get_by_role("checkbox", name="Fact")).to_be_checked()
    gallery.keyboard.press("End")
    expect(types.get_by_role("checkbox", name="Rule")).to_be_focused()


@pytest.mark.slow
def test_many_values_are_searched(show: Show) -> None:
    gallery = show(FORMS)
    tags = gallery.get_by_role("group", name="Tags", exact=True)
    search = tags.get_by_role("searchbox")
    search.fill("tag 139")
    expect(tags.get_by_role("checkbox")).to_have_count(1)
    search.press("ArrowDown")
    expect(tags.get_by_role("checkbox")).to_be_focused()
    gallery.keyboard.press("Space")
    expect(tags.get_by_role("checkbox")).to_be_checked()
    search.fill("")
    search.fill("139")
    expect(tags.get_by_role("checkbox", name="tag 139")).to_be_checked()


@pytest.mark.slow
def test_of_one_choice_the_keys_move_and_space_chooses(show: Show) -> None:
    gallery = show(FORMS)
    one = gallery.get_by_role("group", name="One type", exact=True)
    one.get_by_role("radio", name="Decision").focus()
    gallery.keyboard.press("ArrowUp")
    expect(one.get_by_role("radio", name="Decision")).to_be_checked()
    gallery.keyboard.press("Space")
    expect(one.get_by_role("radio", name="Fact")).to_be_checked()
    expect(one.get_by_role("radio", name="Decision")).not_to_be_checked()


@pytest.mark.slow
def test_the_list_reaches_its_last_row_by_one_key(show: Show) -> None:
    gallery = show(LISTS)
    line(gallery, "1").focus()
    gallery.keyboard.press("End")
    expect(line(gallery, "100,000")).to_be_focused()
    expect(line(gallery, "100,000")).to_be_in_viewport()
    gallery.keyboard.press("Home")
    expect(line(gallery, "1")).to_be_focused()
    assert lines(gallery).get_by_role("option").count() < 60


@pytest.mark.slow
def test_rows_are_selected_by_keys(show: Show) -> None:
    gallery = show(LISTS)
    line(gallery, "1").focus()
    gallery.keyboard.press("Shift+ArrowDown")
    gallery.keyboard.press("Shift+ArrowDown")
    expect(gallery.get_by_text("3 selected")).to_be_visible()
    gallery.keyboard.press("Shift+ArrowUp")
    expect(gallery.get_by_text("2 selected")).to_be_visible()
    gallery.keyboard.press("Control+Space")
    expect(gallery.get_by_text("1 selected")).to_be_visible()
    expect(line(gallery, "1")).to_have_attribute("aria-selected", "true")
    gallery.keyboard.press("Shift+End")
    expect(gallery.get_by_text("100,000 selected")).to_be_visible()


@pytest.mark.slow
def test_rows_are_selected_by_clicks_and_a_plain_click_opens(show: Show) -> None:
    gallery = show(LISTS)
    line(gallery, "2").click(modifiers=["Control"])
    line(gallery, "5").click(modifiers=["Shift"])
    expect(gallery.get_by_text("4 selected")).to_be_visible()
    line(gallery, "7").click()
    expect(line(gallery, "7")).to_have_attribute("aria-current", "true")
    expect(gallery.get_by_text("4 selected")).to_be_visible()


@pytest.mark.slow
def test_the_list_takes_the_height_of_its_rows_from_the_token(show: Show) -> None:
    gallery = show(LISTS)
    line(gallery, "1").focus()
    gallery.evaluate("() => document.documentElement.style.setProperty('--row', '28px')")
    expect(line(gallery, "2")).to_have_css("height", "28px")


def test_of_a_hundred_thousand_rows_only_those_in_sight_are_drawn(show: Show) -> None:
    gallery = show(LISTS)
    scroller = lines(gallery).locator("xpath=..")
    drawn: int = scroller.evaluate(MOST_DRAWN)
    assert 8 < drawn < 60


def test_a_dialog_keeps_focus_and_gives_it_back(show: Show) -> None:
    gallery = show(FEEDBACK)
    opener = gallery.get_by_role("button", name="Open a dialog")
    opener.press("Enter")
    dialog = gallery.get_by_role("dialog", name="A dialog")
    expect(dialog).to_be_visible()
    for _ in range(5):
        gallery.keyboard.press("Tab")
        assert gallery.evaluate(
            "() => document.activeElement === document.body"
            " || document.activeElement.closest('dialog') !== null"
        )
    assert axe_violations(gallery) == []
    gallery.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()


@pytest.mark.slow
def test_a_busy_dialog_cannot_be_closed(show: Show) -> None:
    gallery = show(FEEDBACK)
    gallery.get_by_role("button", name="Open a danger dialog").click()
    dialog = gallery.get_by_role("alertdialog", name="Erase 3 memories permanently?")
    dialog.get_by_role("button", name="Erase").click()
    gallery.keyboard.press("Escape")
    gallery.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("button", name="Close")).to_be_disabled()
    dialog.get_by_role("button", name="Finish").click()
    gallery.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


# A window of 900 by 600 at 100 and at 200 percent.
@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(900, 600), (450, 300)])
def test_the_foot_of_a_long_dialog_stays_in_sight(show: Show, width: int, height: int) -> None:
    gallery = show(FEEDBACK)
    gallery.set_viewport_size({"width": width, "height": height})
    gallery.get_by_role("button", name="Open a long dialog").press("Enter")
    dialog = gallery.get_by_role("dialog", name="A dialog")
    expect(dialog.get_by_role("button", name="Continue")).to_be_in_viewport(ratio=1)
    expect(dialog.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
    dialog.get_by_text("Line 40 of").scroll_into_view_if_needed()
    expect(dialog.get_by_text("Line 40 of")).to_be_in_viewport()
    expect(dialog.get_by_role("button", name="Continue")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_a_popover_takes_focus_and_escape_returns_it(show: Show) -> None:
    gallery = show(BUTTONS)
    opener = gallery.get_by_role("button", name="Settings")
    opener.press("Enter")
    expect(gallery.get_by_role("checkbox", name="Compact rows")).to_be_focused()
    expect(opener).to_have_attribute("aria-expanded", "true")
    assert axe_violations(gallery) == []
    gallery.keyboard.press("Escape")
    expect(gallery.get_by_role("checkbox", name="Compact rows")).to_have_count(0)
    expect(opener).to_be_focused()
    expect(opener).to_have_attribute("aria-expanded", "false")


@pytest.mark.slow
def test_a_popover_closes_on_a_click_elsewhere(show: Show) -> None:
    gallery = show(BUTTONS)
    gallery.get_by_role("button", name="Settings").click()
    expect(gallery.get_by_role("checkbox", name="Compact rows")).to_be_visible()
    gallery.get_by_role("heading", name="Components", exact=True).click()
    expect(gallery.get_by_role("checkbox", name="Compact rows")).to_have_count(0)


@pytest.mark.slow
def test_texts_are_compared_word_by_word_and_markup_stays_text(show: Show) -> None:
    gallery = show(PANES)
    went = gallery.get_by_role("deletion").filter(has_text="hand")
    came = gallery.get_by_role("insertion").filter(has_text="the pipeline")
    expect(went.first).to_have_css("text-decoration-line", "line-through")
    expect(came.first).to_have_css("text-decoration-line", "underline")
    expect(gallery.get_by_text("<b>Never</b>").first).to_be_visible()


@pytest.mark.slow
def test_a_folded_stretch_opens_on_request(show: Show) -> None:
    gallery = show(PANES)
    folds = gallery.get_by_role("button", name="unchanged characters")
    fold = gallery.get_by_role("button", name="993 unchanged characters", exact=True)
    expect(folds).to_have_count(2)
    fold.press("Enter")
    expect(fold).to_have_count(0)
    # The other stays folded.
    expect(folds).to_have_count(1)
    whole = "An unchanged sentence that nobody needs to read again. " * 20
    expect(gallery.get_by_text(f"{whole}The port is")).to_be_visible()


@pytest.mark.slow
def test_a_change_opens_below_its_event(show: Show) -> None:
    gallery = show(LISTS)
    history = gallery.get_by_role("group", name="Example history")
    expect(history.get_by_role("heading").first).to_be_visible()
    expect(history.get_by_role("deletion")).to_have_count(0)
    history.get_by_text("Show changes").press("Enter")
    expect(history.get_by_role("deletion")).to_have_text("12")


@pytest.mark.slow
def test_a_field_names_its_help_and_what_is_wrong(show: Show) -> None:
    gallery = show(FORMS)
    name = gallery.get_by_role("textbox", name="Name", exact=True)
    expect(name).to_have_accessible_description("Enter a name.")
    name.fill("claude")
    expect(name).to_have_accessible_description("")
    content = gallery.get_by_role("textbox", name="Content")
    content.fill("x" * 50)
    expect(content).to_have_value("x" * 40)
    expect(gallery.get_by_text("40 of 40 characters")).to_be_visible()
