"""The Statistics page in a real browser."""

import csv
import json
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.page import axe_violations, look_violations
from fakes.counted_days import fill_days
from fakes.dashboard import Dashboard, OpenPage, Seen, running_dashboard

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def half_a_year(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    """A daemon with memories and sessions of half a year."""
    home = tmp_path_factory.mktemp("statistics")
    fill_days(home, 360, 2)
    with running_dashboard(home) as running:
        yield running


def learned_today(page: Page) -> str:
    """Return what the cursor on the last day of the first chart says."""
    chart = page.get_by_role("slider", name="Learned per day")
    chart.focus()
    page.keyboard.press("End")
    return chart.get_attribute("aria-valuetext") or ""


def test_what_was_learned_this_week_is_said_shown_and_told_as_a_table(
    half_a_year: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(half_a_year, "/statistics")
    expect(page.get_by_text("In the last 7 days, Intaglio learned")).to_be_visible()
    last = learned_today(page)
    page.keyboard.press("ArrowLeft")
    chart = page.get_by_role("slider", name="Learned per day")
    expect(chart).not_to_have_attribute("aria-valuetext", last)
    page.get_by_text("Show as a table: Learned per day").click()
    table = page.get_by_role("region", name="Learned per day as a table").get_by_role("row")
    expect(table).to_have_count(8)
    assert look_violations(page) == []
    assert seen.problems == []


def test_range_project_and_split_are_in_the_address(
    half_a_year: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(half_a_year, "/statistics")
    page.get_by_role("button", name="30 days").click()
    expect(page.get_by_text("In the last 30 days, Intaglio learned")).to_be_visible()
    page.keyboard.press("4")
    expect(page.get_by_text("Since ")).to_be_visible()
    page.get_by_role("button", name="All projects", exact=True).click()
    page.get_by_role("menuitemradio", name="shop").click()
    expect(page.get_by_text(" in shop")).to_be_visible()
    page.get_by_role("button", name="By type").click()
    page.get_by_role("menuitemradio", name="By origin").click()
    expect(page.get_by_role("heading", name="By origin")).to_be_visible()
    query = "range=all&project=%2Fwork%2Fshop&by=origins"
    assert page.url.endswith(f"/statistics?{query}")
    page.reload()
    expect(page.get_by_text(" in shop")).to_be_visible()
    expect(page.get_by_role("button", name="All", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    assert seen.problems == []


def test_the_numbers_are_saved_as_json_and_csv(
    half_a_year: Dashboard, open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(half_a_year, "/statistics")
    expect(page.get_by_text("In the last 7 days")).to_be_visible()
    for kind in ("JSON", "CSV"):
        with page.expect_download() as saved:
            page.get_by_role("button", name=kind).click()
        saved.value.save_as(tmp_path / kind)
    learned = json.loads((tmp_path / "JSON").read_text())["totals"]["learned"]
    rows = csv.DictReader((tmp_path / "CSV").read_text().splitlines())
    assert learned > 0
    assert sum(int(row["learned"]) for row in rows) == learned


def test_a_memory_appears_by_itself_in_a_fresh_install(
    empty_dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(empty_dashboard, "/statistics")
    expect(page.get_by_text("Nothing to count yet")).to_be_visible()
    assert axe_violations(page, within="main") == []
    empty_dashboard.remember("The archive server is called basalt.")
    expect(page.get_by_text("In the last 7 days, Intaglio learned 1 memory")).to_be_visible()
    page.get_by_role("link", name="Memories of these days").click()
    expect(page.get_by_text("The archive server is called basalt.").first).to_be_visible()
    assert seen.problems == []
