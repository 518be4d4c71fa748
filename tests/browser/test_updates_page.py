"""Updates in Settings, and What's new, in a real browser."""

import json
import re
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from browser.page import look_violations
from fakes.dashboard import Dashboard, OpenPage, Seen, running_dashboard

pytestmark = pytest.mark.browser

KNOWN = {"checked_at": "2026-11-27T12:00:00.000Z", "latest": "9.0.0", "seen": "0.0.1"}


@pytest.fixture(scope="module")
def outdated(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    """A daemon that knows of a newer version."""
    home: Path = tmp_path_factory.mktemp("outdated")
    (home / "state").mkdir()
    (home / "state" / "updates.json").write_text(json.dumps(KNOWN))
    with running_dashboard(home) as running:
        yield running


def test_a_newer_version_is_shown_with_its_command(
    outdated: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(outdated, "/settings/Updates")
    block = page.get_by_role("region", name="Version")
    expect(block.get_by_role("status")).to_have_text("Version 9.0.0 is available.")
    expect(block.get_by_text("git pull && python3 app run")).to_be_visible()
    expect(page.get_by_role("switch", name="Check for updates")).not_to_be_checked()
    assert look_violations(page, within="main [aria-label='Version']") == []
    assert seen.problems == []


def test_what_is_new_is_read_by_version(
    outdated: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(outdated, "/settings/Updates")
    page.get_by_role("link", name=re.compile("^What.s new$")).click()
    expect(page.get_by_role("heading", name="What's new")).to_be_visible()
    first = page.get_by_role("region", name="Versions").get_by_role("heading", level=2).first
    expect(first).to_be_visible()
    assert look_violations(page) == []
    assert seen.problems == []


def test_an_update_runs_after_its_command_was_confirmed(
    outdated: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    asked: list[object] = []

    def as_of_uv(route: Route) -> None:
        body = route.fetch().json()
        body |= {"canRun": True, "command": "uv tool upgrade intaglio", "obstacle": ""}
        route.fulfill(json=body)

    def run(route: Route) -> None:
        asked.append(route.request.post_data_json)
        message = "Version 9.0.0 is installed."
        route.fulfill(json={"success": True, "message": message, "command": ""})

    page = open_page(outdated, "/help")
    page.route("**/api/update/check*", as_of_uv)
    page.route("**/api/update/run", run)
    page.goto(f"{outdated.url}/settings/Updates")
    page.get_by_role("button", name="Update now…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("uv tool upgrade intaglio")).to_be_visible()
    assert look_violations(page, within="dialog") == []
    assert asked == []
    dialog.get_by_role("button", name="Update", exact=True).click()
    expect(page.get_by_text("Version 9.0.0 is installed.")).to_be_visible()
    assert asked == [{"confirmed": True}]
    page.unroute_all(behavior="wait")
    assert seen.problems == []
