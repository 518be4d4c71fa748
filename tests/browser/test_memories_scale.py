"""Hundreds of memories in a real browser: drawn, selected, changed in chunks, and printed."""

import re
from collections.abc import Generator

import pytest
from playwright.sync_api import Page, expect

from browser.page import live, row
from fakes.dashboard import Dashboard, OpenPage, running_dashboard

pytestmark = pytest.mark.browser

ALL = 430
ON_PAPER = 90
_COUNT = """() => addEventListener("beforeprint", () => {
  window.printed = document.querySelectorAll("[role=option]").length;
  window.said = document.querySelector(".missing")?.textContent ?? "";
})"""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    """A daemon with many memories, without vectors: no test here needs them."""
    home = tmp_path_factory.mktemp("hundreds")
    (home / "agents").mkdir()
    (home / "agents" / "agent.yaml").write_text("embedding:\n  provider: none\n")
    with running_dashboard(home) as running:
        for number in range(ALL):
            tags = ["paper"] if number < ON_PAPER else []
            running.remember(f"Stone {number:03} lies in the drawer.", tags=tags)
        yield running


def first_200(hundreds: Dashboard, *, pinned: bool) -> list[str]:
    reply = hundreds.http.get("/api/memories", params={"pinned": int(pinned), "limit": 200})
    return [each["id"] for each in reply.json()["memories"]]


@pytest.fixture
def hundreds(filled: Dashboard) -> Dashboard:
    """The many memories as they were kept, whatever a test before did to them."""
    while ids := first_200(filled, pinned=True):
        patches = [{"id": each, "pinned": False} for each in ids]
        body = {"patches": patches, "reason": "a test"}
        filled.http.post("/api/memory/modify", json=body).raise_for_status()
    return filled


def opened(hundreds: Dashboard, open_page: OpenPage) -> Page:
    """Open the list of all."""
    page = open_page(hundreds)
    live(page)
    expect(row(page, f"Stone {ALL - 1}")).to_be_visible()
    return page


def printed(page: Page) -> tuple[int, str, int]:
    """Print; tell how many lines are on paper, what is said of the rest, and how many pages."""
    page.evaluate(_COUNT)
    pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    return page.evaluate("window.printed"), page.evaluate("window.said"), pages


@pytest.mark.slow
def test_all_that_match_are_selected_changed_in_chunks_and_put_back(
    hundreds: Dashboard, open_page: OpenPage
) -> None:
    page = opened(hundreds, open_page)
    page.keyboard.press("Control+a")
    page.get_by_role("button", name=f"Select all {ALL} matching").click()
    expect(page.get_by_text(f"{ALL} selected")).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_text(f"{ALL} pinned.")).to_be_visible()
    assert first_200(hundreds, pinned=False) == []
    page.keyboard.press("u")
    expect(page.get_by_text(f"{ALL} restored.")).to_be_visible()
    assert first_200(hundreds, pinned=True) == []


@pytest.mark.slow
def test_all_lines_that_are_loaded_are_printed(hundreds: Dashboard, open_page: OpenPage) -> None:
    page = open_page(hundreds, "/memories?tag=paper")
    live(page)
    expect(row(page, f"Stone 0{ON_PAPER - 1}")).to_be_visible()
    expect(row(page, "Stone 000")).to_have_count(0)
    count, said, pages = printed(page)
    assert (count, said) == (ON_PAPER, "")
    assert pages >= 2
    # Afterwards only what is in sight is drawn again.
    expect(row(page, "Stone 000")).to_have_count(0)


@pytest.mark.slow
def test_a_print_of_a_part_says_so(hundreds: Dashboard, open_page: OpenPage) -> None:
    page = open_page(hundreds, "/health")
    # The rest does not come: only the first page of the list is loaded.
    page.route(re.compile("cursor="), lambda route: route.abort())
    page.goto(f"{hundreds.url}/memories")
    expect(row(page, f"Stone {ALL - 1}")).to_be_visible()
    count, said, _ = printed(page)
    assert (count, said) == (100, "Printed the 100 loaded rows. There are more.")
