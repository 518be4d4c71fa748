"""The open memory in a real browser: where it comes from, whether it is recalled, unsaved text."""

import re

import pytest
from playwright.sync_api import Route, expect

from browser.page import (
    detail,
    held,
    intercept,
    live,
    release,
    row,
    unfold,
    wait_until_held,
)
from fakes.dashboard import Dashboard, OpenPage, Seen

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_its_session_leads_to_all_memories_of_that_session(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    first = dashboard.remember("Coral is said in a session.", sessionId="session-red", type="fact")
    dashboard.remember("Pearl is said in it, too.", sessionId="session-red", type="rule")
    dashboard.remember("Amber is said elsewhere.", sessionId="session-gold")
    page = open_page(dashboard, f"/memories/{first}?q=coral&type=fact")
    link = detail(page).get_by_role("button", name="Show this session's memories")
    link.click()
    # Neither the search nor another filter may leave a part of them.
    expect(page).to_have_url(re.compile(r"\?session=session-red$"))
    expect(page.get_by_role("searchbox", name="Search memories")).to_have_value("")
    expect(row(page, "Pearl is said")).to_be_visible()
    expect(page.get_by_role("option")).to_have_count(2)
    page.go_back()
    expect(page).to_have_url(re.compile(r"\?q=coral&type=fact$"))
    expect(page.get_by_role("searchbox", name="Search memories")).to_have_value("coral")
    # Where there is no room for both, what was asked for is shown, not the details before it.
    page.set_viewport_size({"width": 900, "height": 600})
    link.click()
    expect(row(page, "Pearl is said")).to_be_visible()
    page.get_by_role("button", name="Remove Session: session-red").click()
    expect(row(page, "Amber is said")).to_be_visible()


@pytest.mark.slow
def test_a_question_is_checked_against_the_open_memory(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("The kiln cools for eleven hours before it is opened.")
    dashboard.wait_until_known()
    page = open_page(dashboard, f"/memories/{memory_id}", size=(900, 600))
    unfold(page)
    question = detail(page).get_by_label("Query")
    question.fill("how long does the kiln cool?")
    page.keyboard.press("Enter")
    expect(detail(page).get_by_text("Rank 1")).to_be_in_viewport()
    expect(detail(page).get_by_text("kiln", exact=True)).to_be_visible()


@pytest.mark.slow
def test_a_question_that_does_not_lead_to_it_is_told_why(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Malachite is ground for paint.")
    dashboard.wait_until_known()
    page = open_page(dashboard, f"/memories/{memory_id}")
    unfold(page)
    question = detail(page).get_by_label("Query")
    question.fill("zyzzyva")
    page.keyboard.press("Enter")
    expect(detail(page).get_by_text("Found, but left out.")).to_be_visible()


def test_unsaved_text_is_asked_for_before_another_memory_opens(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    first = dashboard.remember("Flint is the first.", project="guard")
    dashboard.remember("Chert is the second.", project="guard")
    page = open_page(dashboard, f"/memories/{first}?project=guard")
    live(page)
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Content").fill("Flint is not saved yet.")
    row(page, "Chert").click()
    asked = page.get_by_role("dialog").or_(page.get_by_role("alertdialog"))
    expect(asked).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Content")).to_have_value("Flint is not saved yet.")


@pytest.mark.slow
def test_a_field_that_changes_after_the_warning_is_warned_of_anew(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Howlite is white.")
    page = open_page(dashboard, f"/memories/{memory_id}")
    detail(page).get_by_role("button", name="Edit").click()
    detail(page).get_by_label("Content").fill("Howlite is grey.")
    warning = page.get_by_text("Press Esc again to discard your changes.")
    page.keyboard.press("Escape")
    expect(warning).to_be_visible()
    detail(page).get_by_label("Tags").press_sequentially("many")
    expect(warning).to_have_count(0)
    page.keyboard.press("Escape")
    expect(warning).to_be_visible()
    expect(detail(page).get_by_label("Tags")).to_have_value("many")


@pytest.mark.slow
def test_nothing_is_typed_into_a_text_that_is_being_remembered(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard)
    live(page)
    page.keyboard.press("n")
    area = page.get_by_role("dialog").get_by_label("What to remember")
    area.fill("Variscite is green.")
    asked = "**/api/memory/remember"
    kept = held(page, asked, "POST")
    with page.expect_request(asked):
        page.keyboard.press("Control+Enter")
    expect(area).not_to_be_editable()
    release(page, kept)
    expect(row(page, "Variscite is green.")).to_be_visible()


@pytest.mark.slow
def test_details_begin_with_the_most_wanted_facts(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Opal holds water.", project="gems", tags=["wet"])
    dashboard.modify(memory_id, content="Opal holds some water.")
    page = open_page(dashboard, f"/memories/{memory_id}")
    expect(detail(page).get_by_text("Not told to any session yet.")).to_be_visible()
    text = detail(page).inner_text()
    parts = ["Opal holds some water.", "Project", "Type", "Tags", "Where it came from"]
    parts += ["History", "Told to", "Similar", "Details"]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    expect(detail(page).get_by_text(memory_id)).to_have_count(0)
    unfold(page)
    for label in ("Importance", "Confidence", "Version", "ID"):
        expect(detail(page).get_by_text(label, exact=True)).to_be_visible()
    expect(detail(page).get_by_text(memory_id)).to_be_visible()


@pytest.mark.slow
def test_a_change_of_fields_stands_in_the_history(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Slate splits well.", tags=["roof"])
    dashboard.modify(memory_id, tags=["roof", "floor"], type="rule")
    page = open_page(dashboard, f"/memories/{memory_id}")
    detail(page).get_by_text("Show changes").click()
    history = detail(page).get_by_role("group", name="History")
    expect(history).to_contain_text("roof → roof, floor")
    expect(history.get_by_text("Rule")).to_be_visible()


@pytest.mark.slow
def test_a_long_text_is_folded_and_a_script_stays_text(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    evil = "<script>document.title='owned'</script>"
    memory_id = dashboard.remember(f"{evil} {'Basalt is hard. ' * 400} The end of it.")
    page = open_page(dashboard, f"/memories/{memory_id}")
    button = detail(page).get_by_role("button", name=re.compile("^Show all .* characters$"))
    expect(detail(page).get_by_text(evil)).to_be_visible()
    button.click()
    expect(button).to_have_count(0)
    assert page.title() == "Memories · Intaglio"
    assert seen.problems == []


@pytest.mark.slow
def test_a_slow_forget_leaves_the_focus_where_one_went_meanwhile(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    for name in ("first", "second", "third"):
        dashboard.remember(f"The {name} gneiss is kept.", project="gneiss")
    page = open_page(dashboard, "/memories?project=gneiss")
    live(page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "DELETE":
            held.append(route)
        else:
            route.continue_()

    intercept(page, re.compile(r"/api/memory/[^/?]+(\?|$)"), hold)
    row(page, "second gneiss").focus()
    page.keyboard.press("#")
    page.keyboard.press("#")
    expect(row(page, "second gneiss")).to_have_count(0)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    wait_until_held(page, held)
    assert len(held) == 1
    held[0].continue_()
    expect(page.get_by_text(re.compile("^Forgot “The second gneiss"))).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("Escape")
    row(page, "third gneiss").focus()
    with page.expect_request(lambda request: request.method == "DELETE"):
        page.keyboard.press("#")
    expect(page.get_by_role("option")).to_have_count(1)
    wait_until_held(page, held, 2)
    held[1].continue_()
    expect(row(page, "first gneiss")).to_be_focused()


@pytest.mark.slow
def test_the_rows_in_sight_stay_when_others_come_above(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    for number in range(120):
        empty_dashboard.remember(f"Pebble {number:03} lies still.")
    page = open_page(empty_dashboard)
    live(page)
    expect(row(page, "Pebble 119")).to_be_visible()
    page.get_by_role("listbox").evaluate("(list) => { list.parentElement.scrollTop = 1000; }")
    still = row(page, "Pebble 080")
    expect(still).to_be_visible()
    before = still.bounding_box()
    empty_dashboard.remember("A newer one comes.")
    expect(page.get_by_role("group", name="Filters").get_by_text("121 memories")).to_be_visible()
    after = still.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) < 1
