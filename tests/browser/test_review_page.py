"""The review of captured memories in a real browser: from the notice to keep, forget and undo."""

from typing import Final

import pytest
from playwright.sync_api import expect

from browser.page import live, look_violations, row
from fakes.captured import add_reviewed
from fakes.dashboard import Dashboard, OpenPage
from intaglio.review.values import DoubtReason

pytestmark = pytest.mark.browser

DOUBTS: Final[tuple[tuple[str, float, DoubtReason | None], ...]] = (
    ("Why does the import fail?", 0.02, "question"),
    ("Put the chart above the table.", 0.11, "order"),
    ("The button still does nothing.", 0.2, "bug_report"),
    ("It should be the same as before.", 0.31, None),
)


def test_doubtful_memories_are_kept_forgotten_and_restored_by_keyboard(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    add_reviewed(empty_dashboard, DOUBTS, "/work/shop")
    page = open_page(empty_dashboard, "/memories")
    live(page)
    notice = page.get_by_role("status").filter(has_text="Capture has become stricter.")
    expect(notice).to_contain_text("4 memories")
    notice.get_by_role("button", name="Review").click()
    detail = page.get_by_role("region", name="Captured memory")
    expect(detail).to_contain_text("A question")
    expect(detail).to_contain_text("Shall I go on?")
    assert look_violations(page) == []
    note = page.get_by_role("group", name="Notification").last

    row(page, "Why").focus()
    page.keyboard.press("y")
    expect(note).to_contain_text("Kept 1 memory.")
    expect(row(page, "Put the chart")).to_be_focused()
    page.keyboard.press("x")
    page.keyboard.press("J")
    page.keyboard.press("#")
    expect(note).to_contain_text("Forgot 2 memories.")
    expect(row(page, "The button")).to_have_count(0)
    page.keyboard.press("u")
    expect(note).to_contain_text("Undone.")
    expect(row(page, "The button")).to_be_visible()
    page.get_by_role("button", name="Forget all").click()
    expect(note).to_contain_text("Forgot 3 memories.")
    expect(page.get_by_text("Nothing to review")).to_be_visible()
    page.keyboard.press("u")
    expect(row(page, "It should")).to_be_visible()

    page.goto(f"{empty_dashboard.url}/home")
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_have_count(0)
