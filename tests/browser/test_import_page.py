"""The import of history in a real browser: from the sources to the report, and back."""

import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.page import live, look_violations, row
from fakes.dashboard import Dashboard, OpenPage
from fakes.exports import chatgpt_conversation, zipped
from fakes.past_history import PastHistory

pytestmark = pytest.mark.browser

SURE = "We decided to use Postgres for the billing worker from now on."
SAID = "We decided to use Redis for the session cache from now on."


def contents(dashboard: Dashboard) -> list[str]:
    listed = dashboard.http.get("/api/memories").json()["memories"]
    return sorted(str(one["content"]) for one in listed)


def test_history_and_an_export_are_imported_decided_on_and_taken_back(
    empty_dashboard: Dashboard, open_page: OpenPage, tmp_path: Path
) -> None:
    dashboard = empty_dashboard
    month_ago = datetime.now(UTC) - timedelta(days=28)
    history = PastHistory(dashboard.home, tmp_path, per_prompt=2_000)
    written = month_ago.timestamp()
    os.utime(history.claude_code(month_ago, 1, said=(SURE,)), (written, written))
    conversation = chatgpt_conversation("c1", [("user", SAID)], title="The session cache")
    export = tmp_path / "chats.zip"
    export.write_bytes(zipped({"conversations.json": [conversation]}))
    page = open_page(dashboard, "/import")
    live(page)
    expect(page.get_by_role("checkbox", name="Claude Code")).to_be_checked()
    expect(page.get_by_text("Claude Code will delete 1 session within 7 days.")).to_be_visible()
    page.get_by_label("Export of ChatGPT or Claude").set_input_files(export)
    expect(page.get_by_text("chats.zip", exact=True)).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("list", name="Examples")).to_contain_text("Postgres")
    assert look_violations(page) == []

    page.keyboard.press("Control+Enter")
    expect(page).to_have_url(re.compile(r"/import/\w"))
    expect(page.get_by_role("status").filter(has_text="Done")).to_be_attached()
    expect(page.get_by_role("table", name="Imported sessions")).to_contain_text("ChatGPT")
    assert look_violations(page) == []
    report = page.url
    page.get_by_role("link", name="Decide on the suggestions").click()
    expect(row(page, "Redis")).to_be_visible()
    expect(page.get_by_text("From one import")).to_be_visible()
    page.keyboard.press("Shift+S")
    page.keyboard.press("y")
    expect(page.get_by_role("heading", name="No results")).to_be_visible()

    page.goto(report)
    page.get_by_role("button", name="Take back this import").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("list", name="Memories from this source")).to_contain_text("Postgres")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("button", name="Undo taking it back")).to_be_visible()
    # What was confirmed in the inbox is the user's own by now.
    assert contents(dashboard) == [SAID]
    page.keyboard.press("u")
    expect(page.get_by_role("button", name="Take back this import")).to_be_visible()
    assert contents(dashboard) == [SURE, SAID]
