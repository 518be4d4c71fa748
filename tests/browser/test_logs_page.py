"""The Logs view in a real browser: following, filters, one line, copying and saving."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.page import look_violations, row
from fakes.dashboard import Dashboard, OpenPage
from fakes.logs import WrittenLog, record

pytestmark = pytest.mark.browser

TRACE = "Traceback (most recent call last):\n  File x\nKeyError: 'x'"
REQUEST = "0198f1c2-7a3b-7c11-9d2e-0123456789ab"


def log_of(dashboard: Dashboard) -> WrittenLog:
    return WrittenLog(dashboard.daemon.paths.log_file)


def opened(dashboard: Dashboard, open_page: OpenPage, path: str = "/logs") -> Page:
    page = open_page(dashboard, path)
    expect(page.get_by_role("option").first).to_be_visible()
    return page


def test_new_lines_are_followed_until_one_is_read(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    log = log_of(dashboard)
    log.add(*(record(number, event=f"idle {number}") for number in range(50)))
    # The daemon itself writes lines of other parts meanwhile.
    page = opened(dashboard, open_page, "/logs?part=store")
    first = page.get_by_role("option").first
    expect(first).to_contain_text("idle 49")
    log.add(record(50, event="slate is grey"))
    expect(first).to_contain_text("slate is grey")

    row(page, "idle 48").click()
    line = page.get_by_role("region", name="Log line")
    expect(line).to_contain_text("idle 48")
    log.add(record(51, event="slate is wet"))
    waiting = page.get_by_role("button", name="1 new line")
    expect(waiting).to_be_visible()
    expect(row(page, "slate is wet")).to_have_count(0)
    waiting.click()
    expect(first).to_contain_text("slate is wet")

    page.keyboard.press("w")
    log.add(record(52, event="slate is dry"))
    expect(waiting).to_be_visible()
    page.keyboard.press("w")
    expect(first).to_contain_text("slate is dry")

    box = page.get_by_role("listbox", name="Logs")
    box.hover()
    page.mouse.wheel(0, 600)
    expect(page.get_by_role("button", name="Follow", exact=True)).to_be_visible()
    log.add(record(53, event="slate is old"))
    expect(waiting).to_be_visible()
    page.mouse.wheel(0, -2_000)
    expect(first).to_contain_text("slate is old")


def test_a_fault_is_found_read_copied_and_saved(dashboard: Dashboard, open_page: OpenPage) -> None:
    log = log_of(dashboard)
    fault = {"request_id": REQUEST, "duration_ms": 1532.4, "tries": 3, "exception": TRACE}
    log.add(record(0, event="basalt was cold", request_id=REQUEST))
    log.add("\x1b[31mrubbish\x1b[0m \x00 of basalt", b"\xff" * 400_000)
    log.add(record(1, event="basalt failed", level="error", part="jobs", **fault))
    log.add(record(2, event="basalt again", level="warning", part="jobs"))
    page = opened(dashboard, open_page, "/logs?q=basalt")
    expect(page.get_by_role("option")).to_have_count(4)
    expect(row(page, "rubbish of basalt")).to_contain_text("unreadable")

    page.get_by_role("button", name="Any level").click()
    page.get_by_role("menuitemradio", name="Errors", exact=True).click()
    expect(page).to_have_url(f"{dashboard.url}/logs?q=basalt&level=error")
    expect(page.get_by_role("option")).to_have_count(1)
    row(page, "basalt failed").click()
    line = page.get_by_role("region", name="Log line")
    for text in ("KeyError: 'x'", "1,532.4 ms", "tries"):
        expect(line).to_contain_text(text)
    line.get_by_text("Everything that happened").click()
    expect(line.get_by_role("group", name="Timeline")).to_contain_text("basalt was cold")
    assert look_violations(page) == []
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("c")
    expect(page.get_by_role("group", name="Notification").last).to_contain_text("Copied the line.")
    copied: str = page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines()[0].startswith("2026-01-31T09:00:01.000Z error jobs basalt failed")

    line.get_by_role("link", name=REQUEST).click()
    expect(page).to_have_url(f"{dashboard.url}/logs?request={REQUEST}")
    expect(page.get_by_role("option")).to_have_count(2)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    saved = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert [json.loads(each)["message"] for each in saved] == ["basalt was cold", "basalt failed"]

    row(page, "basalt failed").click()
    line.get_by_role("button", name="Show what came before").click()
    expect(page.get_by_role("option").first).to_contain_text("basalt failed")
    expect(page.get_by_role("button", name="Following")).to_have_count(0)
