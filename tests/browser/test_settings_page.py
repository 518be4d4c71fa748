"""Settings in a real browser: found, changed by the keyboard, reset, undone, and edited by hand."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.page import axe_violations, live, look_violations
from fakes.dashboard import Dashboard, OpenPage, Seen
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

GIVEN = """\
# My own settings.
capture:
  suggestAt: 0.6  # asks less often
retention: {historyDays: 365}
"""


@pytest.fixture
def file(empty_dashboard: Dashboard) -> Path:
    """The settings file, with comments and a value."""
    found: str = empty_dashboard.http.get("/api/settings").json()["file"]["path"]
    path = Path(found)
    path.write_text(GIVEN, encoding="utf-8")
    wait_for(lambda: setting(empty_dashboard, "capture.suggestAt") == 0.6, "the file is read")
    return path


def setting(dashboard: Dashboard, key: str) -> object:
    """Return the value of a setting that the daemon uses."""
    rows = dashboard.http.get("/api/settings").json()["settings"]
    return next(row["value"] for row in rows if row["key"] == key)


def item(page: Page, key: str) -> Locator:
    """Find a setting on the page."""
    return page.locator(f"[data-item='{key}']")


def control(page: Page, key: str) -> Locator:
    return item(page, key).locator("[data-control]").first


def toast(page: Page, text: str) -> Locator:
    return page.locator("[data-toasts]").get_by_text(text)


def test_a_setting_is_found_changed_reset_and_undone_by_keyboard(
    empty_dashboard: Dashboard, file: Path, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(empty_dashboard, "/home")
    live(page)
    page.keyboard.press("g")
    page.keyboard.press(",")
    expect(page.get_by_role("heading", name="Settings", level=1)).to_be_focused()
    expect(item(page, "capture.keepAt")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("keep less")
    expect(page.locator("[data-item]").first).to_have_attribute("data-item", "capture.keepAt")
    expect(page.get_by_role("status").filter(has_text="for “keep less”")).to_be_visible()
    expect(page.locator("[data-item] mark").first).to_have_text("keep")
    assert axe_violations(page, within="main") == []
    page.keyboard.press("Enter")
    expect(item(page, "capture.keepAt")).to_be_focused()
    page.keyboard.press("Enter")
    keep = control(page, "capture.keepAt")
    expect(keep).to_be_focused()
    # What is out of bounds is said at once and not saved.
    keep.fill("7")
    expect(item(page, "capture.keepAt").get_by_role("alert")).to_have_text(
        "Enter a number from 0 to 1."
    )
    page.keyboard.press("Enter")
    keep.fill("0.85")
    page.keyboard.press("Enter")
    wait_for(lambda: setting(empty_dashboard, "capture.keepAt") == 0.85, "the value is used")
    # One line is new; the comments and all else are as they were.
    written = file.read_text(encoding="utf-8")
    assert "keepAt: 0.85" in written
    assert [line for line in written.splitlines() if "keepAt" not in line] == GIVEN.splitlines()
    expect(item(page, "capture.keepAt")).to_contain_text(re.compile(r"From agent\.yaml, line \d"))
    # Esc leaves the control; then r resets, and u takes that back.
    page.keyboard.press("Escape")
    expect(item(page, "capture.keepAt")).to_be_focused()
    page.keyboard.press("r")
    wait_for(lambda: setting(empty_dashboard, "capture.keepAt") == 0.7, "the default is used")
    assert file.read_text(encoding="utf-8") == GIVEN
    expect(keep).to_have_value("0.7")
    expect(toast(page, "How sure capture must be to save: 0.7.")).to_be_visible()
    page.keyboard.press("u")
    wait_for(lambda: setting(empty_dashboard, "capture.keepAt") != 0.7, "the reset is undone")
    assert seen.problems == []


def test_a_link_leads_to_a_setting_and_an_edit_by_hand_is_shown_while_one_types(
    empty_dashboard: Dashboard, file: Path, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(empty_dashboard, "/settings/retention.historyDays")
    days = control(page, "retention.historyDays")
    expect(days).to_be_focused()
    expect(days).to_have_value("365")
    live(page)
    days.fill("400")
    file.write_text(GIVEN.replace("365", "90").replace("0.6", "0.65"), encoding="utf-8")
    expect(control(page, "capture.suggestAt")).to_have_value("0.65")
    expect(days).to_have_value("400")
    expect(item(page, "retention.historyDays")).to_contain_text("agent.yaml now says 90 days.")
    page.keyboard.press("Escape")
    expect(days).to_have_value("90")
    # The daemon looks at the file every two seconds, and with each change at once.
    with page.expect_response(lambda found: found.request.method == "POST"):
        days.fill("91")
        days.press("Enter")
    # The file breaks: it is said where, and nothing can be changed until it is whole.
    file.write_text("capture:\n  keepAt: [0.8\nretention: 3\n", encoding="utf-8")
    broken = page.get_by_role("alert").filter(has_text="agent.yaml can't be read")
    expect(broken).to_contain_text(re.compile(r"Line \d"))
    expect(control(page, "capture.suggestAt")).to_be_disabled()
    expect(control(page, "capture.suggestAt")).to_have_value("0.65")
    assert look_violations(page, within="main [role=alert]") == []
    file.write_text(GIVEN, encoding="utf-8")
    expect(broken).to_have_count(0)
    expect(control(page, "capture.suggestAt")).to_be_enabled()
    assert seen.problems == []


def test_what_deletes_data_is_asked_about_first(
    empty_dashboard: Dashboard, file: Path, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard, "/settings/capture.transcripts")
    switch = control(page, "capture.transcripts")
    expect(switch).to_be_focused()
    page.keyboard.press("Space")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(switch).to_be_checked()
    assert setting(empty_dashboard, "capture.transcripts") is True
    page.keyboard.press("Space")
    dialog.get_by_role("button", name="Change and delete").click()
    expect(switch).not_to_be_checked()
    wait_for(lambda: setting(empty_dashboard, "capture.transcripts") is False, "it is off")
    assert "transcripts: false" in file.read_text(encoding="utf-8")


def test_what_one_asks_for_in_own_words_is_found_first(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/settings")
    first = page.locator("[data-item]").first
    for words, found in (
        ("keep less", "capture.keepAt"),
        ("tell agents less", "harness.<name>.startMaxTokens"),
        ("stop notifications at night", "desktop.quietFrom"),
        ("where is my data", "fact:database"),
        ("which model", "fact:model"),
        ("how long are sessions kept", "retention.sessionDays"),
    ):
        page.get_by_role("searchbox").fill(words)
        expect(first).to_have_attribute("data-item", found)


def test_what_uninstalling_removes_is_shown_and_nothing_is_removed(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard, "/settings/Remove%20Intaglio")
    live(page)
    block = page.get_by_role("region", name="What is removed")
    block.get_by_role("button", name="Show what is removed").click()
    expect(block.get_by_role("heading", name="This stays")).to_be_visible()
    expect(block).to_contain_text("uninstall --yes")
    assert look_violations(page, within="main [aria-label='What is removed']") == []
