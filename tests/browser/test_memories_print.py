"""What stands on paper when the page of memories is printed."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.page import live, row
from fakes.dashboard import Dashboard, OpenPage

pytestmark = pytest.mark.browser

_COUNT = """() => addEventListener("beforeprint", () => {
  window.printed = document.querySelectorAll("[role=option]").length;
  window.said = document.querySelector(".missing")?.textContent ?? "";
})"""


def printed(page: Page) -> tuple[int, str, int]:
    """Print; tell how many lines are on paper, what is said of the rest, and how many pages."""
    page.evaluate(_COUNT)
    pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    return page.evaluate("window.printed"), page.evaluate("window.said"), pages


def test_all_lines_that_are_loaded_are_printed(dashboard: Dashboard, open_page: OpenPage) -> None:
    for number in range(90):
        dashboard.remember(f"Line {number:03} on paper.", project="paper")
    page = open_page(dashboard, "/memories?project=paper")
    live(page)
    expect(row(page, "Line 089")).to_be_visible()
    expect(row(page, "Line 000")).to_have_count(0)
    count, said, pages = printed(page)
    assert (count, said) == (90, "")
    assert pages >= 2
    # Afterwards only what is in sight is drawn again.
    expect(row(page, "Line 000")).to_have_count(0)


def test_a_print_of_a_part_says_so(dashboard: Dashboard, open_page: OpenPage) -> None:
    for number in range(110):
        dashboard.remember(f"Leaf {number:03} of many.", project="leaves")
    page = open_page(dashboard, "/health")
    # The rest does not come: only the first page of the list is loaded.
    page.route(re.compile("cursor="), lambda route: route.abort())
    page.goto(f"{dashboard.url}/memories?project=leaves")
    expect(row(page, "Leaf 109")).to_be_visible()
    count, said, _ = printed(page)
    assert (count, said) == (100, "Printed are the 100 lines that were loaded, of more.")
